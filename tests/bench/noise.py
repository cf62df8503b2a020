"""The source of the benchmarks that warp noise, in which a pixel's position and filter show."""


def make_noise(path, size, below=4000, options=("TILED=YES",)):
    """A GeoTIFF of size x size pixels of 10 m in UTM 33, one band UInt16; written by rows, so that it may be large."""
    import numpy as np
    from osgeo import gdal, osr

    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32633)
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), size, size, 1, gdal.GDT_UInt16, list(options))
    dataset.SetProjection(srs.ExportToWkt())
    dataset.SetGeoTransform([399960, 10, 0, 5400000, 0, -10])
    rng = np.random.default_rng(1)
    for top in range(0, size, 1000):
        rows = min(1000, size - top)
        dataset.GetRasterBand(1).WriteArray(rng.integers(0, below, (rows, size), dtype=np.uint16), 0, top)
