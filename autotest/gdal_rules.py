"""What GDAL decides differently by version, where a test's expectation depends on it: the names of plugin/gdal_rules.h."""
from osgeo import gdal

VERSION = int(gdal.VersionInfo("VERSION_NUM"))


def since(major, minor, revision=0):
    return VERSION >= major * 1000000 + minor * 10000 + revision * 100


# The warp option XSCALE=FROM_GRID_SAMPLING is gone (and ends GDAL's own warper, which takes it for 0).
SCALE_BY_UNIT_SQUARES = since(3, 13)
# A pixel that would be the destination's nodata value is moved off it by every resampling, with a warning.
WARNS_OF_AVOIDED_NODATA = since(3, 11)
# A read of a whole warped VRT at another size is a warp at that size.
WARPED_VRT_WARPS_WHOLE_READS_AT_THEIR_SIZE = since(3, 10)
# gdal2tiles is `gdal raster tile`, which makes its warped VRT in memory and opens none; with --legacy it is as before.
TILES_BY_RASTER_TILE = since(3, 13)
