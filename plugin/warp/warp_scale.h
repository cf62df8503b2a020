// The resampling scale of a warp: destination size over source size, by
// GDALWarpKernel::PerformWarp's rules.
#pragma once

#include "gdal_alg.h"

namespace gdalgpu {

struct WarpScale {
    double x = 1.0;
    double y = 1.0;
};

// What PerformWarp (gdalwarpkernel.cpp, GDAL 3.6 to 3.13) makes of a chunk: the destination's size
// over the source window's without its extra pixels; 1 where the two differ by those alone; the
// reciprocal rounded where it is within 0.05 of an integer; the warp options XSCALE and YSCALE
// before that; and, where x is more than 100 times smaller than y (a window across the
// antimeridian) or XSCALE=FROM_GRID_SAMPLING, x sampled on a grid of destination points. Sizes in
// pixels, all positive. Never throws, apart from std::bad_alloc.
WarpScale ComputeWarpScale(int destination_width, int destination_height, int source_width,
                           int source_height, double source_x_extra, double source_y_extra,
                           char** warp_options, GDALTransformerFunc transformer, void* argument);

}  // namespace gdalgpu
