// Auxiliary latitudes of the ellipsoid: isometric and conformal, authalic, and the meridian arc.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

// Third flattening up to which sixth-order series in it are exact to double precision (rf > 166);
// PROJ's closed formulas and iterations serve the rest.
constexpr double kSeriesFlattening = 0.003;

// e * atanh(e * s) for |s| <= 1; for the flattening of planets like the Earth by its Taylor series,
// of which the next term is below 3e-17.
GPU_FUNC real e_atanh_e(real s, double e, double es) {
    if (es > 0.012) {
        return e * atanh(e * s);
    }
    const real u = es * s * s;
    return es * s *
           (1 + u * (1. / 3 +
                     u * (1. / 5 + u * (1. / 7 + u * (1. / 9 + u * (1. / 11 + u * (1. / 13)))))));
}

// Radius of the parallel, in units of a: Snyder (1987), eq. 14-15.
GPU_FUNC real parallel_radius(real sine, real cosine, double es) {
    return cosine / sqrt(1 - es * sine * sine);
}

// exp(-isometric latitude): Snyder (1987), eq. 15-9, in the form that is exact at both poles.
GPU_FUNC real exp_minus_isometric(real sine, real cosine, double e, double es) {
    return exp(e_atanh_e(sine, e, es)) * (sine > 0 ? cosine / (1 + sine) : (1 - sine) / cosine);
}

// Conformal and isometric latitude psi: Karney (2011), "Transverse Mercator with an accuracy of a
// few nanometers".
struct ConformalLatitude {
    double e;
    double es;
    double
        to_geographic[6];  // geographic - conformal latitude = sum of c[k] sin(2 (k + 1) conformal)
    int64 series;          // 1: by the series above; 0: by Newton's method

    GPU_FUNC real isometric(real sine, real cosine) const {
        return asinh_tan(sine, cosine) - e_atanh_e(sine, e, es);
    }

    // Geographic latitude from tan(conformal latitude / 2).
    GPU_FUNC real from_half_tangent(real u) const {
        const real m = 1 / (1 + u * u);
        if (series) {
            const real sine = 2 * u * m;
            const real cosine = (1 - u * u) * m;
            return 2 * atan(u) +
                   sine_series(to_geographic, 2 * sine * cosine, (cosine - sine) * (cosine + sine));
        }
        return atan(tangent_by_newton(2 * u / ((1 - u) * (1 + u))));
    }

    GPU_FUNC real from_isometric(real psi) const {
        const real em = expm1(-fabs(psi));
        return from_half_tangent(copysign(-em / (em + 2), psi));
    }

    // From exp(-psi), positive.
    GPU_FUNC real from_exp_minus_isometric(real ts) const {
        const real r = ts > 1 ? 1 / ts : ts;
        const real u = (1 - r) / (1 + r);
        return from_half_tangent(ts > 1 ? -u : u);
    }

    // tan(geographic latitude) from tan(conformal latitude): Karney (2011), eqs. 7 to 9 and 19
    // to 21.
    GPU_FUNC real tangent_by_newton(real conformal) const {
        const real root_eps = 1.4901161193847656e-8;
        const real e2m = 1 - es;
        const real size = fabs(conformal);
        const real tolerance = root_eps / 10 * (size > 1 ? size : real(1));
        real tau = size > 70 ? conformal * exp(e * atanh(e)) : conformal / e2m;
        if (!(fabs(tau) < 2 / root_eps)) {
            return tau;
        }
        for (int i = 0; i < 5; ++i) {
            const real secant = sqrt(1 + tau * tau);
            const real sigma = sinh(e * atanh(e * tau / secant));
            const real reached = sqrt(1 + sigma * sigma) * tau - sigma * secant;
            const real step = (conformal - reached) * (1 + e2m * tau * tau) /
                              (e2m * secant * sqrt(1 + reached * reached));
            tau += step;
            if (!(fabs(step) >= tolerance)) {
                break;
            }
        }
        return tau;
    }

    // Coefficients to the sixth order of the third flattening: Koenig and Weise (1951), p. 190,
    // eqs. 61 and 62.
    static ConformalLatitude Setup(const Ellipsoid& ellipsoid) {
        const double n = ellipsoid.n;
        const double n2 = n * n, n3 = n2 * n, n4 = n2 * n2, n5 = n4 * n, n6 = n3 * n3;
        ConformalLatitude c = {};
        c.e = ellipsoid.e;
        c.es = ellipsoid.es;
        c.to_geographic[0] =
            n *
            (2 + n * (-2. / 3 + n * (-2 + n * (116. / 45 + n * (26. / 45 - n * (2854. / 675))))));
        c.to_geographic[1] =
            n2 *
            (7. / 3 + n * (-8. / 5 + n * (-227. / 45 + n * (2704. / 315 + n * (2323. / 945)))));
        c.to_geographic[2] =
            n3 * (56. / 15 + n * (-136. / 35 + n * (-1262. / 105 + n * (73814. / 2835))));
        c.to_geographic[3] = n4 * (4279. / 630 + n * (-332. / 35 - n * (399572. / 14175)));
        c.to_geographic[4] = n5 * (4174. / 315 - n * (144838. / 6237));
        c.to_geographic[5] = n6 * (601676. / 22275);
        c.series = n <= kSeriesFlattening;
        return c;
    }
};

}  // namespace proj
}  // namespace kernels
