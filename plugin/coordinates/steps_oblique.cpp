// ob_tran: any projection, of a sphere turned to another pole.
#include <cmath>

#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/projections.h"
#include "plugin/coordinates/step_setup.h"

namespace gdalgpu {

namespace {

using kernels::proj::Definition;
using kernels::proj::kHalfPi;

struct Pole {
    double lon;
    double lat;
};

// A right angle for a sine beyond 1 by a rounding.
double Asin(double sine) { return std::asin(kernels::proj::clamp_sine(sine)); }

// The pole of the great circle through a point in the direction of an azimuth: Snyder (1987), eqs.
// 9-7 and 9-8.
Pole PoleOfAzimuth(const StepParameters& p) {
    const double lon = p.angle("o_lon_c"), lat = p.angle("o_lat_c");
    const double azimuth = p.angle("o_alpha");
    if (std::fabs(std::fabs(lat) - kHalfPi) <= 1e-10) {
        p.fail("o_lat_c", "should be less than 90 degrees in size");
    }
    return {lon + std::atan2(-std::cos(azimuth), -std::sin(azimuth) * std::sin(lat)),
            Asin(std::cos(lat) * std::sin(azimuth))};
}

// The pole of the great circle through two points: Snyder (1987), eqs. 9-1 and 9-2.
Pole PoleOfPoints(const StepParameters& p) {
    const double lon_1 = p.angle("o_lon_1"), lat_1 = p.angle("o_lat_1");
    const double lon_2 = p.angle("o_lon_2"), lat_2 = p.angle("o_lat_2");
    if (std::fabs(lat_1) > kHalfPi - 1e-10 || std::fabs(lat_1) < 1e-10) {
        p.fail("o_lat_1", "should be between 0 and 90 degrees in size");
    }
    if (std::fabs(lat_2) > kHalfPi - 1e-10 || std::fabs(lat_1 - lat_2) < 1e-10) {
        p.fail("o_lat_2", "should be less than 90 degrees in size, and not o_lat_1");
    }
    const double a = std::cos(lat_1) * std::sin(lat_2), b = std::sin(lat_1) * std::cos(lat_2);
    const double lon = std::atan2(a * std::cos(lon_1) - b * std::cos(lon_2),
                                  b * std::sin(lon_2) - a * std::sin(lon_1));
    return {lon, std::atan(-std::cos(lon - lon_1) / std::tan(lat_1))};
}

bool IsGeographic(const std::string& name) {
    return name == "longlat" || name == "latlong" || name == "lonlat" || name == "latlon";
}

// The projection of the turned sphere reads the same parameters, common ones too, but what it
// changes of them (its central meridian, a fixed ellipsoid) is its own affair, as in PROJ.
void MakeObliqueTransformation(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    const Definition d = ReadCommon(p, step);
    SetEnds(d, d.ellipsoid.a, step);
    step.left = Units::Radians;
    step.right = Units::Plane;

    const std::string name = p.has("o_proj") ? p.text("o_proj") : "";
    ProjectionKernel inner = {};
    if (IsGeographic(name)) {
        step.right = Units::Any;
        inner.type = "kernels::proj::Geographic";
        inner.parameters = Bytes(0.);
        inner.has_inverse = true;
    } else if (HasProjection(name)) {
        Definition own = d;
        inner = MakeProjection(name, p, own);
    } else {
        p.fail("o_proj", "has no kernel");
    }

    Pole pole = {};
    if (p.has("o_alpha")) {
        pole = PoleOfAzimuth(p);
    } else if (p.has("o_lat_p")) {
        pole = {p.angle("o_lon_p"), p.angle("o_lat_p")};
    } else {
        pole = PoleOfPoints(p);
    }
    const bool transverse = std::fabs(pole.lat) <= 1e-10;
    const double turn[] = {pole.lon, transverse ? 0 : std::sin(pole.lat),
                           transverse ? 1 : std::cos(pole.lat)};
    std::vector<std::byte> parameters(sizeof(turn) + inner.parameters.size());
    std::memcpy(parameters.data(), turn, sizeof(turn));
    std::memcpy(parameters.data() + sizeof(turn), inner.parameters.data(), inner.parameters.size());

    const std::string type = "kernels::proj::ObliqueTransformation<" + inner.type + ">";
    step.header = inner.header;
    step.outer_header = "proj/ob_tran.h";
    step.has_inverse = inner.has_inverse;
    SetProjection(type, parameters, step);
}

}  // namespace

std::vector<StepKind> ObliqueSteps() {
    return {{"ob_tran",
             MakeObliqueTransformation,
             {"+o_proj=longlat +o_lon_p=-162 +o_lat_p=39.25 +lon_0=180 +R=6371229",
              "+o_proj=laea +o_lon_p=20 +o_lat_p=45 +ellps=GRS80"}}};
}

}  // namespace gdalgpu
