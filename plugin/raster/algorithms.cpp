// The declarations of all algorithms.
#include <stdexcept>

#include "plugin/gdal_rules.h"
#include "plugin/raster/algorithm.h"
#include "plugin/raster/terrain.h"

namespace gdalgpu {

namespace {

using Type = Argument::Type;

Argument BandArgument() {
    Argument argument{"band", Type::Integer, "1", "Band of the dataset", {"b"}, {}};
    argument.minimum = 1;
    return argument;
}

Argument ScaleArgument(const char* name, const char* default_value, const char* help) {
    Argument argument{name, Type::Number, default_value, help, {}, {}};
    argument.minimum = 0;
    argument.above_minimum = true;
    return argument;
}

// scale, xscale and yscale; what gdaldem takes where none of them is given depends on GDAL's
// version.
std::vector<Argument> ScaleArguments() {
    const char* const otherwise = LoadedGdalRules().dem_scale_from_units ? "from the units" : "1";
    std::vector<Argument> arguments = {
        ScaleArgument("scale", otherwise,
                      "Vertical units in a horizontal unit (111120 metres in a degree)"),
        ScaleArgument("xscale", "scale", "The same along x"),
        ScaleArgument("yscale", "scale", "The same along y"),
    };
    arguments[0].aliases = {"s"};
    return arguments;
}

void CheckScale(const ArgumentValues& values) {
    if (values.given("xscale") != values.given("yscale"))
        throw std::invalid_argument("xscale and yscale are given together, or neither");
    if (values.given("xscale") && values.given("scale"))
        throw std::invalid_argument("scale and xscale can't be used together");
}

ElevationScale ScaleFromArguments(const ArgumentValues& values, const SourceBand& source) {
    if (values.given("xscale")) return {values.number("xscale"), values.number("yscale")};
    if (values.given("scale")) return {values.number("scale"), values.number("scale")};
    return source.default_scale;
}

Argument GradientArgument() {
    return {
        "alg", Type::Choice, "Horn", "Formula of the gradient", {}, {"Horn", "ZevenbergenThorne"}};
}

Argument EdgesArgument() {
    return {"compute_edges",
            Type::Flag,
            "NO",
            "Compute at the raster's edges and next to nodata too",
            {},
            {}};
}

Argument AltitudeArgument() {
    Argument argument{"altitude", Type::Number,
                      "45",       "Height of the light above the horizon, in degrees",
                      {"alt"},    {}};
    argument.minimum = 0;
    argument.maximum = 90;
    return argument;
}

void CheckHillshade(const ArgumentValues& values) {
    CheckScale(values);
    const bool multidirectional = values.flag("multidirectional");
    const bool igor = values.flag("igor");
    if (multidirectional + igor + values.flag("combined") > 1)
        throw std::invalid_argument("only one of multidirectional, combined and igor can be used");
    if (multidirectional && values.given("azimuth"))
        throw std::invalid_argument("multidirectional and azimuth can't be used together");
    if (igor && values.given("altitude"))
        throw std::invalid_argument("igor and altitude can't be used together");
}

std::unique_ptr<WindowOperation> HillshadeFromArguments(const ArgumentValues& values,
                                                        const SourceBand& source) {
    HillshadeOptions options;
    options.azimuth = values.number("azimuth");
    options.altitude = values.number("altitude");
    options.z = values.number("z");
    options.scale = ScaleFromArguments(values, source);
    options.zevenbergen_thorne = values.choice("alg") == "ZevenbergenThorne";
    options.compute_edges = values.flag("compute_edges");
    if (values.flag("combined")) options.shading = kernels::Shading::Combined;
    if (values.flag("igor")) options.shading = kernels::Shading::Igor;
    if (values.flag("multidirectional")) options.shading = kernels::Shading::Multidirectional;
    return MakeHillshade(options, source);
}

std::unique_ptr<WindowOperation> SlopeFromArguments(const ArgumentValues& values,
                                                    const SourceBand& source) {
    SlopeOptions options;
    if (values.choice("format") == "percent") options.format = kernels::SlopeFormat::Percent;
    options.scale = ScaleFromArguments(values, source);
    options.zevenbergen_thorne = values.choice("alg") == "ZevenbergenThorne";
    options.compute_edges = values.flag("compute_edges");
    return MakeSlope(options, source);
}

std::vector<Argument> Joined(std::initializer_list<std::vector<Argument>> parts) {
    std::vector<Argument> all;
    for (const std::vector<Argument>& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::vector<Algorithm> Declare() {
    return {
        {"hillshade", "shaded relief, as gdaldem hillshade", "Byte, nodata 0",
         Joined({{{"azimuth",
                   Type::Number,
                   "315",
                   "Direction of the light, in degrees clockwise from north",
                   {"az"},
                   {}},
                  AltitudeArgument(),
                  {"z", Type::Number, "1", "Vertical exaggeration", {"zfactor"}, {}}},
                 ScaleArguments(),
                 {GradientArgument(),
                  {"combined", Type::Flag, "NO", "Oblique shading times slope", {}, {}},
                  {"multidirectional", Type::Flag, "NO", "Light from four directions", {}, {}},
                  {"igor", Type::Flag, "NO", "Shading that leaves flat ground white", {}, {}},
                  EdgesArgument(),
                  BandArgument()}}),
         CheckHillshade, HillshadeFromArguments},
        {"slope", "slope of the ground, as gdaldem slope", "Float32, nodata -9999",
         Joined(
             {{{"format", Type::Choice, "degree", "Unit of the slope", {}, {"degree", "percent"}}},
              ScaleArguments(),
              {GradientArgument(), EdgesArgument(), BandArgument()}}),
         CheckScale, SlopeFromArguments},
    };
}

}  // namespace

const std::vector<Algorithm>& Algorithms() {
    static const std::vector<Algorithm> algorithms = Declare();
    return algorithms;
}

}  // namespace gdalgpu
