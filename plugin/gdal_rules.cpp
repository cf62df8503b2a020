#include "plugin/gdal_rules.h"

#include <cstdlib>

#include "gdal.h"

namespace gdalgpu {

GdalRules RulesOfGdal(int version) {
    const auto since = [version](int major, int minor, int revision) {
        return version >= major * 1000000 + minor * 10000 + revision * 100;
    };
    GdalRules rules{};
    rules.near_blends_uint16_as_int16 = !since(3, 11, 4);
    rules.near_avoids_destination_nodata = since(3, 11, 0);
    rules.floats_avoid_destination_nodata = since(3, 11, 0);
    rules.warns_of_avoided_nodata = since(3, 11, 0);
    rules.unified_nodata_is_avoided_in_all_bands = since(3, 12, 2);
    rules.overlays_density_in_float = since(3, 12, 0);
    rules.scale_by_unit_squares = since(3, 13, 0);
    rules.interpolates_down_to_half = since(3, 13, 0);
    rules.cubic_of_bands_in_float = since(3, 11, 0);
    rules.nodata_hides_dataset_mask = since(3, 12, 0);
    rules.lanczos_follows_position = since(3, 10, 0);
    rules.lanczos_takes_few_samples = since(3, 13, 1);
    rules.areas_meet_raster = since(3, 7, 1);
    rules.areas_wrap_by_their_middle = since(3, 9, 3);
    rules.areas_wrap_by_the_next_column = since(3, 13, 0);
    rules.means_are_running = since(3, 7, 1);
    rules.averages_exclude_values = since(3, 9, 1);
    rules.modes_are_weighted = since(3, 11, 0);
    rules.warped_vrt_warps_whole_reads_at_their_size = since(3, 10, 0);
    rules.transformers_tell_of_failed_points = since(3, 11, 0);
    rules.dem_scale_from_units = since(3, 11, 0);
    rules.dem_floats_extrapolate_off_nodata = since(3, 12, 0);
    rules.dem_near_nodata_depends_on_rows = since(3, 12, 0);
    return rules;
}

const GdalRules& LoadedGdalRules() {
    static const GdalRules rules = RulesOfGdal(std::atoi(GDALVersionInfo("VERSION_NUM")));
    return rules;
}

}  // namespace gdalgpu
