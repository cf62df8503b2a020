#include "plugin/coordinates/units.h"

#include <cstring>

#include "kernels/proj/angles.h"

namespace gdalgpu {

namespace {

// Projections' units are written with fifteen digits in PROJ, unitconvert's as exact ratios.
struct LinearUnit {
    const char* name;
    double written;
    double exact;
};

constexpr LinearUnit kLinearUnits[] = {
    {"km", 1000, 1000},
    {"m", 1, 1},
    {"dm", 0.1, 0.1},
    {"cm", 0.01, 0.01},
    {"mm", 0.001, 0.001},
    {"kmi", 1852, 1852},
    {"in", 0.0254, 0.0254},
    {"ft", 0.3048, 0.3048},
    {"yd", 0.9144, 0.9144},
    {"mi", 1609.344, 1609.344},
    {"fath", 1.8288, 1.8288},
    {"ch", 20.1168, 20.1168},
    {"link", 0.201168, 0.201168},
    {"us-in", 1 / 39.37, 100 / 3937.},
    {"us-ft", 0.304800609601219, 1200 / 3937.},
    {"us-yd", 0.914401828803658, 3600 / 3937.},
    {"us-ch", 20.11684023368047, 79200 / 3937.},
    {"us-mi", 1609.347218694437, 6336000 / 3937.},
    {"ind-yd", 0.91439523, 0.91439523},
    {"ind-ft", 0.30479841, 0.30479841},
    {"ind-ch", 20.11669506, 20.11669506},
};

}  // namespace

double ReadLinearUnit(const StepParameters& p, const char* name, const char* factor) {
    if (const char* text = p.text(name)) {
        p.has(factor);
        for (const LinearUnit& unit : kLinearUnits) {
            if (std::strcmp(unit.name, text) == 0) {
                return unit.written;
            }
        }
        p.fail(name, "names no linear unit");
    }
    return p.has(factor) ? p.ratio(factor) : 1;
}

Unit ReadUnit(const StepParameters& p, const char* name) {
    const char* text = p.text(name);
    if (!text) {
        return {};
    }
    for (const LinearUnit& unit : kLinearUnits) {
        if (std::strcmp(unit.name, text) == 0) {
            return {unit.exact, Unit::Kind::Length};
        }
    }
    if (std::strcmp(text, "rad") == 0) {
        return {1, Unit::Kind::Radian};
    }
    if (std::strcmp(text, "deg") == 0) {
        return {kernels::proj::kPi / 180, Unit::Kind::Degree};
    }
    if (std::strcmp(text, "grad") == 0) {
        return {kernels::proj::kPi / 200, Unit::Kind::Angle};
    }
    const double factor = p.number(name);
    if (factor == 0 || 1 / factor == 0) {
        p.fail(name, "is no unit");
    }
    return {factor, Unit::Kind::Number};
}

double UnitFactor(const StepParameters& p, const char* name, const Unit& from, const Unit& to) {
    if (from.kind != Unit::Kind::Number && to.kind != Unit::Kind::Number &&
        (from.kind == Unit::Kind::Length) != (to.kind == Unit::Kind::Length)) {
        p.fail(name, "is a length where the other is an angle, or the other way round");
    }
    return from.factor / to.factor;
}

}  // namespace gdalgpu
