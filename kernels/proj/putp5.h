// Putnins P5 and P5': Snyder and Voxland (1989), "An Album of Map Projections", p. 219 ff.; Evenden
// (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct PutninsP5 {
    parameter scale;
    parameter a;
    parameter b;

    GPU_FUNC real length(real lat) const {
        return scale * (a - b * sqrt(1 + 1.2158542 * lat * lat));
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = lon * length(lat);
        y = scale * lat;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = y / scale;
        lon = x / length(lat);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static PutninsP5 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {1.01346, 2, 1};
    }
#endif
};

struct PutninsP5Prime : PutninsP5 {
#if GPU_SETUP
    template <class Parameters>
    static PutninsP5Prime Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{1.01346, 1.5, 0.5}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
