// Urmaev Flat-Polar Sinusoidal and Wagner I: Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct UrmaevFlatPolarSinusoidal {
    parameter n;
    parameter c_y;

    static constexpr double kX = 0.8773826753;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real angle, cosine;
        const bool valid = arc_sine(n * sin(lat), angle, cosine);
        x = kX * lon * cosine;
        y = c_y * angle;
        return valid;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real sine, cosine;
        sin_cos(y / c_y, sine, cosine);
        lon = x / (kX * cosine);
        return arc_sine(sine / n, lat);
    }

#if GPU_SETUP
    static UrmaevFlatPolarSinusoidal From(double n, Definition& d) {
        d.ellipsoid.es = 0;
        return {n, 1.139753528477 / n};
    }

    template <class Parameters>
    static UrmaevFlatPolarSinusoidal Setup(const Parameters& p, Definition& d) {
        const double n = p.number("n");
        if (!(n > 0 && n <= 1)) {
            p.fail("n", "should be greater than 0 and at most 1");
        }
        return From(n, d);
    }
#endif
};

struct Wagner1 : UrmaevFlatPolarSinusoidal {
#if GPU_SETUP
    template <class Parameters>
    static Wagner1 Setup(const Parameters&, Definition& d) {
        return {From(sqrt(3) / 2, d)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
