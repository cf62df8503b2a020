#include "plugin/raster/source_band.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "ogr_spatialref.h"
#include "plugin/gdal_rules.h"

namespace gdalgpu {

namespace {

// Metres in the unit of a band's values.
double MetresInUnit(const char* unit) {
    for (const char* foot : {"ft", "foot", "feet", "foot (International)"})
        if (EQUAL(unit, foot)) return CPLAtof(SRS_UL_FOOT_CONV);
    for (const char* foot : {"us-ft", "Foot_US", "US survey foot"})
        if (EQUAL(unit, foot)) return CPLAtof(SRS_UL_US_FOOT_CONV);
    return 1;
}

}  // namespace

ElevationScale ScaleFromUnits(GDALDataset& dataset, int number) {
    const OGRSpatialReference* const srs = dataset.GetSpatialRef();
    if (!srs) return {};
    const double unit = MetresInUnit(dataset.GetRasterBand(number)->GetUnitType());
    double geotransform[6];
    if (srs->IsGeographic() &&
        GDALGetGeoTransform(GDALDataset::ToHandle(&dataset), geotransform) == CE_None) {
        const double radians = srs->GetAngularUnits();
        const double metres = radians * srs->GetSemiMajor() / unit;
        const double middle = geotransform[3] + dataset.GetRasterYSize() * geotransform[5] / 2;
        return {metres * std::cos(middle * radians), metres};
    }
    if (srs->IsProjected()) return {srs->GetLinearUnits() / unit, srs->GetLinearUnits() / unit};
    return {};
}

SourceBand DescribeBand(GDALDataset& dataset, int number) {
    const std::string name = dataset.GetDescription();
    const int count = dataset.GetRasterCount();
    if (count == 0)
        throw std::invalid_argument(
            name + " has no raster bands (gdalinfo lists its subdatasets, if it has any)");
    if (number < 1 || number > count)
        throw std::invalid_argument("band=" + std::to_string(number) + ": " + name + " has " +
                                    std::to_string(count) + (count == 1 ? " band" : " bands"));
    GDALRasterBand& band = *dataset.GetRasterBand(number);
    SourceBand source;
    source.type = band.GetRasterDataType();
    source.width = dataset.GetRasterXSize();
    source.height = dataset.GetRasterYSize();
    GDALGetGeoTransform(GDALDataset::ToHandle(&dataset), source.geotransform);
    if (source.geotransform[1] == 0 || source.geotransform[5] == 0)
        throw std::invalid_argument(
            name +
            " has a geotransform with a pixel size of 0 (rotated by 90 degrees?): warp "
            "it first");
    int has_nodata = FALSE;
    const double nodata = band.GetNoDataValue(&has_nodata);
    if (has_nodata) source.nodata = nodata;
    if (LoadedGdalRules().dem_scale_from_units) {
        source.default_scale = ScaleFromUnits(dataset, number);
    }
    return source;
}

}  // namespace gdalgpu
