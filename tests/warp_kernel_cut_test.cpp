// The same bytes however the work is cut: masks there or not, chunks, source windows, parts for the
// device's memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "report_file.h"
#include "warp_judge.h"

namespace {

using gdalgpu::PixelWindow;
using gdalgpu::ReportFile;
using gdalgpu::WarpOutcome;
using warp_judge::Bands;
using warp_judge::Case;
using warp_judge::DeviceRun;
using warp_judge::How;
using warp_judge::kAllMasks;
using warp_judge::Mask;
using warp_judge::Name;
using warp_judge::Warp;

// Bitwise, NaN included.
bool SameBytes(const Bands& a, const Bands& b) {
    if (a.size() != b.size()) {
        return false;
    }
    for (size_t band = 0; band < a.size(); ++band) {
        if (a[band].size() != b[band].size() ||
            std::memcmp(a[band].data(), b[band].data(), a[band].size() * sizeof(double)) != 0) {
            return false;
        }
    }
    return true;
}

GUInt32* AllSet(size_t pixels) {
    auto* mask = static_cast<GUInt32*>(CPLMalloc((pixels + 64) / 8));
    std::memset(mask, 0xFF, (pixels + 64) / 8);
    return mask;
}

// Masks that say nothing, of those that are missing.
void AddIdleMasks(GDALWarpKernel& kernel, int which) {
    const size_t pixels = static_cast<size_t>(kernel.nSrcXSize) * kernel.nSrcYSize;
    if ((which & 1) && kernel.panUnifiedSrcValid == nullptr) {
        kernel.panUnifiedSrcValid = AllSet(pixels);
    }
    if ((which & 2) && kernel.papanBandSrcValid == nullptr) {
        kernel.papanBandSrcValid =
            static_cast<GUInt32**>(CPLCalloc(kernel.nBands, sizeof(GUInt32*)));
        for (int band = 0; band < kernel.nBands; ++band) {
            kernel.papanBandSrcValid[band] = AllSet(pixels);
        }
    }
    if ((which & 4) && kernel.pafUnifiedSrcDensity == nullptr) {
        kernel.pafUnifiedSrcDensity =
            static_cast<float*>(CPLMalloc((pixels + WARP_EXTRA_ELTS) * sizeof(float)));
        std::fill_n(kernel.pafUnifiedSrcDensity, pixels + WARP_EXTRA_ELTS, 1.0f);
    }
    if ((which & 8) && kernel.panDstValid == nullptr) {
        kernel.panDstValid = AllSet(static_cast<size_t>(kernel.nDstXSize) * kernel.nDstYSize);
    }
}

struct Kind {
    GDALDataType type;
    GDALResampleAlg resampling;
    int width, height;
};
// Floats, where a different order of additions shows; and an integer.
const Kind kKinds[] = {{GDT_Float32, GRA_NearestNeighbour, 67, 53},
                       {GDT_Float64, GRA_Bilinear, 67, 53},
                       {GDT_Float64, GRA_Cubic, 134, 106},
                       {GDT_Float64, GRA_Bilinear, 23, 18},
                       {GDT_Float64, GRA_Cubic, 23, 18},
                       {GDT_Float32, GRA_Cubic, 29, 106},
                       {GDT_UInt16, GRA_Bilinear, 67, 53}};

Case MakeCase(const Kind& kind, Mask mask) {
    Case c;
    c.type = kind.type;
    c.resampling = kind.resampling;
    c.width = kind.width;
    c.height = kind.height;
    c.bands = 5;
    c.mask = mask;
    return c;
}

TEST(WarpKernelCut, MasksThatAreAllSetChangeNoByte) {
    for (const Kind& kind : kKinds) {
        for (const Mask mask : {Mask::None, Mask::NoData, Mask::Alpha, Mask::DstAlpha}) {
            const Case c = MakeCase(kind, mask);
            DeviceRun plain;
            const Bands expected = Warp(c, &plain);
            ASSERT_TRUE(plain.AllDone());
            for (int which = 1; which < 16; ++which) {
                SCOPED_TRACE(std::string(GDALGetDataTypeName(kind.type)) + " " +
                             std::to_string(kind.resampling) + " " + Name(mask) + " " +
                             std::to_string(which));
                DeviceRun run;
                run.change = [which](GDALWarpKernel& kernel) { AddIdleMasks(kernel, which); };
                EXPECT_TRUE(SameBytes(expected, Warp(c, &run)));
                EXPECT_TRUE(run.AllDone());
            }
        }
    }
}

// With coordinates that the kernel computes.
TEST(WarpKernelCut, MasksAndChunksChangeNoByteOfTheFusedPlan) {
    for (const Kind& kind : kKinds) {
        SCOPED_TRACE(std::string(GDALGetDataTypeName(kind.type)) + " " +
                     std::to_string(kind.resampling));
        const Case c = MakeCase(kind, Mask::None);
        DeviceRun plain;
        plain.planner = gdalgpu::PlanPixelTransform;
        const Bands expected = Warp(c, &plain);
        ASSERT_TRUE(plain.AllDone());
        DeviceRun run;
        run.planner = gdalgpu::PlanPixelTransform;
        run.x_scale = plain.x_scale;
        run.y_scale = plain.y_scale;
        int chunk = 0;
        run.change = [&chunk](GDALWarpKernel& kernel) { AddIdleMasks(kernel, chunk++ % 16); };
        How how;
        how.chunk_rows = 5;
        EXPECT_TRUE(SameBytes(expected, Warp(c, &run, how)));
        EXPECT_TRUE(run.AllDone());
    }
}

TEST(WarpKernelCut, ChunksGiveTheBytesOfTheWhole) {
    for (const Kind& kind : kKinds) {
        for (const Mask mask : kAllMasks) {
            SCOPED_TRACE(std::string(GDALGetDataTypeName(kind.type)) + " " +
                         std::to_string(kind.resampling) + " " + Name(mask));
            const Case c = MakeCase(kind, mask);
            DeviceRun whole;
            const Bands expected = Warp(c, &whole);
            ASSERT_TRUE(whole.AllDone());
            DeviceRun chunks;
            chunks.x_scale = whole.x_scale;
            chunks.y_scale = whole.y_scale;
            How how;
            how.chunk_rows = 7;
            const Bands actual = Warp(c, &chunks, how);
            EXPECT_GT(chunks.outcomes.size(), 2u);
            ASSERT_TRUE(chunks.AllDone());
            EXPECT_TRUE(SameBytes(expected, actual));
        }
    }
}

int CountCalls(double, const char*, void* calls) {
    ++*static_cast<int*>(calls);
    return TRUE;
}

TEST(WarpKernelCut, PartsForTheDevicesMemoryGiveTheBytesOfTheWhole) {
    for (const Kind& kind : kKinds) {
        for (const Mask mask : kAllMasks) {
            for (const bool reproject : {true, false}) {
                SCOPED_TRACE(std::string(GDALGetDataTypeName(kind.type)) + " " +
                             std::to_string(kind.resampling) + " " + Name(mask));
                Case c = MakeCase(kind, mask);
                c.reproject = reproject;
                DeviceRun whole;
                const Bands expected = Warp(c, &whole);
                ASSERT_TRUE(whole.AllDone());
                int calls = 0;
                How how;
                how.progress = CountCalls;
                how.progress_argument = &calls;
                CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", "60000");
                DeviceRun parts;
                const Bands actual = Warp(c, &parts, how);
                CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", nullptr);
                ASSERT_TRUE(parts.AllDone());
                EXPECT_GT(calls, 6);  // once a part
                EXPECT_TRUE(SameBytes(expected, actual));
            }
        }
    }
}

TEST(WarpKernelCut, ABudgetTooSmallForAnyPartIsNoObstacle) {
    for (const Mask mask : {Mask::None, Mask::AlphaOnExisting}) {
        const Case c = MakeCase(kKinds[1], mask);
        const Bands expected = Warp(c);
        CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", "3000");
        ReportFile report;
        DeviceRun run;
        const Bands actual = Warp(c, &run);
        CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", nullptr);
        EXPECT_TRUE(run.AllDone());
        EXPECT_EQ(report.lines().at(0).GetString("device"), "GDAL");
        EXPECT_TRUE(SameBytes(expected, actual));
    }
}

TEST(WarpKernelCut, ASourceWindowThatLacksPixelsIsMissedAndNamesThem) {
    for (const Kind& kind : kKinds) {
        for (const Mask mask : {Mask::None, Mask::NoData, Mask::AlphaOnExisting}) {
            for (const char* limit : {static_cast<const char*>(nullptr), "60000"}) {
                SCOPED_TRACE(std::string(GDALGetDataTypeName(kind.type)) + " " +
                             std::to_string(kind.resampling) + " " + Name(mask));
                const Case c = MakeCase(kind, mask);
                DeviceRun whole;
                const Bands expected = Warp(c, &whole);
                CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", limit);
                DeviceRun missing;
                missing.x_scale = whole.x_scale;
                missing.y_scale = whole.y_scale;
                How how;
                how.source_window = {20, 10, 30, 30};
                const Bands untouched = Warp(c, &missing, how);
                ASSERT_THAT(missing.outcomes, testing::ElementsAre(WarpOutcome::MissedSource));
                const gdalgpu::SourceNeed need = missing.need;
                EXPECT_LE(need.x_min, 20);
                EXPECT_GE(need.x_max, 49);
                DeviceRun second;
                second.x_scale = whole.x_scale;
                second.y_scale = whole.y_scale;
                how.source_window = {need.x_min, need.y_min, need.x_max - need.x_min + 1,
                                     need.y_max - need.y_min + 1};
                const Bands actual = Warp(c, &second, how);
                CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", nullptr);
                ASSERT_TRUE(second.AllDone());
                EXPECT_TRUE(SameBytes(expected, actual));
                // What a run that misses leaves is what was there: the same as one that has nothing
                // to do.
                DeviceRun idle;
                idle.x_scale = idle.y_scale = 1;
                idle.planner = [](GDALTransformerFunc, void*, std::vector<std::string>&,
                                  const PixelWindow*, gdalgpu::PixelPoints) {
                    return std::vector<std::unique_ptr<gdalgpu::PixelTransform>>();
                };
                idle.change = [](GDALWarpKernel& kernel) { kernel.nSrcXSize = 0; };
                EXPECT_TRUE(SameBytes(Warp(c, &idle), untouched));
            }
        }
    }
}

TEST(WarpKernelCut, ThreadsAtOnceGiveTheSameBytes) {
    const Case c = MakeCase(kKinds[2], Mask::NoData);
    DeviceRun first;
    const Bands expected = Warp(c, &first);
    std::atomic<int> same{0};
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            DeviceRun run;
            same += SameBytes(expected, Warp(c, &run)) && run.AllDone();
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(same, 4);
}

}  // namespace
