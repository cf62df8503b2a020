"""Door 1: the driver GPU opens warped VRTs. GDAL's own VRT driver, asked for by name, is the judge."""
import json
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from osgeo import gdal, osr

gdal.UseExceptions()
pytestmark = pytest.mark.usefixtures("build")

WIDTH, HEIGHT = 700, 500  # of the source


def srs(code):
    system = osr.SpatialReference()
    system.ImportFromEPSG(code)
    return system.ExportToWkt()


def make_source(path, bands=3, type=gdal.GDT_UInt16, options=("TILED=YES",), nodata=None, alpha=False, seed=1):
    rng = np.random.default_rng(seed)
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), WIDTH, HEIGHT, bands + alpha, type, list(options))
    dataset.SetGeoTransform([400000, 60, 0, 5400000, 0, -60])
    dataset.SetProjection(srs(32633))
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    for band in range(1, bands + 1):
        values = 90 + 60 * np.sin(x / 20 + band) + 40 * np.cos(y / 15) + rng.integers(0, 20, x.shape)
        if nodata is not None:
            values[100:200, 150:300] = nodata
            dataset.GetRasterBand(band).SetNoDataValue(nodata)
        dataset.GetRasterBand(band).WriteArray(values)
    if alpha:
        dataset.GetRasterBand(bands + 1).SetColorInterpretation(gdal.GCI_AlphaBand)
        dataset.GetRasterBand(bands + 1).WriteArray(np.where((x - 350) ** 2 + (y - 250) ** 2 < 220**2, 255, 0))
    return path


def make_vrt(path, source, **options):
    """A warped VRT at 45 m: enlarged, so that GDAL's result doesn't depend on how it is cut."""
    settings = dict(format="VRT", dstSRS="EPSG:3857", xRes=65, yRes=65, resampleAlg="bilinear", errorThreshold=0)
    settings.update(options)
    assert gdal.Warp(str(path), str(source), **settings) is not None
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("vrt")


@pytest.fixture(scope="module")
def source(folder):
    return make_source(folder / "source.tif")


@pytest.fixture(scope="module")
def vrt(folder, source):
    return make_vrt(folder / "warped.vrt", source)


def plain(path):
    return gdal.OpenEx(str(path), gdal.OF_RASTER, allowed_drivers=["VRT"])


def gpu(path, **options):
    dataset = gdal.OpenEx(str(path), gdal.OF_RASTER, **options)
    assert dataset.GetDriver().ShortName == "GPU"
    return dataset


def warps(lines):
    return [line for line in lines if line["door"] == "warped_vrt" and line["operation"] == "warp"]


def assert_ran_on(lines, device):
    assert warps(lines), lines
    assert {line["device"] for line in warps(lines)} == {device}, lines


def assert_same_pixels(got, expected):
    assert got.shape == expected.shape and got.dtype == expected.dtype
    if np.issubdtype(got.dtype, np.integer):
        difference = np.abs(got.astype(np.int64) - expected.astype(np.int64))
        assert np.mean(difference > 1) <= 1e-4, f"{np.sum(difference > 1)} of {difference.size}"
        assert difference.mean() < 0.01
    else:
        assert np.array_equal(np.isnan(got), np.isnan(expected))
        wrong = ~np.isclose(got, expected, rtol=1e-5, atol=1e-5, equal_nan=True)
        assert wrong.mean() <= 1e-4, f"{wrong.sum()} of {wrong.size}"


def run(*command, **environment):
    return subprocess.run(
        [str(part) for part in command], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    ).stdout


def gdalinfo(path, *options, **environment):
    info = json.loads(run("gdalinfo", "-json", *options, path, **environment))
    assert info["driverShortName"] in ("GPU", "VRT")
    return info


# ---------------------------------------------------------------------------------------------- identification


def test_formats_lists_the_driver(build):
    assert "GPU -raster- (rw+v)" in run("gdalinfo", "--formats")


