// Collignon: Snyder and Voxland (1989), "An Album of Map Projections", p. 219 ff.; Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Collignon {
    parameter c_x;
    parameter c_y;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real square = 1 - sin(lat);
        const real root = square <= 0 ? real(0) : real(sqrt(square));
        x = c_x * lon * root;
        y = c_y * (1 - root);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real root = y / c_y - 1;
        real sine = 1 - root * root;
        if (fabs(sine) > 1.0000001) {
            return false;
        }
        if (!(fabs(sine) < 1)) {  // NaN too, as in PROJ
            sine = sine < 0 ? -1 : 1;
        }
        const real square = 1 - sine;
        lat = asin(sine);
        lon = square <= 0 ? real(0) : x / (c_x * sqrt(square));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Collignon Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {2 / sqrt(kPi), 1.77245385090551602729};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
