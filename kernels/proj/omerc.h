// Oblique Mercator in Hotine's form (rectified skew orthomorphic): Snyder (1987), "Map Projections:
// A Working Manual", eqs. 9-11 to 9-48.
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

struct ObliqueMercator {
    parameter b;
    parameter r_b;
    parameter log_e;  // Snyder's E
    parameter size;   // A / B
    parameter r_size;
    parameter sin_gamma_0;
    parameter cos_gamma_0;
    parameter sin_rectification;
    parameter cos_rectification;
    parameter u_0;  // u at the centre of the projection
    parameter v_north;
    parameter v_south;
    parameter rotates;  // 0: +no_rot
    ConformalLatitude conformal;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real u, v;
        if (fabs(fabs(lat) - kHalfPi) > 1e-10) {
            real sine, cosine, sin_lon, cos_lon;
            sin_cos(lat, sine, cosine);
            sin_cos(b * lon, sin_lon, cos_lon);
            const real w = exp(log_e + b * conformal.isometric(sine, cosine));
            const real r_w = 1 / w;
            const real s = 0.5 * (w - r_w);
            const real sin_v = (s * sin_gamma_0 - sin_lon * cos_gamma_0) / (0.5 * (w + r_w));
            if (fabs(fabs(sin_v) - 1) < 1e-10) {
                return false;
            }
            v = 0.5 * size * log((1 - sin_v) / (1 + sin_v));
            u = fabs(cos_lon) < 1e-7
                    ? size * b * lon
                    : size * atan2(s * cos_gamma_0 + sin_lon * sin_gamma_0, cos_lon);
        } else {
            v = lat > 0 ? v_north : v_south;
            u = size * lat;
        }
        if (rotates == 0) {
            x = u;
            y = v;
        } else {
            u -= u_0;
            x = v * cos_rectification + u * sin_rectification;
            y = u * cos_rectification - v * sin_rectification;
        }
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real u = x, v = y;
        if (rotates != 0) {
            v = x * cos_rectification - y * sin_rectification;
            u = y * cos_rectification + x * sin_rectification + u_0;
        }
        const real q = exp(-r_size * v);
        if (q == 0) {
            return false;
        }
        const real r_q = 1 / q;
        const real s = 0.5 * (q - r_q);
        real sin_u, cos_u;
        sin_cos(r_size * u, sin_u, cos_u);
        const real sine = (sin_u * cos_gamma_0 + s * sin_gamma_0) / (0.5 * (q + r_q));
        if (fabs(fabs(sine) - 1) < 1e-10) {
            lon = 0;
            lat = sine < 0 ? -kHalfPi : kHalfPi;
            return true;
        }
        lat = conformal.from_isometric((0.5 * log((1 + sine) / (1 - sine)) - log_e) * r_b);
        lon = -r_b * atan2(s * cos_gamma_0 - sin_u * sin_gamma_0, cos_u);
        return true;
    }

