// Geographic to geocentric Cartesian coordinates and back. Forward: Hofmann-Wellenhof and Moritz
// (2005), "Physical Geodesy", eq. 5-27; inverse: Bowring (1976), Survey Review 23(181), pp. 323 to
// 327, without iteration as in PROJ.
#pragma once

#include "proj/angles.h"

namespace kernels {
namespace step {

struct Cart {
    double a;
    double b;
    double es;
    double e2s;  // second eccentricity squared

    GPU_FUNC void forward(double& x, double& y, double& z) const {
        double sin_lat, cos_lat, sin_lon, cos_lon;
        proj::sin_cos(y, sin_lat, cos_lat);
        proj::sin_cos(x, sin_lon, cos_lon);
        const double normal = a / sqrt(1 - es * sin_lat * sin_lat);
        const double radius = (normal + z) * cos_lat;
        x = radius * cos_lon;
        y = radius * sin_lon;
        z = (normal * (1 - es) + z) * sin_lat;
    }

    GPU_FUNC void inverse(double& x, double& y, double& z) const {
        const double p = sqrt(x * x + y * y);
        double y_theta = z * a;
        double x_theta = p * b;
        const double norm = sqrt(x_theta * x_theta + y_theta * y_theta);
        const double c = norm == 0 ? 1.0 : x_theta / norm;
        const double s = norm == 0 ? 0.0 : y_theta / norm;
        const double y_phi = z + e2s * b * s * s * s;
        const double x_phi = p - es * a * c * c * c;
        const double norm_phi = sqrt(x_phi * x_phi + y_phi * y_phi);
        double cosine = norm_phi == 0 ? 1.0 : x_phi / norm_phi;
        double sine = norm_phi == 0 ? 0.0 : y_phi / norm_phi;
        double lat;
        if (x_phi <= 0) {
            lat = z >= 0 ? proj::kHalfPi : -proj::kHalfPi;
            cosine = 0;
            sine = z >= 0 ? 1 : -1;
        } else {
            lat = atan(y_phi / x_phi);
        }
        const double lon = atan2(y, x);
        if (cosine < 1e-6) {
            const double ac = a * cosine;
            const double bs = b * sine;
            z = fabs(z) - sqrt((a * ac) * (a * ac) + (b * bs) * (b * bs)) / sqrt(ac * ac + bs * bs);
        } else {
            z = p / cosine - a / sqrt(1 - es * sine * sine);
        }
        x = lon;
        y = lat;
    }
};

}  // namespace step
}  // namespace kernels
