// What the preload library asks of libgdalgpu. The two are installed together, but a process may
// have an older one of either loaded: a change here is a new name of the entry point, so that they
// don't find each other.
#pragma once

#include <array>

#include "gdalwarper.h"
#include "plugin/doors/takeovers.h"

namespace gdalgpu {

// GDAL's own functions, as the preload library found them for the caller.
using ChunkAndWarpFunction = CPLErr (*)(GDALWarpOperation* operation, int x, int y, int width,
                                        int height);
using WarpRegionToBufferFunction = CPLErr (*)(GDALWarpOperation* operation, int x, int y, int width,
                                              int height, void* buffer, GDALDataType type,
                                              int source_x, int source_y, int source_width,
                                              int source_height, double source_x_extra,
                                              double source_y_extra, double progress_base,
                                              double progress_scale);
using PerformWarpFunction = CPLErr (*)(GDALWarpKernel* kernel);

// None of these throws.
struct PreloadInterface {
    // GDALVersionInfo of the libgdal that libgdalgpu is linked with.
    const void* gdal;
    // A whole operation: its scale is that of the window given here.
    CPLErr (*chunk_and_warp)(ChunkAndWarpFunction original, GDALWarpOperation* operation, int x,
                             int y, int width, int height, bool multi);
    CPLErr (*warp_region_to_buffer)(WarpRegionToBufferFunction original,
                                    GDALWarpOperation* operation, int x, int y, int width,
                                    int height, void* buffer, GDALDataType type, int source_x,
                                    int source_y, int source_width, int source_height,
                                    double source_x_extra, double source_y_extra,
                                    double progress_base, double progress_scale);
    CPLErr (*perform_warp)(PerformWarpFunction original, GDALWarpKernel* kernel);
    // The operation is about to be destroyed: its address may come back as another's.
    void (*forget)(const GDALWarpOperation* operation);
};

// Calls of each Takeover since the process began: how `gdal-gpu info` tells which are in effect.
std::array<int, kTakeovers> CountTakeovers();

}  // namespace gdalgpu

#define GDALGPU_PRELOAD_ENTRY "gdalgpu_preload_v1"
extern "C" __attribute__((visibility("default"))) const gdalgpu::PreloadInterface*
gdalgpu_preload_v1();
