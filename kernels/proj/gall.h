// Gall Stereographic: Snyder and Voxland (1989), "An Album of Map Projections", p. 220.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct GallStereographic {
    parameter unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = 0.70710678118654752440 * lon;
        y = 1.70710678118654752440 * tan(0.5 * lat);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lon = 1.41421356237309504880 * x;
        lat = 2 * atan(0.58578643762690495119 * y);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static GallStereographic Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
