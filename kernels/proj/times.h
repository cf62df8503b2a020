// Times, J. Muir (1965), a stereographic cylinder whose meridians converge: Voxland, "Map
// projections", Times.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Times {
    parameter unused;

    // Length of a parallel, by the tangent of half the latitude.
    GPU_FUNC static real width(real tangent) {
        const real sine = sin(kQuarterPi * tangent);
        return 0.74482 - 0.34588 * sine * sine;
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real tangent = tan(0.5 * lat);
        x = lon * width(tangent);
        y = 1.70711 * tangent;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real tangent = y / 1.70711;
        lon = x / width(tangent);
        lat = 2 * atan(tangent);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Times Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
