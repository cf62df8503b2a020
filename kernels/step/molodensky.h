// Molodensky's transform between geographic coordinates of two datums, standard and abridged:
// Deakin (2004), "The standard and abridged Molodensky coordinate transformation formulae".
#pragma once

#include "proj/angles.h"

namespace kernels {
namespace step {

struct Molodensky {
    double a;
    double f;
    double es;
    double dx;
    double dy;
    double dz;
    double da;
    double df;

    // What the other datum adds; false where its longitude or latitude isn't defined.
    template <bool kAbridged>
    GPU_FUNC bool difference(double lon, double lat, double h, double& d_lon, double& d_lat,
                             double& d_h) const {
        double sin_lon, cos_lon, sin_lat, cos_lat;
        proj::sin_cos(lon, sin_lon, cos_lon);
        proj::sin_cos(lat, sin_lat, cos_lat);
        const double w = 1 - es * sin_lat * sin_lat;
        const double normal = a / sqrt(w);
        const double meridian = normal * (1 - es) / w;
        const double outward = dx * cos_lon + dy * sin_lon;
        const double height = kAbridged ? 0.0 : h;
        double north = dz * cos_lat - outward * sin_lat;
        d_h = outward * cos_lat + dz * sin_lat;
        if (kAbridged) {
            const double flattening = a * df + f * da;
            north += flattening * (2 * sin_lat * cos_lat);
            d_h += flattening * sin_lat * sin_lat - da;
        } else {
            north += sin_lat * cos_lat *
                     (normal * es * da / a + (meridian / (1 - f) + normal * (1 - f)) * df);
            d_h += normal * (1 - f) * sin_lat * sin_lat * df - a / normal * da;
        }
        const double radius = (normal + height) * cos_lat;
        if (radius == 0 || meridian + height == 0) {
            return false;
        }
        d_lat = north / (meridian + height);
        d_lon = (dy * cos_lon - dx * sin_lon) / radius;
        return true;
    }

    template <bool kAbridged>
    GPU_FUNC bool forward(double& lon, double& lat, double& h) const {
        double d_lon = 0, d_lat = 0, d_h = 0;
        const bool defined = difference<kAbridged>(lon, lat, h, d_lon, d_lat, d_h);
        lon += d_lon;
        lat += d_lat;
        h += d_h;
        return defined;
    }

    // By the same difference, taken at the other end, as PROJ has it.
    template <bool kAbridged>
    GPU_FUNC bool inverse(double& lon, double& lat, double& h) const {
        double d_lon = 0, d_lat = 0, d_h = 0;
        const bool defined = difference<kAbridged>(lon, lat, h, d_lon, d_lat, d_h);
        lon -= d_lon;
        lat -= d_lat;
        h -= d_h;
        return defined;
    }
};

}  // namespace step
}  // namespace kernels
