#include <cmath>

#include "kernels/step/cart.h"
#include "kernels/step/helmert.h"
#include "kernels/step/molodensky.h"
#include "kernels/step/sch.h"
#include "plugin/coordinates/datum_shift.h"
#include "plugin/coordinates/step_setup.h"

namespace gdalgpu {

namespace {

using kernels::proj::Definition;

Vector ReadVector(const StepParameters& p, const char* x, const char* y, const char* z,
                  double unit = 1) {
    return {p.number(x) * unit, p.number(y) * unit, p.number(z) * unit};
}

void SetAffine(const Vector& before, const Matrix& matrix, const Matrix& inverse,
               const Vector& after, OperationStep& step) {
    step.header = "step/affine.h";
    step.forward = {"kernels::step::Affine", Bytes(MakeAffine(before, matrix, after)),
                    "$.apply(x, y, z);"};
    step.inverted = {"kernels::step::Affine", Bytes(MakeAffine(after, inverse, before)),
                     "$.apply(x, y, z);"};
}

void SetTranslation(const Vector& shift, OperationStep& step) {
    const kernels::step::Translation forward = {shift[0], shift[1], shift[2]};
    const kernels::step::Translation inverted = {-shift[0], -shift[1], -shift[2]};
    step.header = "step/affine.h";
    step.forward = {"kernels::step::Translation", Bytes(forward), "$.apply(x, y, z);"};
    step.inverted = {"kernels::step::Translation", Bytes(inverted), "$.apply(x, y, z);"};
}

void MakeCartStep(const StepText& text, OperationStep& step) {
    const Definition d = MakeNeutral(text, step);
    const std::vector<std::byte> cart = Bytes(MakeCart(d.ellipsoid));
    step.header = "step/cart.h";
    step.forward = {"kernels::step::Cart", cart, "$.forward(x, y, z);"};
    step.inverted = {"kernels::step::Cart", cart, "$.inverse(x, y, z);"};
    step.left = Units::Radians;
    step.right = Units::Cartesian;
}

// Whether rotations are to be read in the position vector's convention; one has to be named where
// there are any.
bool IsPositionVector(const StepParameters& p, bool rotates) {
    const bool position_vector = p.is("convention", "position_vector");
    if (rotates && !position_vector && !p.is("convention", "coordinate_frame")) {
        p.fail("convention", "should be position_vector or coordinate_frame");
    }
    return position_vector;
}

struct Helmert {
    Vector shift, angle;
    double scale;  // parts per million; of the plane: a factor
    Vector shift_rate, angle_rate;
    double scale_rate;
    double epoch;

