// Transverse Mercator, exact: the complex series to the sixth order of the third flattening, good
// to nanometres. Koenig and Weise (1951), "Mathematische Grundlagen der hoeheren Geodaesie und
// Kartographie", pp. 186 to 196; Engsager and Poder (2007), "A highly accurate world wide algorithm
// for the transverse Mercator mapping (almost)". One sincos serves each doubled angle, and the
// small corrections turn sines and cosines instead of taking new ones.
#pragma once

#include "proj/latitudes.h"
#include "proj/tmerc_approx.h"

namespace kernels {
namespace proj {

struct TransverseMercator {
    parameter quadrant;  // meridian quadrant's radius, in units of a, times k_0
    parameter r_quadrant;
    parameter northing;           // of the origin, in units of a
    parameter to_conformal[6];    // conformal - geographic latitude
    parameter to_geographic[6];   // geographic - conformal latitude
    parameter to_ellipsoidal[6];  // spherical to ellipsoidal transverse coordinates
    parameter to_spherical[6];

    // sum of c[k] sin(2 (k + 1) (u + i v)), from sin and cos of 2u, sinh and cosh of 2v, by
    // Clenshaw's recurrence.
    GPU_FUNC static void complex_sine_series(const parameter (&c)[6], real sin2, real cos2,
                                             real sinh2, real cosh2, real& re, real& im) {
        const real r = 2 * cos2 * cosh2;
        const real i = -2 * sin2 * sinh2;
        const real r5 = c[4] + r * c[5], i5 = i * c[5];
        const real r4 = c[3] + r * r5 - i * i5 - c[5], i4 = i * r5 + r * i5;
        const real r3 = c[2] + r * r4 - i * i4 - r5, i3 = i * r4 + r * i4 - i5;
        const real r2 = c[1] + r * r3 - i * i3 - r4, i2 = i * r3 + r * i3 - i4;
        const real r1 = c[0] + r * r2 - i * i2 - r3, i1 = i * r2 + r * i2 - i3;
        const real s = sin2 * cosh2;
        const real t = cos2 * sinh2;
        re = s * r1 - t * i1;
        im = s * i1 + t * r1;
    }

    // True within 150 degrees of transverse longitude, where PROJ ends the projection; false for
    // NaN.
    GPU_FUNC static bool in_domain(real transverse) { return fabs(transverse) <= 2.623395162778; }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sin_lat, cos_lat;
        sin_cos(lat, sin_lat, cos_lat);
        return forward_with_sine(lon, sin_lat, cos_lat, x, y);
    }

    GPU_FUNC bool forward_with_sine(real lon, real sin_lat, real cos_lat, real& x, real& y) const {
        real sin_lon, cos_lon;
        sin_cos(lon, sin_lon, cos_lon);
        const real turn = sine_series(to_conformal, 2 * sin_lat * cos_lat,
                                      (cos_lat - sin_lat) * (cos_lat + sin_lat));
        rotate(sin_lat, cos_lat, turn);

        // Conformal latitude and longitude to the transverse sphere: u northward, v eastward.
        const real adjacent = cos_lat * cos_lon;
        const real secant = reciprocal_sqrt(sin_lat * sin_lat + adjacent * adjacent);  // cosh(v)
        const real sinh_v = sin_lon * cos_lat * secant;
        const real u = atan2(sin_lat, adjacent);
        const real size = fabs(sinh_v);
        const real v = copysign(log1p(size + size * size / (1 + secant)), sinh_v);

        const real double_secant2 = 2 * secant * secant;
        const real w = adjacent * double_secant2;
        real du, dv;
        complex_sine_series(to_ellipsoidal, sin_lat * w, adjacent * w - 1, 2 * sinh_v * secant,
                            double_secant2 - 1, du, dv);
        if (!in_domain(v + dv)) {
            return false;
        }
        x = quadrant * (v + dv);
        y = quadrant * (u + du) + northing;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real u = (y - northing) * r_quadrant;
        const real v = x * r_quadrant;
        if (!in_domain(v)) {
            return false;
        }
        real sin_u, cos_u;
        sin_cos(u, sin_u, cos_u);
        const real em = expm1(v);
        const real r_exp = 1 / (em + 1);
        const real sinh_v = 0.5 * (em + em * r_exp);
        const real cosh_v = 0.5 * (em + 1 + r_exp);
        real du, dv;
        complex_sine_series(to_spherical, 2 * sin_u * cos_u, (cos_u - sin_u) * (cos_u + sin_u),
                            2 * sinh_v * cosh_v, 1 + 2 * sinh_v * sinh_v, du, dv);
        rotate(sin_u, cos_u, du);
        const real sinh_w = sinh_of_sum(v, sinh_v, cosh_v, dv);

        // The transverse sphere to conformal latitude and longitude, then to geographic latitude.
        const real modulus = sqrt(sinh_w * sinh_w + cos_u * cos_u);
        const real conformal = atan2(sin_u, modulus);
        const real w = 2 * modulus / (sinh_w * sinh_w + 1);
        lon = atan2(sinh_w, cos_u);
        lat = conformal + sine_series(to_geographic, sin_u * w, w * modulus - 1);
        return true;
    }

