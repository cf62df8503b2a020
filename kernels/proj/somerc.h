// Swiss Oblique Mercator, a Mercator projection of the conformal sphere turned: Federal Office of
// Topography swisstopo (2016), "Formulas and constants for the calculation of the Swiss conformal
// cylindrical projection", chapter 3.
#pragma once

#include "proj/conformal_sphere.h"

namespace kernels {
namespace proj {

struct SwissObliqueMercator {
    parameter radius;  // of the conformal sphere, times k_0
    parameter r_radius;
    ConformalSphere sphere;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        from_sphere_isometric(sphere.isometric(lat), sine, cosine);
        real turned = sphere.c * lon;
        turn_sphere(sphere.sin_0, sphere.cos_0, sine, cosine, turned);
        x = radius * turned;
        y = radius * asinh_tan(sine, cosine);
        return true;
    }

    // NaN is refused, as PROJ's iteration doesn't end for it.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real sine, cosine;
        from_sphere_isometric(y * r_radius, sine, cosine);
        lon = x * r_radius;
        turn_sphere(-sphere.sin_0, sphere.cos_0, sine, cosine, lon);
        lon *= sphere.r_c;
        lat = sphere.latitude(sine, cosine);
        return lat == lat;
    }

#if GPU_SETUP
    template <class Parameters>
    static SwissObliqueMercator Setup(const Parameters& p, Definition& d) {
        if (kHalfPi + d.lat_0 == 0) {
            p.fail("lat_0", "should be greater than -90 degrees");
        }
        const ConformalSphere sphere = ConformalSphere::Setup(d.ellipsoid, d.lat_0);
        const double radius = sphere.radius * d.k_0;
        return {radius, 1 / radius, sphere};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