    bool rotates() const { return angle != Vector{} || angle_rate != Vector{}; }
    bool moves() const {
        return shift_rate != Vector{} || angle_rate != Vector{} || scale_rate != 0;
    }
};

Helmert ReadHelmert(const StepParameters& p) {
    Helmert h = {};
    h.shift = ReadVector(p, "x", "y", "z");
    h.angle = ReadVector(p, "rx", "ry", "rz", kArcSecond);
    if (const std::optional<ToWgs84> to_wgs84 = ReadToWgs84(p)) {
        h.shift = to_wgs84->shift;
        h.angle = to_wgs84->angle;
        h.scale = to_wgs84->scale;
    }
    if (p.has("s")) {
        h.scale = p.number("s");
        if (h.scale <= -1e6) {
            p.fail("s", "should be greater than -1000000");
        }
    }
    h.shift_rate = ReadVector(p, "dx", "dy", "dz");
    h.angle_rate = ReadVector(p, "drx", "dry", "drz", kArcSecond);
    h.scale_rate = p.number("ds");
    h.epoch = p.number("t_epoch");
    p.has("t_obs");  // PROJ takes each point's own time
    return h;
}

void MakePlaneHelmert(const StepParameters& p, const Helmert& h, OperationStep& step) {
    step.left = step.right = Units::Plane;
    IsPositionVector(p, h.rotates());
    const double scale = p.has("s") ? h.scale : 1;
    if (scale == 0) {
        p.fail("s", "should not be 0");
    }
    const double angle = p.number("theta") * kArcSecond;
    const double angle_rate = p.number("dtheta") * kArcSecond;
    const kernels::step::HelmertPlaneRates rates = {h.shift[0], h.shift[1],   angle,  angle_rate,
                                                    scale,      h.scale_rate, h.epoch};
    if (angle_rate != 0 || h.scale_rate != 0) {
        const char* type = "kernels::step::HelmertPlaneRates";
        step.header = "step/helmert.h";
        step.forward = {type, Bytes(rates), "$.forward(x, y, t);"};
        step.inverted = {type, Bytes(rates), "$.inverse(x, y, t);"};
        return;
    }
    const double c = std::cos(angle), s = std::sin(angle);
    const Matrix forward = {{{c * scale, s * scale, 0}, {-s * scale, c * scale, 0}, {0, 0, 1}}};
    const Matrix inverse = {{{c / scale, -s / scale, 0}, {s / scale, c / scale, 0}, {0, 0, 1}}};
    SetAffine({}, forward, inverse, {h.shift[0], h.shift[1], 0}, step);
}

void MakeMovingHelmert(const Helmert& h, bool exact, bool position_vector, OperationStep& step) {
    kernels::step::HelmertRates rates = {};
    for (int i = 0; i < 3; ++i) {
        rates.shift[i] = h.shift[i];
        rates.shift_rate[i] = h.shift_rate[i];
        rates.angle[i] = h.angle[i];
        rates.angle_rate[i] = h.angle_rate[i];
    }
    rates.scale = h.scale * 1e-6;
    rates.scale_rate = h.scale_rate * 1e-6;
    rates.epoch = h.epoch;
    const std::string form = std::string(exact ? "<true, " : "<false, ") +
                             (position_vector ? "true>" : "false>") + "(x, y, z, t);";
    const char* type = "kernels::step::HelmertRates";
    step.header = "step/helmert.h";
    step.forward = {type, Bytes(rates), "$.forward" + form};
    step.inverted = {type, Bytes(rates), "$.inverse" + form};
}

void MakeHelmert(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    MakeNeutral(text, step);
    const Helmert h = ReadHelmert(p);
    const bool exact = p.flag("exact");
    if (p.has("theta")) {
        MakePlaneHelmert(p, h, step);
        return;
    }
    step.left = step.right = Units::Cartesian;
    const bool position_vector = IsPositionVector(p, h.rotates());
    if (ReadToWgs84(p) && h.rotates() && !position_vector) {
        p.fail("convention", "should be position_vector beside +towgs84");
    }
    if (h.moves()) {
        MakeMovingHelmert(h, exact, position_vector, step);
        return;
    }
    if (!h.rotates() && h.scale == 0) {
        SetTranslation(h.shift, step);
        return;
    }
    const double factor = 1 + h.scale * 1e-6;
    const Matrix rotation = Rotation(h.angle, exact, position_vector);
    SetAffine({}, Scale(rotation, factor), Scale(Transpose(rotation), 1 / factor), h.shift, step);
}

void MakeMolodenskyBadekas(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    MakeNeutral(text, step);
    step.left = step.right = Units::Cartesian;
    Vector shift = ReadVector(p, "x", "y", "z");
    const Vector angle = ReadVector(p, "rx", "ry", "rz", kArcSecond);
    const Vector reference = ReadVector(p, "px", "py", "pz");
    const double factor = 1 + p.number("s") * 1e-6;
    if (factor == 0) {
        p.fail("s", "leaves nothing");
    }
    const Matrix rotation = Rotation(angle, p.flag("exact"), IsPositionVector(p, true));
    for (int i = 0; i < 3; ++i) {
        shift[i] += reference[i];
    }
    SetAffine(reference, Scale(rotation, factor), Scale(Transpose(rotation), 1 / factor), shift,
              step);
}

void MakeMolodensky(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    const Definition d = MakeNeutral(text, step);
    step.left = step.right = Units::Radians;
    for (const char* name : {"dx", "dy", "dz", "da", "df"}) {
        if (!p.has(name)) {
            p.fail(name, "is missing");
        }
    }
    const kernels::step::Molodensky molodensky = {d.ellipsoid.a,  d.ellipsoid.f,  d.ellipsoid.es,
                                                  p.number("dx"), p.number("dy"), p.number("dz"),
                                                  p.number("da"), p.number("df")};
    const std::string form =
        p.has("abridged") ? "<true>(x, y, z)) return false;" : "<false>(x, y, z)) return false;";
    step.header = "step/molodensky.h";
    const char* type = "kernels::step::Molodensky";
    step.forward = {type, Bytes(molodensky), "if (!$.forward" + form};
    step.inverted = {type, Bytes(molodensky), "if (!$.inverse" + form};
}

void MakeGeogOffset(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    MakeNeutral(text, step);
    step.left = step.right = Units::Radians;
    SetTranslation({p.number("dlon") * kArcSecond, p.number("dlat") * kArcSecond, p.number("dh")},
                   step);
}

// PROJ's cofactors over the determinant; false where that is 0.
bool Invert(const Matrix& m, Matrix& inverse) {
    double determinant = 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const int r = (j + 1) % 3, s = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            inverse[i][j] = m[r][c] * m[s][d] - m[r][d] * m[s][c];
        }
        determinant += m[0][i] * inverse[i][0];
    }
    if (determinant == 0) {
        return false;
    }
    for (auto& row : inverse) {
        for (double& value : row) {
            value /= determinant;
        }
    }
    return true;
}

