// The resampling scale of a warp: destination size over source size, by
// GDALWarpKernel::PerformWarp's rules.
#pragma once

#include "gdal_alg.h"

namespace gdalgpu {

struct WarpScale {
    double x = 1.0;
    double y = 1.0;
};

// What PerformWarp (gdalwarpkernel.cpp, GDAL 3.6 to 3.13) makes of a chunk. Since 3.13
// (scale_by_unit_squares): the mean over unit squares of the destination on a grid of at most 10 x
// 10. Before: the destination's size over the source window's without its extra pixels; 1 where
// the two differ by those alone; and, where x is more than 100 times smaller than y (a window
// across the antimeridian) or XSCALE=FROM_GRID_SAMPLING, x sampled on a grid of destination points.
// In all versions the reciprocal is rounded where it is within 0.05 of an integer, and the warp
// options XSCALE and YSCALE come before all that. Sizes in pixels, all positive. Never throws,
// apart from std::bad_alloc.
WarpScale ComputeWarpScale(int destination_width, int destination_height, int source_width,
                           int source_height, double source_x_extra, double source_y_extra,
                           char** warp_options, GDALTransformerFunc transformer, void* argument);

// Whether a value of the warp option XSCALE asks for sampling; GDAL 3.13 and newer take it for 0.
bool AsksForSampledScale(const char* option);

}  // namespace gdalgpu
