#include "plugin/coordinates/operation_step.h"

#include <proj.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/datum_shift.h"
#include "plugin/coordinates/ellipsoid.h"
#include "plugin/coordinates/projections.h"
#include "plugin/coordinates/step_setup.h"
#include "plugin/coordinates/units.h"

namespace gdalgpu {

namespace {

using kernels::proj::Definition;
using kernels::proj::kHalfPi;
using kernels::proj::kPi;

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

}  // namespace

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

Definition ReadCommon(const StepParameters& p, OperationStep& step) {
    Definition d;
    d.ellipsoid = ReadEllipsoid(p);
    const std::optional<ToWgs84> to_wgs84 = ReadToWgs84(p);
    if (to_wgs84 && !IsWgs84(*to_wgs84, d.ellipsoid)) {
        const DatumShifts shifts = MakeDatumShifts(*to_wgs84, d.ellipsoid);
        step.shifts = true;
        step.from_wgs84 = shifts.from_wgs84;
        step.to_wgs84 = shifts.to_wgs84;
    }
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
    if (p.rules().south_pole_is_exact) {
        step.angle_flags |= kernels::step::kExactSouthPole;
    }
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

void SetEnds(const Definition& d, double a, OperationStep& step) {
    step.angles.central_meridian += d.lon_0;
    if (step.shifts) {
        step.from_wgs84.central_meridian = step.to_wgs84.central_meridian =
            step.angles.central_meridian;
        step.angles.central_meridian = 0;
    }
    step.angles.one_es = d.ellipsoid.one_es;
    if (d.over) {
        step.angle_flags |= kernels::step::kOver;
    }
    if (d.ellipsoid.es == 0) {
        step.angle_flags &= ~kernels::step::kGeocentric;
    }
    step.plane.a = a;
    step.plane.r_a = d.r_a > 0 ? d.r_a : 1 / a;
    step.plane.x_0 = d.x_0;
    step.plane.y_0 = d.y_0;
}

Definition MakeNeutral(const StepText& text, OperationStep& step) {
    const Definition d = ReadCommon(text.parameters, step);
    SetEnds(d, 1, step);
    return d;
}

void SetProjection(const std::string& type, const std::vector<std::byte>& parameters,
                   OperationStep& step) {
    const auto statement = [](const char* direction) {
        return std::string("if (!$.") + direction +
               "(x, y, u, v)) return false;\n        x = double(u);\n        y = double(v);";
    };
    step.forward = {type, parameters, statement("forward")};
    step.inverted = {type, parameters, statement("inverse")};
    step.forward.projects = step.inverted.projects = true;
}

namespace {

void MakeProjectionStep(const StepText& text, OperationStep& step) {
    Definition d = ReadCommon(text.parameters, step);
    ProjectionKernel kernel = MakeProjection(text.name, text.parameters, d);
    SetEnds(d, d.ellipsoid.a, step);
    step.header = kernel.header;
    step.has_inverse = kernel.has_inverse;
    SetProjection(kernel.type, kernel.parameters, step);
    if (kernel.takes_sine) {
        step.forward.statement_with_sine =
            "if (!$.forward_with_sine(x, sine, cosine, u, v)) return false;\n"
            "        x = double(u);\n        y = double(v);";
    }
    if (kernel.gives_sine) {
        step.inverted.statement_with_sine =
            "if (!$.inverse_with_sine(x, y, u, sine, cosine)) return false;\n        x = "
            "double(u);";
    }
    step.left = Units::Radians;
    step.right = Units::Plane;
}

const std::map<std::string, StepKind>& Steps() {
    static const std::map<std::string, StepKind> steps = [] {
        std::map<std::string, StepKind> all;
        for (const auto& family :
             {BasicSteps(), DatumSteps(), GridSteps(), ObliqueSteps(), PolynomialSteps()}) {
            for (const StepKind& kind : family) {
                if (ProjHas(kind.name)) {
                    all[kind.name] = kind;
                }
            }
        }
        return all;
    }();
    return steps;
}

}  // namespace

std::vector<std::string> StepNames() {
    std::vector<std::string> names;
    for (const auto& [name, kind] : Steps()) {
        names.push_back(name);
    }
    return names;
}

std::vector<std::string> StepExamples(const std::string& name) {
    std::vector<std::string> examples;
    for (const char* parameters : Steps().at(name).examples) {
        examples.push_back("+proj=" + name + " " + parameters);
    }
    return examples;
}

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
        before += "const double " + old + " = " + "xyzt"[from] + "; ";
        after += std::string(1, "xyzt"[to]) + " = " + (axes[i] < 0 ? "-" : "") + old + "; ";
    }
    return before.empty() ? "" : "{ " + before + after + "}";
}

OperationStep MakeOperationStep(const StepText& text) {
    OperationStep step;
    step.name = text.name;
    step.inverse = text.inverse;
    step.omit_forward = text.omit_forward;
    step.omit_inverse = text.omit_inverse;
    step.pipeline = text.pipeline;
    const auto found = Steps().find(text.name);
    if (found != Steps().end()) {
        found->second.make(text, step);
    } else if (HasProjection(text.name)) {
        MakeProjectionStep(text, step);
    } else {
        throw NotFusable(text.parameters.where() + ": no kernel for this operation");
    }
    text.parameters.CheckAllRead();
    return step;
}

}  // namespace gdalgpu
