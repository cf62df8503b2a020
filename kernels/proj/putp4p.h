// Putnins P4' and Werenskiold I: Snyder and Voxland (1989), "An Album of Map Projections", p. 219
// ff.; Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct PutninsP4Prime {
    parameter c_x;
    parameter c_y;

    static constexpr double kThird = 0.333333333333333;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real angle, cosine, sin_third, cos_third;
        arc_sine(0.883883476 * sin(lat), angle, cosine);
        sin_cos(kThird * angle, sin_third, cos_third);
        x = c_x * lon * cosine / cos_third;
        y = c_y * sin_third;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real third, cos_third, sine, cosine;
        if (!arc_sine(y / c_y, third, cos_third)) {
            return false;
        }
        sin_cos(3 * third, sine, cosine);
        lon = x * cos_third / c_x / cosine;
        return arc_sine(1.13137085 * sine, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static PutninsP4Prime Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0.874038744, 3.883251825};
    }
#endif
};

struct Werenskiold1 : PutninsP4Prime {
#if GPU_SETUP
    template <class Parameters>
    static Werenskiold1 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{1, 4.442882938}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
