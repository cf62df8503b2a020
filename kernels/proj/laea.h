// Lambert Azimuthal Equal Area: Snyder (1987), "Map Projections: A Working Manual", eqs. 24-1 to
// 24-29. Oblique and equatorial are one case (the equatorial one has its centre's latitude 0);
// polar is the other.
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

struct LambertAzimuthalEqualArea {
    parameter pole;  // 1: north, -1: south, 0: oblique
    parameter lat_0;
    parameter sin_b1;  // authalic latitude of the centre
    parameter cos_b1;
    parameter x_factor;
    parameter y_factor;
    parameter d;  // Snyder's D
    parameter r_d;
    parameter r_rq;  // radius of the authalic sphere, reciprocal
    AuthalicLatitude authalic;

    // 1 less the sine of the authalic latitude.
    GPU_FUNC real below_pole(real sine, real cosine) const {
        const real gap = authalic.gap(sine, cosine);
        return sine < 0 ? 2 - gap : gap;
    }

    // Geographic latitude from the sine and cosine of the authalic one.
    GPU_FUNC real latitude(real sine, real cosine) const {
        return authalic.geographic(atan2(sine, cosine), sine, cosine);
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sin_lon, cos_lon, sin_lat, cos_lat;
        sin_cos(lon, sin_lon, cos_lon);
        sin_cos(lat, sin_lat, cos_lat);
        if (pole == 0) {
            const real below = below_pole(sin_lat, cos_lat);
            const real sine = 1 - below;
            const real cosine = sqrt(below * (2 - below));
            const real b = 1 + sin_b1 * sine + cos_b1 * cosine * cos_lon;
            if (fabs(b) < 1e-10) {
                return false;
            }
            const real k = sqrt(2 / b);
            x = x_factor * k * cosine * sin_lon;
            y = y_factor * k * (cos_b1 * sine - sin_b1 * cosine * cos_lon);
            return true;
        }
        if (fabs(kHalfPi + pole * lat) < 1e-10) {
            return false;
        }
        const real square = authalic.pole * below_pole(pole * sin_lat, cos_lat);
        const real rho = square >= 1e-15 ? real(sqrt(square)) : real(0);
        x = square >= 1e-15 ? rho * sin_lon : real(0);
        y = square >= 1e-15 ? -pole * rho * cos_lon : real(0);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        if (pole == 0) {
            x *= r_d;
            y *= d;
            const real rho = sqrt(x * x + y * y);
            if (rho < 1e-10) {
                lon = 0;
                lat = lat_0;
                return true;
            }
            // Sine and cosine of half the angle from the centre; k: the whole angle's sine over
            // rho.
            const real sin_half = 0.5 * rho * r_rq;
            if (sin_half > 1) {
                return false;
            }
            const real k = sqrt((1 - sin_half) * (1 + sin_half)) * r_rq;
            const real cosine = 1 - 2 * sin_half * sin_half;
            x *= k;
            y *= k;
            const real meridian = cos_b1 * cosine - y * sin_b1;
            lon = atan2(x, meridian);
            lat = latitude(cosine * sin_b1 + y * cos_b1, sqrt(x * x + meridian * meridian));
            return true;
        }
        const real square = x * x + y * y;
        if (square == 0) {
            lon = 0;
            lat = lat_0;
            return true;
        }
        lon = atan2(x, -pole * y);
        const real below = square * authalic.r_pole;
        lat = latitude(pole * (1 - below), sqrt(below * (2 - below)));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static LambertAzimuthalEqualArea Setup(const Parameters& p, Definition& definition) {
        const Ellipsoid& ellipsoid = definition.ellipsoid;
        const double lat_0 = definition.lat_0;
        LambertAzimuthalEqualArea l = {};
        l.pole = pole_of(lat_0);
        l.lat_0 = lat_0;
        l.authalic = AuthalicLatitude::SetupThirdOrder(p, ellipsoid);
        const double rq = sqrt(0.5 * l.authalic.pole);
        l.r_rq = 1 / rq;
        if (fabs(lat_0) < 1e-10) {
            l.cos_b1 = 1;
            l.d = 1 / rq;
            l.x_factor = 1;
            l.y_factor = 0.5 * l.authalic.pole;
        } else if (l.pole == 0) {
            l.sin_b1 = q_by_logarithm(sin(lat_0), ellipsoid) / l.authalic.pole;
            l.cos_b1 = sqrt(1 - l.sin_b1 * l.sin_b1);
            l.d = cos(lat_0) / (sqrt(1 - ellipsoid.es * sin(lat_0) * sin(lat_0)) * rq * l.cos_b1);
            l.x_factor = rq * l.d;
            l.y_factor = rq / l.d;
        }
        l.r_d = 1 / l.d;
        return l;
    }
#endif
};

struct LambertAzimuthalEqualAreaSphere {
    parameter pole;
    parameter lat_0;
    parameter sin_0;
    parameter cos_0;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sin_lon, cos_lon;
        sin_cos(lon, sin_lon, cos_lon);
        if (pole == 0) {
            real sine, cosine;
            sin_cos(lat, sine, cosine);
            const real b = 1 + sin_0 * sine + cos_0 * cosine * cos_lon;
            if (b <= 1e-10) {
                return false;
            }
            const real k = sqrt(2 / b);
            x = k * cosine * sin_lon;
            y = k * (cos_0 * sine - sin_0 * cosine * cos_lon);
            return true;
        }
        if (fabs(lat + lat_0) < 1e-10) {
            return false;
        }
        const real rho = 2 * sin(kQuarterPi - pole * lat * 0.5);
        x = rho * sin_lon;
        y = -pole * rho * cos_lon;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real rho = sqrt(x * x + y * y);
        const real sin_half = 0.5 * rho;
        if (sin_half > 1) {
            return false;
        }
        if (pole != 0) {
            lat = pole * (kHalfPi - 2 * asin(sin_half));
            lon = atan2(x, -pole * y);
            return true;
        }
        if (rho <= 1e-10) {
            lon = 0;
            lat = lat_0;
            return true;
        }
        const real k = sqrt((1 - sin_half) * (1 + sin_half));
        const real cosine = 1 - 2 * sin_half * sin_half;
        turn_from_centre(cosine, x * k, y * k, sin_0, cos_0, lon, lat);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static LambertAzimuthalEqualAreaSphere Setup(const Parameters&, Definition& d) {
        const bool equatorial = fabs(d.lat_0) < 1e-10;
        return {pole_of(d.lat_0), d.lat_0, equatorial ? 0. : sin(d.lat_0),
                equatorial ? 1. : cos(d.lat_0)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
