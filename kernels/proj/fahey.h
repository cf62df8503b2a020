// Fahey: Snyder and Voxland (1989), "An Album of Map Projections", p. 219 ff.; Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Fahey {
    parameter c_x;
    parameter c_y;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real tangent = tan(0.5 * lat);
        const real square = 1 - tangent * tangent;
        x = c_x * lon * (square <= 0 ? real(0) : real(sqrt(square)));
        y = c_y * tangent;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real tangent = y / c_y;
        const real square = 1 - tangent * tangent;
        lat = 2 * atan(tangent);
        lon = fabs(square) < 1e-6 ? real(0) : x / (c_x * sqrt(square));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Fahey Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0.819152, 1.819152};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
