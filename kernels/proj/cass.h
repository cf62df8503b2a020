// Cassini-Soldner, with the hyperbolic variant of Fiji: Snyder (1987), "Map Projections: A Working
// Manual", eqs. 13-1 to 13-11; IOGP (2021), Guidance Note 7-2, section 3.2.2.
#pragma once

#include "proj/generic_inverse.h"
#include "proj/meridian_arc.h"

namespace kernels {
namespace proj {

struct Cassini {
    parameter es;
    parameter one_es;
    parameter arc_0;
    parameter hyperbolic;  // 1 or 0
    int64 leaves_axes;     // of the inverse
    MeridianArc arc;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        const real nu_square = 1 / (1 - es * sine * sine);
        const real nu = sqrt(nu_square);
        const real tangent = sine / cosine;
        const real t = tangent * tangent;
        const real a = lon * cosine;
        const real a2 = a * a;
        const real c = es * cosine * cosine / one_es;
        x = nu * a * (1 - a2 * t * (1. / 6 + (8 - t + 8 * c) * a2 * (1. / 120)));
        y = arc.length(lat, sine, cosine) - arc_0 +
            nu * tangent * a2 * (0.5 + (5 - t + 6 * c) * a2 * (1. / 24));
        if (hyperbolic != 0) {
            y -= y * y * y / (6 * nu_square * nu_square * one_es);
        }
        return true;
    }

    // Snyder's series, then Newton's method on the forward formulas.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real foot, sine, cosine;
        if (!arc.latitude(arc_0 + y, es, foot, sine, cosine)) {
            return false;
        }
        const real tangent = sine / cosine;
        const real t = tangent * tangent;
        const real nu_square = 1 / (1 - es * sine * sine);
        const real d = x / sqrt(nu_square);
        const real d2 = d * d;
        lat = foot - tangent / (nu_square * one_es) * d2 * (0.5 - (1 + 3 * t) * d2 * (1. / 24));
        lon = d * (1 + t * d2 * (-1. / 3 + (1 + 3 * t) * d2 * (1. / 15))) / cosine;
        return improve_inverse(*this, x, y, 1e-12, leaves_axes != 0, lon, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static Cassini Setup(const Parameters& p, Definition& d) {
        const double es = d.ellipsoid.es;
        const MeridianArc arc = MeridianArc::Setup(p, d.ellipsoid);
        return {es,
                1 - es,
                arc.length(d.lat_0, sin(d.lat_0), cos(d.lat_0)),
                p.has("hyperbolic") ? 1. : 0.,
                p.rules().generic_inverse_leaves_axes,
                arc};
    }
#endif
};

struct CassiniSphere {
    parameter lat_0;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        x = asin(cosine * sin_lon);
        y = atan2(sine, cosine * cos_lon) - lat_0;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real sin_x, cos_x, sin_y, cos_y;
        sin_cos(x, sin_x, cos_x);
        sin_cos(y + lat_0, sin_y, cos_y);
        lat = asin(sin_y * cos_x);
        lon = atan2(sin_x / cos_x, cos_y);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static CassiniSphere Setup(const Parameters& p, Definition& d) {
        p.has("hyperbolic");
        return {d.lat_0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
