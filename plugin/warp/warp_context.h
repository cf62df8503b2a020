// What the chunks of one warp operation share.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gdal_alg.h"
#include "plugin/coordinates/pixel_transform.h"
#include "plugin/runtime.h"

namespace gdalgpu {

// A part of the destination and its resampling scale: destination size over source size, as
// GDALWarpKernel::PerformWarp computes it for a chunk.
struct ScaledWindow {
    PixelWindow window;
    double x_scale;
    double y_scale;
};

// The plan of the coordinates, checked once, and the resampling scales of the whole operation.
// Thread-safe.
class WarpContext {
  public:
    // As PlanPixelTransform, for tests.
    using Planner = std::function<std::vector<std::unique_ptr<PixelTransform>>(
        GDALTransformerFunc, void*, std::vector<std::string>&, const PixelWindow*, PixelPoints)>;

    // `whole`: the destination window of the whole operation. `scales`: it, cut into parts with a
    // scale each, nearly always one.
    WarpContext(std::string door, PixelWindow whole, std::vector<ScaledWindow> scales,
                Planner planner = PlanPixelTransform);
    ~WarpContext();

    // The plans for a transformer, made on first use. The transformer must outlive the context.
    struct Plan;
    std::shared_ptr<Plan> plan(GDALTransformerFunc transformer, void* argument, PixelPoints points);

    const std::string door;
    const PixelWindow whole;
    const std::vector<ScaledWindow> scales;
    // Pixels of the request that the chunks are parts of, by which the device is chosen; 0: each
    // chunk is a request.
    uint64_t request_pixels = 0;
    // The operation's one warning about pixels kept off the nodata value was given.
    std::atomic<bool> warned_of_nodata{false};
    // What a pixel costs GDAL's own code, in seconds.
    double seconds_per_pixel = 5e-8;

    // So many of its pixels, as a part of the request.
    Work WorkOf(uint64_t pixels) const {
        return {pixels < request_pixels ? request_pixels : pixels,
                seconds_per_pixel * static_cast<double>(pixels),
                seconds_per_pixel * static_cast<double>(request_pixels)};
    }

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace gdalgpu
