// General oblique transformation: a projection of the sphere turned so that its pole lies
// elsewhere. Snyder (1987), "Map Projections: A Working Manual", eqs. 5-7, 5-8b, 5-9 and 5-10b.
#pragma once

#include "proj/angles.h"

namespace kernels {
namespace proj {

// The projection of a rotated pole's grid: longitude and latitude themselves.
struct Geographic {
    parameter unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = lon;
        y = lat;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lon = x;
        lat = y;
        return true;
    }
};

// Inner: the projection of the turned sphere. Its struct stands behind the pole, so that the
// parameter bytes of both are put one after the other.
template <class Inner>
struct ObliqueTransformation {
    parameter lon_pole;
    parameter sin_pole;
    parameter cos_pole;
    Inner inner;

    // 0 for an undetermined direction.
    GPU_FUNC static real direction(real y, real x) {
        return fabs(y) < 1e-50 && fabs(x) < 1e-50 ? real(0) : real(atan2(y, x));
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        real turned;
        if (!arc_sine(sin_pole * sine - cos_pole * cosine * cos_lon, turned)) {
            return false;
        }
        const real along =
            direction(cosine * sin_lon, sin_pole * cosine * cos_lon + cos_pole * sine);
        return inner.forward(wrap_longitude(along + lon_pole), turned, x, y);
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real along, turned;
        if (!inner.inverse(x, y, along, turned)) {
            return false;
        }
        real sine, cosine, sin_along, cos_along;
        sin_cos(turned, sine, cosine);
        sin_cos(along - lon_pole, sin_along, cos_along);
        lon = direction(cosine * sin_along, sin_pole * cosine * cos_along - cos_pole * sine);
        return arc_sine(sin_pole * sine + cos_pole * cosine * cos_along, lat);
    }
};

}  // namespace proj
}  // namespace kernels
