// Lagrange: Snyder and Voxland (1989), "An Album of Map Projections", p. 232.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Lagrange {
    parameter w;
    parameter r_w;
    parameter a1;  // of the parallel that is straight
    parameter r_a2;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real sine = sin(lat);
        if (fabs(fabs(sine) - 1) < 1e-10) {
            x = 0;
            y = lat < 0 ? -2 : 2;
            return true;
        }
        const real v = a1 * pow((1 + sine) / (1 - sine), 0.5 * r_w);
        real sin_lon, cos_lon;
        sin_cos(lon * r_w, sin_lon, cos_lon);
        const real c = 0.5 * (v + 1 / v) + cos_lon;
        if (c < 1e-10) {
            return false;
        }
        x = 2 * sin_lon / c;
        y = (v - 1 / v) / c;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        if (fabs(fabs(y) - 2) < 1e-10) {
            lon = 0;
            lat = y < 0 ? -kHalfPi : kHalfPi;
            return true;
        }
        const real above = 2 + y, below = 2 - y, x2 = x * x;
        const real c = above * below - x2;
        if (fabs(c) < 1e-10) {
            return false;
        }
        const real ratio = (above * above + x2) / (below * below + x2) * r_a2;
        lat = 2 * atan(pow(ratio, 0.5 * w)) - kHalfPi;
        lon = w * atan2(4 * x, c);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Lagrange Setup(const Parameters& p, Definition& d) {
        const double w = p.has("W") ? p.number("W") : 2;
        if (w <= 0) {
            p.fail("W", "should be above 0");
        }
        const double sine = sin(p.angle("lat_1"));
        if (fabs(fabs(sine) - 1) < 1e-10) {
            p.fail("lat_1", "should be within 90 degrees");
        }
        d.ellipsoid.es = 0;
        const double a1 = pow((1 - sine) / (1 + sine), 0.5 / w);
        return {w, 1 / w, a1, 1 / (a1 * a1)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
