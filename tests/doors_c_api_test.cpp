#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "gdal_priv.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ogr_spatialref.h"
#include "plugin/doors/gdal_gpu.h"
#include "tests/unfused_operation.h"

namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr int kSize = 400;   // of the source, pixels
constexpr int kWidth = 600;  // of the destination
constexpr int kHeight = 500;

std::string Wkt(int code) {
    OGRSpatialReference system;
    system.importFromEPSG(code);
    char* text = nullptr;
    system.exportToWkt(&text);
    std::string wkt = text;
    CPLFree(text);
    return wkt;
}

class CApi : public testing::Test {
  protected:
    void SetUp() override {
        GDALAllRegister();
        GDALGPURegister();
        report_ = testing::TempDir() + "/gdal_gpu_report_" + std::to_string(getpid()) + ".jsonl";
        std::remove(report_.c_str());
        const char* device = std::getenv("GDAL_GPU_DEVICE");
        device_ = device == nullptr ? "HOST" : device;
        CPLSetConfigOption("GDAL_GPU_DEVICE", device_.c_str());
        CPLSetConfigOption("GDAL_GPU_MIN_PIXELS", "0");
        CPLSetConfigOption("GDAL_GPU_REPORT", report_.c_str());

        source_.reset(Memory(kSize, kSize));
        double geotransform[] = {400000, 100, 0, 5400000, 0, -100};
        source_->SetGeoTransform(geotransform);
        source_->SetProjection(Wkt(32633).c_str());
        std::vector<GUInt16> row(kSize);
        for (int y = 0; y < kSize; ++y) {
            for (int x = 0; x < kSize; ++x) {
                row[x] = static_cast<GUInt16>(20000 + 9000 * std::sin(x / 9.0) * std::cos(y / 7.0));
            }
            ASSERT_EQ(source_->GetRasterBand(1)->RasterIO(GF_Write, 0, y, kSize, 1, row.data(),
                                                          kSize, 1, GDT_UInt16, 0, 0, nullptr),
                      CE_None);
        }
        destination_.reset(Memory(kWidth, kHeight));
        double larger[] = {1520000, 100, 0, 6234000, 0, -100};
        destination_->SetGeoTransform(larger);
        destination_->SetProjection(Wkt(3857).c_str());
    }

    void TearDown() override {
        std::remove(report_.c_str());
        CPLSetConfigOption("GDAL_GPU_REPORT", nullptr);
        CPLSetConfigOption("GDAL_GPU_DEVICE", nullptr);
        CPLSetConfigOption("GDAL_GPU_MIN_PIXELS", nullptr);
    }

    static GDALDataset* Memory(int width, int height) {
        return GetGDALDriverManager()->GetDriverByName("MEM")->Create("", width, height, 1,
                                                                      GDT_UInt16, nullptr);
    }

    // Options for a bilinear, exact warp of source_ to destination_.
    GDALWarpOptions* Options(bool gpu_transformer = false) {
        GDALWarpOptions* options = GDALCreateWarpOptions();
        options->eResampleAlg = GRA_Bilinear;
        options->hSrcDS = GDALDataset::ToHandle(source_.get());
        options->hDstDS = GDALDataset::ToHandle(destination_.get());
        GDALWarpInitDefaultBandMapping(options, 1);
        options->papszWarpOptions = CSLSetNameValue(nullptr, "INIT_DEST", "0");
        options->pTransformerArg =
            gpu_transformer
                ? GDALGPUCreateGenImgProjTransformer(options->hSrcDS, options->hDstDS, nullptr)
                : GDALCreateGenImgProjTransformer2(options->hSrcDS, options->hDstDS, nullptr);
        options->pfnTransformer =
            gpu_transformer ? GDALGPUGenImgProjTransform : GDALGenImgProjTransform;
        return options;
    }

    static void Destroy(GDALWarpOptions* options) {
        if (options->pTransformerArg != nullptr) GDALDestroyTransformer(options->pTransformerArg);
        GDALDestroyWarpOptions(options);
    }

    static std::vector<GUInt16> Pixels(GDALDataset& dataset) {
        std::vector<GUInt16> pixels(static_cast<size_t>(kWidth) * kHeight);
        EXPECT_EQ(dataset.GetRasterBand(1)->RasterIO(GF_Read, 0, 0, kWidth, kHeight, pixels.data(),
                                                     kWidth, kHeight, GDT_UInt16, 0, 0, nullptr),
                  CE_None);
        return pixels;
    }

