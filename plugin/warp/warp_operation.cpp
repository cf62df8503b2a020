#include "plugin/warp/warp_operation.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "cpl_string.h"
#include "gdal_priv.h"
#include "plugin/report.h"
#include "plugin/runtime.h"
#include "plugin/warp/warp_scale.h"
#include "plugin/warp/warp_setup.h"

namespace gdalgpu {
namespace {

// A region is done again with a larger source window at most so often.
constexpr int kTries = 3;
// A larger source window may take this much memory, or what the operation's own limit allows.
constexpr double kWindowBytes = 1024.0 * 1024.0 * 1024.0;

void ReportLeft(const std::string& door, const GDALWarpKernel& kernel, const std::string& reason) {
    Report report(door, "warp");
    report.reason = reason;
    report.pixels = static_cast<unsigned long long>(kernel.nDstXSize) * kernel.nDstYSize;
}

}  // namespace

struct DeviceWarp::State {
    GDALWarpOperation& operation;
    const GDALWarpOptions& options;
    const std::string door;
    const int raster_width;
    const int raster_height;
    // Where the scale of the whole operation can't be told, nearest neighbour alone runs on the
    // device: it has none.
    bool has_scale = false;
    std::vector<ScaledWindow> scales;
    std::unique_ptr<WarpContext> context;
    int x_margin = 0;
    int y_margin = 0;
    bool device_expected = false;
    std::atomic<bool> done{false};  // a kernel ran on the device
    std::atomic<bool> left{false};  // a kernel was left to GDAL

    State(GDALWarpOperation& op, std::string door_name)
        : operation(op),
          options(*op.GetOptions()),
          door(std::move(door_name)),
          raster_width(GDALGetRasterXSize(options.hSrcDS)),
          raster_height(GDALGetRasterYSize(options.hSrcDS)) {}

    // Whether to read for the device. Where GDAL had to do the first regions the others follow
    // them.
    bool for_device() const { return device_expected && (done || !left); }

    void FindScales(const PixelWindow& whole) {
        std::vector<ChunkPart> parts;
        if (options.eResampleAlg != GRA_NearestNeighbour) {
            parts = CutForFillRatio(operation, whole);
        }
        for (const ChunkPart& part : parts) {
            // What GDAL finds no source pixels for isn't warped; no scale matters there.
            WarpScale scale;
            if (!part.source.empty()) {
                scale = ComputeWarpScale(
                    static_cast<int>(part.window.width), static_cast<int>(part.window.height),
                    part.source.width, part.source.height, part.source.x_extra, part.source.y_extra,
                    options.papszWarpOptions, options.pfnTransformer, options.pTransformerArg);
                has_scale = true;
            }
            scales.push_back({part.window, scale.x, scale.y});
        }
        if (scales.empty()) {
            scales.push_back({whole, 1.0, 1.0});
        }
    }

    // The scale at a destination pixel.
    WarpScale ScaleAt(int x, int y) const {
        for (const ScaledWindow& scaled : scales) {
            const PixelWindow& window = scaled.window;
            if (x >= window.x && x < window.x + window.width && y >= window.y &&
                y < window.y + window.height) {
                return {scaled.x_scale, scaled.y_scale};
            }
        }
        return {scales.front().x_scale, scales.front().y_scale};
    }

    WarpScale SmallestScale() const {
        WarpScale smallest{scales.front().x_scale, scales.front().y_scale};
        for (const ScaledWindow& scaled : scales) {
            smallest = {std::min(smallest.x, scaled.x_scale), std::min(smallest.y, scaled.y_scale)};
        }
        return smallest;
    }

    // Whether there is a kernel for these options at all, before anything is read for it.
    bool Supported() const {
        GDALWarpKernel kernel;
        kernel.eResample = options.eResampleAlg;
        kernel.eWorkingDataType = options.eWorkingDataType;
        kernel.nBands = options.nBandCount;
        kernel.papszWarpOptions = options.papszWarpOptions;
        kernel.pfnTransformer = options.pfnTransformer;
        WarpSetup setup;
        return SetUpWarp(kernel, scales.front().x_scale, scales.front().y_scale, raster_width,
                         raster_height, setup)
            .empty();
    }

    bool Affordable(const SourceWindow& window) const {
        const double bytes = static_cast<double>(window.width) * window.height *
                             options.nBandCount *
                             GDALGetDataTypeSizeBytes(options.eWorkingDataType);
        return bytes <= std::max(kWindowBytes, options.dfWarpMemoryLimit);
    }
};

// One call of GDAL's WarpRegionToBuffer on this thread; passes nest where the source is itself a
// warped dataset.
struct DeviceWarp::Pass {
    Pass(DeviceWarp& warp, const SourceWindow& source, bool ask, bool enlarged)
        : owner(warp),
          window(source),
          ask_device(ask),
          enlarged_window(enlarged),
          outer(current_pass_) {
        current_pass_ = this;
    }
    ~Pass() { current_pass_ = outer; }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

