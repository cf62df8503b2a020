// Hourglass, equal area between two curves through the origin; on an ellipsoid by its authalic
// latitude. PROJ 9.9's parametrization: the exponent n of the curves and the ratio s of the axes.
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

struct Hourglass {
    AuthalicLatitude authalic;
    parameter root_s;
    parameter x_factor;    // of q before the root
    parameter x_exponent;  // 1 / (n + 1)
    parameter y_factor;
    parameter y_exponent;  // n / (n + 1)
    parameter most_lon;    // the inverse refuses longitudes beyond; 0: none

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real q = fabs(authalic.q(sin(lat)));
        if (q == 0) {
            x = y = 0;
            return true;
        }
        x = lon / (root_s * kPi) * pow(x_factor * q, x_exponent);
        y = copysign(real(root_s * pow(y_factor * q, y_exponent)), lat);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        if (fabs(y) <= 1e-8) {
            lon = lat = 0;
            return true;
        }
        const real q = pow(fabs(y) / root_s, 1 / y_exponent) / y_factor;
        const real sine = q * authalic.r_pole;
        if (sine > 1) {
            return false;
        }
        lon = x * kPi * root_s / pow(x_factor * q, x_exponent);
        const real cosine = sqrt((1 - sine) * (1 + sine));
        lat = atan2(sine, cosine);
        if (authalic.es != 0) {
            lat = authalic.geographic(lat, sine, cosine);
        }
        lat = y < 0 ? -lat : lat;
        return !(most_lon > 0 && fabs(lon) > most_lon);
    }

#if GPU_SETUP
    template <class Parameters>
    static Hourglass Setup(const Parameters& p, Definition& d) {
        const double s = p.has("s") ? p.number("s") : 1, n = p.has("n") ? p.number("n") : 1;
        if (!(s > 0)) {
            p.fail("s", "should be greater than 0");
        }
        if (!(n > 0)) {
            p.fail("n", "should be greater than 0");
        }
        const double turns = p.has("outinvalid") ? static_cast<double>(p.integer("outinvalid")) : 1;
        const double e = d.ellipsoid.e;
        const double half_area = e != 0 ? 0.5 * (1 + d.ellipsoid.one_es / e * atanh(e)) : 1;
        const double length = sqrt(kPi * (n + 1) / n * half_area);
        Hourglass h = {};
        h.authalic = AuthalicLatitude::Setup(p, d.ellipsoid);
        h.root_s = sqrt(s);
        h.x_factor = kHalfPi * (n + 1) / n * pow(length, n - 1);
        h.y_factor = kHalfPi * (n + 1) / n * pow(length, (1 - n) / n);
        h.x_exponent = 1 / (n + 1);
        h.y_exponent = n / (n + 1);
        h.most_lon = turns != 0 ? (2 * turns - 1) * kPi + 1e-7 : 0;
        return h;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
