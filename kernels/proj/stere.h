// Stereographic and Universal Polar Stereographic: Snyder (1987), "Map Projections: A Working
// Manual", eqs. 21-1 to 21-40. Oblique and equatorial are one case, polar is the other.
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

struct Stereographic {
    parameter pole;  // 1: north, -1: south, 0: oblique
    int64 equatorial;
    parameter scale;  // PROJ's akm1
    parameter r_scale;
    parameter sin_x1;  // conformal latitude of the centre
    parameter cos_x1;
    ConformalLatitude conformal;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lon, sin_lon, cos_lon);
        sin_cos(lat, sine, cosine);
        if (pole != 0) {
            const bool at_pole = fabs(pole * lat - kHalfPi) < 1e-15;
            const real rho = at_pole ? real(0)
                                     : scale * exp_minus_isometric(pole * sine, cosine, conformal.e,
                                                                   conformal.es);
            x = rho * sin_lon;
            y = -pole * rho * cos_lon;
            return true;
        }
        const real ts = exp_minus_isometric(sine, cosine, conformal.e, conformal.es);
        const real m = 1 / (1 + ts * ts);
        const real sin_x = (1 - ts) * (1 + ts) * m;
        const real cos_x = 2 * ts * m;
        const real b = cos_x1 * (1 + sin_x1 * sin_x + cos_x1 * cos_x * cos_lon);
        const real k = scale / b;
        if (b == 0) {
            // The centre's antipode: PROJ refuses it, but for the equatorial aspect gives a
            // northing of infinity.
            x = 0;
            y = k;
            return equatorial != 0;
        }
        x = k * cos_x * sin_lon;
        y = k * (cos_x1 * sin_x - sin_x1 * cos_x * cos_lon);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        if (pole != 0) {
            const real ts = sqrt(x * x + y * y) * r_scale;
            y = -pole * y;
            lon = x == 0 && y == 0 ? real(0) : real(atan2(x, y));
            if (!conformal.series) {
                const bool converged = by_iteration(-ts, kHalfPi + 2 * atan(ts), -1, lat);
                lat *= pole;
                return converged;
            }
            lat = pole * conformal.from_exp_minus_isometric(ts);
            return ts >= 0;
        }
        // t: tangent of half the angle from the centre; k: the whole angle's sine over rho.
        const real half = cos_x1 * r_scale;
        const real t2 = (x * x + y * y) * half * half;
        const real m = 1 / (1 + t2);
        const real k = 2 * half * m;
        const real cosine = (1 - t2) * m;
        const real sine = clamp_sine(cosine * sin_x1 + y * k * cos_x1);
        lon = atan2(x * k, cos_x1 * cosine - y * sin_x1 * k);
        const real half_tangent = sine / (1 + sqrt((1 - sine) * (1 + sine)));
        if (!conformal.series) {
            return by_iteration((1 + half_tangent) / (1 - half_tangent), 2 * atan(half_tangent), 1,
                                lat);
        }
        lat = conformal.from_half_tangent(half_tangent);
        return fabs(sine) <= 1;
    }

    // Snyder (1987), eq. 3-4, for ellipsoids flatter than any series here: false where eight steps,
    // as many as PROJ takes, don't reach 1e-10. side: 1 or -1, PROJ's sign of the polar case.
    GPU_FUNC bool by_iteration(real tp, real guess, int side, real& lat) const {
        for (int i = 0; i < 8; ++i) {
            const real s = conformal.e * sin(guess);
            lat = 2 * atan(tp * pow((1 + s) / (1 - s), 0.5 * side * conformal.e)) - side * kHalfPi;
            if (fabs(guess - lat) < tolerance(1e-10)) {
                return true;
            }
            guess = lat;
        }
        return false;
    }

