// Lambert Conformal Conic Alternative, the cone's radius by a cubic of the meridian's length:
// "Lambert conic near-conformal", IOGP (2021), Guidance Note 7-2, section 3.1.1.
#pragma once

#include "proj/meridian_arc.h"

namespace kernels {
namespace proj {

struct LambertConformalConicAlternative {
    parameter k_0;
    parameter es;
    parameter sin_0;
    parameter radius_0;  // of the parallel of origin on the cone
    parameter arc_0;
    parameter c;  // of the cubic
    MeridianArc arc;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_angle, cos_angle;
        sin_cos(lat, sine, cosine);
        sin_cos(lon * sin_0, sin_angle, cos_angle);
        const real s = arc.length(lat, sine, cosine) - arc_0;
        const real radius = radius_0 - s * (1 + s * s * c);
        x = k_0 * radius * sin_angle;
        y = k_0 * (radius_0 - radius * cos_angle);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        x /= k_0;
        y /= k_0;
        const real angle = atan2(x, radius_0 - y);
        const real target = y - x * tan(0.5 * angle);
        lon = angle / sin_0;
        real s = target;
        for (int i = 0; i < 10; ++i) {
            const real step = (s * (1 + s * s * c) - target) / (1 + 3 * s * s * c);
            s -= step;
            if (fabs(step) < tolerance(1e-12)) {
                real sine, cosine;
                return arc.latitude(s + arc_0, es, lat, sine, cosine);
            }
        }
        return false;
    }

#if GPU_SETUP
    template <class Parameters>
    static LambertConformalConicAlternative Setup(const Parameters& p, Definition& d) {
        if (d.lat_0 == 0) {
            p.fail("lat_0", "should be different from 0");
        }
        const double es = d.ellipsoid.es;
        const double sine = sin(d.lat_0), cosine = cos(d.lat_0);
        const double nu_square = 1 / (1 - es * sine * sine);
        const MeridianArc arc = MeridianArc::Setup(p, d.ellipsoid);
        return {d.k_0,
                es,
                sine,
                sqrt(nu_square) / tan(d.lat_0),
                arc.length(d.lat_0, sine, cosine),
                1 / (6 * nu_square * nu_square * d.ellipsoid.one_es),
                arc};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
