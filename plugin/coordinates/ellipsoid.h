// A step's ellipsoid, read from its parameters as PROJ reads them.
#pragma once

#include "kernels/proj/definition.h"
#include "plugin/coordinates/step_parameters.h"

namespace gdalgpu {

// +R; +ellps or +datum; +a; +rf, +f, +es, +e or +b; +R_A, +R_V, +R_a, +R_g, +R_h, +R_lat_a,
// +R_lat_g, +R_C. GRS80 where nothing is given. Throws NotFusable for values that PROJ refuses and
// for datums that need a shift to WGS84.
kernels::proj::Ellipsoid ReadEllipsoid(const StepParameters& p);

}  // namespace gdalgpu
