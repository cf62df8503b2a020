// The warp kernel against GDAL's own, which gets the same positions: every type, resampling, scale
// and mask.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "warp_judge.h"

namespace {

using warp_judge::Bands;
using warp_judge::Case;
using warp_judge::Compare;
using warp_judge::DeviceRun;
using warp_judge::Difference;
using warp_judge::kAllMasks;
using warp_judge::kTypes;
using warp_judge::Mask;
using warp_judge::Warp;

struct Size {
    const char* name;
    int width, height;
};
constexpr Size kSizes[] = {{"Same", 67, 53},
                           {"Smaller", 23, 18},
                           {"Larger", 134, 106},
                           {"NarrowerOnly", 29, 106},
                           {"LowerOnly", 134, 19}};

bool OnHost() { return EQUAL(CPLGetConfigOption("GDAL_GPU_DEVICE", "HOST"), "HOST"); }

class EqualsGdal : public testing::TestWithParam<std::tuple<GDALDataType, GDALResampleAlg, Size>> {
};

TEST_P(EqualsGdal, InEveryMask) {
    for (const Mask mask : kAllMasks) {
        for (const bool reproject : {false, true}) {
            Case c;
            std::tie(c.type, c.resampling) =
                std::make_tuple(std::get<0>(GetParam()), std::get<1>(GetParam()));
            c.width = std::get<2>(GetParam()).width;
            c.height = std::get<2>(GetParam()).height;
            c.mask = mask;
            c.reproject = reproject;
            SCOPED_TRACE(std::string(Name(mask)) + (reproject ? " reprojected" : " affine"));
            const Bands expected = Warp(c);
            DeviceRun run;
            const Bands actual = Warp(c, &run);
            ASSERT_TRUE(run.AllDone());
            const Difference difference = Compare(c, expected, actual);
            EXPECT_EQ(difference.beyond, 0u) << difference.first << "; worst " << difference.worst;
            // Blended floating point values are rounded once less on CUDA.
            if (c.resampling == GRA_NearestNeighbour &&
                (OnHost() || !GDALDataTypeIsFloating(c.type))) {
                EXPECT_EQ(difference.differing, 0u) << "worst " << difference.worst;
            }
        }
    }
}

std::string CaseName(const testing::TestParamInfo<EqualsGdal::ParamType>& info) {
    const GDALResampleAlg resampling = std::get<1>(info.param);
    return std::string(GDALGetDataTypeName(std::get<0>(info.param))) +
           (resampling == GRA_NearestNeighbour ? "Near"
            : resampling == GRA_Bilinear       ? "Bilinear"
                                               : "Cubic") +
           std::get<2>(info.param).name;
}

INSTANTIATE_TEST_SUITE_P(All, EqualsGdal,
                         testing::Combine(testing::ValuesIn(kTypes),
                                          testing::Values(GRA_NearestNeighbour, GRA_Bilinear,
                                                          GRA_Cubic),
                                          testing::ValuesIn(kSizes)),
                         CaseName);

}  // namespace
