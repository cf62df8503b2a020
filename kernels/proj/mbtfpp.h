// McBryde-Thomas Flat-Polar Parabolic: McBryde and Thomas (1949), "Equal-area projections for world
// statistical maps"; Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct McBrydeThomasFlatPolarParabolic {
    parameter c_x;
    parameter c_y;
    parameter pole;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real third = asin(pole * sin(lat)) * (1. / 3);
        x = c_x * lon * (2 * cos(2 * third) - 1);
        y = c_y * sin(third);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real third_sine = y / c_y;
        const real third = asin(clamp_sine(third_sine));
        const real sine = sin(3 * third) / pole;
        lon = x / (c_x * (2 * cos(2 * third) - 1));
        lat = asin(clamp_sine(sine));
        return !(fabs(third_sine) > 1.0000001 || fabs(sine) > 1.0000001);
    }

#if GPU_SETUP
    template <class Parameters>
    static McBrydeThomasFlatPolarParabolic Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {sqrt(6. / 7), 9 / sqrt(7), sqrt(49. / 54)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
