// geoc: geographic and geocentric latitude.
#pragma once

#include "step/ends.h"

namespace kernels {
namespace step {

struct GeocentricLatitude {
    double one_es;

    GPU_FUNC void forward(double& lat) const { lat = Angles::scaled_tangent(lat, one_es); }
    GPU_FUNC void inverse(double& lat) const { lat = Angles::scaled_tangent(lat, 1 / one_es); }
};

}  // namespace step
}  // namespace kernels
