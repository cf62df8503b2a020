// What surrounds the warp kernel: what it leaves to GDAL, failures, cancelling, reports, plans, and
// odd sources.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/warp/resamplings.h"
#include "report_file.h"
#include "warp_judge.h"

namespace {

using gdalgpu::PixelWindow;
using gdalgpu::ReportFile;
using gdalgpu::WarpOutcome;
using warp_judge::Bands;
using warp_judge::Case;
using warp_judge::Compare;
using warp_judge::DeviceRun;
using warp_judge::Difference;
using warp_judge::EveryPixel;
using warp_judge::How;
using warp_judge::kTypes;
using warp_judge::Mask;
using warp_judge::Name;
using warp_judge::Warp;

TEST(WarpKernel, ReportsDeviceKernelPixelsAndStages) {
    Case c;
    c.type = GDT_UInt16;
    c.resampling = GRA_Bilinear;
    ReportFile report;
    DeviceRun first, second;
    Warp(c, &first);
    Warp(c, &second);
    const auto lines = report.lines();
    ASSERT_EQ(lines.size(), 2u);
    for (const CPLJSONObject& line : lines) {
        EXPECT_EQ(line.GetString("door"), "test");
        EXPECT_EQ(line.GetString("operation"), "warp");
        EXPECT_EQ(line.GetString("device"), CPLGetConfigOption("GDAL_GPU_DEVICE", ""));
        EXPECT_EQ(line.GetString("kernel"), "warp<bilinear,uint16> every pixel");
        EXPECT_EQ(line.GetString("path"), "sampled");
        EXPECT_EQ(line.GetInteger("pixels"), 67 * 53);
        for (const char* stage : {"plan", "compile", "upload", "kernel", "download"}) {
            EXPECT_TRUE(line.GetObj("seconds").GetObj(stage).IsValid()) << stage;
        }
    }
    EXPECT_EQ(lines[1].GetInteger("compiled"), 0);
}

struct Unsupported {
    const char* name;
    std::function<void(Case&)> change;
    const char* reason;
};

class LeavesToGdal : public testing::TestWithParam<Unsupported> {};

TEST_P(LeavesToGdal, WithTheReasonAndGdalsBytes) {
    Case c;
    c.resampling = GRA_Bilinear;
    GetParam().change(c);
    const Bands expected = Warp(c);
    ReportFile report;
    DeviceRun run;
    const Bands actual = Warp(c, &run);
    EXPECT_THAT(run.outcomes, testing::Each(WarpOutcome::LeftToGdal));
    EXPECT_EQ(Compare(c, expected, actual).differing, 0u);
    const auto lines = report.lines();
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].GetString("device"), "GDAL");
    EXPECT_THAT(lines[0].GetString("reason"), testing::HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    All, LeavesToGdal,
    testing::Values(Unsupported{"Sum", [](Case& c) { c.resampling = GRA_Sum; }, "resampling"},
                    Unsupported{
                        "VerticalShift",
                        [](Case& c) { c.options.SetNameValue("APPLY_VERTICAL_SHIFT", "YES"); },
                        "APPLY_VERTICAL_SHIFT"}),
    [](const auto& info) { return info.param.name; });

TEST(WarpKernel, TakesOptionsOfPositionAndOfGdalsCode) {
    for (const char* option : {"SRC_COORD_PRECISION=0.25", "USE_GENERAL_CASE=YES"}) {
        for (const gdalgpu::Resampling& resampling : gdalgpu::Resamplings()) {
            const bool of_area = resampling.points == gdalgpu::PixelPoints::Corners;
            if (of_area && STARTS_WITH(option, "USE")) continue;  // not in GDAL either
            for (const Mask mask : {Mask::None, Mask::AlphaOnExisting}) {
                SCOPED_TRACE(std::string(option) + " " + resampling.name + " " + Name(mask));
                Case c;
                c.type = GDT_UInt16;
                c.resampling = resampling.gdal;
                c.mask = mask;
                c.width = 80;
                const Bands without = Warp(c);
                c.options.AddString(option);
                const Bands expected = Warp(c);
                DeviceRun run;
                EXPECT_EQ(Compare(c, expected, Warp(c, &run)).beyond, 0u);
                EXPECT_TRUE(run.AllDone());
                if (STARTS_WITH(option, "SRC") && mask == Mask::None && resampling.radius > 0) {
                    EXPECT_GT(Compare(c, without, expected).differing, 0u);
                }
            }
        }
    }
}

