// Bonne: Snyder (1987), "Map Projections: A Working Manual", eqs. 19-1 to 19-16.
#pragma once

#include "proj/meridian_arc.h"

namespace kernels {
namespace proj {

#if GPU_SETUP
template <class Parameters>
double BonneParallel(const Parameters& p) {
    const double lat_1 = p.angle("lat_1");
    if (fabs(lat_1) < 1e-10) {
        p.fail("lat_1", "should be different from 0");
    }
    return lat_1;
}

template <class Parameters>
double BonneSide(const Parameters& p, double lat_1) {
    return p.rules().bonne_inverse_knows_south && lat_1 < 0 ? -1 : 1;
}
#endif

struct Bonne {
    parameter es;
    parameter side;      // -1: the cone opens to the south, and the inverse knows it; else 1
    parameter radius_1;  // of the standard parallel on the cone
    parameter arc_1;
    MeridianArc arc;

    // The apex for NaN, as PROJ has it.
    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        const real radius = radius_1 + arc_1 - arc.length(lat, sine, cosine);
        if (!(fabs(radius) > 1e-10)) {
            x = y = 0;
            return true;
        }
        real sin_angle, cos_angle;
        sin_cos(cosine * lon / (radius * sqrt(1 - es * sine * sine)), sin_angle, cos_angle);
        x = radius * sin_angle;
        y = radius_1 - radius * cos_angle;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        y = radius_1 - y;
        const real radius = side * sqrt(x * x + y * y);
        real sine, cosine;
        if (!arc.latitude(radius_1 + arc_1 - radius, es, lat, sine, cosine)) {
            return false;
        }
        const real size = fabs(lat);
        lon = size < kHalfPi
                  ? radius * atan2(side * x, side * y) * sqrt(1 - es * sine * sine) / cosine
                  : real(0);
        return size < kHalfPi || size - kHalfPi <= 1e-10;
    }

#if GPU_SETUP
    template <class Parameters>
    static Bonne Setup(const Parameters& p, Definition& d) {
        const double lat_1 = BonneParallel(p);
        const double es = d.ellipsoid.es;
        const double sine = sin(lat_1), cosine = cos(lat_1);
        const MeridianArc arc = MeridianArc::Setup(p, d.ellipsoid);
        return {es, BonneSide(p, lat_1), cosine / (sqrt(1 - es * sine * sine) * sine),
                arc.length(lat_1, sine, cosine), arc};
    }
#endif
};

struct BonneSphere {
    parameter radius_1;
    parameter lat_1;
    parameter side;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real radius = radius_1 + lat_1 - lat;
        if (!(fabs(radius) > 1e-10)) {
            x = y = 0;
            return true;
        }
        real sin_angle, cos_angle;
        sin_cos(lon * cos(lat) / radius, sin_angle, cos_angle);
        x = radius * sin_angle;
        y = radius_1 - radius * cos_angle;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        y = radius_1 - y;
        const real radius = side * sqrt(x * x + y * y);
        lat = radius_1 + lat_1 - radius;
        if (fabs(lat) > kHalfPi) {
            return false;
        }
        lon = fabs(fabs(lat) - kHalfPi) <= 1e-10 ? real(0)
                                                 : radius * atan2(side * x, side * y) / cos(lat);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static BonneSphere Setup(const Parameters& p, Definition&) {
        const double lat_1 = BonneParallel(p);
        return {fabs(lat_1) + 1e-10 >= kHalfPi ? 0 : 1 / tan(lat_1), lat_1, BonneSide(p, lat_1)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
