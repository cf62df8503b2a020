#include "plugin/coordinates/step_parameters.h"

#include <proj.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "cpl_conv.h"
#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/proj_context.h"
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

// A step that stands in an inverted pipeline and is inverted itself runs forward.
int Inversions(const std::vector<Parameter>& parameters) {
    return static_cast<int>(
        std::count_if(parameters.begin(), parameters.end(),
                      [](const Parameter& p) { return p.name == "inv" && !p.has_value; }));
}

StepText MakeStep(size_t number, bool in_pipeline, const std::vector<Parameter>& parameters) {
    const std::string name = Value(parameters, "proj");
    const std::string where =
        in_pipeline ? "step " + std::to_string(number) + " (" + name + ")" : name;
    StepText step{name, false, StepParameters(where, parameters)};
    if (name.empty()) {
        step.parameters.fail("proj", "is missing");
    }
    if (step.parameters.has("type")) {
        step.parameters.fail("type", "makes this a CRS, which is no operation");
    }
    const int inversions = Inversions(parameters);
    step.inverse = in_pipeline ? inversions % 2 == 1 : inversions > 0;
    if (inversions > 0) {
        step.parameters.has("inv");
    }
    step.omit_forward = step.parameters.flag("omit_fwd");
    step.omit_inverse = step.parameters.flag("omit_inv");
    for (const char* harmless : {"no_defs", "wktext", "title"}) {
        step.parameters.has(harmless);
    }
    return step;
}

bool Has(const std::vector<Parameter>& parameters, const char* name) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const Parameter& parameter) { return parameter.name == name; });
}

// A step, and before it those for its +nadgrids and +geoidgrids, if it starts from longitude and
// latitude: as PROJ carries them out. What has no such form keeps the parameters.
std::vector<StepText> MakeStepWithGrids(size_t number, bool in_pipeline,
                                        const std::vector<Parameter>& parameters) {
    const std::string name = Value(parameters, "proj");
    const bool horizontal = !Value(parameters, "nadgrids").empty();
    const bool vertical = !Value(parameters, "geoidgrids").empty();
    const bool shifts = (Has(parameters, "datum") && Value(parameters, "datum") != "WGS84") ||
                        (Has(parameters, "towgs84") && !horizontal);
    const bool geographic = HasProjection(name) || name == "longlat" || name == "latlong" ||
                            name == "lonlat" || name == "latlon";
    if (!(horizontal || vertical) || shifts || !geographic) {
        return {MakeStep(number, in_pipeline, parameters)};
    }
    std::vector<Parameter> own;
    for (const Parameter& parameter : parameters) {
        if (parameter.name != "nadgrids" && parameter.name != "geoidgrids" &&
            parameter.name != "towgs84") {
            own.push_back(parameter);
        }
    }
    const StepText operation = MakeStep(number, in_pipeline, own);
    std::vector<StepText> steps;
    const auto add = [&](const char* step, const char* parameter, const std::string& value) {
        std::vector<Parameter> of_step = {{"proj", step, true}, {parameter, value, true}};
        if (operation.parameters.flag("over")) of_step.push_back({"over", "", false});
        steps.push_back(MakeStep(number, in_pipeline, of_step));
        steps.back().omit_forward = operation.omit_forward;
        steps.back().omit_inverse = operation.omit_inverse;
    };
    // Longitudes are wrapped before the grids, on the way in alone.
    add("longlat", "ellps", "WGS84");
    (operation.inverse ? steps.back().omit_forward : steps.back().omit_inverse) = true;
    if (horizontal) {
        add("hgridshift", "grids", Value(parameters, "nadgrids"));
        steps.back().inverse = true;
    }
    if (vertical) add("vgridshift", "grids", Value(parameters, "geoidgrids"));
    steps.push_back(operation);
    if (operation.inverse) {
        steps.back().inverse = false;
        for (StepText& step : steps) step.inverse = !step.inverse;
        std::reverse(steps.begin(), steps.end());
    }
    return steps;
}

bool StartsPipeline(const Parameter& p) { return p.name == "proj" && p.value == "pipeline"; }

// What PROJ finds at file:section.
std::vector<Parameter> ExpandInit(const std::string& init) {
    const ProjContext context = MakeProjContext();
    const Pj pj(proj_create(context.get(), ("+init=" + init).c_str()));
    if (!pj || proj_is_crs(pj.get())) {
        throw NotFusable("+init=" + init + " is no operation");
    }
    return Tokenize(proj_pj_info(pj.get()).definition);
}

