// Length of the meridian from the equator and back, in units of a, to the fourth power of es:
// Snyder (1987), eq. 3-21, in Evenden's (1995) arrangement.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct MeridianArc {
    parameter c[5];

    GPU_FUNC real length(real latitude, real sine, real cosine) const {
        const real s2 = sine * sine;
        return c[0] * latitude - cosine * sine * (c[1] + s2 * (c[2] + s2 * (c[3] + s2 * c[4])));
    }

    // Latitude, its sine and cosine by Newton's method; false where ten steps don't reach 1e-11.
    GPU_FUNC bool latitude(real arc, real es, real& latitude, real& sine, real& cosine) const {
        latitude = arc;
        for (int i = 0; i < 10; ++i) {
            sin_cos(latitude, sine, cosine);
            const real w = 1 - es * sine * sine;
            const real step = (length(latitude, sine, cosine) - arc) * (w * sqrt(w)) / (1 - es);
            latitude -= step;
            if (fabs(step) < tolerance(1e-11)) {
                rotate(sine, cosine, -step);
                return true;
            }
        }
        return false;
    }

#if GPU_SETUP
    static MeridianArc Setup(double es) {
        const double es2 = es * es, es3 = es2 * es;
        return {{1 - es * (.25 + es * (.046875 + es * (.01953125 + es * .01068115234375))),
                 es * (.75 - es * (.046875 + es * (.01953125 + es * .01068115234375))),
                 es2 * (.46875 - es * (.01302083333333333333 + es * .00712076822916666666)),
                 es3 * (.36458333333333333333 - es * .00569661458333333333),
                 es3 * es * .3076171875}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
