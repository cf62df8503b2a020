// The warning that valid pixels were kept off the destination's nodata value.
#pragma once

#include <atomic>

#include "plugin/warp/warp_chunk.h"

namespace gdalgpu {

// Gives it once (`warned` remembers), where the GDAL that is loaded gives such a warning.
void WarnOfAvoidedNodata(const WarpChunk& chunk, std::atomic<bool>& warned);

}  // namespace gdalgpu
