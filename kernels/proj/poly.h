// American Polyconic: Snyder (1987), "Map Projections: A Working Manual", eqs. 18-1 to 18-21.
#pragma once

#include "proj/meridian_arc.h"

namespace kernels {
namespace proj {

struct Polyconic {
    parameter es;
    parameter one_es;
    parameter arc_0;
    MeridianArc arc;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (fabs(lat) <= 1e-10) {
            x = lon;
            y = -arc_0;
            return true;
        }
        real sine, cosine, sin_half, cos_half;
        sin_cos(lat, sine, cosine);
        sin_cos(0.5 * lon * sine, sin_half, cos_half);
        const real radius =
            fabs(cosine) > 1e-10 ? cosine / (sine * sqrt(1 - es * sine * sine)) : real(0);
        x = 2 * radius * sin_half * cos_half;
        y = arc.length(lat, sine, cosine) - arc_0 + 2 * radius * sin_half * sin_half;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        y += arc_0;
        if (fabs(y) <= 1e-10) {
            lon = x;
            lat = 0;
            return true;
        }
        const real square = x * x + y * y;
        lat = y;
        for (int i = 0; i < 20; ++i) {
            real sine, cosine;
            sin_cos(lat, sine, cosine);
            if (fabs(cosine) < 1e-12) {
                return false;
            }
            const real product = sine * cosine;
            const real w = sqrt(1 - es * sine * sine);
            const real c = sine * w / cosine;
            const real ml = arc.length(lat, sine, cosine);
            const real sum = ml * ml + square;
            const real slope = one_es / (w * w * w);
            const real step = (2 * ml + c * sum - 2 * y * (c * ml + 1)) /
                              (es * product * (sum - 2 * y * ml) / c +
                               2 * (y - ml) * (c * slope - 1 / product) - 2 * slope);
            lat += step;
            if (fabs(step) <= tolerance(1e-12)) {
                sin_cos(lat, sine, cosine);
                lon = asin(x * sine / cosine * sqrt(1 - es * sine * sine)) / sine;
                return true;
            }
        }
        return false;
    }

#if GPU_SETUP
    template <class Parameters>
    static Polyconic Setup(const Parameters& p, Definition& d) {
        const double es = d.ellipsoid.es;
        const MeridianArc arc = MeridianArc::Setup(p, d.ellipsoid);
        return {es, d.ellipsoid.one_es, arc.length(d.lat_0, sin(d.lat_0), cos(d.lat_0)), arc};
    }
#endif
};

struct PolyconicSphere {
    parameter lat_0;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (fabs(lat) <= 1e-10) {
            x = lon;
            y = -lat_0;
            return true;
        }
        real sine, cosine, sin_half, cos_half;
        sin_cos(lat, sine, cosine);
        sin_cos(0.5 * lon * sine, sin_half, cos_half);
        const real cotangent = cosine / sine;
        x = 2 * cotangent * sin_half * cos_half;
        y = lat - lat_0 + 2 * cotangent * sin_half * sin_half;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        y += lat_0;
        if (fabs(y) <= 1e-10) {
            lon = x;
            lat = 0;
            return true;
        }
        const real square = x * x + y * y;
        lat = y;
        for (int i = 0; i < 10; ++i) {
            const real tangent = tan(lat);
            const real step =
                (y * (lat * tangent + 1) - lat - 0.5 * (lat * lat + square) * tangent) /
                ((lat - y) / tangent - 1);
            lat -= step;
            if (!(fabs(step) > tolerance(1e-10))) {
                lon = asin(x * tan(lat)) / sin(lat);
                return true;
            }
        }
        return false;
    }

#if GPU_SETUP
    template <class Parameters>
    static PolyconicSphere Setup(const Parameters&, Definition& d) {
        return {d.lat_0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
