// A source read by several threads gives the pixels that the dataset itself gives.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "gpu/thread_pool.h"
#include "gpu_test_devices.h"
#include "plugin/warp/parallel_source.h"

namespace gdalgpu {
namespace {

namespace fs = std::filesystem;

constexpr int kThreads = 3;
constexpr int kWidth = 4099;
constexpr int kHeight = 2500;

struct Window {
    int x = 0;
    int y = 0;
    int width = kWidth;
    int height = kHeight;
};

class ParallelSource : public testing::Test {
  protected:
    void SetUp() override {
        GDALAllRegister();
        CPLSetConfigOption("GDAL_GPU_READ_THREADS", std::to_string(kThreads).c_str());
    }
    void TearDown() override { CPLSetConfigOption("GDAL_GPU_READ_THREADS", nullptr); }

    std::string Path(const char* name) const { return (folder_.path() / name).string(); }

    // A GeoTIFF whose pixels differ by place, band and seed; returns its path.
    std::string Make(const char* name, const std::vector<const char*>& options, int bands = 1,
                     int width = kWidth, int height = kHeight, int seed = 0) const {
        CPLStringList creation;
        for (const char* option : options) creation.AddString(option);
        GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
        const std::string path = Path(name);
        GDALDatasetUniquePtr dataset(
            driver->Create(path.c_str(), width, height, bands, GDT_Byte, creation.List()));
        std::vector<GByte> row(width);
        for (int band = 1; band <= bands; ++band) {
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    row[x] = static_cast<GByte>(x * 7 + y * 13 + (x * y >> 5) + band * 50 + seed);
                }
                EXPECT_EQ(
                    dataset->GetRasterBand(band)->RasterIO(GF_Write, 0, y, width, 1, row.data(),
                                                           width, 1, GDT_Byte, 0, 0, nullptr),
                    CE_None);
            }
        }
        return path;
    }

    static GDALDatasetUniquePtr Open(const std::string& path, unsigned flags = 0,
                                     const char* option = nullptr) {
        const char* const options[] = {option, nullptr};
        GDALDatasetUniquePtr dataset(GDALDataset::Open(
            path.c_str(), GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR | flags, nullptr, options));
        EXPECT_NE(dataset, nullptr);
        return dataset;
    }

    // Pixel by pixel all bands, the last band first.
    static std::vector<float> Read(GDALDataset& dataset, const Window& window) {
        const int bands = dataset.GetRasterCount();
        std::vector<int> list(bands);
        std::iota(list.rbegin(), list.rend(), 1);
        std::vector<float> pixels(static_cast<size_t>(window.width) * window.height * bands, -1);
        EXPECT_EQ(dataset.RasterIO(GF_Read, window.x, window.y, window.width, window.height,
                                   pixels.data(), window.width, window.height, GDT_Float32, bands,
                                   list.data(), sizeof(float) * bands,
                                   GSpacing{sizeof(float)} * bands * window.width, sizeof(float),
                                   nullptr),
                  CE_None);
        return pixels;
    }

  private:
    const gpu::TemporaryFolder folder_;
};

#define EXPECT_SAME_PIXELS(source, parallel, window) \
    EXPECT_TRUE(Read(*source, window) == Read(*parallel, window))

TEST_F(ParallelSource, GivesTheDatasetsPixelsInEveryLayout) {
    const std::vector<std::vector<const char*>> layouts = {
        {"TILED=YES", "COMPRESS=DEFLATE"},
        {"TILED=YES", "BLOCKYSIZE=48", "INTERLEAVE=BAND"},
        {"BLOCKYSIZE=7", "COMPRESS=LZW", "PREDICTOR=2"},
        {"BLOCKYSIZE=2500", "COMPRESS=DEFLATE", "ZLEVEL=1"},  // one strip
    };
    for (const auto& layout : layouts) {
        const std::string path = Make("layout.tif", layout, 3);
        const auto source = Open(path);
        const auto parallel = MakeParallelSource(*source);
        ASSERT_NE(parallel, nullptr);
        for (const Window& window :
             {Window{}, Window{17, 33, 3001, 1999}, Window{0, 2400, 4099, 100},
              Window{4000, 0, 99, 2500}, Window{4098, 2499, 1, 1}}) {
            EXPECT_SAME_PIXELS(source, parallel, window) << layout.front();
        }
        EXPECT_EQ(gpu::TimesOpen(path), 1 + kThreads) << "read by threads";
    }
}

