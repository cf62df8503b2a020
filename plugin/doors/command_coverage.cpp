// `gdal-gpu coverage`: which of PROJ's projected CRSs are fused, and how close to PROJ they are.
#include <proj.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_json.h"
#include "cpl_string.h"
#include "plugin/coordinates/coverage.h"
#include "plugin/coordinates/operation_step.h"
#include "plugin/coordinates/projections.h"
#include "plugin/doors/command.h"
#include "plugin/options.h"
#include "plugin/runtime.h"

namespace gdalgpu {
namespace {

void Add(CPLJSONObject& object, const char* name, double value) {
    if (std::isfinite(value)) {
        object.Add(name, value);
    } else {
        object.AddNull(name);
    }
}

void PrintJson(const std::vector<CrsCoverage>& results) {
    std::printf("[");
    const char* separator = "\n";
    for (const CrsCoverage& result : results) {
        CPLJSONObject object;
        object.Add("auth", result.authority);
        object.Add("code", result.code);
        object.Add("name", result.name);
        object.Add("method", result.method);
        object.Add("in_proj", result.in_proj);
        object.Add("fused", result.fused);
        object.Add("reason", result.reason);
        Add(object, "forward_m", result.forward_metres);
        Add(object, "inverse_rad", result.inverse_radians);
        Add(object, "proj_round_trip_m", result.round_trip_metres);
        Add(object, "proj_round_trip_rad", result.round_trip_radians);
        object.Add("refused_by_one", static_cast<GInt64>(result.refused_by_one));
        object.Add("further", static_cast<GInt64>(result.further));
        std::printf("%s%s", separator, object.Format(CPLJSONObject::PrettyFormat::Plain).c_str());
        separator = ",\n";
    }
    std::printf("\n]\n");
}

struct Summary {
    size_t crs = 0, in_proj = 0, fused = 0, close = 0;
    double metres = 0, radians = 0;

