// Scale and source windows beside what GDAL's own code arrives at.
#include "plugin/warp/warp_operation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "cpl_string.h"
#include "gdal_priv.h"
#include "gdalwarper.h"
#include "plugin/warp/source_window.h"
#include "plugin/warp/warp_scale.h"

namespace gdalgpu {
namespace {

// Source pixel = destination pixel times a factor, plus a bend that grows with the distance from
// the middle.
struct Stretch {
    double x = 1.0;
    double y = 1.0;
    double bend = 0.0;
    double fails_beyond = HUGE_VAL;  // source columns that can't be reached
};

int Transform(void* argument, int to_source, int count, double* x, double* y, double*,
              int* success) {
    const Stretch& stretch = *static_cast<const Stretch*>(argument);
    for (int i = 0; i < count; ++i) {
        const double factor_x = to_source ? stretch.x : 1 / stretch.x;
        const double factor_y = to_source ? stretch.y : 1 / stretch.y;
        x[i] = x[i] * factor_x + stretch.bend * std::sin(y[i] / 50.0);
        y[i] *= factor_y;
        success[i] = x[i] <= stretch.fails_beyond;
    }
    return TRUE;
}

struct Chunk {
    int destination_width, destination_height, source_width, source_height;
    double x_extra = 0, y_extra = 0;
};

// The scale that GDAL's own PerformWarp leaves in the kernel.
WarpScale ScaleOfGdal(const Chunk& chunk, Stretch stretch, char** options) {
    std::vector<GByte> source(static_cast<size_t>(chunk.source_width) * chunk.source_height + 16);
    std::vector<GByte> destination(static_cast<size_t>(chunk.destination_width) *
                                   chunk.destination_height);
    GByte* source_band = source.data();
    GByte* destination_band = destination.data();
    GDALWarpKernel kernel;
    kernel.eResample = GRA_NearestNeighbour;
    kernel.eWorkingDataType = GDT_Byte;
    kernel.nBands = 1;
    kernel.papszWarpOptions = options;
    kernel.nSrcXSize = chunk.source_width;
    kernel.nSrcYSize = chunk.source_height;
    kernel.dfSrcXExtraSize = chunk.x_extra;
    kernel.dfSrcYExtraSize = chunk.y_extra;
    kernel.papabySrcImage = &source_band;
    kernel.nDstXSize = chunk.destination_width;
    kernel.nDstYSize = chunk.destination_height;
    kernel.papabyDstImage = &destination_band;
    kernel.pfnTransformer = Transform;
    kernel.pTransformerArg = &stretch;
    kernel.pfnProgress = GDALDummyProgress;
    EXPECT_EQ(kernel.PerformWarp(), CE_None);
    return {kernel.dfXScale, kernel.dfYScale};
}

void ExpectGdalsScale(const Chunk& chunk, Stretch stretch, char** options = nullptr) {
    const WarpScale expected = ScaleOfGdal(chunk, stretch, options);
    const WarpScale scale = ComputeWarpScale(chunk.destination_width, chunk.destination_height,
                                             chunk.source_width, chunk.source_height, chunk.x_extra,
                                             chunk.y_extra, options, Transform, &stretch);
    EXPECT_EQ(scale.x, expected.x);
    EXPECT_EQ(scale.y, expected.y);
}

TEST(WarpScale, IsGdalsForWindowsOfAnySize) {
    std::mt19937 random(7);
    std::uniform_int_distribution<int> size(1, 700);
    std::uniform_int_distribution<int> extra(0, 12);
    for (int i = 0; i < 300; ++i) {
        Chunk chunk{size(random),      size(random),         size(random) + 25,
                    size(random) + 25, extra(random) * 0.75, extra(random) * 1.25};
        ExpectGdalsScale(chunk, Stretch{});
    }
}

TEST(WarpScale, RoundsTheReciprocalWhereGdalDoes) {
    for (const int source_width : {290, 294, 296, 300, 304, 306, 310, 350, 1000}) {
        ExpectGdalsScale(Chunk{100, 50, source_width, source_width / 2}, Stretch{});
    }
    for (const double factor : {1.0, 2.9, 2.94, 2.96, 3.0, 3.04, 3.06, 3.1, 3.5, 10.0}) {
        ExpectGdalsScale(Chunk{100, 50, 304, 153}, Stretch{factor, 1.01 * factor});
    }
    Stretch stretch{3.04, 3.06};
    const WarpScale scale =
        ComputeWarpScale(100, 100, 304, 306, 0, 0, nullptr, Transform, &stretch);
    EXPECT_EQ(scale.x, 1.0 / 3);
    EXPECT_NE(scale.y, 1.0 / 3);
}

TEST(WarpScale, IsOneWhereTheSizesDifferByTheExtraPixelsAlone) {
    ExpectGdalsScale(Chunk{100, 100, 104, 105, 4, 4}, Stretch{});
    Stretch stretch;
    EXPECT_EQ(ComputeWarpScale(100, 100, 104, 105, 4, 4, nullptr, Transform, &stretch).x, 1.0);
}

TEST(WarpScale, FollowsTheWarpOptions) {
    CPLStringList options;
    options.SetNameValue("XSCALE", "0.37");
    ExpectGdalsScale(Chunk{100, 100, 300, 300}, Stretch{}, options.List());
    options.SetNameValue("YSCALE", "0.21");
    ExpectGdalsScale(Chunk{100, 100, 300, 300}, Stretch{}, options.List());
    options.SetNameValue("XSCALE", "FROM_GRID_SAMPLING");
    for (const Stretch& stretch : {Stretch{3, 3}, Stretch{0.5, 2, 7}, Stretch{3, 3, 0, 100}}) {
        ExpectGdalsScale(Chunk{100, 100, 300, 300}, stretch, options.List());
        ExpectGdalsScale(Chunk{1, 5, 300, 300}, stretch, options.List());
    }
}

// Sheared, turned and collapsed pixels, and a discontinuity with pixels a tenth as large.
TEST(WarpScale, IsGdalsOfPixelsOfAnyShape) {
    for (const double bend : {0.0, 3.0, 30.0, 300.0}) {
        for (const Stretch& stretch :
             {Stretch{3, 3, bend}, Stretch{0.3, 7, bend}, Stretch{5, 0.2, bend},
              Stretch{0, 2, bend}, Stretch{-2, 2, bend}, Stretch{4, 4, bend, 150},
              Stretch{0.05, 0.05, bend}}) {
            for (const Chunk& chunk : {Chunk{100, 100, 300, 300}, Chunk{7, 250, 300, 300},
                                       Chunk{1, 1, 300, 300}, Chunk{2, 1, 300, 300}}) {
                ExpectGdalsScale(chunk, stretch);
            }
        }
    }
}

TEST(WarpScale, IsSampledWhereAWindowAcrossTheAntimeridianMakesItTooSmall) {
    const Chunk chunk{10, 1000, 20000, 1000};
    ExpectGdalsScale(chunk, Stretch{2, 1});
    EXPECT_NEAR(ScaleOfGdal(chunk, Stretch{2, 1}, nullptr).x, 0.5, 1e-9);
    ExpectGdalsScale(chunk, Stretch{2, 1, 0, -1});  // every point fails
}

class SourceWindowTest : public testing::Test {
  protected:
    static void SetUpTestSuite() { GDALAllRegister(); }

