// Modified Stereographic: an oblique stereographic projection under a complex polynomial that bends
// lines of equal scale around a region. Snyder (1987), "Map Projections: A Working Manual", chapter
// 26.
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

template <int kDegree>
struct ModifiedStereographic {
    parameter e;
    parameter sin_0;  // of the origin's conformal latitude
    parameter cos_0;
    parameter lat_0;
    parameter a[2 * kDegree];  // real and imaginary parts of the coefficients of z, z^2, ...
    ConformalLatitude conformal;

    // The polynomial at x + i y.
    GPU_FUNC void polynomial(real x, real y, real& re, real& im) const {
        real p = a[2 * kDegree - 2], q = a[2 * kDegree - 1];
        for (int k = kDegree - 2; k >= 0; --k) {
            const real old = p;
            p = x * p - y * q + a[2 * k];
            q = x * q + y * old + a[2 * k + 1];
        }
        re = x * p - y * q;
        im = x * q + y * p;
    }

    // And its derivative.
    GPU_FUNC void derivative(real x, real y, real& re, real& im) const {
        re = kDegree * a[2 * kDegree - 2];
        im = kDegree * a[2 * kDegree - 1];
        for (int k = kDegree - 2; k >= 0; --k) {
            const real old = re;
            re = x * re - y * im + (k + 1) * a[2 * k];
            im = x * im + y * old + (k + 1) * a[2 * k + 1];
        }
    }

    // False at the antipode of the origin, to roundings.
    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        const real t = exp_minus_isometric(sine, cosine, e, e * e);
        const real m = 1 / (1 + t * t);
        const real sin_chi = (1 - t) * (1 + t) * m;
        const real cos_chi = 2 * t * m;
        const real antipode = 1 + sin_0 * sin_chi + cos_0 * cos_chi * cos_lon;
        if (antipode < 4.5e-16) {
            return false;
        }
        const real s = 2 / antipode;
        polynomial(s * cos_chi * sin_lon, s * (cos_0 * sin_chi - sin_0 * cos_chi * cos_lon), x, y);
        return true;
    }

    // Newton's method; false where twenty steps don't reach 1e-12.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real u = x, v = y;
        bool reached = false;
        for (int i = 0; i < 20 && !reached; ++i) {
            real p, q, dp, dq;
            polynomial(u, v, p, q);
            derivative(u, v, dp, dq);
            p -= x;
            q -= y;
            const real square = dp * dp + dq * dq;
            const real du = (p * dp + q * dq) / square;
            const real dv = (q * dp - p * dq) / square;
            u -= du;
            v -= dv;
            reached = fabs(du) + fabs(dv) <= tolerance(1e-12);
        }
        if (!reached) {
            return false;
        }
        const real square = u * u + v * v;
        if (square <= 1e-24) {
            lon = 0;
            lat = lat_0;
            return true;
        }
        const real m = 1 / (1 + 0.25 * square);
        const real cosine = (1 - 0.25 * square) * m;
        const real east = u * m;
        const real north = cos_0 * cosine - v * m * sin_0;
        const real sin_chi = cosine * sin_0 + v * m * cos_0;
        const real cos_chi = sqrt(east * east + north * north);
        lon = atan2(east, north);
        lat = conformal.from_half_tangent(sin_chi / (1 + cos_chi));
        return true;
    }

