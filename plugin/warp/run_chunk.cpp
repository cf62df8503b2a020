#include "plugin/warp/run_chunk.h"

#include <algorithm>
#include <exception>

#include "plugin/runtime.h"
#include "plugin/warp/cpu_warp.h"
#include "plugin/warp/nodata_warning.h"
#include "plugin/warp/warp_plan.h"
#include "plugin/warp/warp_run.h"
#include "plugin/warp/warp_setup.h"

namespace gdalgpu {

namespace {

constexpr char kDoneAgain[] = "the source window was too small; done again";

WarpOutcome Left(Report& report, const std::string& reason) {
    report.device = "GDAL";
    report.kernel.clear();
    report.path.clear();
    report.precision.clear();
    report.reason = reason;
    return WarpOutcome::LeftToGdal;
}

// The parts of the chunk with a scale of their own. Empty, with the reason, where GDAL's own code
// is to run the chunk.
std::vector<WarpPiece> CutIntoPieces(const WarpChunk& chunk, const WarpContext& context,
                                     std::string& reason) {
    std::vector<WarpPiece> pieces;
    int64_t covered = 0;
    for (const ScaledWindow& scaled : context.scales) {
        PixelWindow window = Intersection(chunk.destination, scaled.window);
        if (window.width == 0 || window.height == 0) {
            continue;
        }
        covered += window.width * window.height;
        window.x -= chunk.destination.x;
        window.y -= chunk.destination.y;
        WarpPiece piece{window, scaled.x_scale, scaled.y_scale, {}, {}};
        reason = SetUpWarp(chunk, scaled.x_scale, scaled.y_scale, piece.setup);
        if (!reason.empty()) {
            return {};
        }
        piece.setup.filter.wrap_end = context.whole.x + context.whole.width;
        pieces.push_back(std::move(piece));
    }
    if (covered != chunk.destination.width * chunk.destination.height) {
        reason = "the chunk reaches beyond the operation's destination window";
        return {};
    }
    return pieces;
}

WarpOutcome RunOnDevice(WarpChunk& chunk, WarpContext& context, std::vector<WarpPiece>& pieces,
                        const std::shared_ptr<gpu::Device>& device, Report& report,
                        SourceNeed* needed) {
    std::shared_ptr<WarpContext::Plan> plan;
    {
        Report::Stage stage(report, "plan");
        plan = context.plan(chunk.transformer, chunk.transformer_argument,
                            pieces.front().setup.points);
    }
    // Before the stream, so that no copy is in flight any more when it undoes what was not
    // finished.
    WarpRun run(chunk, pieces.front().setup.pixel_bytes, device, report);
    const std::unique_ptr<gpu::Stream> stream = device->stream();
    for (WarpPiece& piece : pieces) {
        piece.choice = plan->Choose(device, *stream, piece.setup, context.whole, report);
        if (piece.choice.transform == nullptr) {
            return Left(report, piece.choice.reasons.empty() ? "no plan for the transformer"
                                                             : piece.choice.reasons);
        }
    }
    SourceNeed need{};
    const WarpOutcome outcome = run.Run(*stream, pieces, need);
    const WarpPiece& first = pieces.front();
    report.device = device->kind_name();
    report.kernel = first.setup.name + " " + first.choice.transform->description();
    report.path = first.choice.transform->path();
    report.precision = first.choice.transform->precision();
    report.reason = first.choice.reasons;
    if (outcome != WarpOutcome::Done) {
        report.pixels = 0;
        report.reason =
            outcome == WarpOutcome::Cancelled ? "cancelled by the progress function" : kDoneAgain;
    }
    if (outcome == WarpOutcome::Done && run.nodata_avoided()) {
        WarnOfAvoidedNodata(chunk, context.warned_of_nodata);
    }
    if (outcome == WarpOutcome::MissedSource && needed != nullptr) {
        *needed = need;
    }
    return outcome;
}

// Where no device does it, for `reason`.
WarpOutcome RunWithoutDevice(WarpChunk& chunk, WarpContext& context,
                             const std::vector<WarpPiece>& pieces, const std::string& reason,
                             Report& report, SourceNeed* needed) {
    const std::shared_ptr<WarpContext::Plan> plan =
        context.plan(chunk.transformer, chunk.transformer_argument, pieces.front().setup.points);
    const PixelTransform* transform = plan->Current();
    if (transform == nullptr) {
        return Left(report, reason);
    }
    Left(report, reason);
    Report::Stage stage(report, "gdal");
    const WarpOutcome outcome =
        RunOnCpu(chunk, pieces, *transform, context.warned_of_nodata, needed);
    if (outcome == WarpOutcome::MissedSource) {
        report.pixels = 0;
        report.reason = kDoneAgain;
    }
    return outcome;
}

}  // namespace

WarpOutcome RunWarpChunk(WarpChunk& chunk, WarpContext& context, SourceNeed* needed) {
    Report report(context.door, "warp");
    try {
        if (Area(chunk.destination) <= 0 || Area(chunk.source_raster) <= 0) {
            return Left(report, "nothing to warp");
        }
        report.pixels = static_cast<unsigned long long>(Area(chunk.destination));
        std::string unsupported;
        std::vector<WarpPiece> pieces = CutIntoPieces(chunk, context, unsupported);
        if (!unsupported.empty()) {
            return Left(report, unsupported);
        }
        const std::string no_device = WhyNoDevice();
        if (!no_device.empty()) {
            return Left(report, no_device);
        }
        Selection selection = SelectDevice(context.WorkOf(report.pixels));
        if (selection.device != nullptr) {
            try {
                const WarpOutcome outcome =
                    RunOnDevice(chunk, context, pieces, selection.device, report, needed);
                if (outcome != WarpOutcome::MissedSource || needed != nullptr) {
                    return outcome;
                }
                selection.reason = "GDAL's source window lacks pixels that the chunk needs";
            } catch (const std::exception& error) {
                selection.reason = error.what();
            }
        }
        return RunWithoutDevice(chunk, context, pieces, selection.reason, report, needed);
    } catch (const std::exception& error) {
        return Left(report, error.what());
    }
}

}  // namespace gdalgpu
