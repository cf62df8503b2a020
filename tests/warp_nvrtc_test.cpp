// The warp kernel of every resampling and pixel type goes through NVRTC.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "coordinates_fixture.h"
#include "nvrtc_sweep.h"
#include "plugin/warp/warp_plan.h"

namespace gdalgpu {
namespace {

class WarpSweep : public testing::TestWithParam<std::string> {};

TEST_P(WarpSweep, CompilesForEveryArchitecture) {
    GPU_NEED_NVRTC();
    const GeoTransform from = {0, 1, 0, 100, 0, -1};
    const GeoTransform to = {0, 2, 0, 100, 0, -2};
    const auto source = MakeRaster(100, 100, &from, "");
    const auto destination = MakeRaster(50, 50, &to, "");
    const Transformer transformer(*source, destination.get());
    std::vector<std::string> reasons;
    const auto plans = PlanPixelTransform(transformer.function(), transformer.argument(), reasons);
    ASSERT_FALSE(plans.empty());
    for (const char* pixel : {"uint8", "uint16", "int16", "uint32", "int32", "float", "double"}) {
        WarpSetup setup;
        setup.resampling = GetParam();
        setup.pixel = pixel;
        gpu::ExpectCompilesForEveryArchitecture(WarpSource(setup, *plans.front()),
                                                GetParam() + " of " + pixel);
    }
}

INSTANTIATE_TEST_SUITE_P(Nvrtc, WarpSweep,
                         testing::Values("Near", "Bilinear", "Cubic", "AntialiasedBilinear",
                                         "AntialiasedCubic"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace gdalgpu