    // The region is to be done again: nothing was touched, but GDAL must not go on with this pass
    // either.
    bool again() const {
        return outcome == WarpOutcome::MissedSource ||
               (outcome == WarpOutcome::LeftToGdal && enlarged_window && !follows_device);
    }

    // GDAL's own kernel goes on where the device began: with the same scale and source pixels.
    void FollowDevice(GDALWarpKernel& kernel, const WarpScale& scale) {
        follows_device = true;
        kernel_options.Assign(CSLDuplicate(kernel.papszWarpOptions));
        kernel_options.SetNameValue("XSCALE", CPLSPrintf("%.17g", scale.x));
        kernel_options.SetNameValue("YSCALE", CPLSPrintf("%.17g", scale.y));
        kernel.papszWarpOptions = kernel_options.List();
    }

    DeviceWarp& owner;
    SourceWindow window;  // what the kernel got
    const bool ask_device;
    const bool enlarged_window;
    bool asked = false;
    WarpOutcome outcome = WarpOutcome::Done;
    SourceNeed need{};
    bool follows_device = false;
    CPLStringList kernel_options;
    Pass* const outer;
};

thread_local DeviceWarp::Pass* DeviceWarp::current_pass_ = nullptr;

DeviceWarp::DeviceWarp(GDALWarpOperation& operation, std::string door, PixelWindow whole,
                       bool one_request)
    : state_(std::make_unique<State>(operation, std::move(door))) {
    State& state = *state_;
    const uint64_t pixels =
        static_cast<uint64_t>(whole.width) * static_cast<uint64_t>(whole.height);
    state.FindScales(whole);
    const WarpScale smallest = state.SmallestScale();
    state.x_margin = SourceMargin(state.options.eResampleAlg, smallest.x);
    state.y_margin = SourceMargin(state.options.eResampleAlg, smallest.y);
    state.device_expected =
        state.Supported() && WhyLeftByOptions(pixels).empty() && WhyNoDevice().empty();
    state.context = std::make_unique<WarpContext>(state.door, whole, state.scales);
    if (one_request) {
        state.context->request_pixels = pixels;
    }
}

DeviceWarp::~DeviceWarp() = default;

const GDALWarpOperation& DeviceWarp::operation() const { return state_->operation; }

bool DeviceWarp::expects_device() const { return state_->device_expected; }

CPLErr DeviceWarp::WarpRegionToBuffer(int x, int y, int width, int height, void* buffer,
                                      GDALDataType type, double progress_base,
                                      double progress_scale, const SourceWindow* source) {
    State& state = *state_;
    const auto run = [&](const SourceWindow& window) {
        return state.operation.WarpRegionToBuffer(
            x, y, width, height, buffer, type, window.x, window.y, window.width, window.height,
            window.x_extra, window.y_extra, progress_base, progress_scale);
    };
    // An empty window makes GDAL compute it: again where GDAL gave it, and then there is nothing to
    // warp.
    SourceWindow gdal_window;
    if (source != nullptr) {
        gdal_window = *source;
    } else if (state.for_device()) {
        double fill_ratio = 0;
        ComputeSourceWindow(state.operation, PixelWindow{x, y, width, height}, gdal_window,
                            fill_ratio);
    }
    SourceWindow window = gdal_window;
    if (state.for_device() && !window.empty()) {
        window = Enlarge(window, window.x - state.x_margin, window.y - state.y_margin,
                         window.x + window.width + state.x_margin,
                         window.y + window.height + state.y_margin, state.raster_width,
                         state.raster_height);
    }
    for (int tries = 0; tries < kTries; ++tries) {
        Pass pass(*this, window, /*ask=*/true, !SamePixels(window, gdal_window));
        const CPLErr error = run(window);
        if (!pass.again()) {
            return error;
        }
        if (pass.outcome == WarpOutcome::LeftToGdal) {
            break;
        }
        const SourceNeed& need = pass.need;
        window = Enlarge(pass.window, need.x_min, need.y_min, need.x_max + 1, need.y_max + 1,
                         state.raster_width, state.raster_height);
        if (tries + 1 == kTries || SamePixels(window, pass.window) || !state.Affordable(window)) {
            Report report(state.door, "warp");
            report.reason = "the region needs more source pixels than can be read for it at once";
            report.pixels = static_cast<unsigned long long>(width) * height;
            break;
        }
    }
    Pass pass(*this, gdal_window, /*ask=*/false, /*enlarged=*/false);
    return run(gdal_window);
}

DeviceWarp* DeviceWarp::Current() {
    return current_pass_ != nullptr ? &current_pass_->owner : nullptr;
}

bool DeviceWarp::PerformWarp(GDALWarpKernel& kernel) {
    State& state = *state_;
    Pass* pass = current_pass_;
    if (kernel.nSrcXSize <= 0 || kernel.nSrcYSize <= 0) {
        return true;
    }
    if (pass == nullptr || &pass->owner != this || !pass->ask_device || pass->asked) {
        return false;
    }
    pass->asked = true;
    pass->window = SourceWindow{kernel.nSrcXOff,  kernel.nSrcYOff,        kernel.nSrcXSize,
                                kernel.nSrcYSize, kernel.dfSrcXExtraSize, kernel.dfSrcYExtraSize};
    if (kernel.eResample != GRA_NearestNeighbour && !state.has_scale) {
        ReportLeft(state.door, kernel,
                   !CanComputeSourceWindow()
                       ? "this GDAL doesn't export GDALWarpOperation::ComputeSourceWindow, which "
                         "gives the resampling scale"
                       : "the resampling scale can't be told: too few destination points have a "
                         "source position");
        pass->outcome = WarpOutcome::LeftToGdal;
    } else {
        pass->outcome = RunWarpKernel(kernel, *state.context, state.raster_width,
                                      state.raster_height, &pass->need);
    }
    switch (pass->outcome) {
        case WarpOutcome::Done:
            state.done = true;
            break;
        case WarpOutcome::LeftToGdal:
            state.left = true;
            if (state.done && state.has_scale) {
                pass->FollowDevice(kernel, state.ScaleAt(kernel.nDstXOff + kernel.nDstXSize / 2,
                                                         kernel.nDstYOff + kernel.nDstYSize / 2));
            }
            if (!pass->again()) {
                return false;
            }
            break;
        case WarpOutcome::MissedSource:
        case WarpOutcome::Cancelled:
            break;
    }
    kernel.nSrcXSize = 0;
    return true;
}

CPLErr DeviceWarp::PerformForeignWarp(GDALWarpKernel& kernel) {
    const int source_width = kernel.nSrcXSize;
    Pass pass(*this, SourceWindow{}, /*ask=*/true, /*enlarged=*/false);
    PerformWarp(kernel);
    if (pass.outcome == WarpOutcome::MissedSource) {
        ReportLeft(state_->door, kernel, "GDAL's source window lacks pixels that the chunk needs");
        kernel.nSrcXSize = source_width;
    }
    return pass.outcome == WarpOutcome::Cancelled ? CE_Failure : CE_None;
}

CPLErr DeviceWarp::PreWarpChunk(void* kernel, void* argument) {
    GDALWarpKernel& warp_kernel = *static_cast<GDALWarpKernel*>(kernel);
    if (current_pass_ != nullptr) {
        const Pass& pass = *current_pass_;
        pass.owner.PerformWarp(warp_kernel);
        return pass.again() || pass.outcome == WarpOutcome::Cancelled ? CE_Failure : CE_None;
    }
    return PerformLoneWarp(warp_kernel,
                           argument != nullptr ? static_cast<const char*>(argument) : "api");
}

CPLErr DeviceWarp::PerformLoneWarp(GDALWarpKernel& kernel, const char* door) {
    if (kernel.nSrcXSize <= 0 || kernel.nSrcYSize <= 0) {
        return CE_None;
    }
    WarpOutcome outcome = WarpOutcome::LeftToGdal;
    try {
        const WarpScale scale = ComputeWarpScale(
            kernel.nDstXSize, kernel.nDstYSize, kernel.nSrcXSize, kernel.nSrcYSize,
            kernel.dfSrcXExtraSize, kernel.dfSrcYExtraSize, kernel.papszWarpOptions,
            kernel.pfnTransformer, kernel.pTransformerArg);
        const PixelWindow whole{kernel.nDstXOff, kernel.nDstYOff, kernel.nDstXSize,
                                kernel.nDstYSize};
        WarpContext context(door, whole, {{whole, scale.x, scale.y}});
        outcome = RunWarpKernel(kernel, context, kernel.nSrcXOff + kernel.nSrcXSize,
                                kernel.nSrcYOff + kernel.nSrcYSize, nullptr);
    } catch (const std::exception& error) {
        ReportLeft(door, kernel, error.what());
    }
    if (outcome == WarpOutcome::Cancelled) {
        return CE_Failure;
    }
    if (outcome == WarpOutcome::Done) {
        kernel.nSrcXSize = 0;
    }
    return CE_None;
}

}  // namespace gdalgpu
