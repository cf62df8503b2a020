// Eckert II: Snyder and Voxland (1989), "An Album of Map Projections", p. 219 ff.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Eckert2 {
    parameter c_x;
    parameter c_y;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real root = sqrt(4 - 3 * sin(fabs(lat)));
        x = c_x * lon * root;
        y = copysign(c_y * (2 - root), lat);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real root = 2 - fabs(y) / c_y;
        const real sine = (4 - root * root) * (1. / 3);
        lon = x / (c_x * root);
        lat = copysign(real(1), y) * asin(clamp_sine(sine));
        return !(fabs(sine) > 1.0000001);
    }

#if GPU_SETUP
    template <class Parameters>
    static Eckert2 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {sqrt(2 / (3 * kPi)), sqrt(kTwoPi / 3)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
