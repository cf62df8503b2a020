// Patterson Cylindrical: Patterson, Savric and Jenny (2014), "Introducing the Patterson cylindrical
// projection", Cartographic Perspectives 78.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct PattersonCylindrical {
    parameter unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real s = lat * lat;
        x = lon;
        y = lat * (1.0148 + s * s * (0.23185 + s * (-0.14499 + s * 0.02406)));
        return true;
    }

    // Newton's method towards y within the poles', but from y itself, as PROJ does: far outside
    // that takes more steps than there are. NaN is refused.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real limit = 1.790857183;
        const real target = y > limit ? limit : y < -limit ? -limit : y;
        lon = x;
        lat = y;
        for (int i = 0; i < 100 && lat == lat; ++i) {
            const real s = lat * lat;
            const real step =
                (lat * (1.0148 + s * s * (0.23185 + s * (-0.14499 + s * 0.02406))) - target) /
                (1.0148 + s * s * (5 * 0.23185 + s * (7 * -0.14499 + s * (9 * 0.02406))));
            lat -= step;
            if (fabs(step) < tolerance(1e-11)) {
                return true;
            }
        }
        return false;
    }

#if GPU_SETUP
    template <class Parameters>
    static PattersonCylindrical Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