TEST_F(ParallelSource, GivesTheBandsPixels) {
    const std::string path = Make("bands.tif", {"TILED=YES"}, 2);
    const auto source = Open(path);
    const auto parallel = MakeParallelSource(*source);
    ASSERT_NE(parallel, nullptr);
    std::vector<GByte> expected(static_cast<size_t>(kWidth) * kHeight), pixels(expected.size());
    for (const auto& [dataset, to] :
         {std::pair(source.get(), &expected), {parallel.get(), &pixels}})
        ASSERT_EQ(dataset->GetRasterBand(2)->RasterIO(GF_Read, 0, 0, kWidth, kHeight, to->data(),
                                                      kWidth, kHeight, GDT_Byte, 0, 0, nullptr),
                  CE_None);
    EXPECT_TRUE(pixels == expected);
    EXPECT_EQ(gpu::TimesOpen(path), 1 + kThreads);
}

TEST_F(ParallelSource, LeavesSmallAndResampledWindowsToTheDataset) {
    const std::string path = Make("small.tif", {"TILED=YES"});
    const auto source = Open(path);
    const auto parallel = MakeParallelSource(*source);
    ASSERT_NE(parallel, nullptr);
    EXPECT_SAME_PIXELS(source, parallel, (Window{100, 100, 1000, 1000}));
    GDALRasterIOExtraArg average;
    INIT_RASTERIO_EXTRA_ARG(average);
    average.eResampleAlg = GRIORA_Average;
    std::vector<GByte> expected(1000 * 1000), pixels(expected.size());
    for (const auto& [dataset, to] :
         {std::pair(source.get(), &expected), {parallel.get(), &pixels}})
        ASSERT_EQ(dataset->RasterIO(GF_Read, 0, 0, kWidth, kHeight, to->data(), 1000, 1000,
                                    GDT_Byte, 1, nullptr, 0, 0, 0, &average),
                  CE_None);
    EXPECT_TRUE(pixels == expected);
    EXPECT_EQ(gpu::TimesOpen(path), 1);
}

TEST_F(ParallelSource, IsNotMadeWhereItDoesNotApply) {
    const std::string path = Make("large.tif", {"TILED=YES"});
    EXPECT_EQ(MakeParallelSource(*Open(path, GDAL_OF_UPDATE)), nullptr);
    EXPECT_EQ(MakeParallelSource(*Open("GTIFF_DIR:1:" + path)), nullptr) << "a part of a file";
    EXPECT_EQ(MakeParallelSource(*Open("/vsisubfile/0," + path)), nullptr);
    EXPECT_EQ(MakeParallelSource(*Open(Make("little.tif", {}, 1, 512, 512))), nullptr);

    const auto source = Open(path);
    GDALDriver* vrt = GetGDALDriverManager()->GetDriverByName("VRT");
    const GDALDatasetUniquePtr other_driver(
        vrt->CreateCopy("", source.get(), FALSE, nullptr, nullptr, nullptr));
    EXPECT_EQ(MakeParallelSource(*other_driver), nullptr);
    CPLSetConfigOption("GDAL_GPU_READ_THREADS", "1");
    EXPECT_EQ(MakeParallelSource(*source), nullptr);
    CPLSetConfigOption("GDAL_GPU_READ_THREADS", nullptr);
    EXPECT_EQ(MakeParallelSource(*source) != nullptr, gpu::CoreCount() > 1);
}

TEST_F(ParallelSource, ReadsTheOverviewThatTheDatasetStandsFor) {
    for (const bool external : {false, true}) {
        const std::string path = Make(external ? "external.tif" : "internal.tif", {"TILED=YES"}, 1,
                                      2 * kWidth, 2 * kHeight);
        const int level = 2;
        Open(path, external ? 0 : GDAL_OF_UPDATE)
            ->BuildOverviews("AVERAGE", 1, &level, 0, nullptr, nullptr, nullptr);
        const auto source = Open(path, 0, "OVERVIEW_LEVEL=0");
        ASSERT_EQ(source->GetRasterXSize(), kWidth);
        const auto parallel = MakeParallelSource(*source);
        ASSERT_NE(parallel, nullptr);
        EXPECT_SAME_PIXELS(source, parallel, Window{});
        EXPECT_EQ(gpu::TimesOpen(path), 1 + kThreads);
    }
}