#if GPU_SETUP
    // lon_0 and lat_0 in degrees; `conformal_origin`: whether the origin's latitude is that of an
    // ellipsoid.
    static ModifiedStereographic Make(Definition& d, double lon_0, double lat_0,
                                      bool conformal_origin, const double (&a)[2 * kDegree]) {
        d.lon_0 = lon_0 * (kPi / 180);
        d.lat_0 = lat_0 * (kPi / 180);
        ModifiedStereographic m = {};
        m.e = d.ellipsoid.e;
        m.lat_0 = d.lat_0;
        m.conformal = ConformalLatitude::Setup(d.ellipsoid);
        double chi = d.lat_0;
        if (conformal_origin) {
            chi = kHalfPi - 2 * atan(exp_minus_isometric(sin(chi), cos(chi), m.e, m.e * m.e));
        }
        m.sin_0 = sin(chi);
        m.cos_0 = cos(chi);
        for (int k = 0; k < 2 * kDegree; ++k) {
            m.a[k] = a[k];
        }
        return m;
    }

    // PROJ puts an Earth of its own in place of the given one, but keeps its unit in the inverse.
    static void ReplaceEarth(Definition& d, double a) {
        d.r_a = 1 / d.ellipsoid.a;
        d.ellipsoid.a = a;
    }

    // One for the ellipsoid of Clarke 1866, as PROJ rounds it, or for the sphere.
    static ModifiedStereographic MakeEllipsoidOrSphere(Definition& d, double lon_0, double lat_0,
                                                       const double (&ellipsoid)[2 * kDegree],
                                                       const double (&sphere)[2 * kDegree]) {
        const bool is_sphere = d.ellipsoid.es == 0;
        ReplaceEarth(d, is_sphere ? 6370997. : 6378206.4);
        if (!is_sphere) {
            d.ellipsoid.es = 0.00676866;
            d.ellipsoid.e = sqrt(d.ellipsoid.es);
            const double half = tan(asin(d.ellipsoid.e) / 2);
            d.ellipsoid.n = half * half;
        }
        return Make(d, lon_0, lat_0, !is_sphere, is_sphere ? sphere : ellipsoid);
    }

    // The spherical ones keep the ellipsoid's eccentricity in the conformal latitude alone. PROJ's
    // iteration for the latitude ends early where it is large.
    template <class Parameters>
    static ModifiedStereographic MakeSphere(const Parameters& p, Definition& d, double lon_0,
                                            double lat_0, const double (&a)[2 * kDegree]) {
        if (d.ellipsoid.es > 0.1) {
            p.fail("ellps", "is too flat");
        }
        const ModifiedStereographic m = Make(d, lon_0, lat_0, false, a);
        d.ellipsoid.es = 0;
        return m;
    }
#endif
};

struct MillerOblatedStereographic : ModifiedStereographic<3> {
#if GPU_SETUP
    template <class Parameters>
    static MillerOblatedStereographic Setup(const Parameters& p, Definition& d) {
        return {MakeSphere(p, d, 20, 18, {.9245, 0, 0, 0, .01943, 0})};
    }
#endif
};

struct LeeOblatedStereographic : ModifiedStereographic<3> {
#if GPU_SETUP
    template <class Parameters>
    static LeeOblatedStereographic Setup(const Parameters& p, Definition& d) {
        return {MakeSphere(p, d, -165, -10, {.721316, 0, 0, 0, -.0088162, -.00617325})};
    }
#endif
};

struct ModifiedStereographicOf48States : ModifiedStereographic<5> {
#if GPU_SETUP
    template <class Parameters>
    static ModifiedStereographicOf48States Setup(const Parameters& p, Definition& d) {
        ReplaceEarth(d, 6370997.);
        return {MakeSphere(p, d, -96, 39, {.98879, 0, 0, 0, -.050909, 0, 0, 0, .075528, 0})};
    }
#endif
};

struct ModifiedStereographicOfAlaska : ModifiedStereographic<6> {
#if GPU_SETUP
    template <class Parameters>
    static ModifiedStereographicOfAlaska Setup(const Parameters&, Definition& d) {
        return {
            MakeEllipsoidOrSphere(d, -152, 64,
                                  {.9945303, 0, .0052083, -.0027404, .0072721, .0048181, -.0151089,
                                   -.1932526, .0642675, -.1381226, .3582802, -.2884586},
                                  {.9972523, 0, .0052513, -.0041175, .0074606, .0048125, -.0153783,
                                   -.1968253, .0636871, -.1408027, .3660976, -.2937382})};
    }
#endif
};

struct ModifiedStereographicOf50States : ModifiedStereographic<10> {
#if GPU_SETUP
    template <class Parameters>
    static ModifiedStereographicOf50States Setup(const Parameters&, Definition& d) {
        return {MakeEllipsoidOrSphere(
            d, -120, 45,
            {.9827497,  0,         .0210669,  .0053804, -.1031415, -.0571664, -.0323337,
             -.0322847, .0502303,  .1211983,  .0251805, .0895678,  -.0012315, -.1416121,
             .0072202,  -.1317091, -.0194029, .0759677, -.0210072, .0834037},
            {.9842990,  0,         .0211642,  .0037608, -.1036018, -.0575102, -.0329095,
             -.0320119, .0499471,  .1223335,  .0260460, .0899805,  .0007388,  -.1435792,
             .0075848,  -.1334108, -.0216473, .0776645, -.0225161, .0853673})};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
