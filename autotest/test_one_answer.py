"""One warp operation has one result: whatever windows, chunks, threads or processes ask for it, and whether the device does
it, can't, fails half way, or is lost."""
import os
import threading

import numpy as np
import pytest
from osgeo import gdal, osr
from preload_fixtures import Programs, devices, make_raster, pixels, reasons

gdal.UseExceptions()
pytestmark = pytest.mark.usefixtures("build")

EXTENT = (300000, 5000000, 420000, 5120000)
SIZE = 1200  # of the source: pixels of 100 m
# Enlarging, and shrinking so that filters are antialiased; GDAL's default error threshold and none.
KINDS = {
    "same": dict(resampleAlg="bilinear", xRes=150, yRes=150),
    "shrinking": dict(resampleAlg="bilinear", xRes=380, yRes=380),
    "exact": dict(resampleAlg="cubic", xRes=450, yRes=450, errorThreshold=0),
    "near": dict(resampleAlg="near", xRes=410, yRes=410),
}
# Of the calls that succeed first, each kind has its number: a device with a fault is one for the whole process.
FAULTS = ["launch", "launch:", "launch=", "lose:", "allocate", "compile"]
FIRST = 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("one_answer")


@pytest.fixture(scope="module")
def scene(folder):
    """Noise, so that a pixel's position and filter show."""
    path = make_raster(folder / "scene.tif", "EPSG:32633", EXTENT, SIZE, SIZE, bands=1)
    dataset = gdal.Open(str(path), gdal.GA_Update)
    dataset.GetRasterBand(1).WriteArray(np.random.default_rng(3).integers(0, 4000, (SIZE, SIZE), dtype=np.uint16))
    return path


@pytest.fixture(scope="module", params=sorted(KINDS))
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def vrt(folder, scene, kind):
    path = folder / f"{kind}.vrt"
    gdal.Warp(str(path), str(scene), format="VRT", dstSRS="EPSG:3857", **KINDS[kind])
    return str(path)


@pytest.fixture(scope="module")
def whole(vrt):
    return gdal.Open(vrt).ReadAsArray()


def in_windows(path, size, together=False):
    """Read in windows of `size`, each through a dataset of its own or all through one."""
    dataset = gdal.Open(path)
    width, height = dataset.RasterXSize, dataset.RasterYSize
    result = np.zeros((height, width), np.uint16)
    for y in range(0, height, size):
        for x in range(0, width, size):
            if not together:
                dataset = gdal.Open(path)
            w, h = min(size, width - x), min(size, height - y)
            result[y : y + h, x : x + w] = dataset.ReadAsArray(x, y, w, h)
    return result


@pytest.fixture
def fault():
    """Sets GDAL_GPU_FAULT, with a cache of kernels that holds none."""
    cache = os.environ.get("GDAL_GPU_CACHE_DIR")
    yield lambda text: gdal.SetConfigOption("GDAL_GPU_FAULT", text)
    gdal.SetConfigOption("GDAL_GPU_FAULT", None)
    gdal.SetConfigOption("GDAL_GPU_CACHE_DIR", cache)


@pytest.mark.parametrize("size", [600, 256, 100])
def test_windows(vrt, whole, size):
    assert np.array_equal(in_windows(vrt, size, together=True), whole)


def test_windows_each_through_a_dataset_of_its_own(vrt, whole):
    assert np.array_equal(in_windows(vrt, 256), whole)


@pytest.mark.parametrize("text", FAULTS)
def test_a_device_that_fails(vrt, whole, kind, text, fault, tmp_path, report):
    if text == "compile":
        gdal.SetConfigOption("GDAL_GPU_CACHE_DIR", str(tmp_path))
    half_way = text[-1] in ":="
    fault(f"{text}{FIRST + sorted(KINDS).index(kind)}" if half_way else text)
    assert np.array_equal(in_windows(vrt, 150), whole)
    assert "GDAL" in devices(report())
    assert len(devices(report())) == (2 if half_way else 1)