class Parser {
  public:
    std::vector<StepText> Parse(const std::vector<Parameter>& parameters) {
        const auto pipeline = std::find_if(parameters.begin(), parameters.end(), StartsPipeline);
        const int number = pipelines_++;
        std::vector<StepText> steps;
        if (pipeline == parameters.end()) {
            Add(parameters, false, number, steps);
            return steps;
        }
        if (std::find_if(pipeline + 1, parameters.end(), StartsPipeline) != parameters.end()) {
            throw NotFusable("pipelines inside pipelines only come by +init");
        }
        // Parameters between +proj=pipeline and the first +step hold for every step, after the
        // step's own.
        std::vector<Parameter> common;
        std::vector<std::vector<Parameter>> own;
        for (auto p = parameters.begin(); p != parameters.end(); ++p) {
            if (p->name == "step") {
                if (p < pipeline) {
                    throw NotFusable("pipeline: +step before +proj=pipeline");
                }
                own.emplace_back();
            } else if (!own.empty()) {
                own.back().push_back(*p);
            } else if (p > pipeline) {
                common.push_back(*p);
            }
        }
        if (own.empty()) {
            throw NotFusable("pipeline: no +step");
        }
        for (std::vector<Parameter>& step : own) {
            step.insert(step.end(), common.begin(), common.end());
            Add(step, true, number, steps);
        }
        return steps;
    }

  private:
    void Add(std::vector<Parameter> parameters, bool in_pipeline, int pipeline,
             std::vector<StepText>& steps) {
        const auto init = std::find_if(parameters.begin(), parameters.end(),
                                       [](const Parameter& p) { return p.name == "init"; });
        if (init != parameters.end()) {
            const std::vector<Parameter> expansion = ExpandInit(init->value);
            parameters.erase(init);
            const std::vector<Parameter> own = parameters;
            const bool nested = std::any_of(expansion.begin(), expansion.end(), StartsPipeline);
            if (nested && !in_pipeline) {
                if (!own.empty()) {
                    throw NotFusable("+init=: parameters beside a pipeline");
                }
                steps = Parse(expansion);
                return;
            }
            // What is found overrules what the step says itself.
            parameters.insert(parameters.begin(), expansion.begin(), expansion.end());
            if (nested) {
                AddNested(Inversions(own) % 2 == 1, parameters, expansion, steps);
                return;
            }
        }
        for (StepText& step : MakeStepWithGrids(++steps_, in_pipeline, parameters)) {
            step.pipeline = pipeline;
            steps.push_back(std::move(step));
        }
    }

    // Of a step's own parameters PROJ only takes those that concern its direction, and it takes the
    // omissions of steps inside for omissions of the whole too.
    void AddNested(bool inverse, const std::vector<Parameter>& all,
                   const std::vector<Parameter>& pipeline, std::vector<StepText>& steps) {
        if (pipelines_ > kMostPipelines) {
            throw NotFusable("too many pipelines inside pipelines");
        }
        std::vector<StepText> nested = Parse(pipeline);
        if (inverse) {
            std::reverse(nested.begin(), nested.end());
            for (StepText& step : nested) {
                step.inverse = !step.inverse;
                std::swap(step.omit_forward, step.omit_inverse);
            }
        }
        const StepParameters parameters("pipeline", all);
        for (StepText& step : nested) {
            step.omit_forward = step.omit_forward || parameters.flag("omit_fwd");
            step.omit_inverse = step.omit_inverse || parameters.flag("omit_inv");
            steps.push_back(std::move(step));
        }
    }

    static constexpr int kMostPipelines = 20;  // a file may name itself
    int pipelines_ = 0;
    size_t steps_ = 0;
};

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

int StepParameters::list(const char* name, double* values, int most) const {
    const Parameter* parameter = Find(name);
    if (!parameter) {
        return 0;
    }
    const std::string& text = parameter->value;
    int count = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t comma = std::min(text.find(',', at), text.size());
        if (comma > at) {
            if (count == most) {
                fail(name, "has more than " + std::to_string(most) + " numbers");
            }
            try {
                values[count++] = ParseNumber(text.substr(at, comma - at));
            } catch (const std::invalid_argument&) {
                fail(name, "should be numbers");
            }
        }
        at = comma + 1;
    }
    return count;
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
    return Parser().Parse(Tokenize(text));
}

}  // namespace gdalgpu
