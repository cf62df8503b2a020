// The declarations of all algorithms.
#include <stdexcept>

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

Argument ScaleArgument() {
    Argument argument{"scale", Type::Number,
                      "1",     "Vertical units per horizontal unit (111120 for degrees and metres)",
                      {"s"},   {}};
    argument.minimum = 0;
    argument.above_minimum = true;
    return argument;
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
    options.scale = values.number("scale");
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
    options.scale = values.number("scale");
    options.zevenbergen_thorne = values.choice("alg") == "ZevenbergenThorne";
    options.compute_edges = values.flag("compute_edges");
    return MakeSlope(options, source);
}

std::vector<Algorithm> Declare() {
    return {
        {"hillshade",
         "shaded relief, as gdaldem hillshade",
         "Byte, nodata 0",
         {{"azimuth",
           Type::Number,
           "315",
           "Direction of the light, in degrees clockwise from north",
           {"az"},
           {}},
          AltitudeArgument(),
          {"z", Type::Number, "1", "Vertical exaggeration", {"zfactor"}, {}},
          ScaleArgument(),
          GradientArgument(),
          {"combined", Type::Flag, "NO", "Oblique shading times slope", {}, {}},
          {"multidirectional", Type::Flag, "NO", "Light from four directions", {}, {}},
          {"igor", Type::Flag, "NO", "Shading that leaves flat ground white", {}, {}},
          EdgesArgument(),
          BandArgument()},
         CheckHillshade,
         HillshadeFromArguments},
        {"slope",
         "slope of the ground, as gdaldem slope",
         "Float32, nodata -9999",
         {{"format", Type::Choice, "degree", "Unit of the slope", {}, {"degree", "percent"}},
          ScaleArgument(),
          GradientArgument(),
          EdgesArgument(),
          BandArgument()},
         nullptr,
         SlopeFromArguments},
    };
}

}  // namespace

const std::vector<Algorithm>& Algorithms() {
    static const std::vector<Algorithm> algorithms = Declare();
    return algorithms;
}

}  // namespace gdalgpu
