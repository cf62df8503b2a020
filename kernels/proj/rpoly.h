// Rectangular Polyconic: Snyder and Voxland (1989), "An Album of Map Projections", p. 234;
// parallels of true length by McCaw (1921). PROJ has no inverse.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct RectangularPolyconic {
    parameter true_scale;  // 1: at two parallels, 0: at the equator
    parameter factor;      // half the sine of the parallel
    parameter r_factor;    // its reciprocal, halved
    parameter lat_0;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real half = true_scale != 0 ? real(tan(lon * factor) * r_factor) : real(0.5 * lon);
        if (fabs(lat) < 1e-9) {
            x = 2 * half;
            y = -lat_0;
            return true;
        }
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        // The tangent of half the angle along the parallel.
        const real tangent = half * sine;
        const real w = 2 * tangent * cosine / (sine * (1 + tangent * tangent));
        x = w;
        y = lat - lat_0 + w * tangent;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static RectangularPolyconic Setup(const Parameters& p, Definition& d) {
        const double parallel = fabs(p.angle("lat_ts"));
        d.ellipsoid.es = 0;
        if (parallel > 1e-9) {
            const double factor = 0.5 * sin(parallel);
            return {1, factor, 0.5 / factor, d.lat_0};
        }
        return {0, 0, 0, d.lat_0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
