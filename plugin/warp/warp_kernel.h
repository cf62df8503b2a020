// A GDALWarpKernel, run in one launch.
#pragma once

#include "gdalwarper.h"
#include "plugin/warp/warp_context.h"

namespace gdalgpu {

enum class WarpOutcome {
    Done,          // the destination arrays hold the result
    LeftToGdal,    // nothing was touched; it is plain GDAL's (the report says why)
    MissedSource,  // nothing was touched; the source window lacks pixels: see `needed`
    Cancelled,     // the progress function said so, and a CPLError was given
    Failed         // GDAL's own code failed, with a CPLError
};

// Source pixels that a chunk needs, in source raster coordinates, inclusive; set with MissedSource.
// Contains the kernel's window.
struct SourceNeed {
    int x_min, y_min, x_max, y_max;
};

// Runs the kernel on the selected device and writes its report line. Where there is no device,
// where it isn't worth its start, or where it fails, GDAL's own code runs with the context's scale
// and positions (cpu_warp.h): the same pixels. Plain GDAL's are only what has no kernel here, and
// all where no device can be asked for (WhyNoDevice()). Source pixels outside the kernel's window
// but inside the source raster (source_width x source_height) count as missed. A chunk beyond the
// device's memory is done in parts. `needed` may be null. The chunk must lie in the context's whole
// window. Never throws.
//
// The result is that of GDAL's own code for the kernel's masks, in one evaluation order: the bytes
// of a pixel don't depend on the window, on the parts, on whether a mask that is all set is there,
// or on the thread. So, other than GDAL's own code, a destination nodata value is avoided in the
// valid pixels of Byte, UInt16 and Int16 whether or not a mask makes GDAL take its general code.
// What GDAL does with a source of one pixel's width or height, or narrower than its antialiasing
// filter's radius, depends on the masks; that is followed.
WarpOutcome RunWarpKernel(GDALWarpKernel& kernel, WarpContext& context, int source_width,
                          int source_height, SourceNeed* needed);

}  // namespace gdalgpu
