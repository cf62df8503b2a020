#include "plugin/warp/warp_operation.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "cpl_string.h"
#include "gdal_priv.h"
#include "plugin/held_messages.h"
#include "plugin/report.h"
#include "plugin/warp/cpu_warp.h"
#include "plugin/warp/mask_choice.h"
#include "plugin/warp/resamplings.h"
#include "plugin/warp/warp_cost.h"
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

bool HasScale(GDALResampleAlg gdal) {
    const Resampling* const resampling = FindResampling(gdal);
    return resampling == nullptr || resampling->has_scale;
}

bool Failed(WarpOutcome outcome) {
    return outcome == WarpOutcome::Cancelled || outcome == WarpOutcome::Failed;
}

}  // namespace

struct DeviceWarp::State {
    GDALWarpOperation& operation;
    const GDALWarpOptions& options;
    const std::string door;
    const int raster_width;
    const int raster_height;
    // Where the scale of the whole operation can't be told, a resampling that has one is GDAL's.
    const bool resampling_has_scale;
    bool has_scale = false;
    std::vector<ScaledWindow> scales;
    std::unique_ptr<WarpContext> context;
    SourceWindow source;  // of the whole operation, with its margins
    int x_margin = 0;
    int y_margin = 0;
    MaskChoice masks;
    // Why all is plain GDAL's: there is no kernel, or no device may be asked for. Empty: it isn't.
    std::string why_left;
    std::atomic<bool> done{false};  // a chunk was done here
    std::atomic<bool> left{false};  // a chunk was left to GDAL

    State(GDALWarpOperation& op, std::string door_name)
        : operation(op),
          options(*op.GetOptions()),
          door(std::move(door_name)),
          raster_width(GDALGetRasterXSize(options.hSrcDS)),
          raster_height(GDALGetRasterYSize(options.hSrcDS)),
          resampling_has_scale(HasScale(options.eResampleAlg)),
          masks(op) {}

    // Whether to read as the kernels here need it. Where GDAL had to do the first regions the
    // others follow them.
    bool reads_for_kernels() const { return why_left.empty() && (done || !left); }

