// The plans of one transformer: which one is in use, and the modules that were compiled and checked
// with it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "gpu/device.h"
#include "plugin/report.h"
#include "plugin/warp/warp_context.h"
#include "plugin/warp/warp_setup.h"

namespace gdalgpu {

// The text of the module with the kernels `warp` and `fill` (and what the transform adds).
gpu::Source WarpSource(const WarpSetup& setup, const PixelTransform& transform);

struct WarpContext::Plan {
    struct Choice {
        const PixelTransform* transform = nullptr;  // null: none is left
        std::shared_ptr<gpu::Module> module;
        std::string reasons;  // why better plans were dropped
    };

    // The first plan that passes its check with the kernel of this setup. Compiles and checks once
    // a device and setup.
    Choice Choose(const std::shared_ptr<gpu::Device>& device, gpu::Stream& stream,
                  const WarpSetup& setup, const PixelWindow& whole, Report& report);

    // The first plan that no check has dropped so far; null where none is left.
    const PixelTransform* Current();

    std::mutex mutex;
    std::vector<std::unique_ptr<PixelTransform>> transforms;
    std::vector<std::string> reasons;
    size_t current = 0;
    using Key = std::tuple<std::shared_ptr<gpu::Device>, size_t, std::string>;
    std::map<Key, std::shared_ptr<gpu::Module>> checked;
};

}  // namespace gdalgpu
