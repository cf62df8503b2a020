// +datum and +towgs84: an operation's own datum by its shift to WGS84.
#pragma once

#include <array>
#include <optional>

#include "kernels/proj/definition.h"
#include "kernels/step/datum_shift.h"
#include "plugin/coordinates/step_parameters.h"

namespace gdalgpu {

using Vector = std::array<double, 3>;
using Matrix = std::array<std::array<double, 3>, 3>;

// out = matrix (in - before) + after.
kernels::step::Affine MakeAffine(const Vector& before, const Matrix& matrix, const Vector& after);

// Rotation by angles about x, y, z in radians, in the coordinate-frame convention; without `exact`
// to the first order.
Matrix Rotation(const Vector& angle, bool exact, bool position_vector);

Matrix Transpose(const Matrix& matrix);
Matrix Scale(const Matrix& matrix, double factor);

kernels::step::Cart MakeCart(const kernels::proj::Ellipsoid& ellipsoid);

// The ellipsoid that +datum names. Throws NotFusable for no datum of PROJ's.
const char* DatumEllipsoid(const StepParameters& p);

// A shift to WGS84: metres, radians, parts per million, in the position vector's convention.
struct ToWgs84 {
    Vector shift = {};
    Vector angle = {};
    double scale = 0;
};

// +towgs84, or else the shift that +datum stands for; nothing where neither is there. Throws
// NotFusable, for datums that stand for grids too.
std::optional<ToWgs84> ReadToWgs84(const StepParameters& p);

// From WGS84 to the datum of an ellipsoid and back, for an end at that longitude from Greenwich.
struct DatumShifts {
    kernels::step::DatumShift from_wgs84;
    kernels::step::DatumShift to_wgs84;
};
DatumShifts MakeDatumShifts(const ToWgs84& to_wgs84, const kernels::proj::Ellipsoid& ellipsoid);

// True where PROJ leaves coordinates alone: no shift, and the ellipsoid is that of WGS84.
bool IsWgs84(const ToWgs84& to_wgs84, const kernels::proj::Ellipsoid& ellipsoid);

}  // namespace gdalgpu
