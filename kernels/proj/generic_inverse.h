// Newton's method in two dimensions for the inverse of a projection that has but a forward formula,
// or an inverse of lesser precision.
#pragma once

#include "proj/angles.h"

namespace kernels {
namespace proj {

GPU_FUNC real clamp(real value, real low, real high) {
    return value > high ? high : value < low ? low : value;
}

// Improves lon, lat until the forward projection is within `wanted` (units of a) of x, y, or as
// close as `real` allows. The derivatives are differences over 1e-6 radians, a step is at most 0.3
// radians; false where fifteen steps don't suffice, and for NaN. Steps and limits are PROJ's, so
// that it converges where PROJ does. leaves_axes: steps move longitude and latitude on the axes
// too; else x = 0 keeps the longitude of the start, y = 0 its latitude.
template <class Projection>
GPU_FUNC bool improve_inverse(const Projection& projection, real x, real y, double wanted,
                              bool leaves_axes, real& lon, real& lat) {
    const real enough = rounding(wanted);
    real distance = 0;
    real lon_x = 0, lon_y = 0, lat_x = 0, lat_y = 0;  // of the inverse, by x and by y
    for (int i = 0; i < 15; ++i) {
        real at_x = 0, at_y = 0;
        projection.forward(lon, lat, at_x, at_y);
        const real dx = at_x - x, dy = at_y - y;
        distance = fabs(dx) + fabs(dy);
        if (fabs(dx) < enough && fabs(dy) < enough) {
            return true;
        }
        if (i == 0 || fabs(dx) > 1e-6 || fabs(dy) > 1e-6) {
            const real d_lon = lon > 0 ? -difference(1e-6) : difference(1e-6);
            const real d_lat = lat > 0 ? -difference(1e-6) : difference(1e-6);
            real east_x = 0, east_y = 0, north_x = 0, north_y = 0;
            projection.forward(lon + d_lon, lat, east_x, east_y);
            projection.forward(lon, lat + d_lat, north_x, north_y);
            const real x_lon = (east_x - at_x) / d_lon, y_lon = (east_y - at_y) / d_lon;
            const real x_lat = (north_x - at_x) / d_lat, y_lat = (north_y - at_y) / d_lat;
            const real determinant = x_lon * y_lat - x_lat * y_lon;
            if (determinant != 0) {
                lon_x = y_lat / determinant;
                lon_y = -x_lat / determinant;
                lat_x = -y_lon / determinant;
                lat_y = x_lon / determinant;
            }
        }
        if (leaves_axes || x != 0) {
            lon = clamp(lon - clamp(dx * lon_x + dy * lon_y, -0.3, 0.3), -kPi, kPi);
        }
        if (leaves_axes || y != 0) {
            lat = clamp(lat - clamp(dx * lat_x + dy * lat_y, -0.3, 0.3), -kHalfPi, kHalfPi);
        }
    }
    return tolerance(wanted) > wanted && distance < tolerance(wanted);
}

}  // namespace proj
}  // namespace kernels
