// Airy's minimum error by balance of errors, forward alone: Snyder and Voxland (1989), "An Album of
// Map Projections", p. 229.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Airy {
    parameter pole;
    parameter sin_0;
    parameter cos_0;
    parameter cb;  // of the radius within which errors are balanced
    int64 uncut;   // 1: the far hemisphere too

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lon, sin_lon, cos_lon);
        if (pole != 0) {
            const real c = fabs(pole * kHalfPi - lat);
            if (!uncut && c - 1e-10 > kHalfPi) {
                return false;
            }
            if (!(0.5 * c > 1e-10)) {
                x = y = 0;
                return true;
            }
            sin_cos(0.5 * c, sine, cosine);
            const real t = sine / cosine;
            const real rho = -2 * (log(cosine) / t + t * cb);
            x = rho * sin_lon;
            y = -pole * rho * cos_lon;
            return true;
        }
        sin_cos(lat, sine, cosine);
        const real cos_c = sin_0 * sine + cos_0 * (cosine * cos_lon);
        if (!uncut && cos_c < -1e-10) {
            return false;
        }
        const real s = 1 - cos_c;
        real k = 0.5 - cb;
        if (fabs(s) > 1e-10) {
            const real t = 0.5 * (1 + cos_c);
            if (t == 0) {
                return false;
            }
            k = -log(t) / s - cb / t;
        }
        x = k * cosine * sin_lon;
        y = k * (cos_0 * sine - sin_0 * cosine * cos_lon);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Airy Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        const double beta = 0.5 * (kHalfPi - p.angle("lat_b"));
        const bool equatorial = fabs(d.lat_0) < 1e-10;
        const double cotangent = 1 / tan(beta);
        return {pole_of(d.lat_0), equatorial ? 0. : sin(d.lat_0), equatorial ? 1. : cos(d.lat_0),
                fabs(beta) < 1e-10 ? -0.5 : cotangent * cotangent * log(cos(beta)),
                p.flag("no_cut")};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
