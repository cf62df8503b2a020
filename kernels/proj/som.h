// Space Oblique Mercator for circular orbits, of LANDSAT (lsat), of MISR (misrsom) and others
// (som): Snyder (1981), "Space oblique Mercator projection: mathematical development", USGS
// Bulletin 1518; Snyder (1987), "Map Projections: A Working Manual", eqs. 27-1 to 27-62.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct SpaceObliqueMercator {
    parameter one_es;
    parameter es;
    parameter a_2;  // Fourier constants
    parameter a_4;
    parameter b;
    parameter c_1;
    parameter c_3;
    parameter q;  // Snyder's Q, T, U, W and J
    parameter t;
    parameter u;
    parameter w;
    parameter j;
    parameter p22;    // the satellite's turn by the Earth's
    parameter sin_i;  // inclination
    parameter cos_i;
    parameter begin;    // of the path, transformed longitude
    parameter endless;  // 0: a longitude not found in 50 steps is refused; 1: the 51st is the last,
                        // and taken unless the iteration ends just there
    static constexpr double kTolerance = tolerance(1e-7);

    // Snyder's S.
    GPU_FUNC real slope(real sine, real cosine) const {
        const real s2 = sine * sine;
        return p22 * sin_i * cosine * sqrt((1 + t * s2) / ((1 + w * s2) * (1 + q * s2)));
    }

    // Transformed longitude, and the longitude as the satellite sees it.
    GPU_FUNC bool transformed(real lon, real lat, real& longitude, real& seen) const {
        const real tangent = one_es * tan(lat) * sin_i;
        real start = lat >= 0 ? kHalfPi : 3 * kHalfPi;
        longitude = seen = 0;
        for (int turn = 0; turn < 3; ++turn) {
            const real quadrant = cos(lon + p22 * start) < 0 ? kHalfPi : -kHalfPi;
            const real offset = start + sin(start) * quadrant;
            real last = start;
            const int limit = endless != 0 ? 51 : 50;
            int step = 0;
            for (; step < limit; ++step) {
                seen = lon + p22 * last;
                const real cosine = cos(seen);
                if (fabs(cosine) < kTolerance) {
                    seen -= kTolerance;
                }
                longitude = atan((tangent + sin(seen) * cos_i) / cosine) + offset;
                if (fabs(fabs(last) - fabs(longitude)) < kTolerance) {
                    break;
                }
                last = longitude;
            }
            if (step == 50) {
                return false;
            }
            if (longitude > begin && longitude < begin + kTwoPi) {
                return true;
            }
            if (longitude <= begin) {
                start = 5 * kHalfPi;
            } else if (longitude >= begin + kTwoPi) {
                start = kHalfPi;
            }
        }
        return true;
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real longitude, seen;
        if (!transformed(lon, lat, longitude, seen)) {
            return false;
        }
        real sine, cosine, sin_long, cos_long, angle, cos_angle;
        sin_cos(lat, sine, cosine);
        const real sin_angle =
            (one_es * cos_i * sine - sin_i * cosine * sin(seen)) / sqrt(1 - es * sine * sine);
        if (!arc_sine(sin_angle, angle, cos_angle)) {
            return false;
        }
        const real psi = asinh_tan(clamp_sine(sin_angle), cos_angle);
        sin_cos(longitude, sin_long, cos_long);
        const real s = slope(sin_long, cos_long);
        const real d = psi / sqrt(j * j + s * s);
        const real sin_2 = 2 * sin_long * cos_long;
        const real cos_2 = (cos_long - sin_long) * (cos_long + sin_long);
        x = b * longitude + sin_2 * (a_2 + 2 * a_4 * cos_2) - d * s;
        y = sin_long * (c_1 + c_3 * (3 - 4 * sin_long * sin_long)) + d * j;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real longitude = x / b;
        real s = 0;
        for (int i = 0; i < 50; ++i) {
            const real last = longitude;
            real sine, cosine;
            sin_cos(longitude, sine, cosine);
            s = slope(sine, cosine);
            const real cos_2 = (cosine - sine) * (cosine + sine);
            longitude = (x + y * s / j - 2 * sine * cosine * (a_2 + 2 * a_4 * cos_2) -
                         s / j * sine * (c_1 + c_3 * (3 - 4 * sine * sine))) /
                        b;
            if (!(fabs(longitude - last) >= kTolerance)) {
                break;
            }
        }
        real sin_long, cos_long;
        sin_cos(longitude, sin_long, cos_long);
        const real psi = sqrt(1 + s * s / (j * j)) *
                         (y - sin_long * (c_1 + c_3 * (3 - 4 * sin_long * sin_long)));
        const real growth = exp(-fabs(psi));
        const real sine = copysign((1 - growth) * (1 + growth) / (1 + growth * growth), psi);
        const real dd = sin_long * sin_long;
        if (fabs(cos_long) < kTolerance) {
            longitude -= kTolerance;
            sin_cos(longitude, sin_long, cos_long);
        }
        const real s2 = sine * sine;
        const real denominator = 1 - s2 * (1 + u);
        if (denominator == 0) {
            return false;
        }
        const real tan_long = sin_long / cos_long;
        real seen = atan(((1 - s2 / one_es) * tan_long * cos_i -
                          sine * sin_i * sqrt((1 + q * dd) * (1 - s2) - s2 * u) / cos_long) /
                         denominator);
        if (!(cos_long >= 0)) {
            seen -= seen >= 0 ? kPi : -kPi;
        }
        lon = seen - p22 * longitude;
        lat = fabs(sin_i) < kTolerance && endless != 0
                  ? real(asin(clamp_sine(sine / sqrt(one_es * one_es + es * s2))))
                  : real(atan((tan_long * cos(seen) - cos_i * sin(seen)) / (one_es * sin_i)));
        return true;
    }

