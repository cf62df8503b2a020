// McBryde-Thomas Flat-Polar Sine (No. 2): McBryde and Thomas (1949), "Equal-area projections for
// world statistical maps"; Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct McBrydeThomasFlatPolarSine2 {
    parameter c_x;
    parameter c_y;

    static constexpr double kPart = 1.36509;
    static constexpr double kSine = 0.45503;
    static constexpr double kPole = 1.41546;

    // Newton's method, at most ten steps.
    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, part_sine, part_cosine;
        sin_cos(lat, sine, cosine);
        sin_cos(lat / kPart, part_sine, part_cosine);
        const real k = kPole * sine;
        for (int i = 0; i < 10; ++i) {
            const real step = (kSine * part_sine + sine - k) / (1. / 3 * part_cosine + cosine);
            rotate(sine, cosine, -step);
            rotate(part_sine, part_cosine, -step / kPart);
            if (fabs(step) < tolerance(1e-7)) {
                break;
            }
        }
        x = c_x * lon * (1 + 3 * cosine / part_cosine);
        y = c_y * part_sine;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real part_sine = y / c_y;
        real part, part_cosine, sine, cosine;
        if (!arc_sine(part_sine, part, part_cosine)) {
            return false;
        }
        sin_cos(kPart * part, sine, cosine);
        lon = x / (c_x * (1 + 3 * cosine / part_cosine));
        return arc_sine((kSine * clamp_sine(part_sine) + sine) / kPole, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static McBrydeThomasFlatPolarSine2 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0.22248, 1.44492};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
