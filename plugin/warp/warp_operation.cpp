#include "plugin/warp/warp_operation.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "cpl_conv.h"
#include "gdal_priv.h"
#include "plugin/presence.h"
#include "plugin/report.h"
#include "plugin/warp/warp_scale.h"

namespace gdalgpu {
namespace {

// Source pixels around what GDAL's 21 samples an edge say, for edges that bend between the samples.
constexpr int kSamplingMargin = 4;
// A region is done again with a larger source window at most so often.
constexpr int kTries = 3;
// A larger source window may take this much memory, or what the operation's own limit allows.
constexpr double kWindowBytes = 1024.0 * 1024.0 * 1024.0;

using ComputeSourceWindowFunction = CPLErr (*)(GDALWarpOperation*, int, int, int, int, int*, int*,
                                               int*, int*, double*, double*, double*);

// GDALWarpOperation::ComputeSourceWindow is private; its symbol is exported where GDAL is built
// with default visibility. Null where it isn't.
ComputeSourceWindowFunction FindComputeSourceWindow() {
    static const ComputeSourceWindowFunction function = [] {
        void* symbol = nullptr;
        Dl_info info;
        if (dladdr(reinterpret_cast<void*>(&GDALVersionInfo), &info) != 0 && info.dli_fname) {
            if (void* gdal = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
                symbol = dlsym(
                    gdal, "_ZN17GDALWarpOperation19ComputeSourceWindowEiiiiPiS0_S0_S0_PdS1_S1_");
                dlclose(gdal);
            }
        }
        return reinterpret_cast<ComputeSourceWindowFunction>(symbol);
    }();
    return function;
}

// GDAL's source window for a region; false where GDAL can't tell (it then says so itself when it
// gets there).
bool ComputeSourceWindow(GDALWarpOperation& operation, int x, int y, int width, int height,
                         SourceWindow& window) {
    const ComputeSourceWindowFunction compute = FindComputeSourceWindow();
    if (compute == nullptr) {
        return false;
    }
    double fill_ratio = 0.0;
    CPLErrorStateBackuper keep_error;
    CPLPushErrorHandler(CPLQuietErrorHandler);
    const CPLErr error =
        compute(&operation, x, y, width, height, &window.x, &window.y, &window.width,
                &window.height, &window.x_extra, &window.y_extra, &fill_ratio);
    CPLPopErrorHandler();
    return error == CE_None;
}

// Of the kernel's resampling at scale 1, in pixels; that of the widest for those that aren't
// listed.
int FilterRadius(GDALResampleAlg resampling) {
    switch (resampling) {
        case GRA_NearestNeighbour:
            return 0;
        case GRA_Bilinear:
            return 1;
        case GRA_Cubic:
        case GRA_CubicSpline:
            return 2;
        default:
            return 3;
    }
}

int Margin(GDALResampleAlg resampling, double scale) {
    const int radius = FilterRadius(resampling);
    const double scaled = scale < 1.0 ? std::ceil(radius / std::max(scale, 1e-3)) : radius;
    return static_cast<int>(scaled) + kSamplingMargin;
}

// The window that holds columns x_min to x_max and rows y_min to y_max (exclusive ends), inside the
// raster, and all of `window`.
SourceWindow Enlarge(const SourceWindow& window, int x_min, int y_min, int x_max, int y_max,
                     int raster_width, int raster_height) {
    SourceWindow larger;
    larger.x = std::max(0, std::min(x_min, window.x));
    larger.y = std::max(0, std::min(y_min, window.y));
    larger.width = std::min(raster_width, std::max(x_max, window.x + window.width)) - larger.x;
    larger.height = std::min(raster_height, std::max(y_max, window.y + window.height)) - larger.y;
    larger.x_extra = window.x_extra + (larger.width - window.width);
    larger.y_extra = window.y_extra + (larger.height - window.height);
    return larger;
}

bool SamePixels(const SourceWindow& a, const SourceWindow& b) {
    return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

void ReportLeft(const std::string& door, const GDALWarpKernel& kernel, const std::string& reason) {
    Report report(door, "warp");
    report.reason = reason;
    report.pixels = static_cast<unsigned long long>(kernel.nDstXSize) * kernel.nDstYSize;
}

}  // namespace

struct DeviceWarp::State {
    GDALWarpOperation& operation;
    const GDALWarpOptions& options;
    std::string door;
    int raster_width = 0;
    int raster_height = 0;
    // Null where the scale of the whole operation can't be told: then nearest neighbour alone,
    // which has none.
    std::unique_ptr<WarpContext> context;
    bool has_scale = false;
    int x_margin = 0;
    int y_margin = 0;
    bool device_expected = false;
    // Set once a kernel was left to GDAL: the next regions are read with GDAL's own window at once.
    std::atomic<bool> left{false};

