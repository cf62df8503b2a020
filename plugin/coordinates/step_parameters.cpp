#include "plugin/coordinates/step_parameters.h"

#include <proj.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include "cpl_conv.h"
#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/projections.h"

namespace gdalgpu {

namespace {

using Parameter = StepParameters::Parameter;

// "+proj=utm +zone=33 +south" -> parameters; a value in double quotes may hold spaces.
std::vector<Parameter> Tokenize(const std::string& text) {
    std::vector<Parameter> parameters;
    size_t i = 0;
    const auto space = [&](size_t at) {
        return std::isspace(static_cast<unsigned char>(text[at])) || text[at] == ';';
    };
    while (i < text.size()) {
        if (space(i) || text[i] == '+') {
            ++i;
            continue;
        }
        Parameter parameter;
        while (i < text.size() && !space(i) && text[i] != '=') {
            parameter.name += text[i++];
        }
        if (i < text.size() && text[i] == '=') {
            parameter.has_value = true;
            ++i;
            if (i < text.size() && text[i] == '"') {
                for (++i; i < text.size(); ++i) {
                    if (text[i] == '"') {
                        ++i;
                        if (i >= text.size() || text[i] != '"') {
                            break;
                        }
                    }
                    parameter.value += text[i];
                }
            } else {
                while (i < text.size() && !space(i)) {
                    parameter.value += text[i++];
                }
            }
        }
        parameters.push_back(parameter);
    }
    return parameters;
}

std::string Value(const std::vector<Parameter>& parameters, const char* name) {
    for (const Parameter& parameter : parameters) {
        if (parameter.name == name) {
            return parameter.value;
        }
    }
    return "";
}

StepText MakeStep(size_t number, bool in_pipeline, const std::vector<Parameter>& parameters) {
    const std::string name = Value(parameters, "proj");
    const std::string where =
        in_pipeline ? "step " + std::to_string(number) + " (" + name + ")" : name;
    StepText step{name, false, StepParameters(where, parameters)};
    if (step.parameters.has("init")) {
        step.parameters.fail("init", "isn't expanded here");
    }
    if (name.empty()) {
        step.parameters.fail("proj", "is missing");
    }
    if (step.parameters.has("type")) {
        step.parameters.fail("type", "makes this a CRS, which is no operation");
    }
    // A step that stands in an inverted pipeline and is inverted itself runs forward.
    for (const Parameter& parameter : parameters) {
        if (parameter.name == "inv" && !parameter.has_value) {
            step.inverse = in_pipeline ? !step.inverse : true;
            step.parameters.has("inv");
        }
    }
    for (const char* harmless : {"no_defs", "wktext", "title"}) {
        step.parameters.has(harmless);
    }
    return step;
}

bool Has(const std::vector<Parameter>& parameters, const char* name) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const Parameter& parameter) { return parameter.name == name; });
}

// +nadgrids and +geoidgrids of an operation that starts from longitude and latitude: steps of their
// own before it, as PROJ carries them out. What has no such form keeps the parameters.
void AppendWithGrids(std::vector<StepText>& steps, size_t number, bool in_pipeline,
                     const std::vector<Parameter>& parameters) {
    const std::string name = Value(parameters, "proj");
    const bool horizontal = !Value(parameters, "nadgrids").empty();
    const bool vertical = !Value(parameters, "geoidgrids").empty();
    const std::string datum = Value(parameters, "datum");
    const bool shifts = (Has(parameters, "datum") && datum != "WGS84") ||
                        (Has(parameters, "towgs84") && !horizontal);
    const bool geographic = HasProjection(name) || name == "longlat" || name == "latlong" ||
                            name == "lonlat" || name == "latlon";
    if (!(horizontal || vertical) || shifts || !geographic) {
        steps.push_back(MakeStep(number, in_pipeline, parameters));
        return;
    }
    std::vector<Parameter> own, flags;
    for (const Parameter& parameter : parameters) {
        if (parameter.name == "over" || parameter.name == "omit_fwd" ||
            parameter.name == "omit_inv") {
            flags.push_back(parameter);
        }
        if (parameter.name != "nadgrids" && parameter.name != "geoidgrids" &&
            parameter.name != "towgs84") {
            own.push_back(parameter);
        }
    }
    std::vector<StepText> parts;
    const auto add = [&](const char* step, std::vector<Parameter> of_step) {
        of_step.insert(of_step.begin(), {"proj", step, true});
        of_step.insert(of_step.end(), flags.begin(), flags.end());
        parts.push_back(MakeStep(number, in_pipeline, of_step));
    };
    const StepText operation = MakeStep(number, in_pipeline, own);
    // Longitudes are wrapped before the grids, on the way in alone.
    add("longlat", {{operation.inverse ? "omit_fwd" : "omit_inv", "", false}});
    if (horizontal) {
        add("hgridshift", {{"grids", Value(parameters, "nadgrids"), true}});
        parts.back().inverse = true;
    }
    if (vertical) {
        add("vgridshift", {{"grids", Value(parameters, "geoidgrids"), true}});
    }
    if (operation.inverse) {
        for (StepText& part : parts) part.inverse = !part.inverse;
        std::reverse(parts.begin(), parts.end());
        steps.push_back(operation);
    }
    steps.insert(steps.end(), parts.begin(), parts.end());
    if (!operation.inverse) steps.push_back(operation);
}

}  // namespace

