// Cylindrical Equal Area: Snyder (1987), "Map Projections: A Working Manual", eqs. 10-1 to 10-20.
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

#if GPU_SETUP
// +lat_ts: the scale at the equator of a cylinder that is true at that parallel.
template <class Parameters>
void SetEqualAreaScale(const Parameters& p, Definition& d) {
    double lat_ts = 0;
    if (p.has("lat_ts")) {
        lat_ts = p.angle("lat_ts");
        d.k_0 = cos(lat_ts);
        if (d.k_0 < 0) {
            p.fail("lat_ts", "should be within 90 degrees");
        }
    }
    const double sine = sin(lat_ts);
    d.k_0 /= sqrt(1 - d.ellipsoid.es * sine * sine);
}
#endif

struct CylindricalEqualArea {
    parameter k_0;
    parameter r_k_0;
    AuthalicLatitude authalic;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = k_0 * lon;
        y = 0.5 * r_k_0 * authalic.q(sin(lat));
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real sine = 2 * y * k_0 * authalic.r_pole;
        const real cosine = sqrt((1 - sine) * (1 + sine));
        lon = x * r_k_0;
        lat = authalic.geographic(atan2(sine, cosine), sine, cosine);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static CylindricalEqualArea Setup(const Parameters& p, Definition& d) {
        SetEqualAreaScale(p, d);
        return {d.k_0, 1 / d.k_0, AuthalicLatitude::SetupThirdOrder(p, d.ellipsoid)};
    }
#endif
};

struct CylindricalEqualAreaSphere {
    parameter k_0;
    parameter r_k_0;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = k_0 * lon;
        y = sin(lat) * r_k_0;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real sine = y * k_0;
        if (!(fabs(sine) - 1e-10 <= 1)) {
            return false;
        }
        lon = x * r_k_0;
        lat = asin(clamp_sine(sine));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static CylindricalEqualAreaSphere Setup(const Parameters& p, Definition& d) {
        SetEqualAreaScale(p, d);
        return {d.k_0, 1 / d.k_0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