#if GPU_SETUP
    template <class Parameters>
    static Stereographic Setup(const Parameters& p, Definition& d) {
        return Make(d, p.has("lat_ts") ? fabs(p.angle("lat_ts")) : kHalfPi);
    }

    static Stereographic Make(const Definition& d, double lat_ts) {
        const double e = d.ellipsoid.e, es = d.ellipsoid.es;
        Stereographic s = {};
        s.conformal = ConformalLatitude::Setup(d.ellipsoid);
        s.pole = pole_of(d.lat_0);
        s.equatorial = fabs(d.lat_0) <= 1e-10;
        if (s.pole == 0) {
            // As PROJ rounds it: next to a pole the projection divides by a small cosine.
            const double es_0 = e * sin(d.lat_0);
            const double x_1 =
                2 * atan(tan(0.5 * (kHalfPi + d.lat_0)) * pow((1 - es_0) / (1 + es_0), 0.5 * e)) -
                kHalfPi;
            s.sin_x1 = s.equatorial ? 0. : sin(x_1);
            s.cos_x1 = s.equatorial ? 1. : cos(x_1);
            s.scale = 2 * d.k_0 * parallel_radius(sin(d.lat_0), cos(d.lat_0), es);
        } else if (fabs(lat_ts - kHalfPi) < 1e-10) {
            s.scale = 2 * d.k_0 / sqrt(pow(1 + e, 1 + e) * pow(1 - e, 1 - e));
        } else {
            s.scale = parallel_radius(sin(lat_ts), cos(lat_ts), es) /
                      exp_minus_isometric(sin(lat_ts), cos(lat_ts), e, es);
        }
        s.r_scale = 1 / s.scale;
        return s;
    }
#endif
};

struct UniversalPolarStereographic : Stereographic {
#if GPU_SETUP
    template <class Parameters>
    static UniversalPolarStereographic Setup(const Parameters& p, Definition& d) {
        d.lat_0 = p.flag("south") ? -kHalfPi : kHalfPi;
        d.lon_0 = 0;
        d.k_0 = 0.994;
        d.x_0 = d.y_0 = 2000000;
        return {Stereographic::Make(d, kHalfPi)};
    }
#endif
};

struct StereographicSphere {
    parameter pole;
    parameter lat_0;
    parameter sin_0;
    parameter cos_0;
    parameter scale;
    parameter r_scale;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lon, sin_lon, cos_lon);
        if (pole != 0) {
            const real angle = -pole * lat;
            if (fabs(angle - kHalfPi) < 1e-8) {
                return false;
            }
            const real rho = scale * tan(kQuarterPi + 0.5 * angle);
            x = rho * sin_lon;
            y = -pole * rho * cos_lon;
            return true;
        }
        sin_cos(lat, sine, cosine);
        const real b = 1 + sin_0 * sine + cos_0 * cosine * cos_lon;
        if (b <= 1e-10) {
            return false;
        }
        const real k = scale / b;
        x = k * cosine * sin_lon;
        y = k * (cos_0 * sine - sin_0 * cosine * cos_lon);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real rho = sqrt(x * x + y * y);
        const real t = rho * r_scale;
        const real m = 1 / (1 + t * t);
        const real cosine = (1 - t) * (1 + t) * m;
        const bool centre = rho <= 1e-10;
        if (pole != 0) {
            y = -pole * y;
            lat = centre ? real(lat_0) : real(pole * atan2(cosine, 2 * t * m));
            lon = x == 0 && y == 0 ? real(0) : real(atan2(x, y));
            return true;
        }
        // The point as a vector: to the east, to the equator of the meridian, to the pole.
        const real k = 2 * r_scale * m;
        const real east = x * k;
        const real meridian = cosine * cos_0 - y * k * sin_0;
        lat = centre ? real(lat_0)
                     : real(atan2(cosine * sin_0 + y * k * cos_0,
                                  sqrt(east * east + meridian * meridian)));
        lon = meridian != 0 || x != 0 ? real(atan2(east, meridian)) : real(0);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static StereographicSphere Setup(const Parameters& p, Definition& d) {
        const double lat_ts = p.has("lat_ts") ? fabs(p.angle("lat_ts")) : kHalfPi;
        const bool equatorial = fabs(d.lat_0) <= 1e-10;
        StereographicSphere s = {};
        s.pole = pole_of(d.lat_0);
        s.lat_0 = equatorial ? 0. : d.lat_0;
        s.sin_0 = equatorial ? 0. : sin(d.lat_0);
        s.cos_0 = equatorial ? 1. : cos(d.lat_0);
        s.scale = s.pole != 0 && fabs(lat_ts - kHalfPi) >= 1e-10
                      ? cos(lat_ts) / tan(kQuarterPi - 0.5 * lat_ts)
                      : 2 * d.k_0;
        s.r_scale = 1 / s.scale;
        return s;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
