// Wagner II: Snyder and Voxland (1989), "An Album of Map Projections", p. 219 ff.; Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Wagner2 {
    parameter c_x;
    parameter c_y;

    static constexpr double kSine = 0.88022;
    static constexpr double kPart = 0.88550;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real angle, cosine;
        arc_sine(kSine * sin(kPart * lat), angle, cosine);
        x = c_x * lon * cosine;
        y = c_y * angle;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real sine, cosine, angle;
        sin_cos(y / c_y, sine, cosine);
        lon = x / (c_x * cosine);
        const bool valid = arc_sine(sine / kSine, angle);
        lat = angle / kPart;
        return valid;
    }

#if GPU_SETUP
    template <class Parameters>
    static Wagner2 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0.92483, 1.38725};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
