"""Door 4: GPU:<algorithm>[,key=value...]:<dataset>, beside gdaldem."""
import contextlib
import pathlib
import subprocess
import zipfile

import numpy as np
import pytest
from osgeo import gdal, gdal_array, osr

pytestmark = pytest.mark.usefixtures("no_exceptions")

SAMPLE = pathlib.Path("/usr/share/matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz")


def write(path, array, geotransform, nodata=None, options=(), srs="EPSG:4326"):
    """array: rows x columns, or bands x rows x columns."""
    bands = array if array.ndim == 3 else array[np.newaxis]
    dataset = gdal.GetDriverByName("GTiff").Create(
        str(path), bands.shape[2], bands.shape[1], bands.shape[0],
        gdal_array.NumericTypeCodeToGDALTypeCode(array.dtype.type), list(options))
    reference = osr.SpatialReference()
    reference.SetFromUserInput(srs)
    dataset.SetProjection(reference.ExportToWkt())
    dataset.SetGeoTransform(geotransform)
    for number, band in enumerate(bands, 1):
        dataset.GetRasterBand(number).WriteArray(band)
        if nodata is not None:
            dataset.GetRasterBand(number).SetNoDataValue(nodata)
    return str(path)


@pytest.fixture(scope="module")
def dems(tmp_path_factory):
    """Real elevations (an SRTM tile) in degrees and metres: "int16"; "metres", square pixels, Float32 with holes of
    nodata; "nan", Float64 with NaN as nodata; "bands", two bands."""
    if not SAMPLE.exists():
        pytest.fail(f"{SAMPLE} is missing: install python-matplotlib-data")
    folder = tmp_path_factory.mktemp("dem")
    with np.load(SAMPLE) as sample:
        elevation = sample["elevation"].astype(np.int16)
        west, east, north = (float(sample[name]) for name in ("xmin", "xmax", "ymax"))
        degrees = [west, float(sample["dx"]), 0, north, 0, -float(sample["dy"])]
        assert east > west
    metres = [500000, 90, 0, 4000000, 0, -90]
    rough = elevation + np.random.default_rng(3).normal(0, 2, elevation.shape)
    holes = np.random.default_rng(4).random(elevation.shape) < 0.01
    return {
        "int16": write(folder / "int16.tif", elevation, degrees),
        "metres": write(folder / "metres.tif", np.where(holes, -9999, rough).astype(np.float32), metres, -9999,
                        ["TILED=YES", "BLOCKXSIZE=128", "BLOCKYSIZE=128"], "EPSG:32617"),
        "nan": write(folder / "nan.tif", np.where(holes, np.nan, rough), metres, float("nan"), (), "EPSG:32617"),
        "bands": write(folder / "bands.tif", np.stack([elevation, elevation * 3]), degrees),
    }


@contextlib.contextmanager
def option(name, value):
    gdal.SetConfigOption(name, value)
    try:
        yield
    finally:
        gdal.SetConfigOption(name, None)


def expect_as_gdaldem(ours, judged):
    assert ours.RasterCount == 1
    assert ours.GetGeoTransform() == judged.GetGeoTransform()
    assert ours.GetSpatialRef().IsSame(judged.GetSpatialRef())
    a, b = ours.GetRasterBand(1), judged.GetRasterBand(1)
    assert a.DataType == b.DataType
    assert a.GetNoDataValue() == b.GetNoDataValue()
    mine, theirs = a.ReadAsArray(), b.ReadAsArray()
    assert ((mine == a.GetNoDataValue()) == (theirs == a.GetNoDataValue())).mean() >= 0.9999
    if a.DataType == gdal.GDT_Byte:
        close = np.abs(mine.astype(int) - theirs) <= 1
    else:
        close = np.abs(mine - theirs) <= 1e-5 * np.abs(theirs)
    assert close.mean() >= 0.9999
    # Not all the same: the comparison sees something.
    assert len(np.unique(theirs)) > 20


def expect_ran(report, device, operation, pixels=None):
    lines = [line for line in report() if line["door"] == "algorithm"]
    assert lines
    assert {line["operation"] for line in lines} == {operation}
    assert {line["device"] for line in lines} == {device}, lines[0].get("reason")
    if pixels:
        assert sum(line["pixels"] for line in lines) == pixels
    return lines


