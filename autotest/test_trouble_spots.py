"""Warps that went wrong in public, in GDAL or in others: each as plain `gdalwarp -et 0` has it, on the device."""
import numpy as np
import pytest
from osgeo import gdal, osr

from preload_fixtures import Programs, devices, pixels, reasons

# One chunk, as the device's scale is that of the whole.
ONE_CHUNK = ["-wm", "4000", "-wo", "SRC_FILL_RATIO_HEURISTICS=NO"]


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture
def programs(build, tmp_path, kernels, device):
    return Programs(build, tmp_path, kernels, device)


def make(path, crs, geotransform, values, nodata=None, gcps=None):
    data_type = {"u1": gdal.GDT_Byte, "u2": gdal.GDT_UInt16, "f4": gdal.GDT_Float32}[values.dtype.str[1:]]
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), values.shape[1], values.shape[0], 1, data_type)
    srs = osr.SpatialReference()
    srs.SetFromUserInput(crs)
    if gcps is not None:
        dataset.SetGCPs(gcps, srs.ExportToWkt())
    else:
        dataset.SetProjection(srs.ExportToWkt())
        dataset.SetGeoTransform(geotransform)
    if nodata is not None:
        dataset.GetRasterBand(1).SetNoDataValue(nodata)
    dataset.GetRasterBand(1).WriteArray(values)
    dataset = None


