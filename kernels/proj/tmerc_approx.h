// Transverse Mercator, the short series (+approx), and the sphere's. Evenden (1995) after Snyder
// (1987), "Map Projections: A Working Manual", eqs. 8-1 to 8-25.
#pragma once

#include "proj/meridian_arc.h"

namespace kernels {
namespace proj {

#if GPU_SETUP
enum class TransverseMercatorAlgorithm { kExact, kApprox, kAuto };

// +approx, +algo: which of the three PROJ takes; by default the exact one.
template <class Parameters>
TransverseMercatorAlgorithm ReadAlgorithm(const Parameters& p, const Definition& d) {
    using Algorithm = TransverseMercatorAlgorithm;
    if (p.flag("approx")) {
        p.has("algo");
        return Algorithm::kApprox;
    }
    if (!p.has("algo") || p.is("algo", "poder_engsager")) {
        return Algorithm::kExact;
    }
    if (p.is("algo", "evenden_snyder")) {
        return Algorithm::kApprox;
    }
    if (!p.is("algo", "auto")) {
        p.fail("algo", "should be poder_engsager, evenden_snyder or auto");
    }
    const bool usual = d.ellipsoid.es <= 0.1 && d.lat_0 == 0 && fabs(d.k_0 - 1) <= 0.01;
    return usual ? Algorithm::kAuto : Algorithm::kExact;
}

// +zone, +south: utm's origin and scale.
template <class Parameters>
void SetUtm(const Parameters& p, Definition& d) {
    if (!(fabs(d.lon_0) <= 1000)) {
        p.fail("lon_0", "should be within 1000 radians");
    }
    d.y_0 = p.flag("south") ? 10000000. : 0.;
    d.x_0 = 500000.;
    long zone = 0;
    if (p.has("zone")) {
        zone = p.integer("zone");
        if (zone < 1 || zone > 60) {
            p.fail("zone", "should be 1 to 60");
        }
        --zone;
    } else {
        zone = lround(floor((wrap_longitude(d.lon_0) + kPi) * 30. / kPi));
        zone = zone < 0 ? 0 : zone > 59 ? 59 : zone;
    }
    d.lon_0 = (static_cast<double>(zone) + .5) * kPi / 30. - kPi;
    d.k_0 = 0.9996;
    d.lat_0 = 0;
}
#endif

struct TransverseMercatorApprox {
    parameter k_0;
    parameter es;
    parameter esp;  // second eccentricity squared
    parameter arc_0;
    MeridianArc arc;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (lon < -kHalfPi || lon > kHalfPi) {
            return false;
        }
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        real t = fabs(cosine) > 1e-10 ? sine / cosine : 0.;
        t *= t;
        real al = cosine * lon;
        const real als = al * al;
        al /= sqrt(1 - es * sine * sine);
        const real n = esp * cosine * cosine;
        x = k_0 * al *
            (1 + als / 6 *
                     (1 - t + n +
                      als / 20 *
                          (5 + t * (t - 18) + n * (14 - 58 * t) +
                           als / 42 * (61 + t * (t * (179 - t) - 479)))));
        y = k_0 * (arc.length(lat, sine, cosine) - arc_0 +
                   sine * al * lon / 2 *
                       (1 + als / 12 *
                                (5 - t + n * (9 + 4 * n) +
                                 als / 30 *
                                     (61 + t * (t - 58) + n * (270 - 330 * t) +
                                      als / 56 * (1385 + t * (t * (543 - t) - 3111))))));
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real sine, cosine;
        if (!arc.latitude(arc_0 + y / k_0, es, lat, sine, cosine)) {
            return false;
        }
        if (fabs(lat) >= kHalfPi) {
            lat = y < 0 ? -kHalfPi : kHalfPi;
            lon = 0;
            return true;
        }
        real t = fabs(cosine) > 1e-10 ? sine / cosine : 0.;
        const real n = esp * cosine * cosine;
        real con = 1 - es * sine * sine;
        const real d = x * sqrt(con) / k_0;
        con *= t;
        t *= t;
        const real ds = d * d;
        lat -= con * ds / (1 - es) / 2 *
               (1 - ds / 12 *
                        (5 + t * (3 - 9 * n) + n * (1 - 4 * n) -
                         ds / 30 *
                             (61 + t * (90 - 252 * n + 45 * t) + 46 * n -
                              ds / 56 * (1385 + t * (3633 + t * (4095 + 1575 * t))))));
        lon = d *
              (1 - ds / 6 *
                       (1 + 2 * t + n -
                        ds / 20 *
                            (5 + t * (28 + 24 * t + 8 * n) + 6 * n -
                             ds / 42 * (61 + t * (662 + t * (1320 + 720 * t)))))) /
              cosine;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static TransverseMercatorApprox Setup(const Parameters& p, Definition& d) {
        ReadAlgorithm(p, d);
        return Make(p, d);
    }

    template <class Parameters>
    static TransverseMercatorApprox Make(const Parameters& p, const Definition& d) {
        const double es = d.ellipsoid.es;
        const MeridianArc arc = MeridianArc::Setup(p, d.ellipsoid);
        return {d.k_0, es, es / (1 - es), arc.length(d.lat_0, sin(d.lat_0), cos(d.lat_0)), arc};
    }
#endif
};

struct TransverseMercatorSphere {
    parameter k_0;
    parameter lat_0;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        const real b = cosine * sin_lon;
        if (fabs(fabs(b) - 1) <= 1e-10) {
            return false;
        }
        x = 0.5 * k_0 * log((1 + b) / (1 - b));
        // PROJ takes the arc from its cosine, which has few digits next to the equator.
        const real angle = atan2(fabs(sine), cosine * cos_lon);
        y = k_0 * ((lat < 0 ? -angle : angle) - lat_0);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real h = exp(x / k_0);
        if (h == 0) {
            return false;
        }
        const real g = 0.5 * (h - 1 / h);
        const real d = lat_0 + y / k_0;
        real s, c;
        sin_cos(d, s, c);
        lat = copysign(atan2(fabs(s), sqrt(g * g + c * c)), d);
        lon = g != 0 || c != 0 ? atan2(g, c) : 0.;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static TransverseMercatorSphere Setup(const Parameters& p, Definition& d) {
        ReadAlgorithm(p, d);
        return {d.k_0, d.lat_0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
