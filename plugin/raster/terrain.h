// Hillshade and slope of an elevation band, with gdaldem's options and values.
#pragma once

#include <memory>

#include "plugin/raster/window_operation.h"
#include "raster/hillshade.h"
#include "raster/slope.h"

namespace gdalgpu {

struct HillshadeOptions {
    double azimuth = 315;  // degrees, clockwise from north
    double altitude = 45;  // degrees above the horizon
    double z = 1;          // vertical exaggeration
    ElevationScale scale;
    bool zevenbergen_thorne = false;
    kernels::Shading shading = kernels::Shading::Lambert;
    bool compute_edges = false;
};

struct SlopeOptions {
    kernels::SlopeFormat format = kernels::SlopeFormat::Degree;
    ElevationScale scale;
    bool zevenbergen_thorne = false;
    bool compute_edges = false;
};

// Byte, 1 to 255 (Igor: 0 to 255), nodata 0.
std::unique_ptr<WindowOperation> MakeHillshade(const HillshadeOptions& options,
                                               const SourceBand& source);

// Float32, nodata -9999.
std::unique_ptr<WindowOperation> MakeSlope(const SlopeOptions& options, const SourceBand& source);

}  // namespace gdalgpu
