// The warp kernel against GDAL's own, which gets the same positions: every type, resampling and
// mask, at scales in turn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/warp/resamplings.h"
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
constexpr Size kSizes[] = {{"Same", 67, 53},     {"Smaller", 23, 18},       {"MuchSmaller", 4, 3},
                           {"Larger", 134, 106}, {"NarrowerOnly", 29, 106}, {"LowerOnly", 134, 19}};

bool OnHost() { return EQUAL(CPLGetConfigOption("GDAL_GPU_DEVICE", "HOST"), "HOST"); }

using TypeAndResampling = std::pair<GDALDataType, GDALResampleAlg>;

class EqualsGdal : public testing::TestWithParam<std::tuple<TypeAndResampling, Size>> {};

TEST_P(EqualsGdal, InEveryMask) {
    for (const Mask mask : kAllMasks) {
        for (const bool reproject : {false, true}) {
            Case c;
            std::tie(c.type, c.resampling) = std::get<0>(GetParam());
            c.width = std::get<1>(GetParam()).width;
            c.height = std::get<1>(GetParam()).height;
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
    const auto [type, gdal] = std::get<0>(info.param);
    std::string resampling = gdalgpu::FindResampling(gdal)->name;
    resampling[0] = static_cast<char>(std::toupper(resampling[0]));
    return std::string(GDALGetDataTypeName(type)) + resampling + std::get<1>(info.param).name;
}

// GDAL refuses the mode, extremes and quantiles of complex pixels. At all sizes: a type that GDAL
// has code of its own for, and one that it hasn't; the others at two in turn.
std::vector<std::tuple<TypeAndResampling, Size>> Cases() {
    std::vector<std::tuple<TypeAndResampling, Size>> cases;
    size_t turn = 0;
    for (const gdalgpu::Resampling& row : gdalgpu::Resamplings()) {
        const bool ordered = row.gdal >= GRA_Mode && row.gdal <= GRA_Q3;
        for (const GDALDataType type : kTypes) {
            if (ordered && GDALDataTypeIsComplex(type)) continue;
            const bool all = type == GDT_Byte || type == GDT_Float64;
            for (size_t i = 0; i < (all ? std::size(kSizes) : 2); ++i) {
                cases.emplace_back(TypeAndResampling(type, row.gdal),
                                   kSizes[turn++ % std::size(kSizes)]);
            }
        }
    }
    return cases;
}

INSTANTIATE_TEST_SUITE_P(All, EqualsGdal, testing::ValuesIn(Cases()), CaseName);

}  // namespace
