// A chunk that no device does: GDAL's own warp code, with the scale of the whole operation and with
// positions that don't depend on the chunk, so that its pixels are those that a device would give.
#pragma once

#include <atomic>
#include <vector>

#include "plugin/coordinates/pixel_transform.h"
#include "plugin/warp/warp_chunk.h"
#include "plugin/warp/warp_run.h"

namespace gdalgpu {

// `pieces` cover the chunk. Done, Cancelled, Failed, or, where `need` is given, MissedSource: it is
// set, and nothing was touched. Works on as many threads as GDAL would: the warp option
// NUM_THREADS, else GDAL_NUM_THREADS, else one. Messages of GDAL's code are given on this thread,
// each once; a warning (of pixels kept off the nodata value) only where `warned` is false, and sets
// it.
WarpOutcome RunOnCpu(WarpChunk& chunk, const std::vector<WarpPiece>& pieces,
                     const PixelTransform& transform, std::atomic<bool>& warned, SourceNeed* need);

// Whether this thread is in GDAL's own code for RunOnCpu(): what takes kernels over lets it pass.
bool InCpuWarp();

// The threads that GDAL's warper would use for these warp options.
int WarpThreads(char** warp_options);

}  // namespace gdalgpu
