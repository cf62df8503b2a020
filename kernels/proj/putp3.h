// Putnins P3 and P3': Snyder and Voxland (1989), "An Album of Map Projections", p. 219 ff.; Evenden
// (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct PutninsP3 {
    parameter scale;
    parameter a;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = scale * lon * (1 - a * lat * lat);
        y = scale * lat;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = y / scale;
        lon = x / (scale * (1 - a * lat * lat));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static PutninsP3 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0.79788456, 4 * 0.1013211836};
    }
#endif
};

struct PutninsP3Prime : PutninsP3 {
#if GPU_SETUP
    template <class Parameters>
    static PutninsP3Prime Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{0.79788456, 2 * 0.1013211836}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
