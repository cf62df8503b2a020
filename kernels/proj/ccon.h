// Central Conic: the sphere seen from its centre on a cone that touches it at lat_1. Ellipsoids are
// taken for spheres of their semi-major axis. PROJ's inverse holds for northern cones.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct CentralConic {
    parameter lat_1;
    parameter n;
    parameter cotangent;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(n * lon, sine, cosine);
        const real rho = cotangent - tan(lat - lat_1);
        x = rho * sine;
        y = cotangent - rho * cosine;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        y = cotangent - y;
        lat = lat_1 - atan(sqrt(x * x + y * y) - cotangent);
        lon = atan2(x, y) / n;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static CentralConic Setup(const Parameters& p, Definition&) {
        const double lat_1 = p.angle("lat_1");
        if (fabs(lat_1) < 1e-10) {
            p.fail("lat_1", "should not be 0");
        }
        return {lat_1, sin(lat_1), cos(lat_1) / sin(lat_1)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
