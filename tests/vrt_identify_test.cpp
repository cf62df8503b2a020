#include <string>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "gdal_priv.h"
#include "gtest/gtest.h"
#include "plugin/vrt/vrt_driver.h"
#include "plugin/vrt/warped_dataset.h"

namespace gdalgpu {
namespace {

std::string WarpedVrt(const std::string& resampling) {
    return "<VRTDataset rasterXSize=\"20\" rasterYSize=\"10\" subClass=\"VRTWarpedDataset\">"
           "<VRTRasterBand dataType=\"Byte\" band=\"1\" subClass=\"VRTWarpedRasterBand\"/>"
           "<GDALWarpOptions><ResampleAlg>" +
           resampling +
           "</ResampleAlg><SourceDataset>/nowhere/missing.tif</SourceDataset>"
           "</GDALWarpOptions></VRTDataset>";
}

class WarpedVrts : public testing::Test {
  protected:
    static void SetUpTestSuite() { GDALAllRegister(); }
    void SetUp() override {
        CPLSetConfigOption("GDAL_GPU_DEVICE", "HOST");
        const CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
        CPLError(CE_Failure, 42, "the caller's");
    }
    void TearDown() override {
        CPLSetConfigOption("GDAL_GPU_DEVICE", nullptr);
        EXPECT_EQ(CPLGetLastErrorNo(), 42);
        EXPECT_STREQ(CPLGetLastErrorMsg(), "the caller's");
        CPLErrorReset();
    }

    static GDALIdentifyEnum Identify(const std::string& name, int flags = GDAL_OF_RASTER) {
        GDALOpenInfo info(name.c_str(), flags);
        return IdentifyWarpedVrt(&info);
    }
};

// What is unknown GDALOpenEx() asks Open for, which takes it or tells why it is left to GDAL.
TEST_F(WarpedVrts, AreUnknown) {
    EXPECT_EQ(Identify(WarpedVrt("Bilinear")), GDAL_IDENTIFY_UNKNOWN);
    EXPECT_EQ(Identify(WarpedVrt("Sum")), GDAL_IDENTIFY_UNKNOWN);
    EXPECT_EQ(Identify("no.vrt"), GDAL_IDENTIFY_FALSE);
    EXPECT_EQ(Identify("<VRTDataset rasterXSize=\"1\" rasterYSize=\"1\"></VRTDataset>"),
              GDAL_IDENTIFY_FALSE);
}

TEST_F(WarpedVrts, AreNotIdentifiedForUpdateNorAsSomethingElse) {
    for (const int flags :
         {GDAL_OF_RASTER | GDAL_OF_UPDATE, GDAL_OF_VECTOR, GDAL_OF_MULTIDIM_RASTER})
        EXPECT_EQ(Identify(WarpedVrt("Bilinear"), flags), GDAL_IDENTIFY_FALSE) << flags;
}

TEST_F(WarpedVrts, KeepTheCallersLastErrorWhereTheyCannotBeOpened) {
    const std::string missing_source = WarpedVrt("Bilinear");
    const std::string damaged = missing_source.substr(0, missing_source.size() - 5);
    for (const std::string& text : {missing_source, damaged, WarpedVrt("Sum")}) {
        GDALOpenInfo info(text.c_str(), GDAL_OF_RASTER);
        EXPECT_EQ(OpenWarpedVrt(&info), nullptr);
        EXPECT_EQ(CPLGetLastErrorNo(), 42) << text;
    }
}

TEST_F(WarpedVrts, LeaveOtherDatasetsAsTheyAre) {
    const GDALDatasetUniquePtr memory(
        GetGDALDriverManager()->GetDriverByName("MEM")->Create("", 2, 2, 1, GDT_Byte, nullptr));
    EXPECT_EQ(GdalsOwnDataset(memory.get()), memory.get());
    EXPECT_EQ(GdalsOwnDataset(nullptr), nullptr);
}

// As many times as datasets are opened, and again where the driver was registered anew.
TEST(VrtDriver, CopiesAreHookedOnce) {
    GDALAllRegister();
    GDALDriver* const vrt = GetGDALDriverManager()->GetDriverByName("VRT");
    ASSERT_NE(vrt, nullptr);
    const auto gdals = vrt->pfnCreateCopy;
    LetVrtCopiesStandAlone();
    const auto ours = vrt->pfnCreateCopy;
    EXPECT_NE(ours, gdals);
    LetVrtCopiesStandAlone();
    EXPECT_EQ(vrt->pfnCreateCopy, ours);
    vrt->pfnCreateCopy = gdals;
    LetVrtCopiesStandAlone();
    EXPECT_EQ(vrt->pfnCreateCopy, ours);
    const GDALDatasetUniquePtr memory(
        GetGDALDriverManager()->GetDriverByName("MEM")->Create("", 2, 2, 1, GDT_Byte, nullptr));
    const GDALDatasetUniquePtr copy(
        vrt->CreateCopy("", memory.get(), FALSE, nullptr, nullptr, nullptr));
    EXPECT_NE(copy, nullptr);
}

}  // namespace
}  // namespace gdalgpu
