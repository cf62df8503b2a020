#include "plugin/warp/warp_plan.h"

namespace gdalgpu {

gpu::Source WarpSource(const WarpSetup& setup, const PixelTransform& transform) {
    gpu::Source source;
    source.include("core/fill.h").include("warp/warp.h").include(setup.header);
    transform.Emit(source);
    source.append(
        "struct WarpLaunch {\n"
        "    kernels::warp::Request request;\n"
        "    PixelTransform transform;\n"
        "};\n"
        // Without it the code for masks, which is in the same kernel, takes registers from the code
        // without.
        "#if defined(__CUDACC__)\n"
        "extern \"C\" __global__ void __launch_bounds__(256, " +
        std::to_string(setup.blocks_at_once) +
        ") warp(const __grid_constant__ WarpLaunch p);\n"
        "#endif\n"
        "GPU_KERNEL(warp, WarpLaunch, p) {\n"
        "    using namespace kernels;\n"
        "    GPU_FOR_2D(x, y, p.request.width, p.request.height) {\n"
        "        warp::warp_pixel<warp::" +
        setup.resampling + ", " + setup.pixel +
        ">(p.request, p.transform, x, y);\n"
        "    }\n"
        "}\n");
    return source;
}

const PixelTransform* WarpContext::Plan::Current() {
    std::lock_guard<std::mutex> lock(mutex);
    return current < transforms.size() ? transforms[current].get() : nullptr;
}

WarpContext::Plan::Choice WarpContext::Plan::Choose(const std::shared_ptr<gpu::Device>& device,
                                                    gpu::Stream& stream, const WarpSetup& setup,
                                                    const PixelWindow& whole, Report& report) {
    std::lock_guard<std::mutex> lock(mutex);
    Choice choice;
    for (; current < transforms.size(); ++current) {
        const PixelTransform& transform = *transforms[current];
        std::shared_ptr<gpu::Module>& module =
            checked[{device, current, setup.resampling + setup.pixel}];
        if (module == nullptr) {
            gpu::CompileInfo info;
            std::shared_ptr<gpu::Module> compiled;
            {
                Report::Stage stage(report, "compile");
                compiled = device->compile(WarpSource(setup, transform), &info);
            }
            report.compiled += info.compiled;
            Report::Stage stage(report, "plan");
            const std::string differs = transform.Check(*compiled, stream, whole);
            if (!differs.empty()) {
                reasons.push_back(std::string(transform.path()) + " plan in " +
                                  transform.precision() + " dropped: " + differs);
                continue;
            }
            module = compiled;
        }
        choice.transform = &transform;
        choice.module = module;
        break;
    }
    for (const std::string& reason : reasons) {
        choice.reasons += (choice.reasons.empty() ? "" : "; ") + reason;
    }
    return choice;
}

}  // namespace gdalgpu