def test_threads(vrt, whole):
    results = {}

    def read(size):
        results[size] = in_windows(vrt, size)

    threads = [threading.Thread(target=read, args=(size,)) for size in (600, 300, 256, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(result, whole) for result in results.values())


def test_a_forked_child(vrt, whole):
    """Where a parent's device can't be used (CUDA), GDAL's own code gives the same."""
    end, begin = os.pipe()
    child = os.fork()
    if child == 0:
        same = np.array_equal(in_windows(vrt, 256), whole)
        os.write(begin, b"y" if same else b"n")
        os._exit(0)
    os.close(begin)
    answer = os.read(end, 1)
    os.waitpid(child, 0)
    assert answer == b"y"


@pytest.fixture(scope="module")
def programs(build, folder, device, tmp_path_factory):
    return Programs(build, folder, tmp_path_factory.mktemp("kernels"), device)


@pytest.mark.parametrize("environment", [{}, {"GDAL_GPU_FAULT": "launch=5"}, {"GDAL_GPU_FAULT": "lose:5"}, {"GDAL_GPU_FAULT": "compile"}],
                         ids=["device", "launch=5", "lose:5", "compile"])
def test_gdalwarp(programs, scene, whole, kind, environment, tmp_path):
    """Door 5, in chunks and by threads: door 1's pixels."""
    settings = KINDS[kind]
    flags = ["-t_srs", "EPSG:3857", "-r", settings["resampleAlg"], "-tr", settings["xRes"], settings["yRes"]]
    if "errorThreshold" in settings:
        flags += ["-et", settings["errorThreshold"]]
    if environment.get("GDAL_GPU_FAULT") == "compile":
        environment = {**environment, "GDAL_GPU_CACHE_DIR": str(tmp_path)}
    lines = programs.run("gdalwarp", "-q", "-overwrite", "-wm", "300000", "-wo", "NUM_THREADS=2", *flags, scene, "out.tif", **environment)
    assert np.array_equal(pixels(programs.folder / "out.tif")[0], whole), reasons(lines)
    assert len(lines) > 1 and devices(lines)


def test_not_asked_for_a_device_it_is_plain_gdal(programs, scene, kind):
    settings = KINDS[kind]
    flags = ["-q", "-overwrite", "-t_srs", "EPSG:3857", "-r", settings["resampleAlg"], "-tr", settings["xRes"], settings["yRes"]]
    programs.plain("gdalwarp", *flags, scene, "plain.tif")
    lines = programs.run("gdalwarp", *flags, scene, "out.tif", GDAL_GPU_DEVICE="NONE")
    assert pixels(programs.folder / "out.tif").tobytes() == pixels(programs.folder / "plain.tif").tobytes()
    assert devices(lines) == ["GDAL"]


MASKS = ["none", "nodata", "alpha", "dataset mask"]


def make_masked(path, band_type, mask):
    """Noise of two bands of a type, some of it masked."""
    floating = band_type == gdal.GDT_Float32
    rng, size, bands = np.random.default_rng(5), 300, 3 if mask == "alpha" else 2
    dataset = gdal.GetDriverByName("GTiff").Create(path, size, size, bands, band_type)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32633)
    dataset.SetProjection(srs.ExportToWkt())
    dataset.SetGeoTransform([300000, 100, 0, 5050000, 0, -100])
    values = rng.integers(0, 250, (bands, size, size)).astype(float) * (1.37 if floating else 1)
    if mask == "alpha":
        values[2] = np.where(values[2] > 200, 0, values[2])
        dataset.GetRasterBand(3).SetColorInterpretation(gdal.GCI_AlphaBand)
    if mask == "nodata":
        for band in (1, 2):
            dataset.GetRasterBand(band).SetNoDataValue(float(np.float32(7 * 1.37)) if floating else 7)
    dataset.WriteArray(values.astype(np.float32) if floating else values.astype(int))
    if mask == "dataset mask":
        dataset.CreateMaskBand(gdal.GMF_PER_DATASET)
        dataset.GetRasterBand(1).GetMaskBand().WriteArray((rng.integers(0, 10, (size, size)) > 2).astype(np.uint8) * 255)


@pytest.mark.parametrize("band_type", [gdal.GDT_Byte, gdal.GDT_Int16, gdal.GDT_UInt16, gdal.GDT_Int32, gdal.GDT_UInt32, gdal.GDT_Float32],
                         ids=gdal.GetDataTypeName)
def test_types_and_masks(band_type, fault, report):
    """Of a device, and of GDAL's code where the device fails."""
    results = {}
    for text in ("", "launch"):
        fault(text or None)
        for mask in MASKS:
            source = f"/vsimem/one_answer_{band_type}_{mask}.tif"
            make_masked(source, band_type, mask)
            for resampling, pixel in (("near", 60), ("bilinear", 333), ("cubic", 60)):
                vrt = f"/vsimem/one_answer_{resampling}.vrt"
                gdal.Warp(vrt, source, format="VRT", dstSRS="EPSG:3857", resampleAlg=resampling, xRes=pixel, yRes=pixel)
                results.setdefault((mask, resampling), []).append(gdal.Open(vrt).ReadAsArray())
    assert [key for key, (one, other) in results.items() if one.tobytes() != other.tobytes()] == []
    assert len(devices(report())) == 2


