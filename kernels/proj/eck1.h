// Eckert I: Snyder and Voxland (1989), "An Album of Map Projections", p. 219 ff.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Eckert1 {
    parameter scale;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = scale * lon * (1 - fabs(lat) * (1 / kPi));
        y = scale * lat;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = y / scale;
        lon = x / (scale * (1 - fabs(lat) * (1 / kPi)));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Eckert1 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {2 * sqrt(2 / (3 * kPi))};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