#if GPU_SETUP
    // The arc sine; refuses the set of parameters where the sine is too large by more than a
    // rounding.
    template <class Parameters>
    static double Asin(const Parameters& p, const char* name, double sine) {
        if (fabs(sine) > 1.00000000000001) {
            p.fail(name, "makes a line that no great circle through the centre has");
        }
        return asin(clamp_sine(sine));
    }

    // Snyder's t to the power of B.
    static double Power(double lat, double b, const Ellipsoid& ellipsoid) {
        return pow(exp_minus_isometric(sin(lat), cos(lat), ellipsoid.e, ellipsoid.es), b);
    }

    template <class Parameters>
    static ObliqueMercator Setup(const Parameters& p, Definition& definition) {
        const Ellipsoid& ellipsoid = definition.ellipsoid;
        const double es = ellipsoid.es;
        const double lat_0 = definition.lat_0;
        const bool has_alpha = p.has("alpha"), has_gamma = p.has("gamma");
        const bool by_azimuth = has_alpha || has_gamma;
        const bool no_off = p.has("no_off"), no_uoff = p.has("no_uoff");
        double lat_1 = 0, lat_2 = 0, lon_1 = 0, lon_2 = 0;
        if (!by_azimuth) {
            lon_1 = p.angle("lon_1");
            lat_1 = p.angle("lat_1");
            lon_2 = p.angle("lon_2");
            lat_2 = p.angle("lat_2");
            if (fabs(lat_1) > kHalfPi - 1e-7 || fabs(lat_1) <= 1e-7) {
                p.fail("lat_1", "should be between 0 and 90 degrees in size");
            }
            if (fabs(lat_2) > kHalfPi - 1e-7 || fabs(lat_1 - lat_2) <= 1e-7) {
                p.fail("lat_2", "should be less than 90 degrees in size, and not lat_1");
            }
        }
        if (fabs(fabs(lat_0) - kHalfPi) <= 1e-7) {
            p.fail("lat_0", "should be less than 90 degrees in size");
        }

        double a = definition.k_0, b = 1 / sqrt(1 - es), d = 1, e = 1, f = 1;
        if (fabs(lat_0) > 1e-10) {
            const double sine = sin(lat_0), cosine = cos(lat_0);
            const double w = 1 - es * sine * sine;
            b = sqrt(1 + es * cosine * cosine * cosine * cosine / (1 - es));
            a = b * definition.k_0 * sqrt(1 - es) / w;
            d = b * sqrt(1 - es) / (cosine * sqrt(w));
            const double square = d * d - 1;
            f = d + (square <= 0 ? 0. : lat_0 < 0 ? -sqrt(square) : sqrt(square));
            e = f * Power(lat_0, b, ellipsoid);
        }

        double gamma_0 = 0, gamma = 0, alpha = 0;
        if (by_azimuth) {
            if (has_alpha) {
                alpha = p.angle("alpha");
                gamma_0 = Asin(p, "alpha", sin(alpha) / d);
                gamma = has_gamma ? p.angle("gamma") : alpha;
            } else {
                gamma_0 = gamma = p.angle("gamma");
                alpha = Asin(p, "gamma", d * sin(gamma_0));
            }
            definition.lon_0 =
                p.angle("lonc") -
                Asin(p, has_alpha ? "alpha" : "gamma", 0.5 * (f - 1 / f) * tan(gamma_0)) / b;
        } else {
            const double h = Power(lat_1, b, ellipsoid), l = Power(lat_2, b, ellipsoid);
            const double ratio = e / h;
            const double q = (l - h) / (l + h);
            const double j = (e * e - l * h) / (e * e + l * h);
            const double denominator = ratio - 1 / ratio;
            if (q == 0 || denominator == 0) {
                p.fail("lat_1", "doesn't fit this eccentricity");
            }
            if (lon_1 - lon_2 < -kPi) {
                lon_2 -= kTwoPi;
            } else if (lon_1 - lon_2 > kPi) {
                lon_2 += kTwoPi;
            }
            definition.lon_0 = wrap_longitude(0.5 * (lon_1 + lon_2) -
                                              atan(j * tan(0.5 * b * (lon_1 - lon_2)) / q) / b);
            gamma_0 = atan(2 * sin(b * wrap_longitude(lon_1 - definition.lon_0)) / denominator);
            gamma = alpha = Asin(p, "lat_1", d * sin(gamma_0));
        }

        ObliqueMercator o = {};
        o.b = b;
        o.r_b = 1 / b;
        o.log_e = log(e);
        o.size = a / b;
        o.r_size = b / a;
        o.sin_gamma_0 = sin(gamma_0);
        o.cos_gamma_0 = cos(gamma_0);
        o.sin_rectification = sin(gamma);
        o.cos_rectification = cos(gamma);
        if (!by_azimuth || !(no_off || no_uoff)) {
            o.u_0 = fabs(o.size * atan(sqrt(d * d - 1) / cos(alpha)));
            o.u_0 = lat_0 < 0 ? -o.u_0 : o.u_0;
        }
        o.v_north = o.size * log(tan(kQuarterPi - 0.5 * gamma_0));
        o.v_south = o.size * log(tan(kQuarterPi + 0.5 * gamma_0));
        o.rotates = p.flag("no_rot") ? 0 : 1;
        o.conformal = ConformalLatitude::Setup(ellipsoid);
        return o;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
