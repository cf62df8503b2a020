"""Door 3: the pixel function gpu_expression in a VRTDerivedRasterBand."""
import subprocess
from xml.sax.saxutils import quoteattr

import numpy as np
import pytest
from osgeo import gdal, gdal_array

pytestmark = pytest.mark.usefixtures("no_exceptions")

WIDTH, HEIGHT = 211, 97


def write(path, array):
    dataset = gdal.GetDriverByName("GTiff").Create(
        str(path), array.shape[1], array.shape[0], 1, gdal_array.NumericTypeCodeToGDALTypeCode(array.dtype.type))
    dataset.GetRasterBand(1).WriteArray(array)
    dataset.SetGeoTransform([100, 10, 0, 200, 0, -10])
    return str(path)


def vrt(sources, expression, data_type="Float32", transfer_type=None, **arguments):
    """A derived band over files; sources: their paths."""
    given = "".join(f" {key}={quoteattr(str(value))}" for key, value in arguments.items())
    if expression is not None:
        given += f" expression={quoteattr(expression)}"
    transfer = f"<SourceTransferType>{transfer_type}</SourceTransferType>" if transfer_type else ""
    files = "".join(f"<SimpleSource><SourceFilename>{source}</SourceFilename><SourceBand>1</SourceBand></SimpleSource>"
                    for source in sources)
    return (f'<VRTDataset rasterXSize="{WIDTH}" rasterYSize="{HEIGHT}">'
            f'<VRTRasterBand dataType="{data_type}" band="1" subClass="VRTDerivedRasterBand">'
            f"<PixelFunctionType>gpu_expression</PixelFunctionType><PixelFunctionArguments{given}/>{transfer}{files}"
            "</VRTRasterBand></VRTDataset>")


@pytest.fixture(scope="module")
def bands(tmp_path_factory):
    """Two files a type, with the arrays: {type: ((path, array), (path, array))}."""
    folder = tmp_path_factory.mktemp("bands")
    random = np.random.default_rng(1)
    made = {}
    for data_type in (np.uint8, np.uint16, np.int16, np.uint32, np.int32, np.float32, np.float64):
        low = 0 if np.issubdtype(data_type, np.unsignedinteger) else -100
        pair = []
        for number in (1, 2):
            array = (low + (255 - low) * random.random((HEIGHT, WIDTH))).astype(data_type)
            pair.append((write(folder / f"{np.dtype(data_type)}_{number}.tif", array), array))
        made[np.dtype(data_type).name] = tuple(pair)
    return made


def expect_ran(report, device):
    lines = [line for line in report() if line["door"] == "pixel_function"]
    assert lines
    assert {line["device"] for line in lines} == {device}, lines[0].get("reason")
    assert {line["operation"] for line in lines} == {"gpu_expression"}
    assert sum(line["pixels"] for line in lines) >= WIDTH * HEIGHT
    return lines


@pytest.mark.parametrize("name", ["uint8", "uint16", "int16", "uint32", "int32", "float32", "float64"])
def test_ndvi_equals_numpy(build, bands, device, report, name):
    (red, a), (infrared, b) = bands[name]
    text = vrt([red, infrared], "(B2 - B1) / (B2 + B1)", "Float32", {
        "uint8": "Byte", "uint16": "UInt16", "int16": "Int16", "uint32": "UInt32", "int32": "Int32",
        "float32": "Float32", "float64": "Float64"}[name])
    a, b = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(all="ignore"):
        expected = ((b - a) / (b + a)).astype(np.float32)
    assert np.array_equal(gdal.Open(text).ReadAsArray(), expected, equal_nan=True)
    expect_ran(report, device)


@pytest.mark.parametrize("expression,reference", [
    ("B1 > 50 && B2 < 200 ? B1 : -1", lambda a, b: np.where((a > 50) & (b < 200), a, -1)),
    ("clamp(k * B1 + offset, 0, 255)", lambda a, b: np.clip(1.5 * a - 20, 0, 255)),
    ("sqrt(abs(B1)) + hypot(B1, B2) * sin(B2)", lambda a, b: np.sqrt(np.abs(a)) + np.hypot(a, b) * np.sin(b)),
    ("max(B1, B2, 0) % 7 + B1 ** 2", lambda a, b: np.fmod(np.maximum(np.maximum(a, b), 0), 7) + a**2),
    ("round(B1 / 10) * pi", lambda a, b: np.copysign(np.floor(np.abs(a / 10) + 0.5), a) * np.pi),
])
def test_expression_equals_numpy(build, bands, device, report, expression, reference):
    (first, a), (second, b) = bands["float32"]
    text = vrt([first, second], expression, "Float64", "Float32", k=1.5, offset=-20)
    expected = reference(a.astype(np.float64), b.astype(np.float64))
    assert np.allclose(gdal.Open(text).ReadAsArray(), expected, rtol=1e-12, atol=1e-12)
    expect_ran(report, device)


