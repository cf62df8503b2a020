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
GPU_FUNC real e_atanh_e(real s, real e, real es) {
    if (es > 0.012) {
        return e * atanh(e * s);
    }
    const real u = es * s * s;
    return es * s *
           (1 + u * (1. / 3 +
                     u * (1. / 5 + u * (1. / 7 + u * (1. / 9 + u * (1. / 11 + u * (1. / 13)))))));
}

// Radius of the parallel, in units of a: Snyder (1987), eq. 14-15.
GPU_FUNC real parallel_radius(real sine, real cosine, real es) {
    return cosine / sqrt(1 - es * sine * sine);
}

// exp(-isometric latitude): Snyder (1987), eq. 15-9, in the form that is exact at both poles.
GPU_FUNC real exp_minus_isometric(real sine, real cosine, real e, real es) {
    return exp(e_atanh_e(sine, e, es)) * (sine > 0 ? cosine / (1 + sine) : (1 - sine) / cosine);
}

// Conformal and isometric latitude psi: Karney (2011), "Transverse Mercator with an accuracy of a
// few nanometers".
struct ConformalLatitude {
    parameter e;
    parameter es;
    parameter to_geographic[6];  // geographic - conformal = sum of c[k] sin(2 (k + 1) conformal)
    int64 series;                // 1: by the series above; 0: by Newton's method

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
        const double root_eps = 1.4901161193847656e-8;
        const real e2m = 1 - es;
        const real size = fabs(conformal);
        const real enough = tolerance(root_eps / 10) * (size > 1 ? size : real(1));
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
            if (!(fabs(step) >= enough)) {
                break;
            }
        }
        return tau;
    }

#if GPU_SETUP
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
#endif
};

// 1 less the sine of the authalic latitude, from the geographic latitude's sine and cosine: the
// difference of q at the pole and here as the difference of the sines gives it, with all its digits
// next to the poles.
GPU_FUNC real authalic_gap(real sine, real cosine, real e, real es, real one_es, real r_q_pole) {
    const real size = fabs(sine);
    const real gap = cosine * cosine / (1 + size);  // 1 - size
    const real rational = gap * (1 + es * size) / (one_es * (1 - es * size * size));
    const real below =
        one_es * (rational + e_atanh_e(gap / (1 - es * size), e, es) / es) * r_q_pole;
    return sine < 0 ? 2 - below : below;
}

#if GPU_SETUP
// q, twice the sine of the authalic latitude on a sphere, in the form that PROJ computes: constants
// of the set-up differ from PROJ's by as little as possible, since some are differences of nearly
// equal numbers.
inline double q_by_logarithm(double sine, const Ellipsoid& ellipsoid) {
    const double e = ellipsoid.e;
    if (e < 1e-7) {
        return 2 * sine;
    }
    const double con = e * sine;
    return ellipsoid.one_es * (sine / (1 - con * con) - (.5 / e) * log((1 - con) / (1 + con)));
}

// Snyder (1987), eq. 3-18: geographic - authalic latitude = sum of c[k] sin(2 (k + 1) authalic), to
// the third power of es, where PROJ's pj_authlat ends too.
inline void SetAuthalicSeries(double es, double (&c)[6]) {
    c[0] = es * (1. / 3 + es * (31. / 180 + es * (517. / 5040)));
    c[1] = es * es * (23. / 360 + es * (251. / 3780));
    c[2] = es * es * es * (761. / 45360);
    c[3] = c[4] = c[5] = 0;
}
#endif

// Authalic latitude, by q, which is twice the sine of it on a sphere: Snyder (1987), eqs. 3-11 and
// 3-12.
struct AuthalicLatitude {
    parameter e;
    parameter es;
    parameter one_es;
    parameter pole;  // q at the pole
    parameter r_pole;
    parameter to_geographic[6];  // geographic - authalic = sum of c[k] sin(2 (k + 1) authalic)
    int64 series;  // 1, 2: by the series above; 0: by Newton's method; 3: by both; -1: a sphere

    GPU_FUNC real q(real sine) const {
        if (series < 0) {
            return 2 * sine;
        }
        return one_es * (sine / (1 - es * sine * sine) + e_atanh_e(sine, e, es) / es);
    }

    // 1 less the size of the authalic latitude's sine.
    GPU_FUNC real gap(real sine, real cosine) const {
        const real size = fabs(sine);
        return series < 0 ? cosine * cosine / (1 + size)
                          : authalic_gap(size, cosine, e, es, one_es, r_pole);
    }

