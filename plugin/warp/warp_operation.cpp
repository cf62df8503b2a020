#include "plugin/warp/warp_operation.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "cpl_string.h"
#include "gdal_priv.h"
#include "plugin/held_messages.h"
#include "plugin/report.h"
#include "plugin/warp/mask_choice.h"
#include "plugin/warp/resamplings.h"
#include "plugin/warp/run_chunk.h"
#include "plugin/warp/warp_cost.h"
#include "plugin/warp/warp_scale.h"
#include "plugin/warp/warp_setup.h"

namespace gdalgpu {
namespace {

// A region is done again with a larger source window at most so often.
constexpr int kTries = 3;
// A larger source window may take this much memory, or what the operation's own limit allows.
constexpr double kWindowBytes = 1024.0 * 1024.0 * 1024.0;

void ReportLeft(const std::string& door, const WarpChunk& chunk, const std::string& reason) {
    Report report(door, "warp");
    report.reason = reason;
    report.pixels = static_cast<unsigned long long>(Area(chunk.destination));
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
        WarpChunk chunk;
        chunk.resampling = options.eResampleAlg;
        chunk.type = options.eWorkingDataType;
        chunk.destination_bands.resize(static_cast<size_t>(options.nBandCount));
        chunk.options = options.papszWarpOptions;
        chunk.transformer = options.pfnTransformer;
        chunk.source_raster = {0, 0, raster_width, raster_height};
        WarpSetup setup;
        return SetUpWarp(chunk, 1.0, 1.0, setup);
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

DeviceWarp::ChunkResult DeviceWarp::RunChunk(WarpChunk& chunk) {
    State& state = *state_;
    Pass* pass = current_pass_;
    if (Area(chunk.source) == 0) {
        return ChunkResult::Finished;
    }
    if (pass == nullptr || &pass->owner != this || pass->kind == Pass::Kind::Plain || pass->asked) {
        return ChunkResult::Plain;
    }
    pass->asked = true;
    chunk.source_raster = {0, 0, state.raster_width, state.raster_height};
    if (!state.why_left.empty()) {
        ReportLeft(state.door, chunk, state.why_left);
        return ChunkResult::Plain;
    }
    pass->window = SourceWindow{static_cast<int>(chunk.source.x),
                                static_cast<int>(chunk.source.y),
                                static_cast<int>(chunk.source.width),
                                static_cast<int>(chunk.source.height),
                                chunk.source_x_extra,
                                chunk.source_y_extra};
    if (state.resampling_has_scale && !state.has_scale) {
        ReportLeft(state.door, chunk,
                   !CanComputeSourceWindow()
                       ? "this GDAL doesn't export GDALWarpOperation::ComputeSourceWindow, which "
                         "gives the resampling scale"
                       : "the resampling scale can't be told: too few destination points have a "
                         "source position");
        pass->outcome = WarpOutcome::LeftToGdal;
    } else {
        state.masks.Apply(chunk);
        pass->outcome = RunWarpChunk(chunk, *state.context,
                                     pass->kind == Pass::Kind::First ? &pass->need : nullptr);
    }
    if (pass->outcome == WarpOutcome::Done) {
        state.done = true;
    } else if (pass->outcome == WarpOutcome::LeftToGdal) {
        state.left = true;
        if (!pass->again()) {
            return ChunkResult::Plain;
        }
    }
    return pass->again() || Failed(pass->outcome) ? ChunkResult::Stop : ChunkResult::Finished;
}

DeviceWarp::ChunkResult DeviceWarp::RunForeignChunk(WarpChunk& chunk) {
    const Pass pass(*this, SourceWindow{}, Pass::Kind::Last, /*enlarged=*/false);
    return RunChunk(chunk);
}

DeviceWarp::ChunkResult DeviceWarp::RunLoneChunk(WarpChunk& chunk, const char* door) {
    if (Area(chunk.source) == 0) {
        return ChunkResult::Finished;
    }
    WarpOutcome outcome = WarpOutcome::LeftToGdal;
    try {
        const WarpScale scale = ComputeWarpScale(
            static_cast<int>(chunk.destination.width), static_cast<int>(chunk.destination.height),
            static_cast<int>(chunk.source.width), static_cast<int>(chunk.source.height),
            chunk.source_x_extra, chunk.source_y_extra, chunk.options, chunk.transformer,
            chunk.transformer_argument);
        WarpContext context(door, chunk.destination, {{chunk.destination, scale.x, scale.y}});
        chunk.source_raster = {0, 0, chunk.source.x + chunk.source.width,
                               chunk.source.y + chunk.source.height};
        outcome = RunWarpChunk(chunk, context, nullptr);
    } catch (const std::exception& error) {
        ReportLeft(door, chunk, error.what());
    }
    return outcome == WarpOutcome::Done ? ChunkResult::Finished
           : Failed(outcome)            ? ChunkResult::Stop
                                        : ChunkResult::Plain;
}

}  // namespace gdalgpu