def test_gdal_translate_writes_the_same(build, bands, device, report, tmp_path):
    (first, a), (second, b) = bands["uint8"]
    path = tmp_path / "sum.vrt"
    path.write_text(vrt([first, second], "0.75 * B1 + B2", "Byte", "Byte"))
    for _ in range(2):
        subprocess.run(["gdal_translate", "-q", path, tmp_path / "sum.tif"], check=True)
    expected = np.minimum(np.floor(0.75 * a + b + 0.5), 255).astype(np.uint8)
    assert np.array_equal(gdal.Open(str(tmp_path / "sum.tif")).ReadAsArray(), expected)
    assert expect_ran(report, device)[-1]["compiled"] == 0


def test_nodata_in_a_source_is_nodata(build, tmp_path, device, report):
    random = np.random.default_rng(2)
    arrays = [np.where(random.random((HEIGHT, WIDTH)) < 0.1, value, 40 * random.random((HEIGHT, WIDTH)))
              .astype(np.float32) for value in (-9999, -9999)]
    paths = [write(tmp_path / f"{number}.tif", array) for number, array in enumerate(arrays)]
    masked = (arrays[0] == -9999) | (arrays[1] == -9999)
    total = arrays[0].astype(np.float64) + arrays[1]
    result = gdal.Open(vrt(paths, "B1 + B2", nodata=-9999)).ReadAsArray()
    assert np.array_equal(result, np.where(masked, -9999, total).astype(np.float32))
    filled = gdal.Open(vrt(paths, "isnodata(B1) ? isnodata(B2) ? nodata : B2 : B1", nodata=-9999)).ReadAsArray()
    assert np.array_equal(filled, np.where(arrays[0] == -9999, arrays[1], arrays[0]))
    expect_ran(report, device)


def test_nan_is_nodata_where_it_is_said(build, tmp_path):
    array = np.where(np.random.default_rng(2).random((HEIGHT, WIDTH)) < 0.1, np.nan, 3).astype(np.float32)
    path = write(tmp_path / "nan.tif", array)
    assert np.array_equal(gdal.Open(vrt([path], "isnan(B1)", "Byte", "Float32")).ReadAsArray(), np.isnan(array))
    result = gdal.Open(vrt([path], "isnan(B1) ? 1 : 2", nodata="nan")).ReadAsArray()
    assert np.array_equal(result, np.where(np.isnan(array), np.nan, 2).astype(np.float32), equal_nan=True)


def test_without_a_device_the_cpu_gives_the_same(build, bands, report):
    (first, _), (second, _) = bands["int16"]
    text = vrt([first, second], "(B1 - B2) / (B1 + B2) * exp(B1 / 100)", "Float64", "Int16")
    with_device = gdal.Open(text).ReadAsArray()
    gdal.SetConfigOption("GDAL_GPU_DEVICE", "NONE")
    try:
        without = gdal.Open(text).ReadAsArray()
    finally:
        gdal.SetConfigOption("GDAL_GPU_DEVICE", None)
    assert np.allclose(without, with_device, rtol=1e-14, atol=0, equal_nan=True)
    last = report()[-1]
    assert (last["device"], last["reason"]) == ("GDAL", "GDAL_GPU_DEVICE=NONE")


@pytest.mark.parametrize("expression,arguments,message", [
    ("B1 +", {}, 'gpu_expression: column 5: expected a number, a name, a function or "(", found the end, in "B1 +"'),
    ("B3 * 2", {}, "column 1: there is no B3: the band has 2 sources"),
    ("B1 * red", {"k": 2}, 'column 6: unknown name "red"; known are B1 to B2, pi, nan, inf, k'),
    ("B1 < 2 < 3", {}, "comparisons can't be chained"),
    ("__import__('os')", {}, 'unknown function "__import__"'),
    ("B1", {"nodata": "none"}, 'the argument nodata is not a number: "none"'),
    ("B1 * k", {"k": "1;2"}, "the argument k is not a number"),
    (None, {}, "the argument expression is missing"),
    ("(" * 50000, {}, "nested more than"),
])
def test_errors_say_what_and_where(build, bands, expression, arguments, message):
    sources = [path for path, _ in bands["uint8"]]
    gdal.ErrorReset()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        dataset = gdal.Open(vrt(sources, expression, **arguments))
        assert dataset is None or dataset.ReadAsArray() is None
    finally:
        gdal.PopErrorHandler()
    assert message in gdal.GetLastErrorMsg()


def test_complex_sources_are_refused(build, tmp_path):
    path = write(tmp_path / "complex.tif", np.ones((HEIGHT, WIDTH), np.complex64))
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        assert gdal.Open(vrt([path], "B1", "Float32", "CFloat32")).ReadAsArray() is None
    finally:
        gdal.PopErrorHandler()
    assert "CFloat32 are not supported" in gdal.GetLastErrorMsg()
