// The adapter of GDAL's chunks: the one place that reads a GDALWarpKernel.
#pragma once

#include "gdalwarper.h"
#include "plugin/warp/warp_chunk.h"
#include "plugin/warp/warp_operation.h"

namespace gdalgpu {

// The kernel's arrays, options and windows; without a source raster.
WarpChunk ChunkOf(GDALWarpKernel& kernel);

// Tells GDAL what became of a kernel's chunk: of one that is finished, or that must not be written,
// nothing is left to do (nSrcXSize = 0). CE_Failure where GDAL must write nothing.
CPLErr Tell(DeviceWarp::ChunkResult result, GDALWarpKernel& kernel);

// A GDALWarpOptions::pfnPreWarpChunkProcessor: a chunk of DeviceWarp::Current(), and where there is
// none, a lone one. `argument`: the door's name for the latter (const char*), or null.
CPLErr PreWarpChunk(void* kernel, void* argument);

}  // namespace gdalgpu