#if GPU_SETUP
    // Adds one ordinate, in degrees, of Simpson's rule to the Fourier constants.
    void AddOrdinate(double degrees, double weight) {
        const double at = degrees * (kPi / 180);
        const double s2 = sin(at) * sin(at);
        const double s = slope(sin(at), cos(at));
        const double one_q = 1 + q * s2;
        const double h =
            sqrt(one_q / (1 + w * s2)) * ((1 + w * s2) / (one_q * one_q) - p22 * cos_i);
        const double root = sqrt(j * j + s * s);
        const double even = weight * (h * j - s * s) / root;
        const double odd = weight * s * (h + j) / root;
        b += even / 30;
        a_2 += even * cos(2 * at) / 30;
        a_4 += even * cos(4 * at) / 60;
        c_1 += odd * cos(at) / 15;
        c_3 += odd * cos(3 * at) / 45;
    }

    // inclination: radians.
    static SpaceObliqueMercator Make(const Ellipsoid& ellipsoid, double inclination, double p22) {
        const double es = ellipsoid.es, one_es = ellipsoid.one_es;
        SpaceObliqueMercator m = {};
        m.es = es;
        m.one_es = one_es;
        m.p22 = p22;
        m.sin_i = sin(inclination);
        m.cos_i = fabs(cos(inclination)) < 1e-9 ? 1e-9 : cos(inclination);
        const double w = (1 - es * m.cos_i * m.cos_i) / one_es;
        const double sin2 = es * m.sin_i * m.sin_i;
        m.w = w * w - 1;
        m.q = sin2 / one_es;
        m.t = sin2 * (2 - es) / (one_es * one_es);
        m.u = es * m.cos_i * m.cos_i / one_es;
        m.j = one_es * one_es * one_es;
        for (int i = 0; i <= 10; ++i) {
            m.AddOrdinate(9 * i, i == 0 || i == 10 ? 1 : i % 2 ? 4 : 2);
        }
        return m;
    }

    template <class Parameters>
    static double Path(const Parameters& p, long count) {
        const long path = p.integer("path");
        if (path < 1 || path > count) {
            p.fail("path", "is out of range");
        }
        return kTwoPi / static_cast<double>(count) * static_cast<double>(path);
    }
#endif
};

struct SpaceObliqueMercatorLandsat : SpaceObliqueMercator {
#if GPU_SETUP
    template <class Parameters>
    static SpaceObliqueMercatorLandsat Setup(const Parameters& p, Definition& d) {
        const long satellite = p.integer("lsat");
        if (satellite < 1 || satellite > 5) {
            p.fail("lsat", "should be 1 to 5");
        }
        const bool early = satellite <= 3;
        d.lon_0 = (early ? 128.87 : 129.3) * (kPi / 180) - Path(p, early ? 251 : 233);
        SpaceObliqueMercatorLandsat l = {
            early ? Make(d.ellipsoid, 99.092 * (kPi / 180), 103.2669323 / 1440)
                  : Make(d.ellipsoid, 98.2 * (kPi / 180), 98.8841202 / 1440)};
        l.begin = kPi * (1. / 248 + .5161290322580645);
        l.endless = 1;
        return l;
    }
#endif
};

struct SpaceObliqueMercatorMisr : SpaceObliqueMercator {
#if GPU_SETUP
    template <class Parameters>
    static SpaceObliqueMercatorMisr Setup(const Parameters& p, Definition& d) {
        d.lon_0 = 129.3056 * (kPi / 180) - Path(p, 233);
        SpaceObliqueMercatorMisr m = {Make(d.ellipsoid, 98.30382 * (kPi / 180), 98.88 / 1440)};
        m.endless = p.rules().som_is_one_operation ? 1 : 0;
        return m;
    }
#endif
};

// +inc_angle, +ps_rev (days a revolution) and +asc_lon.
struct SpaceObliqueMercatorOfAnyOrbit : SpaceObliqueMercator {
#if GPU_SETUP
    template <class Parameters>
    static SpaceObliqueMercatorOfAnyOrbit Setup(const Parameters& p, Definition& d) {
        d.lon_0 = p.angle("asc_lon");
        const double inclination = p.angle("inc_angle"), revolution = p.number("ps_rev");
        if (!(fabs(d.lon_0) <= kTwoPi)) {
            p.fail("asc_lon", "should be within 360 degrees");
        }
        if (!(inclination >= 0 && inclination <= kPi)) {
            p.fail("inc_angle", "should be 0 to 180 degrees");
        }
        if (!(revolution >= 0)) {
            p.fail("ps_rev", "should not be negative");
        }
        SpaceObliqueMercatorOfAnyOrbit m = {Make(d.ellipsoid, inclination, revolution)};
        m.endless = 1;
        return m;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
