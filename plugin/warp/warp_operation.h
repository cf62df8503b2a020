// A GDALWarpOperation whose kernels run on the device: which source pixels a region reads, and at
// which scale.
#pragma once

#include <memory>
#include <string>

#include "gdalwarper.h"
#include "plugin/warp/source_window.h"
#include "plugin/warp/warp_chunk.h"
#include "plugin/warp/warp_context.h"

namespace gdalgpu {

class DeviceWarp {
  public:
    // `operation` must be initialized and outlive this. `whole`: the destination window of the
    // whole operation, from which the resampling scale is taken, so that the result doesn't depend
    // on how the work is cut. Where GDAL would cut it even with all the memory there is, because
    // little of the source window lies in the raster, each of these parts has its scale
    // (CutForFillRatio). `door` is for the report. `one_request`: the regions are parts of one
    // request, so that the device is chosen by the pixels of the whole.
    DeviceWarp(GDALWarpOperation& operation, std::string door, PixelWindow whole,
               bool one_request = false);
    ~DeviceWarp();

    // As GDALWarpOperation::WarpRegionToBuffer (band sequential, of the working type), with a
    // source window that holds every source pixel that the region needs: where the kernel finds one
    // missing, the region is done again with a larger one; where that can't be read, with GDAL's
    // own. The pixels are the same on a device and by GDAL's code (RunWarpKernel). `source`: the
    // window that GDAL computed for this region, where the caller has it; null: computed. May be
    // called from several threads if GDAL's function may.
    CPLErr WarpRegionToBuffer(int x, int y, int width, int height, void* buffer, GDALDataType type,
                              double progress_base = 0.0, double progress_scale = 1.0,
                              const SourceWindow* source = nullptr);

    const GDALWarpOperation& operation() const;

    // Whether there are pixels to warp, and a kernel for them here.
    bool has_work() const;
    // So many destination pixels, as a part of the operation.
    Work WorkOf(uint64_t pixels) const;

    // The operation that WarpRegionToBuffer of this thread is in, or null. The doors' hooks ask it.
    static DeviceWarp* Current();

    // What a door's hook does with a chunk's GDALWarpKernel (gdal_warp_kernel.h does).
    enum class ChunkResult {
        Plain,     // GDAL's own code is to run it
        Finished,  // nothing is left to do for it
        Stop       // GDAL must write nothing: after a cancellation or failure, with an error
                   // message, and, without one, where WarpRegionToBuffer does the region again
    };

    // A chunk of the WarpRegionToBuffer that this thread is in, once; the source raster is the
    // operation's. Never throws.
    ChunkResult RunChunk(WarpChunk& chunk);

    // A chunk of another operation of the same options, which its own WarpRegionToBuffer runs. As
    // RunChunk(), but there is no larger source window: where pixels are missing from the chunk's,
    // GDAL's own code does it. Never throws.
    ChunkResult RunForeignChunk(WarpChunk& chunk);

    // A chunk outside of any DeviceWarp: its own window is the whole operation, and the source
    // raster is taken to end with its source window. Never throws.
    static ChunkResult RunLoneChunk(WarpChunk& chunk, const char* door);

  private:
    struct State;
    struct Pass;
    static thread_local Pass* current_pass_;
    std::unique_ptr<State> state_;
};

}  // namespace gdalgpu
