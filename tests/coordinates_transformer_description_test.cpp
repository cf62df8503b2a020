#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "plugin/coordinates/pixel_transform.h"
#include "plugin/coordinates/point_transform.h"
#include "plugin/coordinates/transformer_description.h"
#include "tests/unfused_operation.h"

namespace gdalgpu {
namespace {

constexpr char kEnds[] =
    "<SrcGeoTransform>10,2,0,20,0,-4</SrcGeoTransform><SrcInvGeoTransform>-5,0.5,0,5,0,-0.25</"
    "SrcInvGeoTransform>"
    "<DstGeoTransform>0,1,0,0,0,1</DstGeoTransform>";

TransformerDescription Describe(const std::string& xml) {
    const CPLXMLTreeCloser tree(CPLParseXMLString(xml.c_str()));
    EXPECT_NE(tree.get(), nullptr) << xml;
    return DescribeTransformer(*tree);
}

std::string GenImgProj(const std::string& content) {
    return "<GenImgProjTransformer>" + content + "</GenImgProjTransformer>";
}

TEST(TransformerDescription, reads_geotransforms_and_computes_a_missing_inverse) {
    const TransformerDescription description = Describe(GenImgProj(kEnds));
    EXPECT_EQ(description.unfusable, "");
    EXPECT_EQ(description.source, (TransformerDescription::GeoTransform{10, 2, 0, 20, 0, -4}));
    EXPECT_EQ(description.source_inverse,
              (TransformerDescription::GeoTransform{-5, 0.5, 0, 5, 0, -0.25}));
    EXPECT_EQ(description.destination_inverse,
              (TransformerDescription::GeoTransform{0, 1, 0, 0, 0, 1}));
    EXPECT_FALSE(description.reprojection);
    EXPECT_FALSE(description.approximates);
    EXPECT_TRUE(description.smooth);
    EXPECT_EQ(description.threshold, 0);
}

TEST(TransformerDescription, takes_the_threshold_of_the_way_back) {
    const std::string base =
        "<BaseTransformer>" + GenImgProj(kEnds) + "</BaseTransformer></ApproxTransformer>";
    EXPECT_EQ(Describe("<ApproxTransformer><MaxError>0.125</MaxError>" + base).threshold, 0.125);
    EXPECT_EQ(Describe("<ApproxTransformer><MaxErrorForward>3</"
                       "MaxErrorForward><MaxErrorReverse>0.5</MaxErrorReverse>" +
                       base)
                  .threshold,
              0.5);
    EXPECT_EQ(Describe("<ApproxTransformer>" + base).threshold, 0.25);
    EXPECT_EQ(Describe("<ApproxTransformer><MaxError>-1</MaxError>" + base).threshold, 0);
    EXPECT_EQ(Describe("<ApproxTransformer><MaxError>0.125</MaxError>" + base).unfusable, "");
    EXPECT_TRUE(Describe("<ApproxTransformer><MaxError>0</MaxError>" + base).approximates);
}

TEST(TransformerDescription, reads_a_reprojection_within_an_approximation) {
    const TransformerDescription description = Describe(
        GenImgProj(std::string(kEnds) + "<ReprojectTransformer><ApproxTransformer><MaxError>1</"
                                        "MaxError><BaseTransformer><ReprojectionTransformer>"
                                        "<SourceSRS>EPSG:4326</SourceSRS><TargetSRS>EPSG:3857</"
                                        "TargetSRS><Options><Option key=\"center_long\">7</Option>"
                                        "</Options></ReprojectionTransformer></BaseTransformer></"
                                        "ApproxTransformer></ReprojectTransformer>"));
    EXPECT_EQ(description.unfusable, "");
    EXPECT_TRUE(description.approximates);
    ASSERT_TRUE(description.reprojection);
    EXPECT_EQ(description.reprojection->source_srs, "EPSG:4326");
    EXPECT_EQ(description.reprojection->target_srs, "EPSG:3857");
    EXPECT_EQ(description.reprojection->options.at("CENTER_LONG"), "7");
}

TEST(TransformerDescription, knows_what_has_kinks_and_what_is_on_the_device) {
    const std::string rest = "<DstGeoTransform>0,1,0,0,0,1</DstGeoTransform>";
    EXPECT_FALSE(
        Describe(
            GenImgProj("<SrcGeoLocTransformer><GeoLocTransformer/></SrcGeoLocTransformer>" + rest))
            .smooth);
    EXPECT_FALSE(
        Describe(GenImgProj(
                     "<SrcRPCTransformer><RPCTransformer><DEMPath>a.tif</DEMPath></RPCTransformer>"
                     "</SrcRPCTransformer>" +
                     rest))
            .smooth);
    EXPECT_TRUE(
        Describe(GenImgProj("<SrcRPCTransformer><RPCTransformer/></SrcRPCTransformer>" + rest))
            .smooth);
    EXPECT_TRUE(
        Describe("<GPUGenImgProjTransformer>" + std::string(kEnds) + "</GPUGenImgProjTransformer>")
            .on_device);
    EXPECT_EQ(
        Describe("<GPUGenImgProjTransformer>" + std::string(kEnds) + "</GPUGenImgProjTransformer>")
            .unfusable,
        "");
}

TEST(TransformerDescription, says_what_is_wrong_with_broken_xml) {
    const std::string destination = "<DstGeoTransform>0,1,0,0,0,1</DstGeoTransform>";
    const std::pair<std::string, const char*> cases[] = {
        {"<ApproxTransformer/>", "no base transformer"},
        {"<ApproxTransformer><BaseTransformer/></ApproxTransformer>", "no base transformer"},
        {"<ApproxTransformer><MaxError>much</MaxError></ApproxTransformer>",
         "MaxError \"much\" is no number"},
        {"<SomethingElse/>", "transformer SomethingElse is not fused"},
        {"<GenImgProjTransformer/>", "no SrcGeoTransform"},
        {GenImgProj("<SrcGeoTransform/>" + destination), "SrcGeoTransform"},
        {GenImgProj("<SrcGeoTransform>1,2,3</SrcGeoTransform>" + destination),
         "has not six numbers"},
        {GenImgProj("<SrcGeoTransform>a,1,0,0,0,1</SrcGeoTransform>" + destination),
         "is no number"},
        {GenImgProj("<SrcGeoTransform>nan,1,0,0,0,1</SrcGeoTransform>" + destination),
         "isn't finite"},
        {GenImgProj("<SrcGeoTransform>0,0,0,0,0,0</SrcGeoTransform>" + destination),
         "has no inverse"},
        {GenImgProj("<SrcGeoTransform>0,1,0,0,0,1</SrcGeoTransform>"), "no DstGeoTransform"},
        {GenImgProj("<SrcGeoTransform>0,1,0,0,0,1</SrcGeoTransform><DstTPSTransformer/>"),
         "DstTPSTransformer"},
        {GenImgProj(std::string(kEnds) + "<ReprojectTransformer/>"), "holds no transformer"},
        {GenImgProj(std::string(kEnds) + "<ReprojectTransformer><Other/></ReprojectTransformer>"),
         "by Other"},
    };
    for (const auto& [xml, expected] : cases)
        EXPECT_NE(Describe(xml).unfusable.find(expected), std::string::npos)
            << xml << "\n"
            << Describe(xml).unfusable;
}

int TakePointsAsTheyAre(void*, int, int count, double*, double*, double*, int* success) {
    std::fill(success, success + count, TRUE);
    return TRUE;
}

// What a program may give GDAL as a transformer's argument; functions that aren't to be called are
// set to what can't be.
GDALTransformerInfo Foreign(const char* signature, const char* class_name) {
    GDALTransformerInfo info;
    std::memset(&info, 0xA5, sizeof info);
    std::memcpy(info.abySignature, signature, sizeof info.abySignature);
    info.pszClassName = class_name;
    info.pfnTransform = TakePointsAsTheyAre;
    return info;
}

TEST(SerializeTransformer, calls_no_function_that_gdal_does_not_promise) {
    CPLErrorReset();
    EXPECT_EQ(SerializeTransformer(TakePointsAsTheyAre, nullptr).get(), nullptr);
    for (GDALTransformerInfo info :
         {Foreign("GTI2", "VRTWarpedOverviewTransformer"), Foreign("GTI2", "SomebodysTransformer"),
          Foreign("GTI2", nullptr), Foreign("GTI1", "GDALGenImgProjTransformer")})
        EXPECT_EQ(SerializeTransformer(TakePointsAsTheyAre, &info).get(), nullptr);
    GDALTransformerInfo unset = Foreign("GTI2", "GDALGenImgProjTransformer");
    unset.pfnSerialize = nullptr;
    EXPECT_EQ(SerializeTransformer(TakePointsAsTheyAre, &unset).get(), nullptr);
    EXPECT_EQ(CPLGetLastErrorType(), CE_None);
}

TEST(SerializeTransformer, knows_gdals_own) {
    double destination[] = {0, 2, 0, 0, 0, -2};
    void* exact = GDALCreateGenImgProjTransformer3("", destination, "", destination);
    ASSERT_NE(exact, nullptr);
    void* approximate = GDALCreateApproxTransformer(GDALGenImgProjTransform, exact, 0.125);
    GDALApproxTransformerOwnsSubtransformer(approximate, TRUE);
    const CPLXMLTreeCloser tree = SerializeTransformer(GDALApproxTransform, approximate);
    ASSERT_NE(tree.get(), nullptr);
    EXPECT_STREQ(tree->pszValue, "ApproxTransformer");
    GDALDestroyTransformer(approximate);
}

TEST(PixelTransform, is_not_planned_for_overviews_of_a_warped_vrt) {
    std::vector<std::string> reasons;
    GDALTransformerInfo overview = Foreign("GTI2", "VRTWarpedOverviewTransformer");
    EXPECT_TRUE(PlanPixelTransform(TakePointsAsTheyAre, &overview, reasons, nullptr).empty());
    EXPECT_EQ(reasons, std::vector<std::string>{"overviews of a warped VRT are GDAL's"});
    // Any other one is sampled.
    GDALTransformerInfo other = Foreign("GTI2", "SomebodysTransformer");
    EXPECT_EQ(PlanPixelTransform(TakePointsAsTheyAre, &other, reasons, nullptr).size(), 1);
}

TEST(PointTransform, says_why_it_cannot_be_fused) {
    const UnfusedOperation unfused("+proj=robin");
    const std::pair<std::string, const char*> cases[] = {
        {"<SourceSRS>EPSG:4326</SourceSRS>", "a CRS of the reprojection is missing"},
        {"<SourceSRS>EPSG:4326</SourceSRS><TargetSRS>nonsense</TargetSRS>",
         "can't read the CRS nonsense"},
        {"<SourceSRS>EPSG:4326</SourceSRS><TargetSRS>EPSG:3857</TargetSRS><Options><Option "
         "key=\"ONLY_BEST\">YES"
         "</Option></Options>",
         "option ONLY_BEST"},
        {"<Options><Option key=\"COORDINATE_OPERATION\">+proj=nonsense</Option></Options>",
         "can't make the operation"},
        {"<Options><Option key=\"COORDINATE_OPERATION\">" + unfused.pipeline() +
             "</Option></Options>",
         "tinshift"},
    };
    for (const auto& [content, expected] : cases) {
        const std::string xml =
            GenImgProj(std::string(kEnds) + "<ReprojectTransformer><ReprojectionTransformer>" +
                       content + "</ReprojectionTransformer></ReprojectTransformer>");
        const CPLXMLTreeCloser tree(CPLParseXMLString(xml.c_str()));
        std::string reason;
        EXPECT_EQ(
            PlanPointTransform(*tree, PointTransform::Direction::ToSource, Precision::Fp64, reason),
            nullptr);
        EXPECT_NE(reason.find(expected), std::string::npos) << reason;
    }
}

}  // namespace
}  // namespace gdalgpu