def test_bands_with_sources_of_their_own_are_left_to_gdal(folder, source, vrt, report):
    text = vrt.read_text()
    end = text.rindex("</VRTRasterBand>") + len("</VRTRasterBand>")
    dataset = plain(vrt)
    width, height = dataset.GetRasterBand(1).GetBlockSize()
    band = f"""<VRTRasterBand dataType="UInt16" band="4" blockXSize="{width}" blockYSize="{height}"><SimpleSource>
        <SourceFilename>{source}</SourceFilename><SourceBand>2</SourceBand></SimpleSource></VRTRasterBand>"""
    mixed = folder / "mixed.vrt"
    mixed.write_text(text[:end] + band + text[end:])
    dataset = gdal.Open(str(mixed))
    assert dataset.GetDriver().ShortName == "VRT"
    assert dataset.GetRasterBand(4).Checksum() != 0
    assert "VRTSourcedRasterBand" in report()[-1]["reason"]


def test_no_position_is_asked_for_that_the_vrt_driver_does_not_ask_for(folder, vrt):
    """GDAL turns a longitude beyond 180 degrees round in steps of 360: for one of 1e18 that takes for ever."""
    text = vrt.read_text()
    start = text.index("<DstInvGeoTransform>") + len("<DstInvGeoTransform>")
    numbers = text[start:text.index("<", start)].split(",")
    numbers[1] = "-2147483648"
    odd = folder / "odd-inverse.vrt"
    odd.write_text(text[:start] + ",".join(numbers) + text[text.index("<", start):])
    assert_same_pixels(gpu(odd).ReadAsArray(0, 0, 100, 100), plain(odd).ReadAsArray(0, 0, 100, 100))


def test_opening_makes_no_device(vrt, tmp_path, device):
    def log(*command):
        return subprocess.run(command, env={**os.environ, "CPL_DEBUG": "GPU"}, capture_output=True, text=True).stderr

    assert f"device {device}" in log("gdal_translate", "-q", vrt, tmp_path / "out.tif")
    assert f"device {device}" not in log("gdalinfo", vrt)


