// What a warp costs GDAL's own code, by which AUTO decides whether a device is worth its start.
#pragma once

#include "gdalwarper.h"
#include "plugin/warp/warp_scale.h"

namespace gdalgpu {

// Seconds of GDAL's own code for a destination pixel of an operation at this scale, on the threads
// that its options ask for. An estimate, by measurements on an H200 host's cores.
double GdalSecondsPerPixel(const GDALWarpOptions& options, const WarpScale& scale);

}  // namespace gdalgpu