    State(GDALWarpOperation& op, std::string door_name)
        : operation(op), options(*op.GetOptions()), door(std::move(door_name)) {}

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
               (outcome == WarpOutcome::LeftToGdal && enlarged_window);
    }

    DeviceWarp& owner;
    SourceWindow window;  // what the kernel got
    const bool ask_device;
    const bool enlarged_window;
    bool asked = false;
    WarpOutcome outcome = WarpOutcome::Done;
    SourceNeed need{};
    Pass* const outer;
};

thread_local DeviceWarp::Pass* DeviceWarp::current_pass_ = nullptr;

DeviceWarp::DeviceWarp(GDALWarpOperation& operation, std::string door, PixelWindow whole)
    : state_(std::make_unique<State>(operation, std::move(door))) {
    State& state = *state_;
    const GDALWarpOptions& options = state.options;
    state.raster_width = GDALGetRasterXSize(options.hSrcDS);
    state.raster_height = GDALGetRasterYSize(options.hSrcDS);
    WarpScale scale;
    if (options.eResampleAlg != GRA_NearestNeighbour) {
        SourceWindow source;
        state.has_scale =
            ComputeSourceWindow(operation, static_cast<int>(whole.x), static_cast<int>(whole.y),
                                static_cast<int>(whole.width), static_cast<int>(whole.height),
                                source) &&
            !source.empty();
        if (state.has_scale) {
            scale = ComputeWarpScale(static_cast<int>(whole.width), static_cast<int>(whole.height),
                                     source.width, source.height, source.x_extra, source.y_extra,
                                     options.papszWarpOptions, options.pfnTransformer,
                                     options.pTransformerArg);
        }
    }
    state.x_margin = Margin(options.eResampleAlg, scale.x);
    state.y_margin = Margin(options.eResampleAlg, scale.y);
    state.device_expected = WhyNoDevice().empty();
    state.context = std::make_unique<WarpContext>(state.door, whole, scale.x, scale.y);
}

DeviceWarp::~DeviceWarp() = default;

const GDALWarpOperation& DeviceWarp::operation() const { return state_->operation; }

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
    } else if (state.device_expected && !state.left) {
        if (!ComputeSourceWindow(state.operation, x, y, width, height, gdal_window)) {
            gdal_window = SourceWindow{};
        }
    }
    SourceWindow window = gdal_window;
    if (state.device_expected && !state.left && !window.empty()) {
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
                   FindComputeSourceWindow() == nullptr
                       ? "this GDAL doesn't export GDALWarpOperation::ComputeSourceWindow, which "
                         "gives the resampling scale"
                       : "the resampling scale can't be told: too few destination points have a "
                         "source position");
        pass->outcome = WarpOutcome::LeftToGdal;
    } else {
        pass->outcome = RunWarpKernel(kernel, *state.context, state.raster_width,
                                      state.raster_height, &pass->need);
    }
    if (pass->outcome == WarpOutcome::LeftToGdal) {
        state.left = true;
    }
    if (pass->outcome == WarpOutcome::LeftToGdal && !pass->again()) {
        return false;
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
    // Two hooks may ask about one kernel: its pre-warp processor and the taken-over PerformWarp
    // right after it.
    static thread_local const GDALWarpKernel* left = nullptr;
    if (kernel.nSrcXSize <= 0 || kernel.nSrcYSize <= 0) {
        return CE_None;
    }
    if (left == &kernel) {
        left = nullptr;
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
        WarpContext context(door, whole, scale.x, scale.y);
        SourceNeed need{};
        outcome = RunWarpKernel(kernel, context, kernel.nSrcXOff + kernel.nSrcXSize,
                                kernel.nSrcYOff + kernel.nSrcYSize, &need);
    } catch (const std::exception& error) {
        ReportLeft(door, kernel, error.what());
    }
    if (outcome == WarpOutcome::Cancelled) {
        return CE_Failure;
    }
    if (outcome == WarpOutcome::Done) {
        kernel.nSrcXSize = 0;
    } else {
        left = &kernel;
    }
    return CE_None;
}

}  // namespace gdalgpu
