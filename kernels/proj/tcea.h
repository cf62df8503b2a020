// Transverse Cylindrical Equal Area: Snyder (1987), "Map Projections: A Working Manual", eqs. 10-3,
// 10-4, 10-8 and 10-9.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct TransverseCylindricalEqualArea {
    parameter k_0;
    parameter lat_0;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        x = cosine * sin_lon / k_0;
        y = k_0 * (atan2(sine, cosine * cos_lon) - lat_0);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real sin_y, cos_y;
        sin_cos(y / k_0 + lat_0, sin_y, cos_y);
        const real east = x * k_0;
        const real rest = sqrt((1 - east) * (1 + east));
        const real meridian = rest * cos_y;
        lon = atan2(east, meridian);
        lat = atan2(rest * sin_y, sqrt(east * east + meridian * meridian));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static TransverseCylindricalEqualArea Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {d.k_0, d.lat_0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