// GDAL's own code goes on, with the scale and the positions of the operation.
class GoesOnAfterAFault : public testing::TestWithParam<const char*> {};

TEST_P(GoesOnAfterAFault, WithGdalsBytes) {
    for (const Mask mask : {Mask::None, Mask::AlphaOnExisting, Mask::DstAlpha, Mask::DstNoData}) {
        SCOPED_TRACE(Name(mask));
        Case c;
        c.resampling = GRA_Cubic;
        c.mask = mask;
        const Bands expected = Warp(c);
        ReportFile report;
        CPLSetConfigOption("GDAL_GPU_FAULT", GetParam());
        // An empty cache, so that there is something to compile.
        const std::string cache = CPLGetConfigOption("GDAL_GPU_CACHE_DIR", "");
        if (EQUAL(GetParam(), "compile")) {
            CPLSetConfigOption("GDAL_GPU_CACHE_DIR", CPLGenerateTempFilename("cache"));
        }
        DeviceRun run;
        const Bands actual = Warp(c, &run);
        CPLSetConfigOption("GDAL_GPU_FAULT", nullptr);
        CPLSetConfigOption("GDAL_GPU_CACHE_DIR", cache.empty() ? nullptr : cache.c_str());
        EXPECT_TRUE(run.AllDone());
        EXPECT_EQ(Compare(c, expected, actual).differing, 0u);
        EXPECT_EQ(report.lines().at(0).GetString("device"), "GDAL");
        EXPECT_NE(report.lines().at(0).GetString("reason"), "");
    }
}

INSTANTIATE_TEST_SUITE_P(All, GoesOnAfterAFault,
                         testing::Values("allocate", "launch", "compile", "copy", "lose"),
                         [](const auto& info) { return std::string(info.param); });

// The copies come one after the other: uploads, then downloads. Whichever fails, nothing of it
// stays.
TEST(WarpKernel, LeavesNoTraceOfACopyThatFails) {
    for (const Mask mask : {Mask::None, Mask::AlphaOnExisting, Mask::DstAlpha, Mask::DstNoData}) {
        for (const char* limit : {static_cast<const char*>(nullptr), "40000"}) {
            Case c;
            c.resampling = GRA_Cubic;
            c.mask = mask;
            const Bands expected = Warp(c);
            int failures = 0;
            for (bool on_device = false; !on_device; ++failures) {
                SCOPED_TRACE(std::string(Name(mask)) + " copy " + std::to_string(failures));
                CPLSetConfigOption("GDAL_GPU_FAULT", ("copy:" + std::to_string(failures)).c_str());
                CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", limit);
                ReportFile report;
                DeviceRun run;
                const Bands actual = Warp(c, &run);
                CPLSetConfigOption("GDAL_GPU_FAULT", nullptr);
                CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", nullptr);
                ASSERT_TRUE(run.AllDone());
                on_device = report.lines().at(0).GetString("device") != "GDAL";
                ASSERT_EQ(Compare(c, expected, actual).beyond, 0u);
                if (!on_device) {
                    ASSERT_EQ(Compare(c, expected, actual).differing, 0u);
                }
                ASSERT_LT(failures, 1000);
            }
            EXPECT_GE(failures, limit == nullptr ? 6 : 20);
        }
    }
}

int CancelAfter(double, const char*, void* calls) { return --*static_cast<int*>(calls) >= 0; }

TEST(WarpKernel, CancelsWhenTheProgressFunctionSaysSo) {
    for (int calls : {0, 1}) {
        Case c;
        c.mask = Mask::AlphaOnExisting;
        int left = calls;
        How how;
        how.progress = CancelAfter;
        how.progress_argument = &left;
        how.expected = CE_Failure;
        CPLPushErrorHandler(CPLQuietErrorHandler);
        DeviceRun run;
        // WarpRegion, as ChunkAndWarpImage calls the progress function itself.
        how.source_window = {0, 0, c.source_width, c.source_height};
        Warp(c, &run, how);
        CPLPopErrorHandler();
        EXPECT_THAT(run.outcomes, testing::ElementsAre(WarpOutcome::Cancelled));
        EXPECT_EQ(CPLGetLastErrorNo(), CPLE_UserInterrupt);
    }
}

