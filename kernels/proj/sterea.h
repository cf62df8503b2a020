// Oblique Stereographic Alternative (the Dutch RD grid), a stereographic projection of the
// conformal sphere: IOGP (2021), Guidance Note 7-2, section 3.3.1.
#pragma once

#include "proj/conformal_sphere.h"

namespace kernels {
namespace proj {

struct ObliqueStereographicAlternative {
    parameter diameter;  // of the conformal sphere, times k_0
    parameter r_diameter;
    ConformalSphere sphere;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        from_sphere_isometric(sphere.isometric(lat), sine, cosine);
        sin_cos(sphere.c * lon, sin_lon, cos_lon);
        const real denominator = 1 + sphere.sin_0 * sine + sphere.cos_0 * cosine * cos_lon;
        if (denominator == 0) {
            return false;
        }
        const real k = diameter / denominator;
        x = k * cosine * sin_lon;
        y = k * (sphere.cos_0 * sine - sphere.sin_0 * cosine * cos_lon);
        return true;
    }

    // NaN is refused, as PROJ's iteration doesn't end for it.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real u = x * r_diameter;
        const real v = y * r_diameter;
        const real square = u * u + v * v;
        const real k = 2 / (1 + square);
        const real cos_angle = (1 - square) * 0.5 * k;
        const real east = u * k;
        const real north = cos_angle * sphere.cos_0 - v * k * sphere.sin_0;
        const real sine = cos_angle * sphere.sin_0 + v * k * sphere.cos_0;
        lon = atan2(east, north) * sphere.r_c;
        lat = sphere.latitude(clamp_sine(sine), sqrt(east * east + north * north));
        return lat == lat;
    }

#if GPU_SETUP
    template <class Parameters>
    static ObliqueStereographicAlternative Setup(const Parameters&, Definition& d) {
        const ConformalSphere sphere = ConformalSphere::Setup(d.ellipsoid, d.lat_0);
        const double diameter = 2 * sphere.radius * d.k_0;
        return {diameter, 1 / diameter, sphere};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
