// Azimuthal Equidistant: Snyder (1987), "Map Projections: A Working Manual", eqs. 25-1 to 25-23;
// geodesics of the ellipsoid by Karney (2013).
#pragma once

#include "proj/geodesic.h"
#include "proj/meridian_arc.h"

namespace kernels {
namespace proj {

// Oblique and equatorial aspects of the ellipsoid.
struct AzimuthalEquidistant {
    parameter lat_0;
    parameter lon_0;
    Geodesic geodesic;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (fabs(lon) < 1e-10 && fabs(lat - lat_0) < 1e-10) {
            x = y = 0;
            return true;
        }
        const real distance = geodesic.distance_to(lon, lat, x, y);
        x *= distance;
        y *= distance;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real distance = sqrt(x * x + y * y);
        if (distance < 1e-10) {
            lon = 0;
            lat = lat_0;
            return true;
        }
        geodesic.point_at(distance, x / distance, y / distance, lon, lat);
        lon = wrap_longitude(lon + lon_0) - lon_0;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static AzimuthalEquidistant Setup(const Parameters&, Definition& d) {
        return {d.lat_0, d.lon_0, Geodesic::Setup(d.ellipsoid, d.lat_0)};
    }
#endif
};

struct AzimuthalEquidistantPolar {
    parameter pole;
    parameter lat_0;
    parameter es;
    parameter quadrant;  // of the meridian
    MeridianArc arc;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        const real rho = fabs(pole * quadrant - arc.length(lat, sine, cosine));
        x = rho * sin_lon;
        y = -pole * rho * cos_lon;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real rho = sqrt(x * x + y * y);
        if (rho < 1e-10) {
            lon = 0;
            lat = lat_0;
            return true;
        }
        lon = atan2(x, -pole * y);
        real sine, cosine;
        return arc.latitude(pole * (quadrant - rho), es, lat, sine, cosine);
    }

#if GPU_SETUP
    template <class Parameters>
    static AzimuthalEquidistantPolar Setup(const Parameters& p, Definition& d) {
        const MeridianArc arc = MeridianArc::Setup(p, d.ellipsoid);
        return {pole_of(d.lat_0), d.lat_0, d.ellipsoid.es, arc.length(kHalfPi, 1, 0), arc};
    }
#endif
};

// The approximation of Guam: Snyder, eqs. 25-19 to 25-23.
struct AzimuthalEquidistantGuam {
    parameter lat_0;
    parameter e;
    parameter es;
    parameter arc_0;
    MeridianArc arc;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        x = lon * cosine / sqrt(1 - es * sine * sine);
        y = arc.length(lat, sine, cosine) - arc_0 + 0.5 * lon * x * sine;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real root = 0, sine, cosine;
        sin_cos(lat_0, sine, cosine);
        bool converged = true;
        for (int i = 0; i < 3; ++i) {
            root = sqrt(1 - es * sine * sine);
            converged = arc.latitude(arc_0 + y - 0.5 * x * x * (sine / cosine) * root, es, lat,
                                     sine, cosine) &&
                        converged;
        }
        lon = x * root / cosine;
        return converged;
    }

#if GPU_SETUP
    template <class Parameters>
    static AzimuthalEquidistantGuam Setup(const Parameters& p, Definition& d) {
        const MeridianArc arc = MeridianArc::Setup(p, d.ellipsoid);
        const double pole = pole_of(d.lat_0);
        const bool equatorial = fabs(d.lat_0) < 1e-10;
        const double sine = pole != 0 ? pole : equatorial ? 0. : sin(d.lat_0);
        const double cosine = pole != 0 ? 0. : equatorial ? 1. : cos(d.lat_0);
        return {d.lat_0, d.ellipsoid.e, d.ellipsoid.es, arc.length(d.lat_0, sine, cosine), arc};
    }
#endif
};

struct AzimuthalEquidistantSphere {
    parameter pole;
    parameter lat_0;
    parameter sin_0;
    parameter cos_0;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lon, sin_lon, cos_lon);
        if (pole != 0) {
            const real southing = -pole * lat;
            if (fabs(southing - kHalfPi) < 1e-10) {
                return false;
            }
            const real rho = kHalfPi + southing;
            x = rho * sin_lon;
            y = -pole * rho * cos_lon;
            return true;
        }
        sin_cos(lat, sine, cosine);
        const real cos_c = sin_0 * sine + cos_0 * cosine * cos_lon;
        if (fabs(fabs(cos_c) - 1) < 1e-14) {
            if (cos_c < 0) {
                return false;
            }
            // Within a metre of the centre the arc is as long as its sine.
            const bool centre = fabs(lon) < 1e-10 && fabs(lat - lat_0) < 1e-10;
            const real half = sin(0.5 * lon);
            x = centre ? real(0) : cosine * sin_lon;
            y = centre ? real(0) : sin(lat - lat_0) + 2 * sin_0 * cosine * half * half;
            return true;
        }
        x = cosine * sin_lon;
        y = cos_0 * sine - sin_0 * cosine * cos_lon;
        const real sin_c = sqrt(x * x + y * y);
        const real k = atan2(sin_c, cos_c) / sin_c;
        x *= k;
        y *= k;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real c = sqrt(x * x + y * y);
        if (c > kPi) {
            if (c - 1e-10 > kPi) {
                return false;
            }
            c = kPi;
        } else if (c < 1e-10) {
            lon = 0;
            lat = lat_0;
            return true;
        }
        if (pole != 0) {
            lat = pole * (kHalfPi - c);
            lon = atan2(x, -pole * y);
            return true;
        }
        real sin_c, cos_c;
        sin_cos(c, sin_c, cos_c);
        const real east = x * sin_c / c;
        const real north = y * sin_c / c;
        turn_from_centre(cos_c, east, north, sin_0, cos_0, lon, lat);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static AzimuthalEquidistantSphere Setup(const Parameters&, Definition& d) {
        const bool equatorial = fabs(d.lat_0) < 1e-10;
        return {pole_of(d.lat_0), d.lat_0, equatorial ? 0. : sin(d.lat_0),
                equatorial ? 1. : cos(d.lat_0)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