    // An operation from a raster of this size to another, which records the window that GDAL gives
    // to its kernel.
    void Open(int source_width, int source_height, int width, int height, const Stretch& stretch,
              GDALResampleAlg resampling, CSLConstList warp_options = nullptr) {
        stretch_ = stretch;
        GDALDriver* memory = GetGDALDriverManager()->GetDriverByName("MEM");
        source_.reset(memory->Create("", source_width, source_height, 1, GDT_Byte, nullptr));
        destination_.reset(memory->Create("", width, height, 1, GDT_Byte, nullptr));
        GDALWarpOptions* options = GDALCreateWarpOptions();
        options->hSrcDS = source_.get();
        options->hDstDS = destination_.get();
        GDALWarpInitDefaultBandMapping(options, 1);
        options->eResampleAlg = resampling;
        options->pfnTransformer = Transform;
        options->pTransformerArg = &stretch_;
        options->pfnPreWarpChunkProcessor = [](void* kernel, void* argument) {
            const GDALWarpKernel& k = *static_cast<GDALWarpKernel*>(kernel);
            *static_cast<SourceWindow*>(argument) =
                SourceWindow{k.nSrcXOff,  k.nSrcYOff,        k.nSrcXSize,
                             k.nSrcYSize, k.dfSrcXExtraSize, k.dfSrcYExtraSize};
            return CE_None;
        };
        options->pPreWarpProcessorArg = &seen_;
        options->papszWarpOptions =
            CSLMerge(options->papszWarpOptions, const_cast<char**>(warp_options));
        ASSERT_EQ(operation_.Initialize(options), CE_None);
        GDALDestroyWarpOptions(options);
    }

