// Hatano Asymmetrical Equal Area: Snyder and Voxland (1989), "An Album of Map Projections", p. 219
// ff.; Evenden (1995).
#pragma once

#include "proj/moll.h"

namespace kernels {
namespace proj {

struct Hatano {
    parameter c_x;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const bool polar = fabs(lat) > kPolarLatitude;
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        real half = lat;
        const real k = sine * (lat < 0 ? 2.43763 : 2.67595);
        half_mollweide_angle<20>(k, polar, sine, cosine, half);
        sin_cos(half, sine, cosine);
        x = c_x * lon * cosine;
        y = sine * (half < 0 ? 1.93052 : 1.75859);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const bool south = y < 0;
        const real sine = y * (south ? 0.51799515156538134803 : 0.56863737426006061674);
        const real half = asin(clamp_sine(sine));
        const real sin_lat =
            (2 * half + sin(2 * half)) * (south ? 0.41023453108141924738 : 0.37369906014686373063);
        lon = x / c_x / cos(half);
        lat = asin(clamp_sine(sin_lat));
        return !(fabs(sine) > 1.000001 || fabs(sin_lat) > 1.000001);
    }

#if GPU_SETUP
    template <class Parameters>
    static Hatano Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0.85};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
