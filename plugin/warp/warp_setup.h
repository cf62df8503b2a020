// Which kernel text and parameters stand for a GDALWarpKernel's resampling.
#pragma once

#include <string>

#include "gdalwarper.h"
#include "kernels/warp/request.h"

namespace gdalgpu {

struct WarpSetup {
    std::string resampling;  // the struct in kernels/warp
    std::string pixel;       // the type in kernels/core
    std::string name;  // for reports: "warp<bilinear,uint16>", with " antialiased" after it where
                       // that is so
    int pixel_bytes = 0;
    bool masked = false;
    bool blends = false;
    bool near_avoids_nodata = false, floats_avoid_nodata = false, nodata_is_in_all_bands = false;
    bool density_in_float = false;
    double x_scale = 1, y_scale = 1;
    int64_t x_radius = 0, y_radius = 0, x_first = 0, y_first = 0;

    // The members of a Request that follow from the kernel alone.
    void Apply(kernels::warp::Request& request) const;
};

// Whether GDAL has warp code for the type beside the one for all types.
bool HasOwnCode(GDALDataType type);

// Empty, with `setup` filled, or why GDAL's own code is to run the kernel.
std::string SetUpWarp(const GDALWarpKernel& kernel, double x_scale, double y_scale,
                      int source_width, int source_height, WarpSetup& setup);

}  // namespace gdalgpu