CASES = [
    ("hillshade", "int16", "scale=111120", "-s 111120"),
    ("hillshade", "int16", "s=111120,az=45,alt=60,z=2.5", "-s 111120 -az 45 -alt 60 -z 2.5"),
    ("hillshade", "int16", "scale=111120,alg=ZevenbergenThorne,compute_edges",
     "-s 111120 -alg ZevenbergenThorne -compute_edges"),
    ("hillshade", "int16", "scale=111120,combined", "-s 111120 -combined"),
    ("hillshade", "int16", "scale=111120,multidirectional=YES,altitude=30", "-s 111120 -multidirectional -alt 30"),
    ("hillshade", "int16", "scale=111120,igor,compute_edges=YES", "-s 111120 -igor -compute_edges"),
    ("hillshade", "metres", "", ""),
    ("hillshade", "metres", "compute_edges", "-compute_edges"),
    ("hillshade", "metres", "combined,alg=zevenbergenthorne", "-combined -alg ZevenbergenThorne"),
    ("hillshade", "nan", "multidirectional,alg=ZevenbergenThorne", "-multidirectional -alg ZevenbergenThorne"),
    ("hillshade", "nan", "igor,alg=ZevenbergenThorne,azimuth=10,compute_edges",
     "-igor -alg ZevenbergenThorne -az 10 -compute_edges"),
    ("hillshade", "bands", "scale=111120,b=2", "-s 111120 -b 2"),
    ("slope", "int16", "scale=111120", "-s 111120"),
    ("slope", "int16", "scale=111120,format=percent,compute_edges", "-s 111120 -p -compute_edges"),
    ("slope", "metres", "alg=ZevenbergenThorne", "-alg ZevenbergenThorne"),
    ("slope", "metres", "compute_edges,alg=Horn", "-compute_edges -alg Horn"),
    ("slope", "nan", "format=Percent,alg=ZevenbergenThorne", "-p -alg ZevenbergenThorne"),
    ("slope", "bands", "scale=111120,band=2", "-s 111120 -b 2"),
]


@pytest.mark.parametrize("algorithm,dem,arguments,options", CASES)
def test_result_equals_gdaldem(build, dems, device, report, algorithm, dem, arguments, options):
    name = f"GPU:{algorithm}{',' if arguments else ''}{arguments}:{dems[dem]}"
    ours = gdal.Translate("", name, format="MEM")
    judged = gdal.DEMProcessing("", dems[dem], algorithm, options=f"-of MEM {options}")
    expect_as_gdaldem(ours, judged)
    expect_ran(report, device, algorithm, ours.RasterXSize * ours.RasterYSize)


@pytest.mark.parametrize("layout", [[], ["-co", "TILED=YES"]])
def test_gdal_translate_equals_gdaldem(build, dems, device, report, tmp_path, layout):
    """The programs, a whole file in few reads."""
    subprocess.run(["gdal_translate", "-q", *layout, f"GPU:hillshade,azimuth=300:{dems['metres']}",
                    tmp_path / "ours.tif"], check=True)
    subprocess.run(["gdaldem", "hillshade", "-q", "-az", "300", dems["metres"], tmp_path / "judged.tif"], check=True)
    expect_as_gdaldem(gdal.Open(str(tmp_path / "ours.tif")), gdal.Open(str(tmp_path / "judged.tif")))
    lines = expect_ran(report, device, "hillshade", 344 * 403)
    assert len(lines) <= 4


def test_second_run_compiles_nothing(build, dems, device, report, tmp_path):
    for _ in range(2):
        subprocess.run(["gdal_translate", "-q", f"GPU:slope:{dems['metres']}", tmp_path / "slope.tif"], check=True)
    assert report()[-1]["compiled"] == 0
    assert report()[-1]["device"] == device


def test_without_a_device_the_cpu_gives_the_same(build, dems, report):
    name = f"GPU:hillshade,compute_edges:{dems['metres']}"
    with option("GDAL_GPU_DEVICE", "NONE"):
        ours = gdal.Translate("", name, format="MEM")
    expect_as_gdaldem(ours, gdal.DEMProcessing("", dems["metres"], "hillshade", options="-of MEM -compute_edges"))
    assert {line["reason"] for line in expect_ran(report, "GDAL", "hillshade")} == {"GDAL_GPU_DEVICE=NONE"}


