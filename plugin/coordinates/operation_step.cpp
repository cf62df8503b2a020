#include "plugin/coordinates/operation_step.h"

#include <proj.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

#include "kernels/step/affine.h"
#include "kernels/step/cart.h"
#include "kernels/step/unitconvert.h"
#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/ellipsoid.h"
#include "plugin/coordinates/projections.h"
#include "plugin/coordinates/units.h"

namespace gdalgpu {

namespace {

using kernels::proj::Definition;
using kernels::proj::kHalfPi;
using kernels::proj::kPi;

constexpr double kArcSecond = kPi / 180 / 3600;

template <class T>
std::vector<std::byte> Bytes(const T& value) {
    static_assert(sizeof(T) % 8 == 0);
    std::vector<std::byte> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}

double PrimeMeridian(const StepParameters& p) {
    if (const char* name = p.text("pm")) {
        for (const PJ_PRIME_MERIDIANS* known = proj_list_prime_meridians(); known->id; ++known) {
            if (std::strcmp(known->id, name) == 0) {
                return proj_dmstor(known->defn, nullptr);
            }
        }
    }
    return p.angle("pm");
}

// "wnu" -> "-1,2,3".
std::string OrderOfAxis(const StepParameters& p, const std::string& axis) {
    std::string order;
    if (axis.size() != 3) {
        p.fail("axis", "should be three of e, w, n, s, u, d");
    }
    for (char direction : axis) {
        static const std::map<char, const char*> kAxes = {{'e', "1"},  {'w', "-1"}, {'n', "2"},
                                                          {'s', "-2"}, {'u', "3"},  {'d', "-3"}};
        const auto found = kAxes.find(direction);
        if (found == kAxes.end()) {
            p.fail("axis", "should be three of e, w, n, s, u, d");
        }
        order += (order.empty() ? "" : ",") + std::string(found->second);
    }
    return order;
}

// Parameters that PROJ reads for every operation.
Definition ReadCommon(const StepParameters& p, OperationStep& step) {
    Definition d;
    d.ellipsoid = ReadEllipsoid(p);
    d.lon_0 = p.angle("lon_0");
    d.lat_0 = p.angle("lat_0");
    if (std::fabs(d.lat_0) > kHalfPi) {
        p.fail("lat_0", "should be within 90 degrees");
    }
    d.x_0 = p.number("x_0");
    d.y_0 = p.number("y_0");
    const char* scale = p.has("k_0") ? "k_0" : "k";
    d.k_0 = p.has(scale) ? p.number(scale) : 1;
    p.has("k");
    if (d.k_0 <= 0) {
        p.fail(scale, "should be greater than 0");
    }
    step.angle_flags = p.flag("over") ? kernels::step::kOver : 0;
    if (p.flag("geoc")) {
        step.angle_flags |= kernels::step::kGeocentric;
    }
    if (p.has("lon_wrap")) {
        step.angle_flags |= kernels::step::kLongitudeWrap;
        step.angles.wrap_center = p.angle("lon_wrap");
        if (!(std::fabs(step.angles.wrap_center) < 20 * kPi)) {
            p.fail("lon_wrap", "is too large");
        }
    }
    if (const char* axis = p.text("axis")) {
        if (std::strcmp(axis, "enu") != 0) {
            step.axis = OrderOfAxis(p, axis);
            AxisSwapStatement(p, step.axis, false);
        }
    }
    step.angles.central_meridian = PrimeMeridian(p);
    const double z_0 = p.number("z_0");
    const double unit = ReadLinearUnit(p, "units", "to_meter");
    const double z_unit =
        p.has("vunits") || p.has("vto_meter") ? ReadLinearUnit(p, "vunits", "vto_meter") : unit;
    step.angles.z_0 = step.plane.z_0 = z_0;
    step.plane.to_metres = unit;
    step.plane.from_metres = 1 / unit;
    step.angles.z_to_metres = step.plane.z_to_metres = z_unit;
    step.angles.z_from_metres = step.plane.z_from_metres = 1 / z_unit;
    return d;
}

// After the projection has read its own parameters, which may change the common ones.
void SetEnds(const Definition& d, double a, OperationStep& step) {
    step.angles.central_meridian += d.lon_0;
    step.angles.one_es = d.ellipsoid.one_es;
    if (d.ellipsoid.es == 0) {
        step.angle_flags &= ~kernels::step::kGeocentric;
    }
    step.plane.a = a;
    step.plane.r_a = 1 / a;
    step.plane.x_0 = d.x_0;
    step.plane.y_0 = d.y_0;
}

void MakeProjectionStep(const StepText& text, OperationStep& step) {
    Definition d = ReadCommon(text.parameters, step);
    ProjectionKernel kernel = MakeProjection(text.name, text.parameters, d);
    SetEnds(d, d.ellipsoid.a, step);
    step.header = kernel.header;
    step.has_inverse = kernel.has_inverse;
    step.forward = {kernel.type, kernel.parameters,
                    "if (!$.forward(x, y, u, v)) return false;\n        x = u;\n        y = v;"};
    step.inverted = {kernel.type, kernel.parameters,
                     "if (!$.inverse(x, y, u, v)) return false;\n        x = u;\n        y = v;"};
    step.left = Units::Radians;
    step.right = Units::Plane;
}

void MakeLonglat(const StepText& text, OperationStep& step) {
    Definition d = ReadCommon(text.parameters, step);
    d.x_0 = d.y_0 = 0;
    SetEnds(d, 1, step);
    step.left = step.right = Units::Radians;
}

void MakeNeutral(const StepText& text, OperationStep& step) {
    const Definition d = ReadCommon(text.parameters, step);
    SetEnds(d, 1, step);
}

void MakePushPop(const StepText& text, OperationStep& step) {
    MakeNeutral(text, step);
    unsigned mask = 0;
    const char* names[] = {"v_1", "v_2", "v_3", "v_4"};
    for (int i = 0; i < 4; ++i) {
        mask |= text.parameters.has(names[i]) ? 1u << i : 0u;
    }
    (text.name == "push" ? step.pushes : step.pops) = mask;
}

void MakeSet(const StepText& text, OperationStep& step) {
    MakeNeutral(text, step);
    std::array<double, 4> values = {};
    const char* names[] = {"v_1", "v_2", "v_3", "v_4"};
    std::string statement;
    for (int i = 0; i < 4; ++i) {
        if (text.parameters.has(names[i])) {
            values[i] = text.parameters.number(names[i]);
            statement += std::string(statement.empty() ? "" : " ") + "xyzt"[i] + " = $.v[" +
                         std::to_string(i) + "];";
        }
    }
    step.header = "step/set.h";
    step.forward = step.inverted = {"kernels::step::Values", Bytes(values), statement};
}

void MakeAxisSwap(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    if (p.has("order") == p.has("axis")) {
        p.fail("order", "and +axis exclude each other, and one is needed");
    }
    const std::string order = p.has("order") ? p.text("order") : OrderOfAxis(p, p.text("axis"));
    MakeNeutral(text, step);
    step.axis.clear();
    step.forward = {"", {}, AxisSwapStatement(p, order, false)};
    step.inverted = {"", {}, AxisSwapStatement(p, order, true)};
    step.prepares = step.finishes = false;
    if (p.has("angularunits")) {
        step.left = step.right = Units::Radians;
    }
}

void MakeUnitConvert(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    MakeNeutral(text, step);
    const Unit from = ReadUnit(p, "xy_in");
    const Unit to = ReadUnit(p, "xy_out");
    const auto ends = [](const Unit& unit) {
        return unit.kind == Unit::Kind::Radian   ? Units::Radians
               : unit.kind == Unit::Kind::Degree ? Units::Degrees
                                                 : Units::Any;
    };
    step.left = ends(from);
    step.right = ends(to);
    step.xy_factor = UnitFactor(p, "xy_in", from, to);
    step.z_factor = UnitFactor(p, "z_in", ReadUnit(p, "z_in"), ReadUnit(p, "z_out"));
    step.scales = true;
    step.prepares = false;
    step.header = "step/unitconvert.h";
    const char* type = "kernels::step::UnitConvert";
    const kernels::step::UnitConvert forward = {step.xy_factor, step.z_factor};
    const kernels::step::UnitConvert inverted = {1 / step.xy_factor, 1 / step.z_factor};
    step.forward = {type, Bytes(forward), "$.apply(x, y, z);"};
    step.inverted = {type, Bytes(inverted), "$.apply(x, y, z);"};
}

void MakeCart(const StepText& text, OperationStep& step) {
    const Definition d = ReadCommon(text.parameters, step);
    SetEnds(d, 1, step);
    const kernels::proj::Ellipsoid& e = d.ellipsoid;
    const double second = std::tan(std::asin(e.e));
    const kernels::step::Cart cart = {e.a, e.b, e.es, second * second};
    step.header = "step/cart.h";
    step.forward = {"kernels::step::Cart", Bytes(cart), "$.forward(x, y, z);"};
    step.inverted = {"kernels::step::Cart", Bytes(cart), "$.inverse(x, y, z);"};
    step.left = Units::Radians;
    step.right = Units::Cartesian;
}

using Vector = std::array<double, 3>;
using Matrix = std::array<std::array<double, 3>, 3>;

// out = matrix (in - before) + after, and back by the given inverse matrix.
void SetAffine(const Vector& before, const Matrix& matrix, const Matrix& inverse,
               const Vector& after, OperationStep& step) {
    kernels::step::Affine forward = {}, inverted = {};
    for (int i = 0; i < 3; ++i) {
        forward.before[i] = inverted.after[i] = before[i];
        forward.after[i] = inverted.before[i] = after[i];
        for (int j = 0; j < 3; ++j) {
            forward.matrix[3 * i + j] = matrix[i][j];
            inverted.matrix[3 * i + j] = inverse[i][j];
        }
    }
    step.header = "step/affine.h";
    step.forward = {"kernels::step::Affine", Bytes(forward), "$.apply(x, y, z);"};
    step.inverted = {"kernels::step::Affine", Bytes(inverted), "$.apply(x, y, z);"};
}

void SetTranslation(const Vector& shift, OperationStep& step) {
    const kernels::step::Translation forward = {shift[0], shift[1], shift[2]};
    const kernels::step::Translation inverted = {-shift[0], -shift[1], -shift[2]};
    step.header = "step/affine.h";
    step.forward = {"kernels::step::Translation", Bytes(forward), "$.apply(x, y, z);"};
    step.inverted = {"kernels::step::Translation", Bytes(inverted), "$.apply(x, y, z);"};
}

// Rotation by angles about x, y, z in radians, in the coordinate-frame convention; without `exact`
// to the first order.
Matrix Rotation(const Vector& angle, bool exact, bool position_vector) {
    const double f = angle[0], t = angle[1], p = angle[2];
    Matrix r = {{{1, p, -t}, {-p, 1, f}, {t, -f, 1}}};
    if (exact) {
        const double cf = std::cos(f), sf = std::sin(f), ct = std::cos(t), st = std::sin(t);
        const double cp = std::cos(p), sp = std::sin(p);
        r = {{{ct * cp, cf * sp + sf * st * cp, sf * sp - cf * st * cp},
              {-ct * sp, cf * cp - sf * st * sp, sf * cp + cf * st * sp},
              {st, -sf * ct, cf * ct}}};
    }
    if (position_vector) {
        std::swap(r[0][1], r[1][0]);
        std::swap(r[0][2], r[2][0]);
        std::swap(r[1][2], r[2][1]);
    }
    return r;
}

void MakeHelmert(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    MakeNeutral(text, step);
    step.left = step.right = Units::Cartesian;
    const bool badekas = text.name == "molobadekas";
    Vector shift = {}, angle = {}, reference = {};
    const char* shifts[] = {"x", "y", "z"};
    const char* angles[] = {"rx", "ry", "rz"};
    const char* references[] = {"px", "py", "pz"};
    for (int i = 0; i < 3; ++i) {
        shift[i] = p.number(shifts[i]);
        angle[i] = p.number(angles[i]) * kArcSecond;
        reference[i] = badekas ? p.number(references[i]) : 0;
    }
    const double scale = p.number("s");
    if (scale <= -1e6) {
        p.fail("s", "should be greater than -1000000");
    }
    // Rates (dx, drx, ds, ...) are left unread and refused; without them the epoch means nothing.
    p.has("t_epoch");
    const bool rotates = angle != Vector{};
    const bool exact = p.flag("exact");
    const bool position_vector = p.is("convention", "position_vector");
    if ((rotates || badekas) && !position_vector && !p.is("convention", "coordinate_frame")) {
        p.fail("convention", "should be position_vector or coordinate_frame");
    }
    if (!rotates && scale == 0 && !badekas) {
        SetTranslation(shift, step);
        return;
    }
    const double factor = 1 + scale * 1e-6;
    const Matrix rotation = Rotation(angle, exact, position_vector);
    Matrix matrix = {}, inverse = {};
    for (int i = 0; i < 3; ++i) {
        shift[i] += reference[i];
        for (int j = 0; j < 3; ++j) {
            matrix[i][j] = factor * rotation[i][j];
            inverse[j][i] = rotation[i][j] / factor;
        }
    }
    SetAffine(reference, matrix, inverse, shift, step);
}

void MakeGeogOffset(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    MakeNeutral(text, step);
    step.left = step.right = Units::Radians;
    SetTranslation({p.number("dlon") * kArcSecond, p.number("dlat") * kArcSecond, p.number("dh")},
                   step);
}

using MakeStep = void (*)(const StepText&, OperationStep&);

const std::map<std::string, MakeStep>& Steps() {
    static const std::map<std::string, MakeStep> steps = {
        {"axisswap", MakeAxisSwap},
        {"cart", MakeCart},
        {"geogoffset", MakeGeogOffset},
        {"helmert", MakeHelmert},
        {"latlon", MakeLonglat},
        {"latlong", MakeLonglat},
        {"lonlat", MakeLonglat},
        {"longlat", MakeLonglat},
        {"molobadekas", MakeHelmert},
        {"noop", MakeNeutral},
        {"pop", MakePushPop},
        {"push", MakePushPop},
        {"set", MakeSet},
        {"unitconvert", MakeUnitConvert},
    };
    return steps;
}

}  // namespace

std::string AxisSwapStatement(const StepParameters& p, const std::string& order, bool inverse) {
    std::vector<int> axes;
    bool seen[5] = {};
    size_t at = 0;
    while (at < order.size()) {
        const size_t comma = std::min(order.find(',', at), order.size());
        const std::string item = order.substr(at, comma - at);
        const int axis = std::atoi(item.c_str());
        if (item.empty() || item.find_first_not_of("-1234") != std::string::npos || axis == 0 ||
            std::abs(axis) > 4 || seen[std::abs(axis)] || axes.size() == 4) {
            p.fail("order", "should name each axis once");
        }
        seen[std::abs(axis)] = true;
        axes.push_back(axis);
        at = comma + 1;
    }
    for (int axis : axes) {
        if (std::abs(axis) > static_cast<int>(axes.size()) || axes.size() < 2) {
            p.fail("order", "should name the first two, three or four axes");
        }
    }
    std::string before, after;
    for (size_t i = 0; i < axes.size(); ++i) {
        const int other = std::abs(axes[i]) - 1;
        const size_t from = inverse ? i : static_cast<size_t>(other);
        const size_t to = inverse ? static_cast<size_t>(other) : i;
        if (from == to && axes[i] > 0) {
            continue;
        }
        const std::string old = std::string("old_") + "xyzt"[from];
        before += "const kernels::real " + old + " = " + "xyzt"[from] + "; ";
        after += std::string(1, "xyzt"[to]) + " = " + (axes[i] < 0 ? "-" : "") + old + "; ";
    }
    return before.empty() ? "" : "{ " + before + after + "}";
}

OperationStep MakeOperationStep(const StepText& text) {
    OperationStep step;
    step.name = text.name;
    step.inverse = text.inverse;
    step.omit_forward = text.parameters.flag("omit_fwd");
    step.omit_inverse = text.parameters.flag("omit_inv");
    const auto found = Steps().find(text.name);
    if (found != Steps().end()) {
        found->second(text, step);
    } else if (HasProjection(text.name)) {
        MakeProjectionStep(text, step);
    } else {
        throw NotFusable(text.parameters.where() + ": no kernel for this operation");
    }
    text.parameters.CheckAllRead();
    return step;
}

}  // namespace gdalgpu
