// Nell and Nell-Hammer: Snyder and Voxland (1989), "An Album of Map Projections", p. 219 ff.;
// Evenden (1995).
#pragma once

#include "proj/moll.h"

namespace kernels {
namespace proj {

struct Nell {
    parameter scale;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real k = 2 * sin(lat);
        const real square = lat * lat;
        real half = lat * (1.00371 + square * (-0.0935382 + square * -0.011412));
        real sine, cosine;
        sin_cos(half, sine, cosine);
        half_mollweide_angle<10>(k, false, sine, cosine, half);
        cosine = cos(half);
        x = scale * lon * cosine * cosine;
        y = scale * 2 * half;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real angle = y / scale;
        real sine, cosine;
        sin_cos(angle, sine, cosine);
        lon = 2 * x / (scale * (1 + cosine));
        return arc_sine(0.5 * (angle + sine), lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static Nell Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {1};
    }
#endif
};

struct NellHammer {
    parameter c_x;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = c_x * lon * (1 + cos(lat));
        y = 2 * (lat - tan(0.5 * lat));
        return true;
    }

    // Newton's method from the equator; where nine steps don't reach 1e-7 it is the pole.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real p = 0.5 * y;
        lat = 0;
        for (int i = 0; i < 9; ++i) {
            real sine, cosine;
            sin_cos(0.5 * lat, sine, cosine);
            const real step = (lat - sine / cosine - p) / (1 - 0.5 / (cosine * cosine));
            lat -= step;
            if (fabs(step) < tolerance(1e-7)) {
                lon = x / (c_x * (1 + cos(lat)));
                return true;
            }
        }
        lat = p < 0 ? -kHalfPi : kHalfPi;
        lon = x / c_x;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static NellHammer Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0.5};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