void MakeAffineStep(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    MakeNeutral(text, step);
    const auto diagonal = [&](const char* name) { return p.has(name) ? p.number(name) : 1; };
    const Matrix matrix = {{{diagonal("s11"), p.number("s12"), p.number("s13")},
                            {p.number("s21"), diagonal("s22"), p.number("s23")},
                            {p.number("s31"), p.number("s32"), diagonal("s33")}}};
    const double time_scale = diagonal("tscale");
    const double time_offset = p.number("toff");
    Matrix inverse = {};
    step.has_inverse = Invert(matrix, inverse) && time_scale != 0;
    SetAffine({}, matrix, inverse, ReadVector(p, "xoff", "yoff", "zoff"), step);
    if (time_scale == 1 && time_offset == 0) {
        return;
    }
    const auto with_time = [](Middle& middle, const kernels::step::ScaledTime& time) {
        const std::vector<std::byte> bytes = Bytes(time);
        middle.member_type = "kernels::step::AffineWithTime";
        middle.parameters.insert(middle.parameters.end(), bytes.begin(), bytes.end());
        middle.statement = "$.apply(x, y, z, t);";
    };
    with_time(step.forward, {0, time_scale, time_offset});
    with_time(step.inverted, {time_offset, 1 / time_scale, 0});
}

void MakeTopocentric(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    const Definition d = MakeNeutral(text, step);
    step.left = step.right = Units::Cartesian;
    const bool geocentric = p.has("X_0") || p.has("Y_0") || p.has("Z_0");
    const bool geographic = p.has("lon_0") || p.has("lat_0") || p.has("h_0");
    if (geocentric == geographic) {
        p.fail("X_0", "and +lon_0 exclude each other, and one is needed");
    }
    for (const char* name : {"X_0", "Y_0", "Z_0"}) {
        if (geocentric && !p.has(name)) {
            p.fail(name, "is missing");
        }
    }
    for (const char* name : {"lon_0", "lat_0"}) {
        if (geographic && !p.has(name)) {
            p.fail(name, "is missing");
        }
    }
    const kernels::step::Cart cart = MakeCart(d.ellipsoid);
    double lon = d.lon_0, lat = d.lat_0;
    Vector origin = {p.number("X_0"), p.number("Y_0"), p.number("Z_0")};
    if (geocentric) {
        double h = origin[2];
        lon = origin[0];
        lat = origin[1];
        cart.inverse(lon, lat, h);
    } else {
        origin = {lon, lat, p.number("h_0")};
        cart.forward(origin[0], origin[1], origin[2]);
    }
    const double sin_lon = std::sin(lon), cos_lon = std::cos(lon);
    const double sin_lat = std::sin(lat), cos_lat = std::cos(lat);
    const Matrix rotation = {{{-sin_lon, cos_lon, 0},
                              {-sin_lat * cos_lon, -sin_lat * sin_lon, cos_lat},
                              {cos_lat * cos_lon, cos_lat * sin_lon, sin_lat}}};
    SetAffine(origin, rotation, Transpose(rotation), {}, step);
}