@pytest.fixture(scope="module")
def masked(folder):
    """A source with a nodata value and a mask of the whole dataset; windows with the one, the other, both and neither."""
    path = folder / "masked.tif"
    gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), 300, 400, 2)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32633)
    dataset.SetProjection(srs.ExportToWkt())
    dataset.SetGeoTransform([400000, 100, 0, 5400000, 0, -100])
    y, x = np.mgrid[0:400, 0:300]
    values = (90 + x % 50 + y % 20).astype(np.uint8)
    values[:40] = 0
    dataset.WriteArray(np.stack([values, values]))
    mask = np.full((400, 300), 255, np.uint8)
    mask[100:300, 50:250] = 0
    dataset.CreateMaskBand(gdal.GMF_PER_DATASET)
    dataset.GetRasterBand(1).GetMaskBand().WriteArray(mask)
    gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", None)
    return path


@pytest.mark.parametrize("nodata", [0, 7], ids=["nodata decides", "the mask decides"])
def test_a_mask_and_nodata_values_together(programs, folder, masked, nodata):
    """What GDAL makes of one chunk over everything: its mask counts only where no pixel has the nodata value."""
    path = folder / f"masked{nodata}.vrt"
    settings = dict(dstSRS="EPSG:3857", errorThreshold=0, srcNodata=nodata, dstNodata=201)
    gdal.Warp(str(path), str(masked), format="VRT", **settings)
    programs.plain("gdalwarp", "-q", "-overwrite", "-wm", "500", "-et", "0", "-t_srs", "EPSG:3857", "-srcnodata", nodata, "-dstnodata",
                   201, masked, "plain.tif")
    expected = pixels(programs.folder / "plain.tif")
    assert (expected == 201).any() and (expected != 201).any()
    for rows in (1000, 128, 50):
        dataset = gdal.Open(str(path))
        height = dataset.RasterYSize
        parts = [gdal.Open(str(path)).ReadAsArray(0, y, dataset.RasterXSize, min(rows, height - y)) for y in range(0, height, rows)]
        assert np.array_equal(np.concatenate(parts, axis=1), expected), rows
    for memory in ("0.1", "64"):
        programs.run("gdalwarp", "-q", "-overwrite", "-wm", memory, "-et", "0", "-t_srs", "EPSG:3857", "-srcnodata", nodata, "-dstnodata", 201,
                     masked, "out.tif")
        assert np.array_equal(pixels(programs.folder / "out.tif"), expected), memory


@pytest.mark.parametrize("resampling", ["near", "bilinear"])
def test_a_source_that_lacks_what_is_not_needed(programs, folder, resampling, report):
    """A mosaic without one of its tiles: what plain GDAL doesn't read must not fail the warp."""
    tiles = folder / "tiles"
    tiles.mkdir(exist_ok=True)
    for x, name in ((0, "a"), (1, "b")):
        dataset = gdal.GetDriverByName("GTiff").Create(str(tiles / f"{name}.tif"), 100, 100)
        srs = osr.SpatialReference()
        srs.ImportFromEPSG(4326)
        dataset.SetProjection(srs.ExportToWkt())
        dataset.SetGeoTransform([x, 0.01, 0, 1, 0, -0.01])
        dataset.GetRasterBand(1).Fill(5)
    dataset = None
    gdal.BuildVRT(str(tiles / "mosaic.vrt"), [str(tiles / "a.tif"), str(tiles / "b.tif")])
    (tiles / "b.tif").unlink()
    flags = ["-q", "-overwrite", "-et", "0", "-r", resampling, "-t_srs", "EPSG:3857", "-te_srs", "EPSG:4326", "-te", "0.1", "0.1", "0.97", "0.97",
             "-ts", "200", "200", tiles / "mosaic.vrt"]
    lines = programs.run("gdalwarp", *flags, "out.tif")
    assert (pixels(programs.folder / "out.tif") == 5).all()
    assert devices(lines) == [os.environ["GDAL_GPU_DEVICE"]], reasons(lines)
    assert "ERROR" not in programs.errors
    programs.plain("gdalwarp", *flags, "-of", "VRT", folder / "beside.vrt")
    assert (gdal.Open(str(folder / "beside.vrt")).ReadAsArray() == 5).all()
    # What is needed, and missing, is an error as ever.
    with pytest.raises(RuntimeError):
        gdal.Warp("", str(tiles / "mosaic.vrt"), format="MEM", dstSRS="EPSG:3857")
