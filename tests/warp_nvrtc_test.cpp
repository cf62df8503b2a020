// The warp kernel of every resampling and pixel type goes through NVRTC, the types of a resampling
// in turn for each generation of GPUs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "coordinates_fixture.h"
#include "nvrtc_sweep.h"
#include "plugin/gdal_signatures.h"
#include "plugin/warp/resamplings.h"
#include "plugin/warp/warp_plan.h"

namespace gdalgpu {
namespace {

class WarpSweep : public testing::TestWithParam<size_t> {};

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
    const Resampling& resampling = Resamplings().at(GetParam());
    size_t turn = GetParam();
    for (const GDALDataType type :
         {GDT_Byte, GDT_UInt16, GDT_Int16, GDT_UInt32, GDT_Int32, GDT_UInt64, GDT_Int64, kInt8,
          GDT_Float32, GDT_Float64, GDT_CInt16, GDT_CInt32, GDT_CFloat32, GDT_CFloat64}) {
        const char* architecture = gpu::kArchitectures[turn++ % std::size(gpu::kArchitectures)];
        WarpSetup setup;
        setup.header = resampling.header;
        setup.pixel = WarpPixelName(type);
        for (const char* kernel : {resampling.kernel, resampling.antialiased}) {
            if (kernel == nullptr) continue;
            setup.resampling = kernel;
            gpu::ExpectCompiles(WarpSource(setup, *plans.front()), architecture,
                                std::string(kernel) + " of " + setup.pixel);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Nvrtc, WarpSweep, testing::Range<size_t>(0, Resamplings().size()),
                         [](const auto& info) { return Resamplings()[info.param].name; });

}  // namespace
}  // namespace gdalgpu