class DifferingPlan : public EveryPixel {
  public:
    using EveryPixel::EveryPixel;
    const char* path() const override { return "fused"; }
    std::string Check(gpu::Module&, gpu::Stream&, const PixelWindow&) const override {
        return "half a pixel off";
    }
};

TEST(WarpKernel, TakesTheNextPlanWhereOneDiffersFromGdal) {
    Case c;
    const Bands expected = Warp(c);
    ReportFile report;
    DeviceRun run;
    run.planner = [](GDALTransformerFunc transformer, void* argument, std::vector<std::string>&,
                     const PixelWindow*, gdalgpu::PixelPoints points) {
        std::vector<std::unique_ptr<gdalgpu::PixelTransform>> plans;
        plans.push_back(std::make_unique<DifferingPlan>(transformer, argument, points));
        plans.push_back(std::make_unique<EveryPixel>(transformer, argument, points));
        return plans;
    };
    EXPECT_EQ(Compare(c, expected, Warp(c, &run)).differing, 0u);
    EXPECT_TRUE(run.AllDone());
    EXPECT_EQ(report.lines().at(0).GetString("path"), "sampled");
    EXPECT_THAT(report.lines().at(0).GetString("reason"), testing::HasSubstr("half a pixel off"));
}

TEST(WarpKernel, LeavesToGdalWhereNoPlanIsLeft) {
    Case c;
    const Bands expected = Warp(c);
    ReportFile report;
    DeviceRun run;
    run.planner = [](GDALTransformerFunc transformer, void* argument, std::vector<std::string>&,
                     const PixelWindow*, gdalgpu::PixelPoints points) {
        std::vector<std::unique_ptr<gdalgpu::PixelTransform>> plans;
        plans.push_back(std::make_unique<DifferingPlan>(transformer, argument, points));
        return plans;
    };
    EXPECT_EQ(Compare(c, expected, Warp(c, &run)).differing, 0u);
    EXPECT_THAT(run.outcomes, testing::ElementsAre(WarpOutcome::LeftToGdal));
    EXPECT_THAT(report.lines().at(0).GetString("reason"), testing::HasSubstr("half a pixel off"));
}

TEST(WarpKernel, EqualsGdalWithTheRealPlan) {
    for (const GDALResampleAlg resampling : {GRA_NearestNeighbour, GRA_Bilinear, GRA_Cubic}) {
        Case c;
        c.type = GDT_Int16;
        c.mask = Mask::NoData;
        c.resampling = resampling;
        c.source_width = c.width = 400;
        c.source_height = c.height = 300;
        const Bands expected = Warp(c);
        ReportFile report;
        DeviceRun run;
        run.planner = gdalgpu::PlanPixelTransform;
        const Bands actual = Warp(c, &run);
        ASSERT_TRUE(run.AllDone());
        EXPECT_EQ(report.lines().at(0).GetString("path"), "tiles");
        const Difference difference = Compare(c, expected, actual);
        EXPECT_LE(difference.beyond, difference.pixels / 10000) << difference.first;
    }
}

TEST(WarpKernel, EqualsGdalOnTinySources) {
    const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {2, 7}, {3, 3}, {4, 4}};
    for (const auto& size : sizes) {
        for (const GDALDataType type : {GDT_Byte, GDT_Int32, GDT_Float32}) {
            for (const GDALResampleAlg resampling :
                 {GRA_NearestNeighbour, GRA_Bilinear, GRA_Cubic}) {
                for (const Mask mask : {Mask::None, Mask::NoData, Mask::Alpha}) {
                    for (const int width : {1, 2, 12}) {
                        Case c;
                        c.source_width = size[0];
                        c.source_height = size[1];
                        c.width = width;
                        c.height = width == 12 ? 10 : width;
                        c.type = type;
                        c.resampling = resampling;
                        c.mask = mask;
                        c.reproject = false;
                        SCOPED_TRACE(std::to_string(size[0]) + "x" + std::to_string(size[1]) +
                                     " to " + std::to_string(width) + " " +
                                     GDALGetDataTypeName(type) + " " + std::to_string(resampling) +
                                     " " + Name(mask));
                        const Bands expected = Warp(c);
                        DeviceRun run;
                        const Bands actual = Warp(c, &run);
                        EXPECT_TRUE(run.AllDone());
                        const Difference difference = Compare(c, expected, actual);
                        EXPECT_EQ(difference.beyond, 0u) << difference.first;
                    }
                }
            }
        }
    }
}

