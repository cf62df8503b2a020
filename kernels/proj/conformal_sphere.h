// Gauss's conformal mapping of the ellipsoid to a sphere that fits it best at one parallel: Snyder
// (1987), "Map Projections: A Working Manual", eq. 3-1; IOGP (2021), Guidance Note 7-2, sections
// 3.2.1 (Krovak) and 3.3.1 (Oblique Stereographic).
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

// Sine and cosine of the sphere's latitude with this isometric latitude.
GPU_FUNC void from_sphere_isometric(real psi, real& sine, real& cosine) {
    const real v = exp(-fabs(psi));
    const real r = 1 / (1 + v * v);
    sine = copysign((1 - v) * (1 + v) * r, psi);
    cosine = 2 * v * r;
}

// Latitude and longitude on a sphere that is turned by an angle about the axis through the equator
// at longitudes 90 and -90 degrees; the new longitude is taken between these two.
GPU_FUNC void turn_sphere(real sin_turn, real cos_turn, real& sine, real& cosine, real& lon) {
    real sin_lon, cos_lon;
    sin_cos(lon, sin_lon, cos_lon);
    const real east = cosine * sin_lon;
    const real outward = cos_turn * cosine * cos_lon + sin_turn * sine;
    sine = cos_turn * sine - sin_turn * cosine * cos_lon;
    cosine = sqrt(east * east + outward * outward);
    lon = atan2(east, fabs(outward));
}

struct ConformalSphere {
    parameter c;  // the sphere's longitude by the ellipsoid's
    parameter k;  // the sphere's isometric latitude = c * the ellipsoid's + k
    parameter r_c;
    parameter lat_0;  // of the parallel, on the sphere
    parameter sin_0;
    parameter cos_0;
    parameter radius;  // units of a
    ConformalLatitude conformal;

    // The sphere's isometric latitude.
    GPU_FUNC real isometric(real lat) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        return c * conformal.isometric(sine, cosine) + k;
    }

    // The ellipsoid's latitude.
    GPU_FUNC real latitude(real sine, real cosine) const {
        return conformal.from_isometric((asinh_tan(sine, cosine) - k) * r_c);
    }

#if GPU_SETUP
    static ConformalSphere Setup(const Ellipsoid& ellipsoid, double lat_0) {
        const double es = ellipsoid.es;
        const double sine = sin(lat_0), cosine = cos(lat_0);
        ConformalSphere s = {};
        s.conformal = ConformalLatitude::Setup(ellipsoid);
        s.c = sqrt(1 + es * cosine * cosine * cosine * cosine / (1 - es));
        s.r_c = 1 / s.c;
        s.lat_0 = asin(sine / s.c);
        s.sin_0 = sin(s.lat_0);
        s.cos_0 = cos(s.lat_0);
        s.k = asinh_tan(s.sin_0, s.cos_0) - s.c * s.conformal.isometric(sine, cosine);
        s.radius = sqrt(1 - es) / (1 - es * sine * sine);
        return s;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
