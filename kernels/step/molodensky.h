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
    GPU_FUNC bool difference(real lon, real lat, real h, real& d_lon, real& d_lat,
                             real& d_h) const {
        real sin_lon, cos_lon, sin_lat, cos_lat;
        proj::sin_cos(lon, sin_lon, cos_lon);
        proj::sin_cos(lat, sin_lat, cos_lat);
        const real w = 1 - es * sin_lat * sin_lat;
        const real normal = a / sqrt(w);
        const real meridian = normal * (1 - es) / w;
        const real outward = dx * cos_lon + dy * sin_lon;
        const real height = kAbridged ? real(0) : h;
        real north = dz * cos_lat - outward * sin_lat;
        d_h = outward * cos_lat + dz * sin_lat;
        if (kAbridged) {
            const real flattening = a * df + f * da;
            north += flattening * (2 * sin_lat * cos_lat);
            d_h += flattening * sin_lat * sin_lat - da;
        } else {
            north += sin_lat * cos_lat *
                     (normal * es * da / a + (meridian / (1 - f) + normal * (1 - f)) * df);
            d_h += normal * (1 - f) * sin_lat * sin_lat * df - a / normal * da;
        }
        const real radius = (normal + height) * cos_lat;
        if (radius == 0 || meridian + height == 0) {
            return false;
        }
        d_lat = north / (meridian + height);
        d_lon = (dy * cos_lon - dx * sin_lon) / radius;
        return true;
    }

    template <bool kAbridged>
    GPU_FUNC bool forward(real& lon, real& lat, real& h) const {
        real d_lon = 0, d_lat = 0, d_h = 0;
        const bool defined = difference<kAbridged>(lon, lat, h, d_lon, d_lat, d_h);
        lon += d_lon;
        lat += d_lat;
        h += d_h;
        return defined;
    }

    // By the same difference, taken at the other end, as PROJ has it.
    template <bool kAbridged>
    GPU_FUNC bool inverse(real& lon, real& lat, real& h) const {
        real d_lon = 0, d_lat = 0, d_h = 0;
        const bool defined = difference<kAbridged>(lon, lat, h, d_lon, d_lat, d_h);
        lon -= d_lon;
        lat -= d_lat;
        h -= d_h;
        return defined;
    }
};

}  // namespace step
}  // namespace kernels
