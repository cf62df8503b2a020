// Gnomonic. Of the sphere: Snyder (1987), "Map Projections: A Working Manual", eqs. 22-1 to 22-16
// and 20-14 to 20-18. Of the ellipsoid: Karney (2013), "Algorithms for geodesics", section 8.
#pragma once

#include "proj/geodesic.h"

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

// A point's distance from the centre on the map is its geodesic's reduced length by the scale.
struct GnomonicEllipsoid {
    Geodesic geodesic;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const Geodesic::Measures m = geodesic.measures_to(lon, lat, x, y);
        if (m.scale1 <= 0) {
            return false;
        }
        const real rho = m.reduced_length / m.scale1;
        x *= rho;
        y *= rho;
        return true;
    }

    // Newton's method for the distance, on rho or, beyond 1, on its reciprocal; false where ten
    // steps don't reach 1.5e-10.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real rho = sqrt(x * x + y * y);
        const real east = rho > 0 ? x / rho : real(0), north = rho > 0 ? y / rho : real(1);
        const bool near = rho <= 1;
        const real target = near ? rho : 1 / rho;
        real distance = atan(rho);
        bool reached = false;
        for (int i = 0; i < 10; ++i) {
            Geodesic::Measures m;
            geodesic.point_and_measures_at(distance, east, north, lon, lat, m);
            if (reached) {
                break;
            }
            const real step = near ? (m.reduced_length - target * m.scale1) * m.scale1
                                   : (target * m.reduced_length - m.scale1) * m.reduced_length;
            distance -= step;
            reached = !(fabs(step) >= tolerance(1.4901161193847656e-10));
        }
        return reached;
    }

#if GPU_SETUP
    template <class Parameters>
    static GnomonicEllipsoid Setup(const Parameters&, Definition& d) {
        const Geodesic geodesic = Geodesic::Setup(d.ellipsoid, d.lat_0);
        d.ellipsoid.es = 0;
        return {geodesic};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
