// Central Cylindrical: Snyder and Voxland (1989), "An Album of Map Projections", p. 218.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct CentralCylindrical {
    parameter unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (fabs(fabs(lat) - kHalfPi) <= 1e-10) {
            return false;
        }
        x = lon;
        y = tan(lat);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lon = x;
        lat = atan(y);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static CentralCylindrical Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
