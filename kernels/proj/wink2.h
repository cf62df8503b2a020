// Winkel II: Snyder and Voxland (1989), "An Album of Map Projections", p. 219 ff.; PROJ's inverse.
#pragma once

#include "proj/definition.h"
#include "proj/generic_inverse.h"
#include "proj/moll.h"

namespace kernels {
namespace proj {

// The mean of Mollweide and an equidistant cylindrical.
struct Winkel2 {
    parameter cos_1;
    int64 leaves_axes;  // of the inverse

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const bool polar = fabs(lat) > kPolarLatitude;
        const real k = kPi * sin(lat);
        real half = 1.8 * lat, sine, cosine;
        sin_cos(half, sine, cosine);
        if (!half_mollweide_angle<10>(k, polar, sine, cosine, half)) {
            half = half < 0 ? -kHalfPi : kHalfPi;
        }
        sin_cos(half, sine, cosine);
        x = 0.5 * lon * (cosine + cos_1);
        y = kQuarterPi * (sine + lat * (2 / kPi));
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lon = x;
        lat = y;
        return improve_inverse(*this, x, y, 1e-10, leaves_axes != 0, lon, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static Winkel2 Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        return {cos(p.angle("lat_1")), p.rules().generic_inverse_leaves_axes};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
