// Gnomonic, the sphere's formulas: Snyder (1987), "Map Projections: A Working Manual", eqs. 22-1 to
// 22-16 and 20-14 to 20-18.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Gnomonic {
    parameter pole;
    parameter lat_0;
    parameter sin_0;
    parameter cos_0;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        const real cos_c =
            pole != 0 ? real(pole * sine) : real(sin_0 * sine + cos_0 * cosine * cos_lon);
        if (cos_c <= 1e-10) {
            return false;
        }
        const real k = 1 / cos_c;
        x = k * cosine * sin_lon;
        y = k * (cos_0 * sine - sin_0 * cosine * cos_lon);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real rho = sqrt(x * x + y * y);
        if (rho <= 1e-10) {
            lon = 0;
            lat = lat_0;
            return true;
        }
        if (pole != 0) {
            lat = pole * (kHalfPi - atan(rho));
            lon = atan2(x, -pole * y);
            return true;
        }
        const real cos_c = reciprocal_sqrt(1 + rho * rho);
        const real sine = clamp_sine(cos_c * (sin_0 + y * cos_0));
        lat = asin(sine);
        lon = atan2(x * cos_c * cos_0, cos_c - sin_0 * sine);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Gnomonic Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        const double pole = pole_of(d.lat_0);
        const bool equatorial = fabs(d.lat_0) < 1e-10;
        return {pole, d.lat_0,
                pole != 0    ? pole
                : equatorial ? 0.
                             : sin(d.lat_0),
                pole != 0    ? 0.
                : equatorial ? 1.
                             : cos(d.lat_0)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
