// A GDALWarpKernel, run in one launch.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gdalwarper.h"
#include "plugin/coordinates/pixel_transform.h"

namespace gdalgpu {

// A part of the destination and its resampling scale: destination size over source size, as
// GDALWarpKernel::PerformWarp computes it for a chunk.
struct ScaledWindow {
    PixelWindow window;
    double x_scale;
    double y_scale;
};

// What chunks of one warp operation share: the plan of the coordinates, checked once, and the
// resampling scales of the whole operation. Thread-safe.
class WarpContext {
  public:
    // As PlanPixelTransform, for tests.
    using Planner = std::function<std::vector<std::unique_ptr<PixelTransform>>(
        GDALTransformerFunc, void*, std::vector<std::string>&, const PixelWindow*)>;

    // `whole`: the destination window of the whole operation. `scales`: it, cut into parts with a
    // scale each, nearly always one.
    WarpContext(std::string door, PixelWindow whole, std::vector<ScaledWindow> scales,
                Planner planner = PlanPixelTransform);
    ~WarpContext();

    // The plans for a transformer, made on first use. The transformer must outlive the context.
    struct Plan;
    std::shared_ptr<Plan> plan(GDALTransformerFunc transformer, void* argument);

    const std::string door;
    const PixelWindow whole;
    const std::vector<ScaledWindow> scales;
    // Pixels of the request that the chunks are parts of, by which the device is chosen; 0: each
    // chunk is a request.
    uint64_t request_pixels = 0;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

enum class WarpOutcome {
    Done,          // the destination arrays hold the result
    LeftToGdal,    // nothing was touched; GDAL's own code is to do it (the report says why)
    MissedSource,  // nothing was touched; the source window lacks pixels: see `needed`
    Cancelled      // nothing was touched; the progress function said so, and a CPLError was given
};

// Source pixels that a chunk needs, in source raster coordinates, inclusive; set with MissedSource.
// Contains the kernel's window.
struct SourceNeed {
    int x_min, y_min, x_max, y_max;
};

// Runs the kernel on the selected device and writes its report line. Source pixels outside the
// kernel's window but inside the source raster (source_width x source_height) count as missed. A
// chunk beyond the device's memory is done in parts. `needed` may be null. The chunk must lie in
// the context's whole window. Never throws.
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
