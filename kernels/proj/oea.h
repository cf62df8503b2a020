// Oblated Equal Area: Snyder (1988), "New Equal-Area Map Projections for Noncircular Regions", The
// American Cartographer 15(4).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct OblatedEqualArea {
    parameter m;
    parameter n;
    parameter theta;
    parameter sin_0;
    parameter cos_0;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        const real azimuth =
            atan2(cosine * sin_lon, cos_0 * sine - sin_0 * cosine * cos_lon) + theta;
        const real cos_z = clamp_sine(sin_0 * sine + cos_0 * cosine * cos_lon);
        const real sin_half = sin(0.5 * acos(cos_z));
        real sin_azimuth, cos_azimuth, mm, nn, cos_mm, cos_nn;
        sin_cos(azimuth, sin_azimuth, cos_azimuth);
        bool valid = arc_sine(sin_half * sin_azimuth, mm, cos_mm);
        valid &= arc_sine(sin_half * cos_azimuth * cos_mm / cos(mm * (2 / m)), nn, cos_nn);
        y = n * sin(nn * (2 / n));
        x = m * sin(mm * (2 / m)) * cos_nn / cos(nn * (2 / n));
        return valid;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real angle, z;
        bool valid = arc_sine(y / n, angle);
        const real nn = 0.5 * n * angle;
        valid &= arc_sine(x / m * cos(nn * (2 / n)) / cos(nn), angle);
        const real mm = 0.5 * m * angle;
        real sin_m, cos_m;
        sin_cos(mm, sin_m, cos_m);
        const real across = 2 * sin_m;
        const real along = 2 * sin(nn) * cos(mm * (2 / m)) / cos_m;
        const real azimuth = atan2(across, along) - theta;
        valid &= arc_sine(0.5 * sqrt(across * across + along * along), z);
        real sin_z, cos_z, sin_azimuth, cos_azimuth;
        sin_cos(2 * z, sin_z, cos_z);
        sin_cos(azimuth, sin_azimuth, cos_azimuth);
        valid &= arc_sine(sin_0 * cos_z + cos_0 * sin_z * cos_azimuth, lat);
        lon = atan2(sin_z * sin_azimuth, cos_0 * cos_z - sin_0 * sin_z * cos_azimuth);
        return valid;
    }

#if GPU_SETUP
    template <class Parameters>
    static OblatedEqualArea Setup(const Parameters& p, Definition& d) {
        const double n = p.number("n");
        const double m = p.number("m");
        if (n <= 0) {
            p.fail("n", "should be above 0");
        }
        if (m <= 0) {
            p.fail("m", "should be above 0");
        }
        d.ellipsoid.es = 0;
        return {m, n, p.angle("theta"), sin(d.lat_0), cos(d.lat_0)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
