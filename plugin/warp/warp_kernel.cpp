#include "plugin/warp/warp_kernel.h"

#include <algorithm>
#include <exception>

#include "plugin/runtime.h"
#include "plugin/warp/warp_plan.h"
#include "plugin/warp/warp_run.h"
#include "plugin/warp/warp_setup.h"

namespace gdalgpu {

namespace {

WarpOutcome Left(Report& report, const std::string& reason) {
    report.device = "GDAL";
    report.kernel.clear();
    report.path.clear();
    report.reason = reason;
    return WarpOutcome::LeftToGdal;
}

WarpOutcome RunOnDevice(GDALWarpKernel& kernel, WarpContext& context, int source_width,
                        int source_height, const WarpSetup& setup,
                        const std::shared_ptr<gpu::Device>& device, Report& report,
                        SourceNeed* needed) {
    std::shared_ptr<WarpContext::Plan> plan;
    {
        Report::Stage stage(report, "plan");
        plan = context.plan(kernel.pfnTransformer, kernel.pTransformerArg);
    }
    // Before the stream, so that no copy is in flight any more when it undoes what was not
    // finished.
    WarpRun run(kernel, setup, source_width, source_height, device, report);
    const std::unique_ptr<gpu::Stream> stream = device->stream();
    const WarpContext::Plan::Choice choice =
        plan->Choose(device, *stream, setup, context.whole, report);
    if (choice.transform == nullptr) {
        return Left(report,
                    choice.reasons.empty() ? "no plan for the transformer" : choice.reasons);
    }
    SourceNeed need{};
    const WarpOutcome outcome = run.Run(*stream, choice, need);
    report.device = device->kind_name();
    report.kernel = setup.name + " " + choice.transform->description();
    report.path = choice.transform->path();
    report.reason = choice.reasons;
    if (outcome != WarpOutcome::Done) {
        report.pixels = 0;
        report.reason = outcome == WarpOutcome::Cancelled
                            ? "cancelled by the progress function"
                            : "the source window was too small; done again";
    }
    if (outcome == WarpOutcome::MissedSource && needed != nullptr) {
        *needed = need;
    }
    return outcome;
}

}  // namespace

WarpOutcome RunWarpKernel(GDALWarpKernel& kernel, WarpContext& context, int source_width,
                          int source_height, SourceNeed* needed) {
    Report report(context.door, "warp");
    try {
        if (kernel.nDstXSize <= 0 || kernel.nDstYSize <= 0 || source_width <= 0 ||
            source_height <= 0) {
            return Left(report, "nothing to warp");
        }
        report.pixels = static_cast<unsigned long long>(kernel.nDstXSize) * kernel.nDstYSize;
        WarpSetup setup;
        const std::string unsupported =
            SetUpWarp(kernel, context.x_scale, context.y_scale, source_width, source_height, setup);
        if (!unsupported.empty()) {
            return Left(report, unsupported);
        }
        const Selection selection =
            SelectDevice(std::max<uint64_t>(report.pixels, context.request_pixels));
        if (selection.device == nullptr) {
            return Left(report, selection.reason);
        }
        return RunOnDevice(kernel, context, source_width, source_height, setup, selection.device,
                           report, needed);
    } catch (const std::exception& error) {
        return Left(report, error.what());
    }
}

}  // namespace gdalgpu
