// A GDALWarpOperation whose kernels run on the device: which source pixels a region reads, and at which scale.
#pragma once

#include <memory>
#include <string>

#include "gdalwarper.h"
#include "plugin/warp/warp_kernel.h"

namespace gdalgpu {

class DeviceWarp {
  public:
    // `operation` must be initialized and outlive this. `whole`: the destination window of the whole operation, from
    // which the resampling scale is taken, so that the result doesn't depend on how the work is cut.
    DeviceWarp(GDALWarpOperation& operation, std::string door, PixelWindow whole);
    ~DeviceWarp();

    // As GDALWarpOperation::WarpRegionToBuffer (band sequential, of the working type), with a source window that holds
    // every source pixel that the region needs: where the kernel finds one missing, the region is done again with a
    // larger one. May be called from several threads if GDAL's function may.
    CPLErr WarpRegionToBuffer(int x, int y, int width, int height, void* buffer, GDALDataType type,
                              double progress_base = 0.0, double progress_scale = 1.0);

    // The operation that WarpRegionToBuffer of this thread is in, or null. The doors' hooks ask it.
    static DeviceWarp* Current();

    // Runs one chunk's kernel: what a door's hook calls. After Done and MissedSource the kernel is marked as having
    // nothing left to do (nSrcXSize = 0). Returns false where GDAL's own code is to run it.
    bool PerformWarp(GDALWarpKernel& kernel);

    // A GDALWarpOptions::pfnPreWarpChunkProcessor that calls Current()->PerformWarp().
    static CPLErr PreWarpChunk(void* kernel, void* argument);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace gdalgpu