    // Geographic latitude from the authalic one, its sine and cosine, by the series; 3: improved by
    // Newton's method.
    GPU_FUNC real geographic(real authalic, real sine, real cosine) const {
        real lat = authalic +
                   sine_series(to_geographic, 2 * sine * cosine, (cosine - sine) * (cosine + sine));
        if (series == 3) {
            for (int i = 0; i < 10; ++i) {
                const real step = newton_step(sine * pole, lat);
                if (!(fabs(step) >= tolerance(1e-15))) {
                    break;
                }
                lat += step;
            }
        }
        return lat;
    }

    // Latitude from q as PROJ's aea finds it: next to a pole that pole, and beyond it what PROJ's
    // iteration gives, or NaN.
    GPU_FUNC bool latitude(real value, real& lat) const {
        const real size = fabs(value);
        if (series < 0) {
            lat = size <= 2 ? real(asin(0.5 * value)) : value < 0 ? -kHalfPi : kHalfPi;
            return true;
        }
        if (!(fabs(pole - size) > 1e-7)) {
            lat = value < 0 ? -kHalfPi : kHalfPi;
            return true;
        }
        if (size > 2) {
            return false;
        }
        if (series > 1 || (series > 0 && size < pole)) {
            const real sine = value * r_pole;
            const real cosine = sqrt((1 - sine) * (1 + sine));
            lat = geographic(atan2(sine, cosine), sine, cosine);
            return true;
        }
        return latitude_by_newton(value, lat);
    }

    // Snyder (1987), eq. 3-16; false where sixteen steps don't reach 1e-10. NaN is no failure.
    GPU_FUNC bool latitude_by_newton(real value, real& lat) const {
        lat = asin(0.5 * value);
        for (int i = 0; i < 16; ++i) {
            const real step = newton_step(value, lat);
            lat += step;
            if (!(fabs(step) > tolerance(1e-10))) {
                return true;
            }
        }
        return false;
    }

    GPU_FUNC real newton_step(real value, real lat) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        const real w = 1 - es * sine * sine;
        return 0.5 * w * w / cosine * (value / one_es - sine / w - atanh(e * sine) / e);
    }

#if GPU_SETUP
    // For geographic() as PROJ's pj_authlat had it.
    template <class Parameters>
    static AuthalicLatitude SetupThirdOrder(const Parameters& p, const Ellipsoid& ellipsoid) {
        AuthalicLatitude a = Setup(p, ellipsoid);
        if (!p.rules().authalic_by_third_flattening) {
            SetAuthalicSeries(ellipsoid.es, a.to_geographic);
        }
        return a;
    }

    // Coefficients to the sixth order of the third flattening: Karney (2024), "On auxiliary
    // latitudes", appendix A.
    template <class Parameters>
    static AuthalicLatitude Setup(const Parameters& p, const Ellipsoid& ellipsoid) {
        const double n = ellipsoid.n;
        const double n2 = n * n, n3 = n2 * n, n4 = n2 * n2, n5 = n4 * n, n6 = n3 * n3;
        AuthalicLatitude a = {};
        a.e = ellipsoid.e;
        a.es = ellipsoid.es;
        a.one_es = ellipsoid.one_es;
        a.series = ellipsoid.e < 1e-7                       ? -1
                   : p.rules().authalic_by_third_flattening ? (fabs(n) < 0.01 ? 2 : 3)
                   : n <= kSeriesFlattening                 ? 1
                                                            : 0;
        a.pole = q_by_logarithm(1, ellipsoid);
        a.r_pole = 1 / a.pole;
        a.to_geographic[0] =
            n * (4. / 3 +
                 n * (4. / 45 +
                      n * (-16. / 35 + n * (-2582. / 14175 +
                                            n * (60136. / 467775 + n * (28112932. / 212837625))))));
        a.to_geographic[1] =
            n2 * (46. / 45 +
                  n * (152. / 945 + n * (-11966. / 14175 +
                                         n * (-21016. / 51975 + n * (251310128. / 638512875)))));
        a.to_geographic[2] =
            n3 * (3044. / 2835 +
                  n * (3802. / 14175 + n * (-94388. / 66825 - n * (8797648. / 10945935))));
        a.to_geographic[3] =
            n4 * (6059. / 4725 + n * (41072. / 93555 - n * (1472637812. / 638512875)));
        a.to_geographic[4] = n5 * (768272. / 467775 + n * (455935736. / 638512875));
        a.to_geographic[5] = n6 * (4210684958. / 1915538625);
        return a;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