    void FindScales(const PixelWindow& whole) {
        double fill_ratio = 0;
        const bool known = ComputeSourceWindow(operation, whole, source, fill_ratio);
        std::vector<ChunkPart> parts;
        if (known && resampling_has_scale) {
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
        const WarpScale smallest = SmallestScale();
        x_margin = SourceMargin(options.eResampleAlg, smallest.x);
        y_margin = SourceMargin(options.eResampleAlg, smallest.y);
        source = !known           ? SourceWindow{0, 0, raster_width, raster_height}
                 : source.empty() ? source
                                  : WithMargins(source);
    }

    SourceWindow WithMargins(const SourceWindow& window) const {
        return Enlarge(window, window.x - x_margin, window.y - y_margin,
                       window.x + window.width + x_margin, window.y + window.height + y_margin,
                       raster_width, raster_height);
    }

    WarpScale SmallestScale() const {
        WarpScale smallest{scales.front().x_scale, scales.front().y_scale};
        for (const ScaledWindow& scaled : scales) {
            smallest = {std::min(smallest.x, scaled.x_scale), std::min(smallest.y, scaled.y_scale)};
        }
        return smallest;
    }

    // Why there is no kernel for these options at all, before anything is read for it.
    std::string WhyNoKernel() const {
        GDALWarpKernel kernel;
        kernel.eResample = options.eResampleAlg;
        kernel.eWorkingDataType = options.eWorkingDataType;
        kernel.nBands = options.nBandCount;
        kernel.papszWarpOptions = options.papszWarpOptions;
        kernel.pfnTransformer = options.pfnTransformer;
        WarpSetup setup;
        return SetUpWarp(kernel, 1.0, 1.0, raster_width, raster_height, setup);
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
    enum class Kind {
        First,  // may be done again with a larger source window
        Last,   // there is no larger one
        Plain   // as if this library weren't there
    };

    Pass(DeviceWarp& warp, const SourceWindow& source, Kind what, bool enlarged)
        : owner(warp), window(source), kind(what), enlarged_window(enlarged), outer(current_pass_) {
        current_pass_ = this;
    }
    ~Pass() { current_pass_ = outer; }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

    // The region is to be done again: nothing was touched, but GDAL must not go on with this pass
    // either.
    bool again() const {
        return outcome == WarpOutcome::MissedSource ||
               (outcome == WarpOutcome::LeftToGdal && enlarged_window);
    }

    DeviceWarp& owner;
    SourceWindow window;  // what the kernel got
    const Kind kind;
    const bool enlarged_window;
    bool asked = false;
    WarpOutcome outcome = WarpOutcome::Done;
    SourceNeed need{};
    Pass* const outer;
};

thread_local DeviceWarp::Pass* DeviceWarp::current_pass_ = nullptr;

DeviceWarp::DeviceWarp(GDALWarpOperation& operation, std::string door, PixelWindow whole,
                       bool one_request)
    : state_(std::make_unique<State>(operation, std::move(door))) {
    State& state = *state_;
    state.why_left = WhyNoDevice();
    if (state.why_left.empty()) {
        state.why_left = state.WhyNoKernel();
    }
    if (state.why_left.empty()) {
        state.FindScales(whole);
    } else {
        state.scales.push_back({whole, 1.0, 1.0});
    }
    state.context = std::make_unique<WarpContext>(state.door, whole, state.scales);
    state.context->seconds_per_pixel = GdalSecondsPerPixel(state.options, state.SmallestScale());
    if (one_request) {
        state.context->request_pixels =
            static_cast<uint64_t>(whole.width) * static_cast<uint64_t>(whole.height);
    }
}

DeviceWarp::~DeviceWarp() = default;

const GDALWarpOperation& DeviceWarp::operation() const { return state_->operation; }

bool DeviceWarp::has_work() const { return state_->why_left.empty() && !state_->source.empty(); }

Work DeviceWarp::WorkOf(uint64_t pixels) const { return state_->context->WorkOf(pixels); }

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
    } else if (state.reads_for_kernels()) {
        double fill_ratio = 0;
        ComputeSourceWindow(state.operation, PixelWindow{x, y, width, height}, gdal_window,
                            fill_ratio);
    }
    SourceWindow window = gdal_window;
    if (state.reads_for_kernels() && !window.empty()) {
        state.masks.Decide(state.source);
        window = state.WithMargins(window);
    }
    for (int tries = 0; tries < kTries; ++tries) {
        const bool enlarged = !SamePixels(window, gdal_window);
        Pass pass(*this, window, Pass::Kind::First, enlarged);
        HeldMessages messages;
        const CPLErr error = run(window);
        if (error != CE_None && enlarged && !pass.asked) {
            // The source couldn't be read: perhaps only what GDAL alone wouldn't read.
            break;
        }
        messages.Release();
        if (!pass.again()) {
            return error;
        }
        if (pass.outcome == WarpOutcome::LeftToGdal) {
            const Pass plain(*this, gdal_window, Pass::Kind::Plain, /*enlarged=*/false);
            return run(gdal_window);
        }
        const SourceNeed& need = pass.need;
        window = Enlarge(pass.window, need.x_min, need.y_min, need.x_max + 1, need.y_max + 1,
                         state.raster_width, state.raster_height);
        if (SamePixels(window, pass.window) || !state.Affordable(window)) {
            break;
        }
    }
    const Pass last(*this, gdal_window, Pass::Kind::Last, /*enlarged=*/false);
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
    if (pass == nullptr || &pass->owner != this || pass->kind == Pass::Kind::Plain || pass->asked) {
        return false;
    }
    pass->asked = true;
    if (!state.why_left.empty()) {
        ReportLeft(state.door, kernel, state.why_left);
        return false;
    }
    pass->window = SourceWindow{kernel.nSrcXOff,  kernel.nSrcYOff,        kernel.nSrcXSize,
                                kernel.nSrcYSize, kernel.dfSrcXExtraSize, kernel.dfSrcYExtraSize};
    if (state.resampling_has_scale && !state.has_scale) {
        ReportLeft(state.door, kernel,
                   !CanComputeSourceWindow()
                       ? "this GDAL doesn't export GDALWarpOperation::ComputeSourceWindow, which "
                         "gives the resampling scale"
                       : "the resampling scale can't be told: too few destination points have a "
                         "source position");
        pass->outcome = WarpOutcome::LeftToGdal;
    } else {
        state.masks.Apply(kernel);
        pass->outcome =
            RunWarpKernel(kernel, *state.context, state.raster_width, state.raster_height,
                          pass->kind == Pass::Kind::First ? &pass->need : nullptr);
    }
    if (pass->outcome == WarpOutcome::Done) {
        state.done = true;
    } else if (pass->outcome == WarpOutcome::LeftToGdal) {
        state.left = true;
        if (!pass->again()) {
            return false;
        }
    }
    kernel.nSrcXSize = 0;
    return true;
}

CPLErr DeviceWarp::PerformForeignWarp(GDALWarpKernel& kernel) {
    const Pass pass(*this, SourceWindow{}, Pass::Kind::Last, /*enlarged=*/false);
    PerformWarp(kernel);
    return Failed(pass.outcome) ? CE_Failure : CE_None;
}

CPLErr DeviceWarp::PreWarpChunk(void* kernel, void* argument) {
    if (InCpuWarp()) {
        return CE_None;
    }
    GDALWarpKernel& warp_kernel = *static_cast<GDALWarpKernel*>(kernel);
    if (current_pass_ != nullptr) {
        const Pass& pass = *current_pass_;
        pass.owner.PerformWarp(warp_kernel);
        return pass.again() || Failed(pass.outcome) ? CE_Failure : CE_None;
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
    if (outcome == WarpOutcome::Done) {
        kernel.nSrcXSize = 0;
    }
    return Failed(outcome) ? CE_Failure : CE_None;
}

}  // namespace gdalgpu
