// Wagner III: Snyder and Voxland (1989), "An Album of Map Projections", p. 219 ff.; Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Wagner3 {
    parameter c_x;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = c_x * lon * cos(2. / 3 * lat);
        y = lat;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = y;
        lon = x / (c_x * cos(2. / 3 * lat));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Wagner3 Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        const double lat_ts = p.angle("lat_ts");
        return {cos(lat_ts) / cos(2 * lat_ts / 3)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
