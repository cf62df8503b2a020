// vertoffset: heights by an offset and slopes (EPSG method 1046, Vertical Offset and Slope).
#pragma once

#include "core/core.h"

namespace kernels {
namespace step {

struct VerticalOffset {
    double offset;
    double slope_lat;  // times the radius of curvature in the meridian
    double slope_lon;  // times that in the prime vertical
    double lat_0;
    double lon_0;

    // lon: from the central meridian.
    GPU_FUNC double at(double lon, double lat) const {
        return offset + slope_lat * (lat - lat_0) + slope_lon * lon * cos(lat);
    }
    GPU_FUNC void forward(double& lon, double lat, double& z) const {
        z += at(lon, lat);
        lon += lon_0;
    }
    GPU_FUNC void inverse(double& lon, double lat, double& z) const {
        lon -= lon_0;
        z -= at(lon, lat);
    }
};

}  // namespace step
}  // namespace kernels