    std::vector<GUInt16> Warp(GDALWarpOptions* options) {
        GDALWarpOperation operation;
        EXPECT_EQ(operation.Initialize(options), CE_None);
        EXPECT_EQ(operation.ChunkAndWarpImage(0, 0, kWidth, kHeight), CE_None);
        return Pixels(*destination_);
    }

    // GDAL alone.
    std::vector<GUInt16> Expected() {
        GDALWarpOptions* options = Options();
        std::vector<GUInt16> pixels = Warp(options);
        Destroy(options);
        destination_->GetRasterBand(1)->Fill(0);
        return pixels;
    }

    // The report's lines that hold all of the texts.
    std::vector<std::string> Lines(const std::vector<std::string>& texts) const {
        std::ifstream file(report_);
        std::vector<std::string> lines;
        for (std::string line; std::getline(file, line);) {
            if (std::all_of(texts.begin(), texts.end(), [&](const std::string& text) {
                    return line.find(text) != std::string::npos;
                })) {
                lines.push_back(line);
            }
        }
        return lines;
    }

    std::vector<std::string> OnDevice(const char* door) const {
        return Lines({std::string("\"door\":\"") + door + "\"", "\"device\":\"" + device_ + "\""});
    }

    std::string report_;
    std::string device_;
    std::unique_ptr<GDALDataset> source_;
    std::unique_ptr<GDALDataset> destination_;
};

void ExpectSame(const std::vector<GUInt16>& got, const std::vector<GUInt16>& expected) {
    ASSERT_EQ(got.size(), expected.size());
    ASSERT_GT(std::count_if(expected.begin(), expected.end(), [](GUInt16 v) { return v != 0; }),
              static_cast<int>(expected.size()) / 4);
    size_t wrong = 0;
    for (size_t i = 0; i < got.size(); ++i) wrong += std::abs(int{got[i]} - int{expected[i]}) > 1;
    EXPECT_LE(wrong, got.size() / 10000);
}

