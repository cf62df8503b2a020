// Which kernel text and parameters stand for a chunk's resampling.
#pragma once

#include <string>
#include <vector>

#include "kernels/warp/request.h"
#include "plugin/warp/warp_chunk.h"

namespace gdalgpu {

struct WarpSetup {
    std::string header;      // of the resampling, below kernels/
    std::string resampling;  // the class template in it
    int blocks_at_once = 2;  // of 256 threads on a multiprocessor
    PixelPoints points = PixelPoints::Centres;
    std::string pixel;  // the type in kernels/core
    std::string name;   // for reports: "warp<bilinear,uint16>", with " antialiased" after it where
                        // that is so
    int pixel_bytes = 0;
    bool masked = false;
    bool blends = false;
    bool near_avoids_nodata = false, floats_avoid_nodata = false, nodata_is_in_all_bands = false;
    bool density_in_float = false;
    double position_precision = 0;
    kernels::warp::Filter filter{};
    // What filter.x_weights and y_weights are to point to on a device; empty: null.
    std::vector<double> x_weights, y_weights;

    // The members of a Request that follow from these alone.
    void Apply(kernels::warp::Request& request) const;
};

// The warp option SRC_COORD_PRECISION: source positions are rounded to its multiples; 0: they
// aren't.
double SourcePositionPrecision(char** warp_options);

// The kernels' name of a type, as device text spells it inside namespace kernels; empty where there
// is none.
std::string WarpPixelName(GDALDataType type);

// Empty, with `setup` filled, or why GDAL's own code is to run the chunk.
std::string SetUpWarp(const WarpChunk& chunk, double x_scale, double y_scale, WarpSetup& setup);

}  // namespace gdalgpu
