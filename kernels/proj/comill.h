// Compact Miller: Jenny, Savric and Patterson (2015), "A compromise aspect-adaptive cylindrical
// projection for world maps", International Journal of Geographical Information Science 29 (6).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct CompactMiller {
    parameter unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real s = lat * lat;
        x = lon;
        y = lat * (0.9902 + s * (0.1604 - 0.03054 * s));
        return true;
    }

    // Newton's method from y, which is taken to within the poles'; NaN is refused.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real limit = 0.6000207669862655 * kPi;
        const real target = y > limit ? limit : y < -limit ? -limit : y;
        lon = x;
        lat = target;
        for (int i = 0; i < 100 && lat == lat; ++i) {
            const real s = lat * lat;
            const real step = (lat * (0.9902 + s * (0.1604 - 0.03054 * s)) - target) /
                              (0.9902 + s * (3 * 0.1604 - 5 * 0.03054 * s));
            lat -= step;
            if (fabs(step) < tolerance(1e-11)) {
                return true;
            }
        }
        return false;
    }

#if GPU_SETUP
    template <class Parameters>
    static CompactMiller Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
