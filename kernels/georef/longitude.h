// What OGR's coordinate transformation does itself, around PROJ.
#pragma once

#include "core/core.h"

namespace kernels {
namespace georef {

GPU_FUNC bool is_finite(double value) { return value - value == 0.0; }

// A longitude in degrees, brought to within half a turn of `center` by one turn at most.
GPU_FUNC double wrap_longitude(double longitude, double center) {
    if (longitude < center - 180.0) return longitude + 360.0;
    if (longitude > center + 180.0) return longitude - 360.0;
    return longitude;
}

// Whether an easting of EPSG:3857 lies beyond the antimeridian: OGR refuses it where it checks
// points by their inverse.
GPU_FUNC bool web_mercator_beyond(double x) {
    return fabs(x * (1.0 / 6378137.0)) >= 3.14159265358979323846 + 1e-14;
}

// EPSG:3857, metres, to longitude and latitude of WGS 84 in degrees, on the sphere of 6378137 m:
// OGR's own inverse, which turns longitudes beyond the antimeridian back instead of refusing them.
GPU_FUNC void web_mercator_inverse(double& x, double& y) {
    const double pi = 3.14159265358979323846;
    const double degrees = 57.29577951308232;
    const double reverse_radius = 1.0 / 6378137.0;
    double longitude = x * reverse_radius;
    if (longitude > pi) {
        if (longitude < pi + 1e-14)
            longitude = pi;
        else if (longitude > 1e6)  // OGR's loop would turn for ever
            longitude = fmod(longitude + pi, 2.0 * pi) - pi;
        else
            while (longitude > pi) longitude -= 2.0 * pi;
    } else if (longitude < -pi) {
        if (longitude > -pi - 1e-14)
            longitude = -pi;
        else if (longitude < -1e6)
            longitude = fmod(longitude - pi, 2.0 * pi) + pi;
        else
            while (longitude < -pi) longitude += 2.0 * pi;
    }
    x = longitude * degrees;
    y = (pi / 2.0 - 2.0 * atan(exp(-y * reverse_radius))) * degrees;
}

}  // namespace georef
}  // namespace kernels