    void Add(const CrsCoverage& result) {
        ++crs;
        in_proj += result.in_proj;
        fused += result.fused;
        close += result.close();
        if (result.forward_metres > metres) metres = result.forward_metres;
        if (result.inverse_radians > radians) radians = result.inverse_radians;
    }
    void Print(const std::string& title) const {
        std::printf("%6zu %6zu %6zu %6zu  %9.2g %9.2g  %s\n", crs, in_proj, fused, close, metres,
                    radians, title.c_str());
    }
};

void PrintText(const std::vector<CrsCoverage>& results) {
    std::map<std::string, Summary> methods;
    Summary all;
    for (const CrsCoverage& result : results) {
        methods[result.method].Add(result);
        all.Add(result);
    }
    std::printf("   CRS   PROJ  fused  close  forward m inv. rad  method\n");
    for (const auto& [method, summary] : methods) summary.Print(method);
    all.Print("all");
    std::printf(
        "\n%zu of %zu projected CRSs PROJ itself can't compute. Of the other %zu, %zu are fused "
        "(%.2f %%), and %zu of these are close to PROJ.\n"
        "close: the same points refused, the others within 1e-6 m and 1e-11 rad on the ground "
        "(1e-6 m: in proportion on bodies larger than the Earth), or no less exact than PROJ, "
        "which takes them back to where they came from.\n",
        all.crs - all.in_proj, all.crs, all.in_proj, all.fused,
        all.in_proj == 0 ? 0.
                         : 100. * static_cast<double>(all.fused) / static_cast<double>(all.in_proj),
        all.close);
    const char* title = "\nNot fused, or not close:\n";
    for (const CrsCoverage& result : results) {
        if (result.close()) continue;
        std::printf("%s%s:%s %s (%s): %s\n", title, result.authority.c_str(), result.code.c_str(),
                    result.name.c_str(), result.method.c_str(), result.reason.c_str());
        title = "";
    }
}

std::string Join(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

// The next power of ten: figures that are the same on every machine.
std::string PowerOfTen(double value, double least) {
    if (std::isnan(value)) return "";
    return CPLSPrintf("1e%d", static_cast<int>(std::ceil(std::log10(std::max(value, least)))));
}

// The tables of plugin/coordinates/README.md: the operations of PROJ, and the CRSs of its database.
void PrintMarkdown(const std::vector<ProjectionCoverage>& projections,
                   const std::vector<CrsCoverage>& results) {
    std::printf("| PROJ's operations | | forward, m | inverse, rad |\n| --- | --- | --- | --- |\n");
    std::vector<std::string> left;
    for (const PJ_OPERATIONS* operation = proj_list_operations(); operation->id; ++operation)
        left.push_back(operation->id);
    const auto take = [&](const std::string& name) {
        left.erase(std::remove(left.begin(), left.end(), name), left.end());
    };
    for (const ProjectionFamily& family : ProjectionFamilies()) {
        double metres = 0, radians = 0;
        for (const ProjectionCoverage& projection : projections) {
            if (std::find(family.projections.begin(), family.projections.end(), projection.name) ==
                family.projections.end())
                continue;
            if (projection.forward_metres > metres) metres = projection.forward_metres;
            if (projection.inverse_radians > radians) radians = projection.inverse_radians;
        }
        for (const std::string& name : family.projections) take(name);
        std::printf("| %s projections | %s | %s | %s |\n", family.name.c_str(),
                    Join(family.projections).c_str(), PowerOfTen(metres, 1e-9).c_str(),
                    PowerOfTen(radians, 1e-15).c_str());
    }
    std::vector<std::string> steps = StepNames();
    steps.push_back("pipeline");
    for (const std::string& name : steps) take(name);
    std::printf("| other operations | %s | | |\n", Join(steps).c_str());
    std::printf("| sampled, not fused | %s | | |\n", Join(left).c_str());

    std::map<std::string, Summary> authorities;
    Summary all;
    for (const CrsCoverage& result : results) {
        authorities[result.authority].Add(result);
        all.Add(result);
    }
    std::printf(
        "\n| projected CRSs of PROJ's database | | PROJ can transform to | of these fused | as "
        "close to PROJ as its own round trip, or 1e-6 m and 1e-11 rad |\n"
        "| --- | --- | --- | --- | --- |\n");
    const auto row = [](const std::string& name, const Summary& s) {
        std::printf("| %s | %zu | %zu | %zu | %zu |\n", name.c_str(), s.crs, s.in_proj, s.fused,
                    s.close);
    };
    for (const auto& [authority, summary] : authorities) row(authority, summary);
    row("all", all);
}

// CUDA or, where there is none and nobody asked for it, HOST.
Selection SelectForCoverage() {
    CheckOptions();
    const CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);  // a missing device is an error here
    Selection selection = SelectDevice(UINT64_MAX);
    if (selection.device == nullptr && OptionChoice("GDAL_GPU_DEVICE", "AUTO") == "AUTO") {
        CPLSetConfigOption("GDAL_GPU_DEVICE", "HOST");
        selection = SelectDevice(UINT64_MAX);
    }
    return selection;
}

}  // namespace

int CoverageCommand(const std::vector<std::string>& arguments) {
    std::string authority;
    size_t most = 0;
    bool json = false, markdown = false;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        const bool takes_value = argument == "--auth" || argument == "--limit";
        if (argument == "--json") {
            json = true;
        } else if (argument == "--markdown") {
            markdown = true;
        } else if (!takes_value) {
            return WrongArgument("coverage", argument);
        } else if (i + 1 == arguments.size()) {
            return MissingValue(argument, argument == "--auth" ? "EPSG, ESRI, ..." : "a number");
        } else if (argument == "--auth") {
            authority = arguments[++i];
        } else {
            const std::string& value = arguments[++i];
            if (value.empty() || value.size() > 9 ||
                value.find_first_not_of("0123456789") != std::string::npos) {
                return WrongValue("--limit", value, "a whole number");
            }
            most = std::stoul(value);
        }
    }
    const Selection selection = SelectForCoverage();
    if (selection.device == nullptr) {
        std::fprintf(stderr, "gdal-gpu: no device: %s\n", selection.reason.c_str());
        return 1;
    }
    const std::vector<CrsCoverage> results = MeasureCoverage(*selection.device, authority, most);
    if (markdown) {
        PrintMarkdown(MeasureProjections(*selection.device), results);
    } else if (json) {
        PrintJson(results);
    } else {
        PrintText(results);
    }
    return OutputIsWritten() ? 0 : 1;
}

}  // namespace gdalgpu
