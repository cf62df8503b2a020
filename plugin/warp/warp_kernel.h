// A GDALWarpKernel, run in one launch.
#pragma once

#include <memory>
#include <string>

#include "gdalwarper.h"
#include "plugin/coordinates/pixel_transform.h"

namespace gdalgpu {

// What chunks of one warp operation share: the plan of the coordinates, checked once, and the resampling scale of the
// whole operation. Thread-safe.
class WarpContext {
  public:
    // `whole`: the destination window of the whole operation. scale: destination size over source size of the whole
    // operation, as GDALWarpKernel::PerformWarp would compute it if one chunk covered it.
    WarpContext(std::string door, PixelWindow whole, double x_scale, double y_scale);
    ~WarpContext();

    struct Plan;
    std::shared_ptr<Plan> plan(GDALTransformerFunc transformer, void* argument);

    const std::string door;
    const PixelWindow whole;
    const double x_scale;
    const double y_scale;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

enum class WarpOutcome {
    Done,       // the destination arrays hold the result
    LeftToGdal, // nothing was touched; GDAL's own code is to do it (the report says why)
    MissedSource  // nothing was touched; the source window lacks pixels: see `needed`
};

// Source pixels that a chunk needs, in source raster coordinates; set with MissedSource.
struct SourceNeed {
    int x_min, y_min, x_max, y_max;  // inclusive
};

// Runs the kernel on the selected device and writes its report line. Source pixels outside the kernel's window but
// inside the source raster (source_width x source_height) count as missed.
WarpOutcome RunWarpKernel(GDALWarpKernel& kernel, WarpContext& context, int source_width, int source_height,
                          SourceNeed* needed);

}  // namespace gdalgpu