def test_metadata_equals_gdals(folder, source):
    path = make_vrt(folder / "metadata.vrt", source, dstAlpha=True)
    dataset = gdal.OpenEx(str(path), gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.SetMetadata({"AREA_OR_POINT": "Point", "TITLE": "a title"})
    dataset.SetMetadata({"KEY": "value"}, "DOMAIN")
    band = dataset.GetRasterBand(1)
    band.SetDescription("first")
    band.SetScale(0.5)
    band.SetOffset(-3)
    band.SetUnitType("m")
    band.SetNoDataValue(7)
    band.SetCategoryNames(["a", "b"])
    band.SetMetadataItem("BAND_KEY", "x")
    colors = gdal.ColorTable()
    colors.SetColorEntry(0, (1, 2, 3, 255))
    dataset.GetRasterBand(2).SetColorTable(colors)
    dataset.GetRasterBand(2).SetColorInterpretation(gdal.GCI_PaletteIndex)
    dataset = None

    ours, theirs = gdalinfo(path, "-mdd", "all"), gdalinfo(path, "-mdd", "all", GDAL_GPU_DEVICE="NONE")
    assert ours.pop("driverShortName") == "GPU" and theirs.pop("driverShortName") == "VRT"
    ours.pop("driverLongName"), theirs.pop("driverLongName")
    assert ours == theirs
    a, b = gpu(path), plain(path)
    assert a.GetFileList() == b.GetFileList() and len(a.GetFileList()) == 2
    assert a.GetDescription() == str(path)
    for i in range(1, 5):
        assert a.GetRasterBand(i).GetMaskFlags() == b.GetRasterBand(i).GetMaskFlags()
        assert a.GetRasterBand(i).GetBlockSize() == b.GetRasterBand(i).GetBlockSize()
        assert a.GetRasterBand(i).GetCategoryNames() == b.GetRasterBand(i).GetCategoryNames()


NOT_OURS = {
    "resampling": (dict(resampleAlg="sum"), {}, "Sum"),
    "device NONE": ({}, dict(GDAL_GPU_DEVICE="NONE"), "GDAL_GPU_DEVICE=NONE"),
}


@pytest.mark.parametrize("case", NOT_OURS)
def test_leaves_what_it_cannot_run_to_gdal(case, folder, source, report):
    options, environment, reason = NOT_OURS[case]
    path = make_vrt(folder / f"{case.replace(' ', '_')}.vrt", source, **options)
    with config(environment):
        dataset = gdal.Open(str(path))
        assert dataset.GetDriver().ShortName == "VRT"
        assert gdal.IdentifyDriver(str(path)).ShortName == "VRT"
    lines = [line for line in report() if line["door"] == "warped_vrt"]
    assert len(lines) == 1 and lines[0]["device"] == "GDAL" and reason in lines[0]["reason"], lines


class config:
    """Configuration options for a scope."""

    def __init__(self, options):
        self.options = options

    def __enter__(self):
        self.before = {name: gdal.GetConfigOption(name) for name in self.options}
        for name, value in self.options.items():
            gdal.SetConfigOption(name, value)

    def __exit__(self, *_):
        for name, value in self.before.items():
            gdal.SetConfigOption(name, value)


def test_leaves_a_machine_without_a_gpu_to_gdal(vrt):
    script = "import ctypes\ntry:\n ctypes.CDLL('libcuda.so.1'); print('driver')\nexcept OSError: print('none')"
    if run(sys.executable, "-c", script).strip() == "driver":
        pytest.skip("this machine has an NVIDIA driver")
    assert gdalinfo(vrt, GDAL_GPU_DEVICE="AUTO")["driverShortName"] == "VRT"


def test_update_mode_is_gdals(vrt):
    assert gdal.OpenEx(str(vrt), gdal.OF_RASTER | gdal.OF_UPDATE).GetDriver().ShortName == "VRT"


def test_other_vrts_are_gdals(source, tmp_path):
    gdal.Translate(str(tmp_path / "plain.vrt"), str(source), format="VRT")
    assert gdal.Open(str(tmp_path / "plain.vrt")).GetDriver().ShortName == "VRT"


@pytest.mark.parametrize("damage", ["truncated", "no options", "no bands", "nan", "missing source", "zero size"])
def test_damaged_vrts_fail_as_gdals(damage, vrt, tmp_path):
    text = vrt.read_text()
    if damage == "truncated":
        text = text[: len(text) // 2]
    elif damage == "no options":
        text = text.replace("GDALWarpOptions", "SomeOptions")
    elif damage == "no bands":
        text = text.replace("<BandMapping", "<Other").replace("</BandMapping", "</Other")
    elif damage == "nan":
        text = text.replace("<GeoTransform>", "<GeoTransform>nan,")
    elif damage == "missing source":
        text = text.replace("source.tif", "nowhere.tif")
    elif damage == "zero size":
        text = text.replace('rasterXSize="', 'rasterXSize="0').replace('rasterXSize="0', 'rasterXSize="-', 1)
    path = vrt.parent / f"damaged {damage}.vrt"
    path.write_text(text)

    def outcome(**environment):
        done = subprocess.run(
            ["gdalinfo", str(path)], env={**os.environ, **environment}, capture_output=True, text=True, timeout=60
        )
        return done.returncode, done.stderr, done.stdout.splitlines()[1:]

    assert outcome() == outcome(GDAL_GPU_DEVICE="NONE")


def test_vrt_of_itself_fails(vrt, tmp_path):
    path = tmp_path / "loop.vrt"
    path.write_text(vrt.read_text().replace("source.tif", str(path)).replace('relativeToVRT="1"', 'relativeToVRT="0"'))
    done = subprocess.run(["gdalinfo", str(path)], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "recursi" in done.stderr


# ---------------------------------------------------------------------------------------------- pixels


def test_whole_read_equals_gdals(vrt, report, device):
    got = gpu(vrt).ReadAsArray()
    assert_ran_on(report(), device)
    assert len(warps(report())) == 1
    assert sum(line["pixels"] for line in warps(report())) == got.shape[1] * got.shape[2]
    expected = plain(vrt).ReadAsArray()
    assert expected.any()
    assert_same_pixels(got, expected)


@pytest.mark.parametrize(
    "type, resampling",
    [(gdal.GDT_Byte, "near"), (gdal.GDT_Int16, "cubic"), (gdal.GDT_Float32, "bilinear"), (gdal.GDT_Float64, "cubic")],
)
def test_types_and_resamplings(type, resampling, folder, report, device):
    name = f"{gdal.GetDataTypeName(type)}_{resampling}"
    source = make_source(folder / f"{name}.tif", bands=2, type=type, nodata=3)
    path = make_vrt(folder / f"{name}.vrt", source, resampleAlg=resampling)
    got, expected = gpu(path).ReadAsArray(), plain(path).ReadAsArray()
    assert_ran_on(report(), device)
    assert (expected == 3).any()
    assert_same_pixels(got, expected)


def test_any_window_equals_the_whole(vrt):
    whole = gpu(vrt).ReadAsArray()
    _, height, width = whole.shape
    for x, y, w, h in [(0, 0, 1, 1), (width - 1, height - 1, 1, 1), (513, 127, 3, 2), (17, 100, 300, 300),
                       (0, 250, width, 131), (500, 0, 30, height), (1, 1, width - 2, height - 2)]:
        dataset = gpu(vrt)
        assert np.array_equal(dataset.ReadAsArray(x, y, w, h), whole[:, y : y + h, x : x + w])
        assert np.array_equal(dataset.GetRasterBand(2).ReadAsArray(x, y, w, h), whole[1, y : y + h, x : x + w])


def test_blocks_equal_the_whole(vrt):
    whole = gpu(vrt).ReadAsArray()
    dataset = gpu(vrt)
    _, height, width = whole.shape
    for number in (2, 1, 3):
        band = dataset.GetRasterBand(number)
        block_width, block_height = band.GetBlockSize()
        for row in reversed(range(-(-height // block_height))):
            for column in range(-(-width // block_width)):
                block = np.frombuffer(band.ReadBlock(column, row), dtype=whole.dtype)
                block = block.reshape(block_height, block_width)
                part = whole[number - 1, row * block_height :, column * block_width :][:block_height, :block_width]
                assert np.array_equal(block[: part.shape[0], : part.shape[1]], part)


def test_rows_and_pixels_cause_few_warps(vrt, report):
    whole = gpu(vrt).ReadAsArray()
    before = len(warps(report()))
    dataset = gpu(vrt)
    rows = [dataset.ReadAsArray(0, y, whole.shape[2], 1) for y in range(whole.shape[1])]
    assert np.array_equal(np.concatenate(rows, axis=1), whole)
    by_rows = len(warps(report()))
    assert by_rows - before <= 10, "not a warp a row"
    for y in range(3):
        for x in range(20):
            assert dataset.ReadAsArray(x, y, 1, 1).tolist() == whole[:, y : y + 1, x : x + 1].tolist()
    assert len(warps(report())) == by_rows, "blocks are at hand"


def test_band_after_band_warps_once(vrt, report):
    dataset = gpu(vrt)
    bands = [dataset.GetRasterBand(i).ReadAsArray() for i in (1, 2, 3)]
    assert len(warps(report())) == 1
    assert np.array_equal(np.stack(bands), gpu(vrt).ReadAsArray())
    dataset.FlushCache()
    dataset.GetRasterBand(1).ReadAsArray()
    assert len(warps(report())) == 3


def test_large_regions_are_cut_and_stay_the_same(folder, report, device):
    source = make_source(folder / "big.tif", bands=2, type=gdal.GDT_Float64)
    path = make_vrt(folder / "big.vrt", source, xRes=11, yRes=11)
    width = gpu(path).RasterXSize
    rows = 36 * 2**20 // (width * 16)  # more than 8 MB: into the caller's array
    whole = gpu(path).ReadAsArray(0, 0, width, rows)
    assert len(warps(report())) == 1
    parts = gpu(path)
    for y in range(0, rows - 200, 200):
        assert np.array_equal(parts.ReadAsArray(0, y, width, 200), whole[:, y : y + 200])
    before = len(warps(report()))
    cache = gdal.GetCacheMax()
    gdal.SetCacheMax(0)
    try:
        swaths = gpu(path).ReadAsArray(0, 0, width, 2 * rows)  # more than 64 MB with its source: in swaths
    finally:
        gdal.SetCacheMax(cache)
    assert len(warps(report())) == before + 3
    assert_ran_on(report(), device)
    assert np.array_equal(swaths[:, :rows], whole)


@pytest.mark.parametrize("layout", ["pixel", "line", "band"])
@pytest.mark.parametrize("type", [gdal.GDT_UInt16, gdal.GDT_Byte, gdal.GDT_Float64])
def test_any_buffer_layout_and_type(layout, type, vrt):
    size, bands = gdal.GetDataTypeSize(type) // 8, [3, 1]
    width, height = 401, 207
    spacing = {
        "pixel": (size * 2, size * 2 * width, size),
        "line": (size, size * 2 * width, size * width),
        "band": (size, size * width, size * width * height),
    }[layout]

    def read(dataset):
        return dataset.ReadRaster(11, 150, width, height, buf_type=type, band_list=bands, buf_pixel_space=spacing[0],
                                  buf_line_space=spacing[1], buf_band_space=spacing[2])

    dtype = {gdal.GDT_UInt16: np.uint16, gdal.GDT_Byte: np.uint8, gdal.GDT_Float64: np.float64}[type]
    got = np.frombuffer(read(gpu(vrt)), dtype=dtype)
    assert_same_pixels(got, np.frombuffer(read(plain(vrt)), dtype=dtype))
    dataset = gpu(vrt)
    dataset.ReadAsArray()
    assert np.array_equal(np.frombuffer(read(dataset), dtype=dtype), got), "from what is at hand"


def test_destination_alpha(vrt, folder, source, report, device):
    path = make_vrt(folder / "dstalpha.vrt", source, dstAlpha=True)
    got, expected = gpu(path).ReadAsArray(), plain(path).ReadAsArray()
    assert_ran_on(report(), device)
    assert got.shape[0] == 4 and len(np.unique(expected[3])) == 2
    assert_same_pixels(got, expected)
    # Alpha alone, first, in blocks, and a part without any source.
    for window in [(0, 0, None, None), (0, 0, 9, 9), (300, 200, 77, 5)]:
        dataset = gpu(path)
        x, y, w, h = window
        part = got[3, y : y + (h or got.shape[1]), x : x + (w or got.shape[2])]
        assert np.array_equal(dataset.GetRasterBand(4).ReadAsArray(x, y, w, h), part)
        assert np.array_equal(dataset.GetRasterBand(1).GetMaskBand().ReadAsArray(x, y, w, h) > 0, part > 0)
    corner = make_vrt(folder / "outside.vrt", source, dstAlpha=True, outputBounds=[0, 0, 65000, 65000])
    assert not gpu(corner).ReadAsArray().any()


def test_source_alpha(folder, report, device):
    source = make_source(folder / "alpha.tif", type=gdal.GDT_Byte, alpha=True)
    path = make_vrt(folder / "alpha.vrt", source)
    got, expected = gpu(path).ReadAsArray(), plain(path).ReadAsArray()
    assert_ran_on(report(), device)
    assert len(np.unique(expected[3])) > 1
    assert_same_pixels(got, expected)


def test_nodata_mask_is_of_our_pixels(folder, report, device):
    source = make_source(folder / "nodata.tif", bands=1, type=gdal.GDT_Byte, nodata=3)
    path = make_vrt(folder / "nodata.vrt", source)
    dataset = gpu(path)
    assert dataset.GetRasterBand(1).GetMaskFlags() == gdal.GMF_NODATA
    mask = dataset.GetRasterBand(1).GetMaskBand().ReadAsArray()
    assert_ran_on(report(), device)
    assert np.array_equal(mask > 0, dataset.ReadAsArray() != 3) and (mask == 0).any()


def test_band_types_and_order_of_the_vrt(folder, source):
    # The VRT's second band is the source's third, as Byte: values pass through the band's type.
    path = make_vrt(folder / "order.vrt", source)
    text = path.read_text()
    for old, new in [('src="2"', 'src="9"'), ('src="3"', 'src="2"'), ('src="9"', 'src="3"')]:
        text = text.replace(old, new)
    text = text.replace('dataType="UInt16" band="2"', 'dataType="Byte" band="2"')
    path.write_text(text)
    got, expected = gpu(path), plain(path)
    assert got.GetRasterBand(2).DataType == gdal.GDT_Byte
    for type in (gdal.GDT_UInt16, gdal.GDT_Float32):
        a = [got.GetRasterBand(i).ReadAsArray(buf_type=type) for i in (1, 2, 3)]
        b = [expected.GetRasterBand(i).ReadAsArray(buf_type=type) for i in (1, 2, 3)]
        assert_same_pixels(np.stack(a), np.stack(b))


def test_statistics_are_of_our_pixels(folder, source):
    path = make_vrt(folder / "statistics.vrt", source)
    dataset = gpu(path)
    values = dataset.GetRasterBand(2).ReadAsArray().astype(float)
    minimum, maximum, mean, deviation = dataset.GetRasterBand(2).ComputeStatistics(False)
    assert (minimum, maximum) == (values.min(), values.max())
    assert mean == pytest.approx(values.mean(), rel=1e-9) and deviation == pytest.approx(values.std(), rel=1e-9)
    assert dataset.GetRasterBand(2).ComputeRasterMinMax(False) == (values.min(), values.max())
    assert dataset.GetRasterBand(2).GetMetadataItem("STATISTICS_MAXIMUM") == str(int(values.max()))


def test_resampled_reads_equal_gdals(vrt):
    whole = gpu(vrt).ReadAsArray()
    for algorithm in (gdal.GRIORA_NearestNeighbour, gdal.GRIORA_Bilinear, gdal.GRIORA_Average):
        size = dict(buf_xsize=211, buf_ysize=97, resample_alg=algorithm)
        ours, theirs = gpu(vrt), plain(vrt)
        assert_same_pixels(ours.ReadAsArray(**size), theirs.ReadAsArray(**size))
        window = (50, 60, 400, 300)
        assert_same_pixels(
            ours.GetRasterBand(2).ReadAsArray(*window, **size), theirs.GetRasterBand(2).ReadAsArray(*window, **size)
        )
    twice = gpu(vrt).ReadAsArray(10, 10, 100, 100, buf_xsize=200, buf_ysize=200)
    assert np.array_equal(twice[:, ::2, ::2], whole[:, 10:110, 10:110])


def test_overviews_are_gdals(folder, report):
    source = make_source(folder / "overviews.tif", bands=2)
    dataset = gdal.Open(str(source), gdal.GA_Update)
    dataset.BuildOverviews("AVERAGE", [2, 4])
    dataset = None
    path = make_vrt(folder / "overviews.vrt", source)
    a, b = gpu(path), plain(path)
    assert a.GetRasterBand(1).GetOverviewCount() == b.GetRasterBand(1).GetOverviewCount() == 2
    for i in range(2):
        ours, theirs = a.GetRasterBand(2).GetOverview(i), b.GetRasterBand(2).GetOverview(i)
        assert (ours.XSize, ours.YSize) == (theirs.XSize, theirs.YSize)
        assert np.array_equal(ours.ReadAsArray(), theirs.ReadAsArray())
    small = dict(buf_xsize=a.RasterXSize // 4, buf_ysize=a.RasterYSize // 4)
    before = len(report())
    assert np.array_equal(a.ReadAsArray(**small), b.ReadAsArray(**small))
    assert [(line["operation"], line["device"]) for line in report()[before:]] == [("overview", "GDAL")]
    level = gdal.OpenEx(str(path), open_options=["OVERVIEW_LEVEL=0"])
    assert np.array_equal(level.GetRasterBand(2).ReadAsArray(), b.GetRasterBand(2).GetOverview(0).ReadAsArray())


def test_a_source_read_by_threads_gives_the_same_pixels(source, tmp_path, report, device):
    large = tmp_path / "large.tif"
    gdal.Translate(str(large), str(source), width=5 * WIDTH, height=5 * HEIGHT, creationOptions=["TILED=YES"])
    path = make_vrt(tmp_path / "large.vrt", large, xRes=20, yRes=20)
    pixels, times_open = [], []
    for threads in (1, 3):
        gdal.SetConfigOption("GDAL_GPU_READ_THREADS", str(threads))
        dataset = gpu(path)
        gdal.SetConfigOption("GDAL_GPU_READ_THREADS", None)
        pixels.append(dataset.ReadAsArray())
        opened = [os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")]
        times_open.append(opened.count(str(large)))
        dataset = None
    assert times_open[1] == times_open[0] + 3
    assert np.array_equal(*pixels)
    assert_ran_on(report(), device)


# ---------------------------------------------------------------------------------------------- files and nesting


def test_names_and_folders(vrt, source, tmp_path):
    whole = gpu(vrt).ReadAsArray()
    text = vrt.read_text()
    assert 'relativeToVRT="1"' in text
    link = tmp_path / "link.vrt"
    link.symlink_to(vrt)
    assert np.array_equal(gpu(link).ReadAsArray(), whole)
    moved = tmp_path / "moved.vrt"
    moved.write_text(text)
    assert np.array_equal(gpu(moved, open_options=[f"ROOT_PATH={source.parent}"]).ReadAsArray(), whole)
    inline = text.replace("source.tif", str(source)).replace('relativeToVRT="1"', 'relativeToVRT="0"')
    assert np.array_equal(gpu(inline).ReadAsArray(), whole)
    gdal.FileFromMemBuffer("/vsimem/door1.vrt", inline)
    assert np.array_equal(gpu("/vsimem/door1.vrt").ReadAsArray(), whole)
    gdal.Unlink("/vsimem/door1.vrt")
    without_extension = vrt.parent / "no_extension"
    without_extension.write_text(text)
    assert np.array_equal(gpu(without_extension).ReadAsArray(), whole)


def test_warped_vrt_of_a_warped_vrt(folder, vrt, report, device):
    path = make_vrt(folder / "nested.vrt", vrt, dstSRS="EPSG:4326", xRes=0.0006, yRes=0.0006)
    got = gpu(path).ReadAsArray()
    assert_ran_on(report(), device)
    assert len({line["kernel"] for line in warps(report())}) == 2, "both levels"
    with config({"GDAL_GPU_DEVICE": "NONE"}):
        expected = plain(path).ReadAsArray()
    difference = np.abs(got.astype(int) - expected.astype(int))
    assert np.mean(difference > 2) < 1e-3


def test_mosaic_of_warped_vrts(folder, vrt, report, device):
    mosaic = folder / "mosaic.vrt"
    gdal.BuildVRT(str(mosaic), [str(vrt)])
    dataset = gdal.Open(str(mosaic))
    assert dataset.GetDriver().ShortName == "VRT"
    assert np.array_equal(dataset.ReadAsArray(), gpu(vrt).ReadAsArray())
    assert_ran_on(report(), device)


def test_vrt_as_source(folder, source):
    subset = folder / "subset.vrt"
    gdal.Translate(str(subset), str(source), format="VRT", bandList=[2])
    path = make_vrt(folder / "of_subset.vrt", subset)
    assert_same_pixels(gpu(path).ReadAsArray(), plain(path).ReadAsArray())


# ---------------------------------------------------------------------------------------------- programs and threads


def test_gdal_translate_tiled_and_striped(vrt, tmp_path, report, device):
    whole = gpu(vrt).ReadAsArray()
    for name, options in {
        "striped": [], "tiled": ["-co", "TILED=YES"], "band": ["-co", "INTERLEAVE=BAND"],
        "small": ["-co", "TILED=YES", "-co", "BLOCKXSIZE=64", "-co", "BLOCKYSIZE=32", "-co", "COMPRESS=LZW"],
    }.items():
        before = len(warps(report()))
        run("gdal_translate", "-q", *options, vrt, tmp_path / f"{name}.tif")
        assert_ran_on(report()[before:], device)
        assert np.array_equal(gdal.Open(str(tmp_path / f"{name}.tif")).ReadAsArray(), whole), name


def test_second_process_compiles_nothing(vrt, tmp_path, report):
    for _ in range(2):
        run("gdal_translate", "-q", vrt, tmp_path / "out.tif")
    assert warps(report())[-1]["compiled"] == 0


def test_a_failing_device_leaves_gdals_pixels(vrt, tmp_path):
    for environment in ({"GDAL_GPU_CXX": "/nonexistent", "GDAL_GPU_CACHE_DIR": str(tmp_path)},
                        {"GDAL_GPU_MEMORY_LIMIT": "1KB"}):
        path = tmp_path / "report"
        path.unlink(missing_ok=True)
        run("gdal_translate", "-q", vrt, tmp_path / "out.tif", GDAL_GPU_DEVICE="HOST", GDAL_GPU_REPORT=str(path),
            **environment)
        lines = warps(map(json.loads, path.read_text().splitlines()))
        assert lines and all(line["device"] == "GDAL" and line["reason"] for line in lines), lines
        assert_same_pixels(gdal.Open(str(tmp_path / "out.tif")).ReadAsArray(), plain(vrt).ReadAsArray())


def test_datasets_on_many_threads(vrt):
    whole = gpu(vrt).ReadAsArray()
    failures = []

    def work(seed):
        rng = np.random.default_rng(seed)
        try:
            dataset = gdal.Open(str(vrt))
            for _ in range(8):
                x, y = int(rng.integers(0, 400)), int(rng.integers(0, 300))
                w, h = int(rng.integers(1, 300)), int(rng.integers(1, 250))
                if not np.array_equal(dataset.ReadAsArray(x, y, w, h), whole[:, y : y + h, x : x + w]):
                    failures.append((x, y, w, h))
        except Exception as error:  # a thread's exception would be lost
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_rasterio_reads_the_same_pixels(vrt, tmp_path, report, device):
    pytest.importorskip("rasterio")
    script = """
import sys, numpy, rasterio
from rasterio.windows import Window
with rasterio.open(sys.argv[1]) as dataset:
    print(dataset.driver, dataset.crs.to_epsg(), dataset.count)
    numpy.save(sys.argv[2], dataset.read())
    numpy.save(sys.argv[3], dataset.read(window=Window(101, 57, 200, 150)))
"""
    out = run(sys.executable, "-c", script, vrt, tmp_path / "whole.npy", tmp_path / "window.npy")
    assert out.split() == ["GPU", "3857", "3"]
    assert_ran_on(report(), device)
    whole = gpu(vrt).ReadAsArray()
    assert np.array_equal(np.load(tmp_path / "whole.npy"), whole)
    assert np.array_equal(np.load(tmp_path / "window.npy"), whole[:, 57:207, 101:301])