TEST(WarpKernel, EqualsGdalWithNanAndInfinityThatAreNotNodata) {
    for (const GDALDataType type : {GDT_Float32, GDT_Float64}) {
        for (const GDALResampleAlg resampling : {GRA_NearestNeighbour, GRA_Bilinear, GRA_Cubic}) {
            for (const int width : {67, 134, 23}) {
                for (const bool reproject : {true, false}) {
                    Case c;
                    c.type = type;
                    c.resampling = resampling;
                    c.width = width;
                    c.height = width * 4 / 5;
                    c.reproject = reproject;
                    c.change_source = [](std::vector<double>& values) {
                        for (size_t i = 5; i < values.size(); i += 97) {
                            values[i] = i % 2 ? std::numeric_limits<double>::quiet_NaN()
                                              : std::numeric_limits<double>::infinity();
                        }
                    };
                    SCOPED_TRACE(std::string(GDALGetDataTypeName(type)) + " " +
                                 std::to_string(resampling) + " " + std::to_string(width));
                    const Bands expected = Warp(c);
                    DeviceRun run;
                    const Difference difference = Compare(c, expected, Warp(c, &run));
                    EXPECT_TRUE(run.AllDone());
                    EXPECT_EQ(difference.beyond, 0u) << difference.first;
                }
            }
        }
    }
}

// Where GDAL takes its code without masks, it doesn't look at the destination's nodata value; the
// device always does, so that a chunk's pixels don't depend on its other pixels.
TEST(WarpKernel, KeepsValidPixelsOffTheDestinationsNodata) {
    for (const GDALDataType type : kTypes) {
        if (warp_judge::IsFloat(type) || GDALDataTypeIsComplex(type)) {
            continue;
        }
        Case c;
        c.type = type;
        c.mask = Mask::AlphaOverDstNoData;
        c.bands = 1;
        c.resampling = GRA_Bilinear;
        c.change_source = [](std::vector<double>& values) {
            std::fill(values.begin(), values.end(), warp_judge::kDestinationNoData);
        };
        DeviceRun run;
        run.change = [](GDALWarpKernel& kernel) {
            CPLFree(kernel.panDstValid);
            kernel.panDstValid = nullptr;
            CPLFree(kernel.pafUnifiedSrcDensity);
            kernel.pafUnifiedSrcDensity = nullptr;
        };
        const Bands actual = Warp(c, &run);
        ASSERT_TRUE(run.AllDone());
        EXPECT_GT(
            std::count(actual[0].begin(), actual[0].end(), warp_judge::kDestinationNoData - 1),
            c.width * c.height / 2);
    }
}

TEST(WarpKernel, MarksTheDestinationsMask) {
    Case c;
    c.mask = Mask::DstNoData;
    std::vector<GUInt32> masks[2];
    for (const bool on_device : {false, true}) {
        DeviceRun run;
        run.change = [&](GDALWarpKernel& kernel) {
            const size_t words = (static_cast<size_t>(c.width) * c.height + 31) / 32;
            if (!on_device) {
                kernel.PerformWarp();
            } else {
                ASSERT_EQ(run.Run(kernel), WarpOutcome::Done);
            }
            masks[on_device].assign(kernel.panDstValid, kernel.panDstValid + words);
        };
        Warp(c, &run);
    }
    EXPECT_EQ(masks[0], masks[1]);
    EXPECT_THAT(masks[1], testing::Contains(testing::Ne(0u)));
}

}  // namespace