    Stretch stretch_;
    GDALDatasetUniquePtr source_, destination_;
    SourceWindow seen_;
    GDALWarpOperation operation_;
};

TEST_F(SourceWindowTest, IsTheOneThatGdalGivesToItsKernel) {
    ASSERT_TRUE(CanComputeSourceWindow());
    Open(600, 400, 300, 200, Stretch{2, 2, 5}, GRA_Cubic);
    for (const PixelWindow& region :
         {PixelWindow{0, 0, 300, 200}, PixelWindow{10, 20, 50, 60}, PixelWindow{299, 0, 1, 1}}) {
        SourceWindow window;
        double fill_ratio = 0;
        ASSERT_TRUE(ComputeSourceWindow(operation_, region, window, fill_ratio));
        std::vector<GByte> buffer(region.width * region.height);
        ASSERT_EQ(operation_.WarpRegionToBuffer(region.x, region.y, region.width, region.height,
                                                buffer.data(), GDT_Byte),
                  CE_None);
        EXPECT_TRUE(SamePixels(window, seen_));
        EXPECT_EQ(window.x_extra, seen_.x_extra);
        EXPECT_EQ(window.y_extra, seen_.y_extra);
        EXPECT_FALSE(window.empty());
    }
}

TEST_F(SourceWindowTest, IsEmptyWithoutAnErrorMessageWhereGdalCannotTell) {
    Open(600, 400, 300, 200, Stretch{2, 2, 0, -1}, GRA_Bilinear);
    CPLErrorReset();
    SourceWindow window{1, 1, 1, 1};
    double fill_ratio = 0;
    EXPECT_FALSE(ComputeSourceWindow(operation_, PixelWindow{0, 0, 300, 200}, window, fill_ratio));
    EXPECT_TRUE(window.empty());
    EXPECT_EQ(CPLGetLastErrorType(), CE_None);
}

TEST_F(SourceWindowTest, IsCutWhereLittleOfTheSourceIsThereAsGdalCutsItsChunks) {
    // The source covers a small part of the destination.
    Open(100, 80, 1000, 900, Stretch{1, 1}, GRA_Bilinear);
    const std::vector<ChunkPart> parts = CutForFillRatio(operation_, {0, 0, 1000, 900});
    ASSERT_GT(parts.size(), 1u);
    int64_t pixels = 0;
    for (const ChunkPart& part : parts) {
        pixels += part.window.width * part.window.height;
        if (!part.source.empty()) {
            EXPECT_LE(part.window.width, 250);
            EXPECT_LE(part.window.height, 225);
        }
    }
    EXPECT_EQ(pixels, 900000);
}

TEST_F(SourceWindowTest, IsNotCutWhereTheWarpOptionsSaySo) {
    CPLStringList options;
    options.SetNameValue("SRC_FILL_RATIO_HEURISTICS", "NO");
    Open(100, 80, 1000, 900, Stretch{1, 1}, GRA_Bilinear, options.List());
    EXPECT_EQ(CutForFillRatio(operation_, {0, 0, 1000, 900}).size(), 1u);
}

TEST(SourceWindow, EnlargedStaysInTheRasterAndKeepsGdalsScale) {
    const SourceWindow window{10, 20, 100, 50, 3.5, 2.0};
    const SourceWindow larger = Enlarge(window, -5, 15, 120, 60, 115, 300);
    EXPECT_EQ(larger.x, 0);
    EXPECT_EQ(larger.y, 15);
    EXPECT_EQ(larger.x + larger.width, 115);
    EXPECT_EQ(larger.y + larger.height, 70);
    EXPECT_DOUBLE_EQ(larger.width - larger.x_extra, window.width - window.x_extra);
    EXPECT_DOUBLE_EQ(larger.height - larger.y_extra, window.height - window.y_extra);
}

TEST(SourceWindow, MarginHoldsTheFilterAtTheScale) {
    EXPECT_EQ(FilterReach(GRA_NearestNeighbour, 0.1), 0);
    EXPECT_EQ(FilterReach(GRA_Bilinear, 1.0), 1);
    EXPECT_EQ(FilterReach(GRA_Bilinear, 0.3), 4);
    EXPECT_EQ(FilterReach(GRA_Cubic, 0.1), 20);
    EXPECT_EQ(FilterReach(GRA_Cubic, 3.0), 2);
    EXPECT_GT(SourceMargin(GRA_NearestNeighbour, 0.1), 0);
    EXPECT_GT(SourceMargin(GRA_Cubic, 0.1), 20);
}

}  // namespace
}  // namespace gdalgpu
