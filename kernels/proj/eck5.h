// Eckert V, and Winkel I with its parallel of true scale: Snyder and Voxland (1989), "An Album of
// Map Projections", p. 219 ff.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

// Half way between the sinusoidal and an equidistant cylindrical.
struct Eckert5 {
    parameter c_x;
    parameter c_y;
    parameter cos_ts;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = c_x * lon * (cos_ts + cos(lat));
        y = c_y * lat;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = y / c_y;
        lon = x / (c_x * (cos_ts + cos(lat)));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Eckert5 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        const double c_x = 1 / sqrt(2 + kPi);
        return {c_x, 2 * c_x, 1};
    }
#endif
};

struct Winkel1 : Eckert5 {
#if GPU_SETUP
    template <class Parameters>
    static Winkel1 Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        return {{0.5, 1, cos(p.angle("lat_ts"))}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
