// GDAL's rules by version.
#include <gtest/gtest.h>

#include <cstdlib>

#include "gdal.h"
#include "plugin/gdal_rules.h"

namespace gdalgpu {
namespace {

TEST(GdalRules, OfDebian12HaveNothingNewer) {
    const GdalRules rules = RulesOfGdal(3060200);
    EXPECT_TRUE(rules.near_blends_uint16_as_int16);
    EXPECT_FALSE(rules.near_avoids_destination_nodata);
    EXPECT_FALSE(rules.scale_by_unit_squares);
    EXPECT_FALSE(rules.transformers_tell_of_failed_points);
}

TEST(GdalRules, BeginWithTheirRevision) {
    EXPECT_TRUE(RulesOfGdal(3110300).near_blends_uint16_as_int16);
    EXPECT_FALSE(RulesOfGdal(3110400).near_blends_uint16_as_int16);
    EXPECT_FALSE(RulesOfGdal(3120100).unified_nodata_is_avoided_in_all_bands);
    EXPECT_TRUE(RulesOfGdal(3120200).unified_nodata_is_avoided_in_all_bands);
    EXPECT_FALSE(RulesOfGdal(3090300).warped_vrt_warps_whole_reads_at_their_size);
    EXPECT_TRUE(RulesOfGdal(3100000).warped_vrt_warps_whole_reads_at_their_size);
    EXPECT_FALSE(RulesOfGdal(3100300).floats_avoid_destination_nodata);
    EXPECT_TRUE(RulesOfGdal(3110000).floats_avoid_destination_nodata);
    EXPECT_FALSE(RulesOfGdal(3120400).interpolates_down_to_half);
    EXPECT_TRUE(RulesOfGdal(4000000).interpolates_down_to_half);
}

TEST(GdalRules, AreThoseOfTheLoadedGdal) {
    const GdalRules rules = RulesOfGdal(std::atoi(GDALVersionInfo("VERSION_NUM")));
    EXPECT_EQ(LoadedGdalRules().scale_by_unit_squares, rules.scale_by_unit_squares);
    EXPECT_EQ(LoadedGdalRules().near_blends_uint16_as_int16, rules.near_blends_uint16_as_int16);
}

}  // namespace
}  // namespace gdalgpu
