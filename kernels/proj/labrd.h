// Laborde's oblique Mercator of Madagascar, series on the conformal sphere: Laborde (1928), "La
// nouvelle projection du Service Geographique de Madagascar"; Roggero (2009), "Laborde projection
// in Madagascar cartography and its recovery in WGS84 datum", Applied Geomatics 1, pp. 131 to 140.
#pragma once

#include "proj/conformal_sphere.h"

namespace kernels {
namespace proj {

struct Laborde {
    parameter radius;  // of the conformal sphere, times k_0
    parameter k_0;
    parameter lat_0;
    parameter es;
    parameter ca;
    parameter cb;
    parameter cc;
    parameter cd;
    ConformalSphere sphere;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        from_sphere_isometric(sphere.isometric(lat), sine, cosine);
        const real c2 = cosine * cosine, s2 = sine * sine, a2 = sphere.c * sphere.c;
        const real i1 = atan2(sine, cosine) - sphere.lat_0;
        const real i4 = sphere.c * cosine;
        const real i2 = 0.5 * sphere.c * i4 * sine;
        const real i3 = i2 * a2 * (5 * c2 - s2) * (1. / 12);
        const real i5 = i4 * a2 * (c2 - s2) * (1. / 6);
        const real i6 = i4 * a2 * a2 * (5 * c2 * c2 + s2 * (s2 - 18 * c2)) * (1. / 120);
        const real t = lon * lon;
        const real east = radius * lon * (i4 + t * (i5 + t * i6));
        const real north = radius * (i1 + t * (i2 + t * i3));
        const real v1 = east * (3 * north * north - east * east);
        const real v2 = north * (north * north - 3 * east * east);
        x = east + ca * v1 + cb * v2;
        y = north + ca * v2 - cb * v1;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real x2 = x * x, y2 = y * y;
        const real v1 = x * (3 * y2 - x2);
        const real v2 = y * (y2 - 3 * x2);
        const real v3 = x * (5 * y2 * y2 + x2 * (x2 - 10 * y2));
        const real v4 = y * (5 * x2 * x2 + y2 * (y2 - 10 * x2));
        const real east = x - ca * v1 - cb * v2 + cc * v3 + cd * v4;
        const real north = y + cb * v1 - ca * v2 - cd * v3 + cc * v4;

        // The ellipsoid's latitude of the foot, with PROJ's iteration: far from the origin that is
        // none.
        const real foot = sphere.lat_0 + north / radius;
        lat = foot + lat_0 - sphere.lat_0;
        for (int i = 0; i < 20; ++i) {
            real sine, cosine;
            from_sphere_isometric(sphere.isometric(lat), sine, cosine);
            const real step = foot - atan2(sine, cosine);
            lat += step;
            if (fabs(step) < tolerance(1e-10)) {
                break;
            }
        }
        real sin_foot, cos_foot;
        sin_cos(foot, sin_foot, cos_foot);
        const real sine = sin(lat);
        const real w = 1 - es * sine * sine;
        const real t = sin_foot / cos_foot;
        const real t2 = t * t;
        const real r_square = 1 / (radius * radius);
        const real meridian = w * sqrt(w) / ((1 - es) * k_0 * radius);
        const real parallel = 1 / (cos_foot * radius * sphere.c);
        const real e2 = east * east;
        const real i8 = (5 + 3 * t2) * (1. / 24) * r_square;
        const real i10 = (1 + 2 * t2) * (1. / 6) * r_square;
        const real i11 = (5 + t2 * (28 + 24 * t2)) * (1. / 120) * r_square * r_square;
        lat += e2 * t * meridian * (e2 * i8 - 0.5);
        lon = east * parallel * (1 + e2 * (e2 * i11 - i10));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Laborde Setup(const Parameters& p, Definition& d) {
        if (d.lat_0 == 0) {
            p.fail("lat_0", "should be different from 0");
        }
        const double azimuth = p.angle("azi");
        const ConformalSphere sphere = ConformalSphere::Setup(d.ellipsoid, d.lat_0);
        const double radius = sphere.radius * d.k_0;
        const double twelfth = 1 / (12 * radius * radius);
        const double ca = (1 - cos(2 * azimuth)) * twelfth;
        const double cb = sin(2 * azimuth) * twelfth;
        return {radius,      d.k_0, d.lat_0, d.ellipsoid.es, ca, cb, 3 * (ca * ca - cb * cb),
                6 * ca * cb, sphere};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