@pytest.mark.parametrize("algorithm", ["hillshade", "slope"])
def test_any_window_has_the_same_bytes(build, dems, algorithm):
    name = f"GPU:{algorithm},compute_edges:{dems['metres']}"
    dataset = gdal.Open(name)
    whole = dataset.ReadAsArray()
    height, width = whole.shape
    random = np.random.default_rng(7)
    for _ in range(25):
        x, y = int(random.integers(width)), int(random.integers(height))
        w, h = int(random.integers(1, width - x + 1)), int(random.integers(1, height - y + 1))
        assert np.array_equal(gdal.Open(name).ReadAsArray(x, y, w, h), whole[y:y + h, x:x + w])
    fresh = gdal.Open(name)
    block_width, block_height = fresh.GetRasterBand(1).GetBlockSize()
    for y in range(0, height, block_height):
        for x in range(0, width, block_width):
            part = whole[y:y + block_height, x:x + block_width]
            block = np.frombuffer(fresh.GetRasterBand(1).ReadBlock(x // block_width, y // block_height), whole.dtype)
            assert np.array_equal(block.reshape(block_height, block_width)[:part.shape[0], :part.shape[1]], part)
    wide = np.frombuffer(dataset.ReadRaster(buf_type=gdal.GDT_Float64), np.float64)
    assert np.array_equal(wide.reshape(height, width), whole.astype(np.float64))
    small = dataset.ReadAsArray(buf_xsize=width // 4, buf_ysize=height // 4)
    assert np.array_equal(small, gdal_array.OpenArray(whole).ReadAsArray(buf_xsize=width // 4,
                                                                         buf_ysize=height // 4))


def test_little_device_memory_gives_the_same_bytes(build, dems, report, device):
    name = f"GPU:slope:{dems['nan']}"
    whole = gdal.Open(name).ReadAsArray()
    with option("GDAL_GPU_MEMORY_LIMIT", "150KB"):
        assert np.array_equal(gdal.Open(name).ReadAsArray(), whole)
    expect_ran(report, device, "slope")


def test_names_reach_any_dataset(build, dems, tmp_path, monkeypatch):
    """Colons, commas, spaces, quotes, relative paths, archives, other algorithms."""
    whole = gdal.Open(f"GPU:slope:{dems['int16']}").ReadAsArray()
    monkeypatch.chdir(tmp_path)
    odd = tmp_path / "a, b=c:d.tif"
    odd.write_bytes(pathlib.Path(dems["int16"]).read_bytes())
    with zipfile.ZipFile(tmp_path / "dem.zip", "w") as archive:
        archive.write(dems["int16"], "dem.tif")
    for name in (odd, f'"{odd}"', odd.name, f"./{odd.name}", f"/vsizip/{tmp_path}/dem.zip/dem.tif",
                 f"GTIFF_DIR:1:{dems['int16']}"):
        assert np.array_equal(gdal.Open(f"GPU:slope:{name}").ReadAsArray(), whole), name
    nested = gdal.Open(f"GPU:slope:GPU:hillshade:{dems['int16']}")
    hillshade = gdal.Translate("", f"GPU:hillshade:{dems['int16']}", format="MEM")
    assert np.allclose(nested.ReadAsArray(), gdal.DEMProcessing("", hillshade, "slope", format="MEM").ReadAsArray(),
                       rtol=1e-5, atol=0)


def test_dataset_describes_itself(build, dems):
    dataset = gdal.Open(f"GPU:hillshade:{dems['metres']}")
    assert dataset.GetDriver().ShortName == "GPU"
    assert not dataset.GetFileList()  # GDAL deletes and moves what is in there
    assert dataset.GetMetadataItem("AREA_OR_POINT") == "Area"
    assert dataset.GetRasterBand(1).GetColorInterpretation() == gdal.GCI_GrayIndex
    assert gdal.Info(dataset)


@pytest.mark.parametrize("name,message", [
    ("GPU:hilshade:{dem}", 'no algorithm "hilshade"; is hillshade meant? There are hillshade, slope'),
    ("GPU:hillshade", "write GPU:<algorithm>"),
    ("GPU:hillshade:", "no dataset is named"),
    ("GPU::{dem}", "no algorithm is named"),
    ("GPU:hillshade,azimut=3:{dem}", 'no argument "azimut"; is azimuth meant? It has azimuth, altitude'),
    ("GPU:hillshade,azimuth=north:{dem}", "azimuth takes a number"),
    ("GPU:hillshade,altitude=120:{dem}", "0 to 90"),
    ("GPU:hillshade,igor,combined:{dem}", "only one of"),
    ("GPU:slope,format=grad:{dem}", "format takes degree, percent"),
    ("GPU:slope,scale=0:{dem}", "more than 0"),
    ("GPU:slope,xscale=2:{dem}", "xscale and yscale"),
    ("GPU:slope,band=2:{dem}", "has 1 band"),
    ("GPU:slope,band=0:{dem}", "at least 1"),
    ("GPU:slope:/nowhere/dem.tif", "/nowhere/dem.tif"),
])
def test_errors_come_at_open(build, dems, name, message):
    gdal.ErrorReset()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        assert gdal.Open(name.format(dem=dems["int16"])) is None
    finally:
        gdal.PopErrorHandler()
    assert message in gdal.GetLastErrorMsg()
    assert gdal.GetLastErrorType() == gdal.CE_Failure


def test_endless_nesting_is_refused(build):
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        assert gdal.Open("GPU:slope:" * 3000 + "x.tif") is None
    finally:
        gdal.PopErrorHandler()


def test_update_is_refused(build, dems):
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        assert gdal.Open(f"GPU:slope:{dems['int16']}", gdal.GA_Update) is None
    finally:
        gdal.PopErrorHandler()
    assert "read-only" in gdal.GetLastErrorMsg()


def test_unreadable_source_is_an_error_not_pixels(build, dems, tmp_path):
    broken = tmp_path / "broken.tif"
    broken.write_bytes(pathlib.Path(dems["metres"]).read_bytes()[:200000])
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        dataset = gdal.Open(f"GPU:slope:{broken}")
        assert dataset is None or dataset.ReadAsArray() is None
    finally:
        gdal.PopErrorHandler()
