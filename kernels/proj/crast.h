// Craster Parabolic: Snyder and Voxland (1989), "An Album of Map Projections", p. 219 ff.; Evenden
// (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct CrasterParabolic {
    parameter c_x;
    parameter c_y;
    parameter r_c_y;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real third = lat * (1. / 3);
        x = c_x * lon * (2 * cos(2 * third) - 1);
        y = c_y * sin(third);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real third = asin(y * r_c_y);
        lat = 3 * third;
        lon = x / (c_x * (2 * cos(2 * third) - 1));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static CrasterParabolic Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        const double c_y = sqrt(3 * kPi);
        return {sqrt(3 / kPi), c_y, 1 / c_y};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