TEST_F(CApi, TellsVersionAndDevice) {
    EXPECT_THAT(GDALGPUVersion(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
    char* info = GDALGPUDeviceInfo(0);
    EXPECT_THAT(info, StartsWith(device_ + ": "));
    if (device_ == "HOST") {
        EXPECT_THAT(info, testing::MatchesRegex("HOST: [0-9]+ threads, [^,()]+.*"));
    }
    CPLFree(info);
    CPLSetConfigOption("GDAL_GPU_DEVICE", "NONE");
    info = GDALGPUDeviceInfo(0);
    EXPECT_STREQ(info, "GDAL: GDAL_GPU_DEVICE=NONE");
    CPLFree(info);
}

TEST_F(CApi, RegistersOnce) {
    const int drivers = GetGDALDriverManager()->GetDriverCount();
    GDALGPURegister();
    EXPECT_EQ(GetGDALDriverManager()->GetDriverCount(), drivers);
    EXPECT_NE(GDALGetDriverByName("GPU"), nullptr);
}

TEST_F(CApi, AttachedOptionsRunAWarpOperationOnTheDevice) {
    const std::vector<GUInt16> expected = Expected();
    EXPECT_THAT(Lines({}), IsEmpty());
    GDALWarpOptions* options = Options();
    ASSERT_EQ(GDALGPUAttachWarpOptions(options, 0, 0), CE_None);
    ExpectSame(Warp(options), expected);
    EXPECT_THAT(OnDevice("api"), Not(IsEmpty()));
    GDALGPUDetachWarpOptions(options);
    EXPECT_EQ(options->pfnPreWarpChunkProcessor, nullptr);
    EXPECT_EQ(options->pPreWarpProcessorArg, nullptr);
    Destroy(options);
}

TEST_F(CApi, ChunksDontChangeThePixels) {
    GDALWarpOptions* options = Options();
    ASSERT_EQ(GDALGPUAttachWarpOptions(options, 0, 0), CE_None);
    const std::vector<GUInt16> whole = Warp(options);
    const size_t chunks = OnDevice("api").size();
    options->dfWarpMemoryLimit = 200000;
    EXPECT_EQ(Warp(options), whole);
    EXPECT_GT(OnDevice("api").size(), chunks + 1);
    GDALGPUDetachWarpOptions(options);
    Destroy(options);
}

// GDAL reads the kernel again right after the hook: nothing that it points to may be gone by then.
TEST_F(CApi, AChunkThatFailsOnTheDeviceBetweenOthersIsDoneByGdalsCodeTheSame) {
    GDALWarpOptions* options = Options();
    ASSERT_EQ(GDALGPUAttachWarpOptions(options, 0, 0), CE_None);
    const std::vector<GUInt16> whole = Warp(options);
    options->dfWarpMemoryLimit = 200000;
    for (const char* fault : {"launch=4", "launch:3", "lose:3", "copy=9"}) {
        std::remove(report_.c_str());
        CPLSetConfigOption("GDAL_GPU_FAULT", fault);
        EXPECT_EQ(Warp(options), whole) << fault;
        CPLSetConfigOption("GDAL_GPU_FAULT", nullptr);
        EXPECT_THAT(OnDevice("api"), Not(IsEmpty())) << fault;
        EXPECT_THAT(Lines({"\"device\":\"GDAL\""}), Not(IsEmpty())) << fault;
    }
    GDALGPUDetachWarpOptions(options);
    Destroy(options);
}

TEST_F(CApi, AttachedOptionsRunAWarpedVrtOnTheDevice) {
    const std::vector<GUInt16> expected = Expected();
    GDALWarpOptions* options = Options();
    options->hDstDS = nullptr;  // GDALCreateWarpedVRT makes it
    EXPECT_EQ(GDALGPUAttachWarpOptions(options, kWidth, kHeight), CE_None);
    double geotransform[6];
    destination_->GetGeoTransform(geotransform);
    GDALDatasetH vrt = GDALCreateWarpedVRT(options->hSrcDS, kWidth, kHeight, geotransform, options);
    ASSERT_NE(vrt, nullptr);
    ExpectSame(Pixels(*GDALDataset::FromHandle(vrt)), expected);
    EXPECT_THAT(OnDevice("api"), Not(IsEmpty()));
    GDALClose(vrt);  // frees the transformer
    options->pTransformerArg = nullptr;
    GDALGPUDetachWarpOptions(options);
    Destroy(options);
}

TEST_F(CApi, AttachedOptionsRunReprojectImageOnTheDevice) {
    const std::vector<GUInt16> expected = Expected();
    GDALWarpOptions* options = GDALCreateWarpOptions();
    options->hSrcDS = GDALDataset::ToHandle(source_.get());
    ASSERT_EQ(GDALGPUAttachWarpOptions(options, kWidth, kHeight), CE_None);
    ASSERT_EQ(
        GDALReprojectImage(options->hSrcDS, nullptr, GDALDataset::ToHandle(destination_.get()),
                           nullptr, GRA_Bilinear, 0, 0, nullptr, nullptr, options),
        CE_None);
    ExpectSame(Pixels(*destination_), expected);
    EXPECT_THAT(OnDevice("api"), Not(IsEmpty()));
    GDALGPUDetachWarpOptions(options);
    options->hSrcDS = nullptr;
    GDALDestroyWarpOptions(options);
}

TEST_F(CApi, OverviewsOfAnAttachedVrtAreLeftToGdal) {
    const int level = 2;
    source_->BuildOverviews("NEAREST", 1, &level, 0, nullptr, nullptr, nullptr);
    const auto read = [&](bool attach) {
        GDALWarpOptions* options = Options();
        options->hDstDS = nullptr;
        if (attach) {
            EXPECT_EQ(GDALGPUAttachWarpOptions(options, kWidth, kHeight), CE_None);
        }
        double geotransform[6];
        destination_->GetGeoTransform(geotransform);
        GDALDataset* vrt = GDALDataset::FromHandle(
            GDALCreateWarpedVRT(options->hSrcDS, kWidth, kHeight, geotransform, options));
        EXPECT_EQ(vrt->GetRasterBand(1)->GetOverviewCount(), 1);
        std::vector<GUInt16> pixels(static_cast<size_t>(kWidth / 2) * (kHeight / 2));
        EXPECT_EQ(vrt->GetRasterBand(1)->GetOverview(0)->RasterIO(
                      GF_Read, 0, 0, kWidth / 2, kHeight / 2, pixels.data(), kWidth / 2,
                      kHeight / 2, GDT_UInt16, 0, 0, nullptr),
                  CE_None);
        GDALClose(GDALDataset::ToHandle(vrt));
        options->pTransformerArg = nullptr;
        GDALGPUDetachWarpOptions(options);
        Destroy(options);
        return pixels;
    };
    const std::vector<GUInt16> expected = read(false);
    EXPECT_EQ(read(true), expected);
    EXPECT_THAT(Lines({"\"door\":\"api\""}), Each(HasSubstr("an overview of a warped VRT")));
    EXPECT_THAT(Lines({"\"door\":\"api\""}), Not(IsEmpty()));
}

TEST_F(CApi, RefusesUnfitOptions) {
    CPLPushErrorHandler(CPLQuietErrorHandler);
    EXPECT_EQ(GDALGPUAttachWarpOptions(nullptr, 1, 1), CE_Failure);
    GDALWarpOptions* options = Options();
    options->hDstDS = nullptr;
    EXPECT_EQ(GDALGPUAttachWarpOptions(options, 0, 0), CE_Failure);
    EXPECT_THAT(CPLGetLastErrorMsg(), HasSubstr("set hDstDS first"));
    EXPECT_EQ(GDALGPUAttachWarpOptions(options, 10, -1), CE_Failure);
    EXPECT_EQ(options->pfnPreWarpChunkProcessor, nullptr);
    options->hSrcDS = nullptr;
    EXPECT_EQ(GDALGPUAttachWarpOptions(options, 10, 10), CE_Failure);
    options->hSrcDS = GDALDataset::ToHandle(source_.get());
    EXPECT_EQ(GDALGPUAttachWarpOptions(options, 10, 10), CE_None);
    EXPECT_EQ(GDALGPUAttachWarpOptions(options, 10, 10), CE_Failure);
    EXPECT_THAT(CPLGetLastErrorMsg(), HasSubstr("in use"));
    GDALGPUDetachWarpOptions(options);
    GDALGPUDetachWarpOptions(options);
    GDALGPUDetachWarpOptions(nullptr);
    Destroy(options);
    EXPECT_EQ(GDALGPUCreateGenImgProjTransformer(
                  nullptr, nullptr, CPLStringList().SetNameValue("SRC_SRS", "nonsense").List()),
              nullptr);
    CPLPopErrorHandler();
}

// In pixels: far from the raster, where it has no meaning for a warp, relative to the distance.
double Tolerance(double position) { return 1e-6 + 1e-9 * std::fabs(position); }

// A grid of points over the destination, with some far outside.
struct Points {
    explicit Points(int count) : x(count), y(count), z(count, 0.0), success(count) {
        for (int i = 0; i < count; ++i) {
            x[i] = kWidth * std::fmod(i * 0.6180339887, 1.0);
            y[i] = kHeight * i / static_cast<double>(count);
        }
        x[count / 3] = 1e12;
    }
    std::vector<double> x, y, z;
    std::vector<int> success;
};

TEST_F(CApi, TransformerEqualsGdalsInBothDirections) {
    GDALDatasetH source = GDALDataset::ToHandle(source_.get()),
                 destination = GDALDataset::ToHandle(destination_.get());
    void* ours = GDALGPUCreateGenImgProjTransformer(source, destination, nullptr);
    void* theirs = GDALCreateGenImgProjTransformer2(source, destination, nullptr);
    ASSERT_NE(ours, nullptr);
    for (const bool to_source : {true, false}) {
        Points a(5000), b(5000);
        EXPECT_EQ(GDALGPUGenImgProjTransform(ours, to_source, 5000, a.x.data(), a.y.data(),
                                             a.z.data(), a.success.data()),
                  GDALGenImgProjTransform(theirs, to_source, 5000, b.x.data(), b.y.data(),
                                          b.z.data(), b.success.data()));
        for (int i = 0; i < 5000; ++i) {
            ASSERT_EQ(a.success[i] != 0, b.success[i] != 0) << i;
            if (!b.success[i]) continue;
            ASSERT_NEAR(a.x[i], b.x[i], Tolerance(b.x[i])) << i;
            ASSERT_NEAR(a.y[i], b.y[i], Tolerance(b.y[i])) << i;
        }
    }
    GDALDestroyTransformer(theirs);
    GDALDestroyTransformer(ours);
    EXPECT_THAT(OnDevice("transformer"), SizeIs(1));
    EXPECT_THAT(Lines({"\"pixels\":10000"}), SizeIs(1));
}

TEST_F(CApi, TransformerFollowsANewGeotransform) {
    void* ours = GDALGPUCreateGenImgProjTransformer(
        GDALDataset::ToHandle(source_.get()), GDALDataset::ToHandle(destination_.get()), nullptr);
    Points before(1000), after(1000), expected(1000);
    GDALUseTransformer(ours, TRUE, 1000, before.x.data(), before.y.data(), before.z.data(),
                       before.success.data());
    const double geotransform[] = {1530000, 50, 0, 6230000, 0, -50};
    GDALSetGenImgProjTransformerDstGeoTransform(ours, geotransform);
    GDALUseTransformer(ours, TRUE, 1000, after.x.data(), after.y.data(), after.z.data(),
                       after.success.data());
    GDALGenImgProjTransform(ours, TRUE, 1000, expected.x.data(), expected.y.data(),
                            expected.z.data(), expected.success.data());
    GDALDestroyTransformer(ours);
    EXPECT_GT(std::fabs(before.x[500] - expected.x[500]), 1);
    for (int i = 0; i < 1000; ++i) {
        if (expected.success[i]) {
            ASSERT_NEAR(after.x[i], expected.x[i], Tolerance(expected.x[i])) << i;
        }
    }
    EXPECT_THAT(Lines({"\"pixels\":2000"}), SizeIs(1));
}

TEST_F(CApi, TransformerWarpsAndSerializes) {
    const std::vector<GUInt16> expected = Expected();
    GDALWarpOptions* options = Options(true);
    ExpectSame(Warp(options), expected);
    CPLXMLNode* tree = GDALSerializeTransformer(options->pfnTransformer, options->pTransformerArg);
    ASSERT_NE(tree, nullptr);
    EXPECT_STREQ(tree->pszValue, "GPUGenImgProjTransformer");
    GDALTransformerFunc function = nullptr;
    void* copy = nullptr;
    EXPECT_EQ(GDALDeserializeTransformer(tree, &function, &copy), CE_None);
    EXPECT_STREQ(tree->pszValue, "GPUGenImgProjTransformer");
    EXPECT_EQ(function, GDALGPUGenImgProjTransform);
    Points a(700), b(700);
    function(copy, TRUE, 700, a.x.data(), a.y.data(), a.z.data(), a.success.data());
    options->pfnTransformer(options->pTransformerArg, TRUE, 700, b.x.data(), b.y.data(), b.z.data(),
                            b.success.data());
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.y, b.y);
    GDALDestroyTransformer(copy);
    CPLDestroyXMLNode(tree);
    Destroy(options);
    EXPECT_THAT(OnDevice("transformer"), Not(IsEmpty()));
}

TEST_F(CApi, FewPointsAndUnknownOperationsAreGdals) {
    destination_->SetProjection("");
    OGRSpatialReference robinson;
    robinson.SetFromUserInput("+proj=robin");
    destination_->SetSpatialRef(&robinson);
    double geotransform[] = {1.0e6, 100, 0, 5.1e6, 0, -100};
    destination_->SetGeoTransform(geotransform);
    const gdalgpu::UnfusedOperation unfused("+proj=robin +ellps=WGS84");
    CPLStringList options;
    options.SetNameValue("COORDINATE_OPERATION", unfused.pipeline().c_str());
    void* ours = GDALGPUCreateGenImgProjTransformer(GDALDataset::ToHandle(source_.get()),
                                                    GDALDataset::ToHandle(destination_.get()),
                                                    options.List());
    ASSERT_NE(ours, nullptr);
    for (const int count : {3, 2000}) {
        Points a(count), b(count);
        GDALUseTransformer(ours, TRUE, count, a.x.data(), a.y.data(), a.z.data(), a.success.data());
        GDALGenImgProjTransform(ours, TRUE, count, b.x.data(), b.y.data(), b.z.data(),
                                b.success.data());
        EXPECT_EQ(a.x, b.x);
        EXPECT_EQ(a.success, b.success);
    }
    GDALDestroyTransformer(ours);
    EXPECT_THAT(Lines({"\"door\":\"transformer\"", "\"device\":\"GDAL\"", "tinshift"}), SizeIs(1));
}

}  // namespace
