// Lambert Conformal Conic with one or two standard parallels: Snyder (1987), "Map Projections: A
// Working Manual", eqs. 15-1 to 15-11; the cone's radius by the isometric latitude, rho = c exp(-n
// psi). Inverse by Karney (2011).
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

struct LambertConformalConic {
    parameter n;  // sine of the cone
    parameter r_n;
    parameter c;
    parameter rho_0;
    parameter k_0;
    parameter r_k_0;
    ConformalLatitude conformal;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_theta, cos_theta;
        sin_cos(lat, sine, cosine);
        sin_cos(n * lon, sin_theta, cos_theta);
        real rho;
        if (fabs(fabs(lat) - kHalfPi) < 1e-10) {
            if (lat * n <= 0) {
                return false;
            }
            rho = 0;
        } else {
            const real psi = copysign(log((1 + fabs(sine)) / cosine), sine) -
                             e_atanh_e(sine, conformal.e, conformal.es);
            rho = c * exp(-n * psi);
        }
        x = k_0 * (rho * sin_theta);
        y = k_0 * (rho_0 - rho * cos_theta);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        x *= r_k_0;
        y = rho_0 - y * r_k_0;
        real rho = sqrt(x * x + y * y);
        if (rho == 0) {
            lon = 0;
            lat = n > 0 ? kHalfPi : -kHalfPi;
            return true;
        }
        if (n < 0) {
            rho = -rho;
            x = -x;
            y = -y;
        }
        lon = atan2(x, y) * r_n;
        lat = conformal.from_isometric(-log(rho / c) * r_n);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static LambertConformalConic Setup(const Parameters& p, Definition& d) {
        const Ellipsoid& ellipsoid = d.ellipsoid;
        const double lat_1 = p.angle("lat_1");
        double lat_2 = lat_1;
        if (p.has("lat_2")) {
            lat_2 = p.angle("lat_2");
        } else if (!p.has("lat_0")) {
            d.lat_0 = lat_1;
        }
        if (fabs(lat_1 + lat_2) < 1e-10) {
            p.fail("lat_1", "and lat_2 should not cancel");
        }
        if (fabs(cos(lat_1)) < 1e-10 || fabs(lat_1) >= kHalfPi) {
            p.fail("lat_1", "should be less than 90 degrees in size");
        }
        if (fabs(cos(lat_2)) < 1e-10 || fabs(lat_2) >= kHalfPi) {
            p.fail("lat_2", "should be less than 90 degrees in size");
        }
        LambertConformalConic l = {};
        l.conformal = ConformalLatitude::Setup(ellipsoid);
        const double m_1 = parallel_radius(sin(lat_1), cos(lat_1), ellipsoid.es);
        const double m_2 = parallel_radius(sin(lat_2), cos(lat_2), ellipsoid.es);
        const auto ts = [&](double lat) {
            return exp_minus_isometric(sin(lat), cos(lat), ellipsoid.e, ellipsoid.es);
        };
        l.n = sin(lat_1);
        if (fabs(lat_1 - lat_2) >= 1e-10) {
            l.n = log(m_1 / m_2) / log(ts(lat_1) / ts(lat_2));
        }
        if (l.n == 0 || !(fabs(l.n) <= 1e300)) {
            p.fail("lat_1", "and lat_2 give no cone");
        }
        l.r_n = 1 / l.n;
        l.c = m_1 * pow(ts(lat_1), -l.n) / l.n;
        l.rho_0 = fabs(fabs(d.lat_0) - kHalfPi) < 1e-10 ? 0. : l.c * pow(ts(d.lat_0), l.n);
        l.k_0 = d.k_0;
        l.r_k_0 = 1 / d.k_0;
        return l;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
