// Foucaut Sinusoidal: Evenden (1995), after Tobler's mean of the sinusoidal and the cylindrical
// equal-area projections.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct FoucautSinusoidal {
    parameter n;
    parameter n1;  // 1 - n

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        x = lon * cosine / (n + n1 * cosine);
        y = n * lat + n1 * sine;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real sine, cosine;
        if (n == 0) {
            if (!arc_sine(y, lat, cosine)) {
                return false;
            }
        } else {
            lat = y;
            sin_cos(lat, sine, cosine);
            if (!solve(y, lat, sine, cosine)) {
                lat = y < 0 ? -kHalfPi : kHalfPi;
                cosine = kCosHalfPi;
            }
        }
        lon = x * (n + n1 * cosine) / cosine;
        return true;
    }

    // Newton's method; false where ten steps don't reach 1e-7.
    GPU_FUNC bool solve(real y, real& lat, real& sine, real& cosine) const {
        for (int i = 0; i < 10; ++i) {
            const real step = (n * lat + n1 * sine - y) / (n + n1 * cosine);
            lat -= step;
            sin_cos(lat, sine, cosine);
            if (fabs(step) < tolerance(1e-7)) {
                return true;
            }
        }
        return false;
    }

#if GPU_SETUP
    template <class Parameters>
    static FoucautSinusoidal Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        const double n = p.number("n");
        if (n < 0 || n > 1) {
            p.fail("n", "should be 0 to 1");
        }
        return {n, 1 - n};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