void MakeSphericalCrossTrack(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    const Definition d = ReadCommon(p, step);
    SetEnds(d, d.ellipsoid.a, step);
    step.left = Units::Radians;
    step.right = Units::Plane;
    for (const char* name : {"plat_0", "plon_0", "phdg_0"}) {
        if (!p.has(name)) {
            p.fail(name, "is missing");
        }
    }
    const double lat = p.angle("plat_0"), lon = p.angle("plon_0"), heading = p.angle("phdg_0");
    const double height = p.number("h_0");
    const double sin_lat = std::sin(lat), cos_lat = std::cos(lat);
    const double sin_lon = std::sin(lon), cos_lon = std::cos(lon);
    const double sin_heading = std::sin(heading), cos_heading = std::cos(heading);
    const double w = std::sqrt(1 - d.ellipsoid.es * sin_lat * sin_lat);
    const double east = d.ellipsoid.a / w;
    const double north = d.ellipsoid.a * d.ellipsoid.one_es / (w * w * w);
    const double radius =
        height +
        east * north / (east * cos_heading * cos_heading + north * sin_heading * sin_heading);
    kernels::step::SphericalCrossTrack sch = {};
    sch.ellipsoid = MakeCart(d.ellipsoid);
    sch.sphere = {radius, radius, 0, 0};
    sch.radius = radius / d.ellipsoid.a;
    // The directions of up, along and across the track at the peg point.
    const Matrix rotation = {
        {{cos_lat * cos_lon, cos_lat * sin_lon, sin_lat},
         {-sin_heading * sin_lon - sin_lat * cos_lon * cos_heading,
          cos_lon * sin_heading - sin_lat * sin_lon * cos_heading, cos_lat * cos_heading},
         {sin_lon * cos_heading - sin_lat * cos_lon * sin_heading,
          -cos_lon * cos_heading - sin_lat * sin_lon * sin_heading, cos_lat * sin_heading}}};
    Vector centre = {lon, lat, height};
    sch.ellipsoid.forward(centre[0], centre[1], centre[2]);
    for (size_t i = 0; i < 3; ++i) {
        centre[i] -= radius * rotation[0][i];
    }
    sch.to_sphere = MakeAffine(centre, rotation, {});
    sch.to_ellipsoid = MakeAffine({}, Transpose(rotation), centre);
    step.header = "step/sch.h";
    const char* type = "kernels::step::SphericalCrossTrack";
    step.forward = {type, Bytes(sch), "$.forward(x, y, z);"};
    step.inverted = {type, Bytes(sch), "$.inverse(x, y, z);"};
}

}  // namespace

std::vector<StepKind> DatumSteps() {
    return {
        {"affine", MakeAffineStep, {"+s12=0.1 +xoff=5", "+toff=3 +tscale=2"}},
        {"cart", MakeCartStep, {"+ellps=GRS80", "+R=6371000"}},
        {"geocent", MakeCartStep, {"+ellps=GRS80"}},
        {"geogoffset", MakeGeogOffset, {"+dlon=10 +dlat=-20 +dh=3"}},
        {"helmert",
         MakeHelmert,
         {"+x=598.1 +y=73.7 +z=418.2", "+x=1 +rz=2 +s=3 +convention=position_vector",
          "+x=1 +rz=2 +s=3 +convention=coordinate_frame +exact",
          "+x=1 +dx=0.1 +drz=0.001 +t_epoch=2000 +convention=coordinate_frame",
          "+x=1 +drz=0.001 +t_epoch=2000 +convention=position_vector +exact",
          "+x=9 +theta=250 +s=0.9", "+theta=250 +dtheta=1 +t_epoch=2000"}},
        {"molobadekas",
         MakeMolodenskyBadekas,
         {"+x=-270 +rx=-5 +px=2464351 +py=-5783466 +pz=974809 +convention=coordinate_frame"}},
        {"molodensky",
         MakeMolodensky,
         {"+ellps=intl +dx=-134 +dy=-110 +dz=-292 +da=-108 +df=4.8e-7",
          "+ellps=intl +dx=-134 +dy=-110 +dz=-292 +da=-108 +df=4.8e-7 +abridged"}},
        {"sch", MakeSphericalCrossTrack, {"+plat_0=30 +plon_0=45 +phdg_0=-12 +ellps=WGS84"}},
        {"topocentric",
         MakeTopocentric,
         {"+lon_0=5 +lat_0=55 +h_0=200 +ellps=WGS84",
          "+X_0=3652755 +Y_0=319574 +Z_0=5201547 +ellps=intl"}},
    };
}

}  // namespace gdalgpu
