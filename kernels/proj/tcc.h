// Transverse Central Cylindrical, the sphere's central cylindrical projection turned by 90 degrees.
// PROJ has no inverse.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct TransverseCentralCylindrical {
    parameter unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        const real east = cosine * sin_lon;
        const real square = 1 - east * east;
        if (square < 1e-10) {
            return false;
        }
        x = east / sqrt(square);
        y = atan2(sine, cosine * cos_lon);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static TransverseCentralCylindrical Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
