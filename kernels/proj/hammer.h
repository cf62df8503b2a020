// Hammer and Eckert-Greifendorff: Snyder and Voxland (1989), "An Album of Map Projections", p. 232.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Hammer {
    parameter w;  // of longitudes
    parameter r_w;
    parameter x_factor;
    parameter y_factor;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(w * lon, sin_lon, cos_lon);
        const real half = 1 + cosine * cos_lon;
        if (half == 0) {
            return false;
        }
        const real d = sqrt(2 / half);
        x = x_factor * d * cosine * sin_lon;
        y = y_factor * d * sine;
        return true;
    }

    // PROJ's, which doesn't know of the scale M. Outside the map NaN.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real z2 = 1 - 0.25 * w * w * x * x - 0.25 * y * y;
        const real z = sqrt(z2);
        const real adjacent = 2 * z * z - 1;
        if (fabs(adjacent) < 1e-10) {
            return false;
        }
        lon = atan2(w * x * z, adjacent) * r_w;
        return arc_sine(z * y, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static Hammer Setup(const Parameters& p, Definition& d) {
        const double w = p.has("W") ? fabs(p.number("W")) : 0.5;
        const double m = p.has("M") ? fabs(p.number("M")) : 1;
        if (w <= 0) {
            p.fail("W", "should be above 0");
        }
        if (m <= 0) {
            p.fail("M", "should be above 0");
        }
        d.ellipsoid.es = 0;
        return {w, 1 / w, m / w, 1 / m};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
