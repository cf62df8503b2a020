// Length of the meridian from the equator and back, in units of a: by the rectifying latitude to
// the sixth power of the third flattening, Karney (2024), "On auxiliary latitudes", eqs. A5 and A6;
// or, as PROJ had it before, to the fourth power of es, Snyder (1987), eq. 3-21, in Evenden's
// (1995) arrangement, and back by Newton's method.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct MeridianArc {
    parameter radius;            // of the rectifying sphere
    parameter c[6];              // of the series of either kind
    parameter to_geographic[6];  // from the rectifying latitude
    int64 rectifying;            // 1: by the rectifying latitude

    GPU_FUNC real length(real latitude, real sine, real cosine) const {
        if (rectifying) {
            return radius * (latitude +
                             sine_series(c, 2 * sine * cosine, (cosine - sine) * (cosine + sine)));
        }
        const real s2 = sine * sine;
        return c[0] * latitude - cosine * sine * (c[1] + s2 * (c[2] + s2 * (c[3] + s2 * c[4])));
    }

    // Latitude, its sine and cosine by Newton's method; false where ten steps don't reach 1e-11.
    GPU_FUNC bool latitude(real arc, real es, real& latitude, real& sine, real& cosine) const {
        if (rectifying) {
            const real mu = arc / radius;
            sin_cos(mu, sine, cosine);
            latitude = mu + sine_series(to_geographic, 2 * sine * cosine,
                                        (cosine - sine) * (cosine + sine));
            sin_cos(latitude, sine, cosine);
            return true;
        }
        latitude = arc;
        for (int i = 0; i < 10; ++i) {
            sin_cos(latitude, sine, cosine);
            const real w = 1 - es * sine * sine;
            const real step = (length(latitude, sine, cosine) - arc) * (w * sqrt(w)) / (1 - es);
            latitude -= step;
            if (fabs(step) < tolerance(1e-11)) {
                rotate(sine, cosine, -step);
                return true;
            }
        }
        return false;
    }

#if GPU_SETUP
    template <class Parameters>
    static MeridianArc Setup(const Parameters& p, const Ellipsoid& ellipsoid) {
        return p.rules().meridian_arc_by_third_flattening ? ByThirdFlattening(ellipsoid.n)
                                                          : ByEccentricity(ellipsoid.es);
    }

    static MeridianArc ByThirdFlattening(double n) {
        const double n2 = n * n, n3 = n2 * n, n4 = n2 * n2, n5 = n4 * n, n6 = n3 * n3;
        return {(1 + n2 * (1. / 4 + n2 * (1. / 64 + n2 * (1. / 256)))) / (1 + n),
                {n * (-3. / 2 + n2 * (9. / 16 - n2 * (3. / 32))),
                 n2 * (15. / 16 + n2 * (-15. / 32 + n2 * (135. / 2048))),
                 n3 * (-35. / 48 + n2 * (105. / 256)), n4 * (315. / 512 - n2 * (189. / 512)),
                 n5 * (-693. / 1280), n6 * (1001. / 2048)},
                {n * (3. / 2 + n2 * (-27. / 32 + n2 * (269. / 512))),
                 n2 * (21. / 16 + n2 * (-55. / 32 + n2 * (6759. / 4096))),
                 n3 * (151. / 96 - n2 * (417. / 128)), n4 * (1097. / 512 - n2 * (15543. / 2560)),
                 n5 * (8011. / 2560), n6 * (293393. / 61440)},
                1};
    }

    static MeridianArc ByEccentricity(double es) {
        const double es2 = es * es, es3 = es2 * es;
        return {
            1,
            {1 - es * (.25 + es * (.046875 + es * (.01953125 + es * .01068115234375))),
             es * (.75 - es * (.046875 + es * (.01953125 + es * .01068115234375))),
             es2 * (.46875 - es * (.01302083333333333333 + es * .00712076822916666666)),
             es3 * (.36458333333333333333 - es * .00569661458333333333), es3 * es * .3076171875, 0},
            {},
            0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
