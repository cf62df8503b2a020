#include "plugin/coordinates/step_parameters.h"

#include <proj.h>

#include <cctype>
#include <cmath>
#include <stdexcept>

#include "cpl_conv.h"
#include "plugin/coordinates/coordinate_operation.h"

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
        steps.push_back(MakeStep(1, false, parameters));
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
    for (std::vector<Parameter>& step : own) {
        step.insert(step.end(), common.begin(), common.end());
        steps.push_back(MakeStep(steps.size() + 1, true, step));
    }
    return steps;
}

}  // namespace gdalgpu