StepParameters::StepParameters(std::string where, std::vector<Parameter> parameters)
    : where_(std::move(where)), parameters_(std::move(parameters)) {}

const Parameter* StepParameters::Find(const char* name) const {
    for (const Parameter& parameter : parameters_) {
        if (parameter.name == name) {
            read_.insert(name);
            return &parameter;
        }
    }
    return nullptr;
}

bool StepParameters::has(const char* name) const { return Find(name) != nullptr; }

const char* StepParameters::text(const char* name) const {
    const Parameter* parameter = Find(name);
    return parameter ? parameter->value.c_str() : nullptr;
}

bool StepParameters::is(const char* name, const char* value) const {
    const Parameter* parameter = Find(name);
    return parameter && parameter->value == value;
}

double ParseNumber(const std::string& text) {
    char* end = nullptr;
    const double value = CPLStrtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value)) {
        throw std::invalid_argument(text);
    }
    return value;
}

double StepParameters::number(const char* name) const {
    const Parameter* parameter = Find(name);
    if (!parameter) {
        return 0;
    }
    try {
        return ParseNumber(parameter->value);
    } catch (const std::invalid_argument&) {
        fail(name, "isn't a number");
    }
}

double StepParameters::ratio(const char* name) const {
    const Parameter* parameter = Find(name);
    double value = 0;
    try {
        const size_t slash = parameter ? parameter->value.find('/') : std::string::npos;
        if (slash == std::string::npos) {
            value = number(name);
        } else {
            value = ParseNumber(parameter->value.substr(0, slash)) /
                    ParseNumber(parameter->value.substr(slash + 1));
        }
    } catch (const std::invalid_argument&) {
        fail(name, "isn't a number or a ratio of two");
    }
    if (!(value > 0) || !std::isfinite(value)) {
        fail(name, "should be greater than 0");
    }
    return value;
}

double StepParameters::angle(const char* name) const {
    const Parameter* parameter = Find(name);
    if (!parameter) {
        return 0;
    }
    char* end = nullptr;
    const double value = proj_dmstor(parameter->value.c_str(), &end);
    if (parameter->value.empty() || end == parameter->value.c_str() || *end != '\0' ||
        !std::isfinite(value)) {
        fail(name, "isn't an angle");
    }
    return value;
}

long StepParameters::integer(const char* name) const {
    const double value = number(name);
    if (value != std::floor(value) || std::fabs(value) > 1e9) {
        fail(name, "isn't an integer");
    }
    return static_cast<long>(value);
}

bool StepParameters::flag(const char* name) const {
    const Parameter* parameter = Find(name);
    if (!parameter) {
        return false;
    }
    switch (parameter->value.empty() ? 'T' : parameter->value[0]) {
        case 'T':
        case 't':
            return true;
        case 'F':
        case 'f':
            return false;
        default:
            fail(name, "should be T or F");
    }
}

void StepParameters::fail(const char* name, const std::string& why) const {
    const Parameter* parameter = Find(name);
    std::string what = where_ + ": +" + name;
    if (parameter && parameter->has_value) {
        what += "=" + parameter->value;
    }
    throw NotFusable(what + " " + why);
}

void StepParameters::CheckAllRead() const {
    for (const Parameter& parameter : parameters_) {
        if (parameter.name != "proj" && !read_.count(parameter.name)) {
            fail(parameter.name.c_str(), "isn't supported");
        }
    }
}

std::vector<StepText> ParsePipeline(const std::string& text) {
    const std::vector<Parameter> parameters = Tokenize(text);
    const auto starts_pipeline = [](const Parameter& p) {
        return p.name == "proj" && p.value == "pipeline";
    };
    size_t pipeline = parameters.size();
    for (size_t i = 0; i < parameters.size(); ++i) {
        if (starts_pipeline(parameters[i])) {
            if (pipeline < parameters.size()) {
                throw NotFusable("pipelines inside pipelines aren't supported");
            }
            pipeline = i;
        }
    }
    std::vector<StepText> steps;
    if (pipeline == parameters.size()) {
        AppendWithGrids(steps, 1, false, parameters);
        return steps;
    }
    // Parameters between +proj=pipeline and the first +step hold for every step, after the step's
    // own.
    std::vector<Parameter> common;
    std::vector<std::vector<Parameter>> own;
    for (size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].name == "step") {
            if (i < pipeline) {
                throw NotFusable("pipeline: +step before +proj=pipeline");
            }
            own.emplace_back();
        } else if (!own.empty()) {
            own.back().push_back(parameters[i]);
        } else if (i > pipeline) {
            common.push_back(parameters[i]);
        }
    }
    if (own.empty()) {
        throw NotFusable("pipeline: no +step");
    }
    for (size_t i = 0; i < own.size(); ++i) {
        own[i].insert(own[i].end(), common.begin(), common.end());
        AppendWithGrids(steps, i + 1, true, own[i]);
    }
    return steps;
}

}  // namespace gdalgpu
