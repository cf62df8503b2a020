// Gauss-Schreiber Transverse Mercator (Gauss-Laborde of Reunion), the sphere's transverse Mercator
// on the conformal sphere: IGN (1999), "Projections cartographiques utiles en geodesie", NTG 71
// and 76.
#pragma once

#include "proj/conformal_sphere.h"

namespace kernels {
namespace proj {

struct GaussSchreiberTransverseMercator {
    parameter radius;  // of the conformal sphere, times k_0
    parameter r_radius;
    ConformalSphere sphere;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        from_sphere_isometric(sphere.isometric(lat), sine, cosine);
        sin_cos(sphere.c * lon, sin_lon, cos_lon);
        const real outward = cosine * cos_lon;
        x = radius * asinh_tan(cosine * sin_lon, sqrt(sine * sine + outward * outward));
        y = radius * (atan(sine / outward) - sphere.lat_0);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real sin_x, cos_x, sin_y, cos_y;
        from_sphere_isometric(x * r_radius, sin_x, cos_x);
        sin_cos(y * r_radius + sphere.lat_0, sin_y, cos_y);
        const real outward = cos_x * cos_y;
        lon = atan(sin_x / outward) * sphere.r_c;
        lat = sphere.latitude(cos_x * sin_y, sqrt(sin_x * sin_x + outward * outward));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static GaussSchreiberTransverseMercator Setup(const Parameters&, Definition& d) {
        const ConformalSphere sphere = ConformalSphere::Setup(d.ellipsoid, d.lat_0);
        const double radius = sphere.radius * d.k_0;
        return {radius, 1 / radius, sphere};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
