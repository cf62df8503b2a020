// Krovak, a conformal cone about the turned conformal sphere of Bessel's ellipsoid: IOGP (2021),
// Guidance Note 7-2, section 3.2.1. Ellipsoid, turn and pseudo-standard parallel are fixed.
#pragma once

#include "proj/conformal_sphere.h"

namespace kernels {
namespace proj {

struct Krovak {
    parameter sin_turn;
    parameter cos_turn;
    parameter n;  // of the cone
    parameter r_n;
    parameter log_radius_0;  // of the cone at the sphere's equator, units of a
    parameter sign;          // 1: axes south and west (+czech), -1: north and east
    parameter inverse_x;     // added before the inverse, units of a
    parameter inverse_y;
    ConformalSphere sphere;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        from_sphere_isometric(sphere.isometric(lat), sine, cosine);
        real turned = -sphere.c * lon;
        turn_sphere(-sin_turn, cos_turn, sine, cosine, turned);
        if (cosine < 1e-12) {
            x = y = 0;
            return true;
        }
        const real rho = sign * exp(log_radius_0 - n * asinh_tan(sine, cosine));
        real sin_eps, cos_eps;
        sin_cos(n * turned, sin_eps, cos_eps);
        x = rho * sin_eps;
        y = rho * cos_eps;
        return true;
    }

    // NaN is refused, as PROJ's iteration doesn't end for it.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        x = (x + inverse_x) * sign;
        y = (y + inverse_y) * sign;
        return from_southwest(x, y, lon, lat);
    }

    GPU_FUNC bool from_southwest(real x, real y, real& lon, real& lat) const {
        real sine, cosine;
        from_sphere_isometric((log_radius_0 - 0.5 * log(x * x + y * y)) * r_n, sine, cosine);
        lon = atan2(x, y) * r_n;
        turn_sphere(sin_turn, cos_turn, sine, cosine, lon);
        lon *= -sphere.r_c;
        lat = sphere.latitude(sine, cosine);
        return lat == lat;
    }

#if GPU_SETUP
    template <class Parameters>
    static Krovak Setup(const Parameters& p, Definition& d) {
        p.has("alpha");  // what CRSs say of the turn, which is fixed
        if (!p.has("lat_0")) {
            d.lat_0 = 0.863937979737193;  // 49 degrees 30 minutes
        }
        if (!p.has("lon_0")) {
            d.lon_0 = 0.7417649320975901 - 0.308341501185665;  // 42 degrees 30 minutes of Ferro
        }
        if (!p.has("k") && !p.has("k_0")) {
            d.k_0 = 0.9999;
        }
        if (tan(d.lat_0 / 2 + kQuarterPi) == 0) {
            p.fail("lat_0", "should be greater than -90 degrees");
        }
        const double parallel = 1.37008346281555;        // 78 degrees 30 minutes
        const double turn = kHalfPi - 1.04216856380474;  // 90 - (59 degrees 42' 42.69689")
        Ellipsoid bessel;
        bessel.a = 6377397.155;
        bessel.es = 0.006674372230614;
        bessel.e = sqrt(bessel.es);
        bessel.one_es = 1 - bessel.es;
        bessel.n = tan(asin(bessel.e) / 2) * tan(asin(bessel.e) / 2);
        const double n = sin(parallel);
        Krovak k = {};
        k.sphere = ConformalSphere::Setup(bessel, d.lat_0);
        k.sin_turn = sin(turn);
        k.cos_turn = cos(turn);
        k.n = n;
        k.r_n = 1 / n;
        k.log_radius_0 = log(d.k_0 * k.sphere.radius / tan(parallel)) +
                         n * asinh_tan(sin(parallel), cos(parallel));
        k.sign = p.has("czech") ? 1 : -1;
        d.r_a = 1 / d.ellipsoid.a;
        if (p.rules().krovak_offsets_are_southwest && k.sign < 0) {
            k.inverse_x = 2 * (d.y_0 / bessel.a - d.x_0 * d.r_a);
            k.inverse_y = 2 * (d.x_0 / bessel.a - d.y_0 * d.r_a);
            d.x_0 = -d.x_0;
            d.y_0 = -d.y_0;
        }
        d.ellipsoid.a = bessel.a;
        d.ellipsoid.es = bessel.es;
        return k;
    }
#endif
};

// With the polynomial of the realization JTSK05: Cesky urad zememericky a katastralni (2010),
// "Metodika prevodu mezi ETRF2000 a S-JTSK"; IOGP (2021), Guidance Note 7-2, section 3.2.1.2.
struct ModifiedKrovak {
    Krovak krovak;
    parameter a;
    parameter r_a;

    // The correction of west (x) and south (y), units of a.
    GPU_FUNC void correction(real x, real y, real& d_x, real& d_y) const {
        const real s = y * a - 1089000, w = x * a - 654000;
        const real s2 = s * s, w2 = w * w, both = s * w;
        const real third_s = s * (s2 - 3 * w2), third_w = w * (3 * s2 - w2);
        const real fourth = s2 * s2 + w2 * w2 - 6 * s2 * w2, mixed = 4 * both * (s2 - w2);
        d_y =
            (2.946529277e-2 + 1.193845912e-7 * s + 4.668270147e-7 * w +
             9.233980362e-12 * (s2 - w2) - 2 * 1.523735715e-12 * both + 1.696780024e-18 * third_s -
             4.408314235e-18 * third_w - 8.331083518e-24 * mixed - 3.689471323e-24 * fourth) *
            r_a;
        d_x =
            (2.515965696e-2 + 1.193845912e-7 * w - 4.668270147e-7 * s + 2 * 9.233980362e-12 * both +
             1.523735715e-12 * (s2 - w2) + 4.408314235e-18 * third_s + 1.696780024e-18 * third_w +
             3.689471323e-24 * mixed - 8.331083518e-24 * fourth) *
            r_a;
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (!krovak.forward(lon, lat, x, y)) {
            return false;
        }
        if (x == 0 && y == 0) {
            return true;  // the apex, as PROJ has it
        }
        real d_x, d_y;
        correction(x * krovak.sign, y * krovak.sign, d_x, d_y);
        x -= d_x * krovak.sign;
        y -= d_y * krovak.sign;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        x = (x + krovak.inverse_x) * krovak.sign;
        y = (y + krovak.inverse_y) * krovak.sign;
        real d_x, d_y;
        correction(x, y, d_x, d_y);
        return krovak.from_southwest(x + d_x, y + d_y, lon, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static ModifiedKrovak Setup(const Parameters& p, Definition& d) {
        const Krovak krovak = Krovak::Setup(p, d);
        return {krovak, d.ellipsoid.a, 1 / d.ellipsoid.a};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
