// Albers Equal Area, and Lambert Equal Area Conic: Snyder (1987), "Map Projections: A Working
// Manual", eqs. 14-1 to 14-21; latitude from authalic latitude by Karney (2024), "On auxiliary
// latitudes".
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

struct AlbersEqualArea {
    parameter n;
    parameter r_n;
    parameter c;
    parameter rho_0;
    AuthalicLatitude authalic;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real square = c - n * authalic.q(sin(lat));
        if (square < 0) {
            return false;
        }
        real sine, cosine;
        sin_cos(n * lon, sine, cosine);
        const real rho = r_n * sqrt(square);
        x = rho * sine;
        y = rho_0 - rho * cosine;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        y = rho_0 - y;
        const real rho = sqrt(x * x + y * y);
        if (rho == 0) {
            lon = 0;
            lat = n > 0 ? kHalfPi : -kHalfPi;
            return true;
        }
        lon = (n < 0 ? atan2(-x, -y) : atan2(x, y)) * r_n;
        return authalic.latitude((c - (rho * n) * (rho * n)) * r_n, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static AlbersEqualArea Setup(const Parameters& p, Definition& d) {
        return Make(p, d, p.angle("lat_1"), p.angle("lat_2"));
    }

    template <class Parameters>
    static AlbersEqualArea Make(const Parameters& p, const Definition& d, double lat_1,
                                double lat_2) {
        const double es = d.ellipsoid.es;
        if (fabs(lat_1) > kHalfPi) {
            p.fail("lat_1", "should be within 90 degrees");
        }
        if (fabs(lat_2) > kHalfPi) {
            p.fail("lat_2", "should be within 90 degrees");
        }
        if (fabs(lat_1 + lat_2) < 1e-10) {
            p.fail("lat_1", "and lat_2 should not cancel");
        }
        AlbersEqualArea a = {};
        a.authalic = AuthalicLatitude::Setup(p, d.ellipsoid);
        const double m_1 = parallel_radius(sin(lat_1), cos(lat_1), es);
        const double m_2 = parallel_radius(sin(lat_2), cos(lat_2), es);
        const double q_1 = q_by_logarithm(sin(lat_1), d.ellipsoid);
        const double q_2 = q_by_logarithm(sin(lat_2), d.ellipsoid);
        a.n = sin(lat_1);
        if (fabs(lat_1 - lat_2) >= 1e-10) {
            a.n = es > 0 ? (m_1 * m_1 - m_2 * m_2) / (q_2 - q_1) : 0.5 * (sin(lat_1) + sin(lat_2));
        }
        if (a.n == 0 || !(fabs(a.n) <= 1e300)) {
            p.fail("lat_1", "and lat_2 give no cone");
        }
        a.r_n = 1 / a.n;
        a.c = m_1 * m_1 + a.n * q_1;
        a.rho_0 = a.r_n * sqrt(a.c - a.n * q_by_logarithm(sin(d.lat_0), d.ellipsoid));
        return a;
    }
#endif
};

struct LambertEqualAreaConic : AlbersEqualArea {
#if GPU_SETUP
    template <class Parameters>
    static LambertEqualAreaConic Setup(const Parameters& p, Definition& d) {
        return {Make(p, d, p.flag("south") ? -kHalfPi : kHalfPi, p.angle("lat_1"))};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
