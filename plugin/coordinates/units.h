// Units of length and angle by PROJ's names.
#pragma once

#include "plugin/coordinates/step_parameters.h"

namespace gdalgpu {

struct Unit {
    enum class Kind { Number, Length, Radian, Degree, Angle };
    double factor = 1;  // to metres or radians
    Kind kind = Kind::Number;
};

// +units (a name) or else +to_meter (a number or a ratio) in metres; 1 where neither is there.
// Throws NotFusable.
double ReadLinearUnit(const StepParameters& p, const char* name, const char* factor);

// unitconvert's units: a name or a number; 1 where absent. Throws NotFusable.
Unit ReadUnit(const StepParameters& p, const char* name);

// What one unit is in the other; both of one kind, unless one is a mere number. Throws NotFusable,
// naming `name`.
double UnitFactor(const StepParameters& p, const char* name, const Unit& from, const Unit& to);

}  // namespace gdalgpu
