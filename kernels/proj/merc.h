// Mercator, and Web Mercator (the sphere's formulas with an ellipsoid's semi-major axis).
// Snyder (1987), "Map Projections: A Working Manual", eqs. 7-1 to 7-9; inverse by Karney (2011).
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

struct Mercator {
    parameter k_0;
    parameter r_k_0;
    ConformalLatitude conformal;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        x = k_0 * lon;
        y = k_0 * conformal.isometric(sine, cosine);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lon = x * r_k_0;
        lat = conformal.from_isometric(y * r_k_0);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Mercator Setup(const Parameters& p, Definition& d) {
        if (p.has("lat_ts")) {
            const double lat_ts = fabs(p.angle("lat_ts"));
            if (lat_ts >= kHalfPi) {
                p.fail("lat_ts", "should be less than 90 degrees in size");
            }
            d.k_0 = parallel_radius(sin(lat_ts), cos(lat_ts), d.ellipsoid.es);
        }
        return {d.k_0, 1 / d.k_0, ConformalLatitude::Setup(d.ellipsoid)};
    }
#endif
};

struct MercatorSphere {
    parameter k_0;
    parameter r_k_0;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        x = k_0 * lon;
        y = k_0 * asinh_tan(sine, cosine);
        return true;
    }

    // The Gudermannian of y as 2 atan(tanh(y / 2)).
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real scaled = y * r_k_0;
        const real em = expm1(-fabs(scaled));
        lon = x * r_k_0;
        lat = copysign(2 * atan(-em / (em + 2)), scaled);
        return true;
    }

    // The latitude's sine is tanh(y), its cosine 1 / cosh(y).
    GPU_FUNC bool inverse_with_sine(real x, real y, real& lon, real& sine, real& cosine) const {
        const real scaled = y * r_k_0;
        const real em = expm1(-fabs(scaled));
        const real e = em + 1;
        const real r = 1 / (1 + e * e);
        lon = x * r_k_0;
        sine = copysign(-em * (em + 2) * r, scaled);
        cosine = 2 * e * r;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static MercatorSphere Setup(const Parameters& p, Definition& d) {
        const Mercator m = Mercator::Setup(p, d);
        return {m.k_0, m.r_k_0};
    }
#endif
};

struct WebMercator : MercatorSphere {
#if GPU_SETUP
    template <class Parameters>
    static WebMercator Setup(const Parameters&, Definition& d) {
        d.k_0 = 1;
        return {{1, 1}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