def ground(width, height, data_type=np.uint8, classes=0):
    """Smooth with noise, never 0; or so many classes in patches."""
    rng = np.random.default_rng(4)
    y, x = np.mgrid[0:height, 0:width]
    if classes:
        return (1 + (x // 3 + 2 * (y // 4) + rng.integers(0, 2, (height, width))) % classes).astype(data_type)
    wave = 120 + 60 * np.sin(x / 9) * np.cos(y / 7) + 20 * rng.random((height, width))
    return wave.astype(data_type)


def warped(programs, device, source, *options):
    """The image by plain GDAL, and on the device."""
    arguments = ["gdalwarp", "-q", "-overwrite", *ONE_CHUNK, "-et", "0", *options, source]
    programs.plain(*arguments, "plain.tif")
    lines = programs.run(*arguments, "device.tif")
    assert devices(lines) == [device], reasons(lines)
    return pixels(programs.folder / "plain.tif"), pixels(programs.folder / "device.tif")


def assert_alike(plain, device, apart=0):
    """Which pixels are set is the same; integers are at most one apart, but for so many pixels."""
    assert plain.shape == device.shape and plain.any() and not plain.all()
    assert np.count_nonzero((plain == 0) != (device == 0)) <= apart
    tolerance = 1 if plain.dtype.kind == "u" else 1e-4 * np.abs(plain).max()
    assert np.count_nonzero(np.abs(plain.astype(float) - device) > tolerance) <= apart


@pytest.mark.parametrize("resampling", ["near", "average"])
def test_far_beyond_the_source_in_transverse_mercator_there_is_no_ghost_copy(programs, device, resampling):
    make(programs.folder / "in.tif", "EPSG:32631", (400000, 1000, 0, 5600000, 0, -1000), ground(200, 200))
    plain, ours = warped(programs, device, "in.tif", "-t_srs", "EPSG:32631", "-te", -30000000, -20000000, 30000000, 20000000,
                         "-tr", 50000, 50000, "-r", resampling)
    assert_alike(plain, ours)
    rows, columns = np.nonzero(ours[0])
    assert np.ptp(rows) < 8 and np.ptp(columns) < 8, "one copy"


@pytest.mark.parametrize("resampling", ["bilinear", "lanczos", "average"])
def test_the_limb_of_an_orthographic_globe_has_no_bites(programs, device, resampling):
    make(programs.folder / "in.tif", "EPSG:4326", (-180, 1, 0, 90, 0, -1), ground(360, 180))
    plain, ours = warped(programs, device, "in.tif", "-t_srs", "+proj=ortho +lat_0=40 +lon_0=10 +R=6371000", "-te", -6371000,
                         -6371000, 6371000, 6371000, "-ts", 300, 300, "-r", resampling)
    assert_alike(plain, ours, apart=8)
    y, x = np.mgrid[0:300, 0:300]
    inside = np.hypot(x - 149.5, y - 149.5) < 145
    assert ours[0][inside].all()


@pytest.mark.parametrize("resampling", ["average", "mode", "max", "med"])
@pytest.mark.parametrize("west", [-180, 0])
def test_areas_across_the_antimeridian(programs, device, resampling, west):
    classes = 5 if resampling == "mode" else 0
    make(programs.folder / "in.tif", "EPSG:4326", (west, 1, 0, 90, 0, -1), ground(360, 90, classes=classes))
    plain, ours = warped(programs, device, "in.tif", "-t_srs", "EPSG:3995", "-te", -13000000, -13000000, 13000000, 13000000,
                         "-ts", 150, 150, "-r", resampling)
    assert_alike(plain, ours, apart=4)


def test_a_global_raster_from_0_to_360_on_its_other_side(programs, device):
    make(programs.folder / "in.tif", "EPSG:4326", (0, 1, 0, 90, 0, -1), ground(360, 180))
    plain, ours = warped(programs, device, "in.tif", "-t_srs", "+proj=eqc +lon_0=0 +R=6371000", "-ts", 180, 90, "-r",
                         "average", "-te", -20015000, -10007500, 20015000, 11000000)
    assert_alike(plain, ours)


@pytest.mark.parametrize("resampling", ["cubic", "cubicspline", "lanczos", "average"])
@pytest.mark.parametrize("size", [90, 30])
def test_a_huge_nodata_value_stays_out_of_its_neighbours(programs, device, resampling, size):
    values = ground(90, 90).astype(np.float32)
    values[30:45, 20:60] = -3.4028234663852886e38
    make(programs.folder / "in.tif", "EPSG:32631", (400000, 30, 0, 5600000, 0, -30), values, nodata=-3.4028234663852886e38)
    plain, ours = warped(programs, device, "in.tif", "-t_srs", "EPSG:3857", "-ts", size, size, "-r", resampling, "-dstnodata",
                         -9999)
    assert np.array_equal(plain == -9999, ours == -9999) and (ours == -9999).any()
    assert np.abs(ours[ours != -9999]).max() < 1000
    assert np.allclose(plain, ours, rtol=1e-4)


@pytest.mark.parametrize("resampling", ["bilinear", "lanczos", "average", "mode"])
def test_tiles_warped_apart_are_parts_of_the_whole(programs, device, resampling):
    """With one resolution and -tap, where the scale is given: it is the operation's own otherwise."""
    make(programs.folder / "in.tif", "EPSG:32631", (400000, 30, 0, 5600000, 0, -30), ground(300, 200))
    same = ["-t_srs", "EPSG:3857", "-tr", 100, 100, "-tap", "-r", resampling, "-wo", "XSCALE=0.5", "-wo", "YSCALE=0.5"]
    west, south, east, north = 176000, 6531000, 192000, 6542000
    middle = 184000
    images = []
    for left, right in ((west, east), (west, middle), (middle, east)):
        lines = programs.run("gdalwarp", "-q", "-overwrite", *same, "-te", left, south, right, north, "in.tif", "out.tif")
        assert devices(lines) == [device], reasons(lines)
        images.append(pixels(programs.folder / "out.tif"))
    whole, left, right = images
    assert whole.any() and np.array_equal(whole, np.concatenate([left, right], axis=2))


@pytest.mark.parametrize("count", [3, 100, "duplicates"])
@pytest.mark.parametrize("resampling", ["bilinear", "average"])
def test_thin_plate_splines(programs, device, count, resampling):
    rng = np.random.default_rng(9)
    places = [(0, 0), (120, 0), (0, 100)] if count == 3 else [(10 * (i % 10) + 3, 10 * (i // 10) + 4) for i in range(100)]
    gcps = []
    for column, row in places:
        bend = 0 if count == 3 else rng.normal(0, 20)
        gcps.append(gdal.GCP(400000 + 30 * column + bend, 5600000 - 30 * row - bend, 0, column, row))
    if count == "duplicates":
        gcps += [gdal.GCP(g.GCPX, g.GCPY, 0, g.GCPPixel, g.GCPLine) for g in gcps[:5]]
    make(programs.folder / "in.tif", "EPSG:32631", None, ground(120, 100), gcps=gcps)
    plain, ours = warped(programs, device, "in.tif", "-tps", "-t_srs", "EPSG:3857", "-ts", 140, 120, "-r", resampling)
    assert_alike(plain, ours, apart=2)
