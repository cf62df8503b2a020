// Miller Cylindrical: Snyder (1987), "Map Projections: A Working Manual", eqs. 11-1 to 11-6.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct MillerCylindrical {
    parameter unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(0.8 * lat, sine, cosine);
        x = lon;
        y = 1.25 * asinh_tan(sine, cosine);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real em = expm1(-fabs(0.8 * y));
        lon = x;
        lat = copysign(2.5 * atan(-em / (em + 2)), y);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static MillerCylindrical Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