TEST_F(ParallelSource, ReadsAFileThroughALinkUntilItPointsElsewhere) {
    const std::string first = Make("first.tif", {"TILED=YES"});
    const std::string second = Make("second.tif", {"TILED=YES"}, 1, kWidth, kHeight, 99);
    const std::string link = Path("link.tif");
    fs::create_symlink(first, link);
    const auto source = Open(link);
    const auto parallel = MakeParallelSource(*source);
    ASSERT_NE(parallel, nullptr);
    EXPECT_SAME_PIXELS(source, parallel, Window{});
    EXPECT_EQ(gpu::TimesOpen(first), 1 + kThreads);
    fs::remove(link);
    fs::create_symlink(second, link);
    EXPECT_SAME_PIXELS(source, parallel, Window{});
}

TEST_F(ParallelSource, KeepsToTheFileThatTheDatasetHasOpen) {
    for (const bool read_before : {false, true}) {
        const std::string path = Make("replaced.tif", {"TILED=YES"});
        const std::string other = Make("other.tif", {"TILED=YES"}, 1, kWidth, kHeight, 99);
        const auto source = Open(path);
        const auto parallel = MakeParallelSource(*source);
        ASSERT_NE(parallel, nullptr);
        if (read_before) {
            EXPECT_SAME_PIXELS(source, parallel, Window{});
        }
        fs::rename(other, path);
        EXPECT_SAME_PIXELS(source, parallel, Window{});
        EXPECT_EQ(gpu::TimesOpen(path), 0) << "the new file";
        fs::remove(path);
        EXPECT_SAME_PIXELS(source, parallel, Window{});
    }
}

TEST_F(ParallelSource, SeesWhatTheDatasetSeesOfAFileThatIsWrittenTo) {
    const std::string path = Make("written.tif", {"TILED=YES"});
    const auto source = Open(path);
    const auto parallel = MakeParallelSource(*source);
    ASSERT_NE(parallel, nullptr);
    EXPECT_SAME_PIXELS(source, parallel, Window{});
    Open(path, GDAL_OF_UPDATE)->GetRasterBand(1)->Fill(42);
    source->FlushCache(false);  // forgets its blocks
    EXPECT_EQ(Read(*source, Window{}).front(), 42.0f);
    EXPECT_SAME_PIXELS(source, parallel, Window{});
}

TEST_F(ParallelSource, FillsMissingBlocksAsTheDatasetDoes) {
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
    const std::string path = Path("sparse.tif");
    CPLStringList creation;
    creation.AddString("SPARSE_OK=TRUE");
    GDALClose(driver->Create(path.c_str(), kWidth, kHeight, 1, GDT_Byte, creation.List()));
    const auto source = Open(path);
    const auto parallel = MakeParallelSource(*source);
    ASSERT_NE(parallel, nullptr);
    EXPECT_EQ(Read(*parallel, Window{}).front(), 0.0f);
    EXPECT_EQ(gpu::TimesOpen(path), 1 + kThreads);
    source->GetRasterBand(1)->SetNoDataValue(7);
    source->FlushCache(false);
    EXPECT_EQ(Read(*source, Window{}).front(), 7.0f);
    EXPECT_SAME_PIXELS(source, parallel, Window{});
}

TEST_F(ParallelSource, LeavesADamagedFilesErrorsToTheDataset) {
    const std::string path = Make("damaged.tif", {"TILED=YES"}, 1, kWidth, 2 * kHeight);
    fs::resize_file(path, fs::file_size(path) * 3 / 4);
    const auto source = Open(path);
    const auto parallel = MakeParallelSource(*source);
    ASSERT_NE(parallel, nullptr);
    EXPECT_SAME_PIXELS(source, parallel, Window{}) << "its sound half";
    EXPECT_EQ(gpu::TimesOpen(path), 1 + kThreads);
    std::vector<GByte> pixels(static_cast<size_t>(kWidth) * 2 * kHeight);
    CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
    CPLErrorReset();
    EXPECT_EQ(parallel->RasterIO(GF_Read, 0, 0, kWidth, 2 * kHeight, pixels.data(), kWidth,
                                 2 * kHeight, GDT_Byte, 1, nullptr, 0, 0, 0, nullptr),
              CE_Failure);
    EXPECT_EQ(CPLGetLastErrorType(), CE_Failure);
    EXPECT_NE(std::string(CPLGetLastErrorMsg()), "");
    CPLErrorReset();
}

}  // namespace
}  // namespace gdalgpu
