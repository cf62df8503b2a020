// What a caller wants to read.
#pragma once

#include <vector>

#include "gdal.h"
#include "plugin/coordinates/pixel_transform.h"

namespace gdalgpu {

// Where a caller wants pixels: bands (1-based) of a window, at full resolution.
struct ReadRequest {
    PixelWindow window;
    std::vector<int> bands;
    void* data = nullptr;
    GDALDataType type = GDT_Unknown;
    GSpacing pixel_space = 0;
    GSpacing line_space = 0;
    GSpacing band_space = 0;
    GDALProgressFunc progress = nullptr;
    void* progress_argument = nullptr;
};

// Tells the caller how much is done, up to 1. CE_Failure with a CPLError where he doesn't want
// more.
CPLErr ReportProgress(const ReadRequest& request, double done);

}  // namespace gdalgpu
