// The band that an algorithm reads.
#pragma once

#include <cstdint>
#include <optional>

#include "gdal_priv.h"

namespace gdalgpu {

// Metres in a horizontal unit of the raster, along x and y, over metres in a unit of its
// elevations.
struct ElevationScale {
    double x = 1;
    double y = 1;
};

struct SourceBand {
    GDALDataType type = GDT_Unknown;
    int64_t width = 0;
    int64_t height = 0;
    double geotransform[6] = {0, 1, 0, 0, 0, 1};
    std::optional<double> nodata;
    ElevationScale default_scale;  // gdaldem's, where none is given
};

// Throws std::invalid_argument where there is no such band, or the pixel size is 0.
SourceBand DescribeBand(GDALDataset& dataset, int number);

// From the band's unit and the SRS, as gdaldem chooses it from GDAL 3.11 on: degrees count as
// metres on the ellipsoid, those of longitude at the raster's middle latitude. Feet and US feet are
// known; elevations of another unit, or none, count as metres.
ElevationScale ScaleFromUnits(GDALDataset& dataset, int number);

}  // namespace gdalgpu
