// McBryde-Thomas Flat-Polar Quartic: McBryde and Thomas (1949), "Equal-area projections for world
// statistical maps"; Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct McBrydeThomasFlatPolarQuartic {
    parameter c_x;
    parameter c_y;
    parameter pole;

    // Newton's method, at most twenty steps; half the angle and the angle by the half's sine and
    // cosine.
    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(0.5 * lat, sine, cosine);
        const real k = pole * 2 * sine * cosine;
        for (int i = 0; i < 20; ++i) {
            const real step =
                (sine + 2 * sine * cosine - k) / (0.5 * cosine + (cosine - sine) * (cosine + sine));
            rotate(sine, cosine, -0.5 * step);
            if (fabs(step) < tolerance(1e-7)) {
                break;
            }
        }
        x = c_x * lon * (1 + 2 * (cosine - sine) * (cosine + sine) / cosine);
        y = c_y * sine;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real half_sine = y / c_y;
        const real half = asin(clamp_sine(half_sine));
        real sine, cosine;
        sin_cos(2 * half, sine, cosine);
        const real sin_lat = (clamp_sine(half_sine) + sine) / pole;
        lon = x / (c_x * (1 + 2 * cosine / cos(half)));
        lat = asin(clamp_sine(sin_lat));
        return !(fabs(half_sine) > 1.000001 || fabs(sin_lat) > 1.000001);
    }

#if GPU_SETUP
    template <class Parameters>
    static McBrydeThomasFlatPolarQuartic Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {1 / sqrt(6 + 3 * sqrt(2)), 1.87475828462269495505, 1 + sqrt(2) / 2};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
