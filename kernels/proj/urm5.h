// Urmaev V: Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Urmaev5 {
    parameter n;
    parameter m;
    parameter third_q;
    parameter c_y;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real angle, cosine;
        const bool valid = arc_sine(n * sin(lat), angle, cosine);
        x = m * lon * cosine;
        y = c_y * angle * (1 + third_q * angle * angle);
        return valid;
    }

#if GPU_SETUP
    template <class Parameters>
    static Urmaev5 Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        const double n = p.number("n");
        if (!(n > 0 && n <= 1)) {
            p.fail("n", "should be greater than 0 and at most 1");
        }
        const double alpha = p.angle("alpha");
        const double sine = n * sin(alpha);
        if (fabs(sine) >= 1) {
            p.fail("alpha", "should have a sine that is less than 1 / n");
        }
        const double m = cos(alpha) / sqrt(1 - sine * sine);
        return {n, m, p.number("q") / 3, 1 / (m * n)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
