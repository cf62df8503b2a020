// What GDAL decides differently in each of its versions, as named rules: the one place that asks
// for a version. The GDAL that is loaded decides, not the one that was built with.
#pragma once

namespace gdalgpu {

// Each rule with the version it came with, and where GDAL has it.
struct GdalRules {
    // Warps.

    // Nearest neighbour takes UInt16 for Int16 where it blends by alpha: saturated to 32767.
    // Until 3.11.3 (alg/gdalwarpkernel.cpp, PerformWarp).
    bool near_blends_uint16_as_int16;

    // Nearest neighbour keeps opaque pixels off the destination's nodata value too, and every
    // resampling keeps Float32 and Float64 off it, by the next value above; a warning says so once.
    // Before, nearest neighbour copied them, and others kept integers alone off it.
    // 3.11.0, issue 11711 (alg/gdalwarpkernel.cpp, AvoidNoData).
    bool near_avoids_destination_nodata;
    bool floats_avoid_destination_nodata;
    bool warns_of_avoided_nodata;

    // With UNIFIED_SRC_NODATA (YES or PARTIAL) a pixel of several bands is kept off only where all
    // bands have the nodata value, and then in all of them.
    // 3.12.2, issue 13677 (alg/gdalwarpkernel.cpp, GWKAvoidNoDataMultiBand).
    bool unified_nodata_is_avoided_in_all_bands;

    // The destination's density is summed up in float; before, in double.
    // 3.12.0 (alg/gdalwarpkernel.cpp, GWKOverlayDensity); read in 3.10.3 and 3.13.3 alone.
    bool overlays_density_in_float;

    // The resampling scale is the mean over unit squares of the destination at 10 x 10 places,
    // without outliers; XSCALE=FROM_GRID_SAMPLING is gone. Before: the destination's size over the
    // source window's. 3.13.0 (alg/gdalwarpkernel.cpp, PerformWarp).
    bool scale_by_unit_squares;

    // Bilinear and cubic interpolate between the samples around the position as long as the scale
    // in both directions is beyond 0.5; before, where it is at least 0.95. What is below is
    // antialiased. 3.13.0 (alg/gdalwarpkernel.cpp, CanUse4SamplesFormula).
    bool interpolates_down_to_half;

    // Cubic of several bands of Byte or UInt16 without masks, not antialiased, is summed up in
    // floats with SSE2: pixels one apart, a few in noise more, and which ones depends on the chunk.
    // Not followed: where GDAL's code does what no device does, it gets one band at a time.
    // 3.11.0 (alg/gdalwarpkernel.cpp, GWKCubicResampleNoMasks4MultiBandT).
    bool cubic_of_bands_in_float;

    // A source's nodata value makes a per-dataset mask not count, with a warning; before, both.
    // 3.12.0, issue 13074 (alg/gdalwarpoperation.cpp, WarpRegionToBuffer).
    bool nodata_hides_dataset_mask;

    // A read of all bands of a whole warped VRT at another size is a warp at that size, whatever
    // resampling is asked for; before, its pixels were resampled.
    // 3.10.0 (frmts/vrt/vrtwarped.cpp, VRTWarpedDataset::IRasterIO).
    bool warped_vrt_warps_whole_reads_at_their_size;

    // Lanczos's widened weights are those of samples at their distance from the position; before,
    // of whole pixels. 3.10.0, issue 10780 (alg/gdalwarpkernel.cpp, GWKResampleOptimizedLanczos).
    bool lanczos_follows_position;

    // Lanczos gives a value where any sample counts; before, where half of them do.
    // 3.13.1 (alg/gdalwarpkernel.cpp, GWKResampleOptimizedLanczos).
    bool lanczos_takes_few_samples;

    // Resamplings over areas leave pixels out whose area doesn't meet the raster; before, those up
    // to a pixel before it got its first column or row.
    // 3.7.1 (alg/gdalwarpkernel.cpp, GWKAverageOrModeThread).
    bool areas_meet_raster;

    // Whether an area lies across the antimeridian is asked of the middle of its first edge too;
    // and since 3.13.0 of the column behind it, whatever the scale. 3.9.3, and the second read
    // in 3.13.3 alone (alg/gdalwarpkernel.cpp, GWKAverageOrModeThread).
    bool areas_wrap_by_their_middle;
    bool areas_wrap_by_the_next_column;

    // An average goes on from mean to mean; before, it was a sum of values over one of weights.
    // 3.7.1 (alg/gdalwarpkernel.cpp, GWKAverageOrModeThread).
    bool means_are_running;

    // Averages have the warp options EXCLUDED_VALUES and NODATA_VALUES_PCT_THRESHOLD.
    // 3.9.1 (alg/gdalwarpkernel.cpp, GWKAverageOrModeThread).
    bool averages_exclude_values;

    // The mode is the value of most area, compared exactly, ties by MODE_TIES; before, of most
    // pixels, compared as floats where it has more than 16 bits.
    // 3.11.0, exactly since 3.12.0 (alg/gdalwarpkernel.cpp, GWKModeComplexType).
    bool modes_are_weighted;

    // Transformers.

    // A GDALTransformerFunc is TRUE where every point succeeded; before, where they were tried.
    // 3.11.0 (alg/gdaltransformer.cpp, GDALGenImgProjTransform).
    bool transformers_tell_of_failed_points;

    // gdaldem.

    // Without -scale the ratio of vertical to horizontal units comes from the CRS.
    // 3.11.0 (apps/gdaldem_lib.cpp).
    bool dem_scale_from_units;

    // A Float32 elevation that extrapolation beyond an edge takes to the nodata value by accident
    // isn't nodata; before, that held for integers alone. (GDAL moves it by three epsilons, which
    // its own comparison takes for equal where the same rows hold nodata; here it never is.)
    // 3.12.0 (apps/gdaldem_lib.cpp, INTERPOL).
    bool dem_floats_extrapolate_off_nodata;

    // Float32 elevations near the nodata value, but not equal, are nodata only where an equal one
    // (or NaN) is in the same rows of the raster. Not followed: here, as before, values within two
    // epsilons are nodata, so that pixels don't depend on distant ones. For tests.
    // 3.12.0 (apps/gdaldem_lib.cpp, GDALGeneric3x3Processing).
    bool dem_near_nodata_depends_on_rows;
};

// `version`: GDAL's VERSION_NUM, as 3060200.
GdalRules RulesOfGdal(int version);

// Of the GDAL that is loaded.
const GdalRules& LoadedGdalRules();

}  // namespace gdalgpu
