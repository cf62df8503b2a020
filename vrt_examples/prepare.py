"""Makes input/dem.tif of the SRTM elevation model that Debian's python-matplotlib-data carries: EPSG:4326, metres."""
import pathlib
import sys

import numpy
from osgeo import gdal, osr

gdal.UseExceptions()
SAMPLE = "/usr/share/matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz"


def main(path):
    sample = numpy.load(SAMPLE)
    elevation = sample["elevation"]
    rows, columns = elevation.shape
    # The file's ymin is the northern edge, its ymax the southern one.
    north, south = max(sample["ymin"], sample["ymax"]), min(sample["ymin"], sample["ymax"])
    west, east = sample["xmin"], sample["xmax"]
    dataset = gdal.GetDriverByName("GTiff").Create(path, columns, rows, 1, gdal.GDT_Int16, ["TILED=YES"])
    dataset.SetGeoTransform((west, (east - west) / columns, 0, north, 0, (south - north) / rows))
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(4326)
    dataset.SetProjection(reference.ExportToWkt())
    dataset.GetRasterBand(1).WriteArray(elevation)
    dataset.GetRasterBand(1).SetUnitType("m")


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).parent.mkdir(exist_ok=True)
    main(sys.argv[1])
