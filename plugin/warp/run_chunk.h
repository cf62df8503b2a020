// A chunk, run by a device or on the CPU.
#pragma once

#include "plugin/warp/warp_chunk.h"
#include "plugin/warp/warp_context.h"

namespace gdalgpu {

// Runs the chunk on the selected device and writes its report line. Where there is no device,
// where it isn't worth its start, or where it fails, GDAL's own code runs with the context's scale
// and positions (cpu_warp.h): the same pixels. Plain GDAL's are only what has no kernel here, and
// all where no device can be asked for (WhyNoDevice()). Source pixels outside the chunk's source
// window but inside the raster count as missed. A chunk beyond the
// device's memory is done in parts. `needed` may be null. The chunk must lie in the context's whole
// window. Never throws.
//
// The result is that of GDAL's own code for the chunk's masks, in one evaluation order: the bytes
// of a pixel don't depend on the window, on the parts, on whether a mask that is all set is there,
// or on the thread. So, other than GDAL's own code, a destination nodata value is avoided in the
// valid pixels of Byte, UInt16 and Int16 whether or not a mask makes GDAL take its general code.
// What GDAL does with a source of one pixel's width or height, or narrower than its antialiasing
// filter's radius, depends on the masks; that is followed.
WarpOutcome RunWarpChunk(WarpChunk& chunk, WarpContext& context, SourceNeed* needed);

}  // namespace gdalgpu