    // sinh(v + dv), dv nearly always small.
    GPU_FUNC static real sinh_of_sum(real v, real sinh_v, real cosh_v, real dv) {
        const real d2 = dv * dv;
        if (!(d2 < 0.04)) {
            return sinh(v + dv);
        }
        const real s =
            dv + dv * d2 * (1. / 6 + d2 * (1. / 120 + d2 * (1. / 5040 + d2 * (1. / 362880))));
        const real c =
            1 + d2 * (1. / 2 +
                      d2 * (1. / 24 + d2 * (1. / 720 + d2 * (1. / 40320 + d2 * (1. / 3628800)))));
        return sinh_v * c + cosh_v * s;
    }

#if GPU_SETUP
    template <class Parameters>
    static TransverseMercator Setup(const Parameters& p, Definition& d) {
        ReadAlgorithm(p, d);
        return Make(d);
    }

    static TransverseMercator Make(const Definition& d) {
        const double n = d.ellipsoid.n;
        const double n2 = n * n, n3 = n2 * n, n4 = n2 * n2, n5 = n4 * n, n6 = n3 * n3;
        TransverseMercator t = {};
        const ConformalLatitude conformal = ConformalLatitude::Setup(d.ellipsoid);
        for (int k = 0; k < 6; ++k) {
            t.to_geographic[k] = conformal.to_geographic[k];
        }
        // Pages 186 and 187, eqs. 51 and 52.
        t.to_conformal[0] =
            n * (-2 + n * (2. / 3 +
                           n * (4. / 3 + n * (-82. / 45 + n * (32. / 45 + n * (4642. / 4725))))));
        t.to_conformal[1] =
            n2 * (5. / 3 + n * (-16. / 15 + n * (-13. / 9 + n * (904. / 315 - n * (1522. / 945)))));
        t.to_conformal[2] = n3 * (-26. / 15 + n * (34. / 21 + n * (8. / 5 - n * (12686. / 2835))));
        t.to_conformal[3] = n4 * (1237. / 630 + n * (-12. / 5 - n * (24832. / 14175)));
        t.to_conformal[4] = n5 * (-734. / 315 + n * (109598. / 31185));
        t.to_conformal[5] = n6 * (444337. / 155925);
        // Page 196, eq. 69.
        t.to_ellipsoidal[0] =
            n * (1. / 2 +
                 n * (-2. / 3 +
                      n * (5. / 16 + n * (41. / 180 + n * (-127. / 288 + n * (7891. / 37800))))));
        t.to_ellipsoidal[1] =
            n2 * (13. / 48 +
                  n * (-3. / 5 + n * (557. / 1440 + n * (281. / 630 - n * (1983433. / 1935360)))));
        t.to_ellipsoidal[2] =
            n3 * (61. / 240 + n * (-103. / 140 + n * (15061. / 26880 + n * (167603. / 181440))));
        t.to_ellipsoidal[3] = n4 * (49561. / 161280 + n * (-179. / 168 + n * (6601661. / 7257600)));
        t.to_ellipsoidal[4] = n5 * (34729. / 80640 - n * (3418889. / 1995840));
        t.to_ellipsoidal[5] = n6 * (212378941. / 319334400);
        // Page 194, eq. 65.
        t.to_spherical[0] =
            n * (-1. / 2 +
                 n * (2. / 3 +
                      n * (-37. / 96 + n * (1. / 360 + n * (81. / 512 - n * (96199. / 604800))))));
        t.to_spherical[1] =
            n2 * (-1. / 48 +
                  n * (-1. / 15 + n * (437. / 1440 + n * (-46. / 105 + n * (1118711. / 3870720)))));
        t.to_spherical[2] =
            n3 * (-17. / 480 + n * (37. / 840 + n * (209. / 4480 - n * (5569. / 90720))));
        t.to_spherical[3] = n4 * (-4397. / 161280 + n * (11. / 504 + n * (830251. / 7257600)));
        t.to_spherical[4] = n5 * (-4583. / 161280 + n * (108847. / 3991680));
        t.to_spherical[5] = n6 * (-20648693. / 638668800);
        // Page 50, eq. 96.
        t.quadrant = d.k_0 / (1 + n) * (1 + n2 * (1. / 4 + n2 * (1. / 64 + n2 / 256)));
        t.r_quadrant = 1 / t.quadrant;
        const double z = d.lat_0 + sine_series(t.to_conformal, sin(2 * d.lat_0), cos(2 * d.lat_0));
        t.northing = -t.quadrant * (z + sine_series(t.to_ellipsoidal, sin(2 * z), cos(2 * z)));
        return t;
    }
#endif
};

// PROJ's +algo=auto: the short series within three degrees of the central meridian, the exact one
// elsewhere.
struct TransverseMercatorAuto {
    TransverseMercatorApprox approx;
    TransverseMercator exact;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        return fabs(lon) > 3 * (kPi / 180) ? exact.forward(lon, lat, x, y)
                                           : approx.forward(lon, lat, x, y);
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        return fabs(x) > 0.053 - 0.022 * y * y ? exact.inverse(x, y, lon, lat)
                                               : approx.inverse(x, y, lon, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static TransverseMercatorAuto Setup(const Parameters& p, Definition& d) {
        ReadAlgorithm(p, d);
        return {TransverseMercatorApprox::Make(p, d), TransverseMercator::Make(d)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
