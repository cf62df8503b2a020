"""Programs with and without `gdal-gpu run`, their reports, and the rasters that they read."""
import json
import os
import subprocess

import numpy as np
from osgeo import gdal, osr

TIMEOUT = 120


def plain_environment():
    """The environment of a GDAL that knows nothing of this project."""
    return {name: value for name, value in os.environ.items() if name != "GDAL_DRIVER_PATH" and "GDAL_GPU" not in name}


# gdalwarp's options that tests replace, and how many values they have.
REPLACEABLE = {"-wm": 1, "-et": 1, "-r": 1, "-ts": 2}


def last_options(arguments):
    """A command as strings in which each of these options stands once, the last: newer gdalwarps (GDAL 3.10) refuse a
    repeated one."""
    arguments = [str(argument) for argument in arguments]
    kept, taken, i = [], set(), len(arguments)
    while i > 0:
        i -= 1
        start = next((i - count for option, count in REPLACEABLE.items() if i >= count and arguments[i - count] == option),
                     None)
        if start is None:
            kept.insert(0, arguments[i])
            continue
        if arguments[start] not in taken:
            taken.add(arguments[start])
            kept = arguments[start:i + 1] + kept
        i = start
    return kept


class Programs:
    """Runs programs in a folder of their own; kernels are cached in `cache`, which all tests share."""

    def __init__(self, build, folder, cache, device):
        self.command = str(build / "bin" / "gdal-gpu")
        self.folder = folder
        self.report = folder / "programs.jsonl"
        self.environment = {
            **plain_environment(),
            "GDAL_GPU_DEVICE": device,
            "GDAL_GPU_MIN_PIXELS": "0",
            "GDAL_GPU_CACHE_DIR": str(cache),
        }

    def plain(self, *arguments):
        """A program without this project; fails unless it succeeds."""
        done = subprocess.run(last_options(arguments), cwd=self.folder, env=plain_environment(), timeout=TIMEOUT,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done

    def start(self, *arguments, **options):
        """`gdal-gpu run` of a program, as a Popen; options are environment variables."""
        environment = {**self.environment, "GDAL_GPU_REPORT": str(self.report), **options}
        return subprocess.Popen([self.command, "run", *last_options(arguments)], cwd=self.folder, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, *arguments, **options):
        """`gdal-gpu run` of a program that must succeed: its report lines."""
        self.report.unlink(missing_ok=True)
        process = self.start(*arguments, **options)
        _, self.errors = process.communicate(timeout=TIMEOUT)
        assert process.returncode == 0, self.errors
        return self.lines()

    def lines(self):
        return [json.loads(line) for line in self.report.read_text().splitlines()] if self.report.exists() else []


def make_raster(path, crs, extent, width=700, height=560, bands=2, data_type=gdal.GDT_UInt16, nodata=None):
    """A GeoTIFF with waves, noise and edges; `nodata`, where given, fills holes. Extent: west, south, east, north."""
    rng = np.random.default_rng(20261129)
    west, south, east, north = extent
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), width, height, bands, data_type, ["TILED=YES"])
    srs = osr.SpatialReference()
    srs.SetFromUserInput(crs)
    dataset.SetProjection(srs.ExportToWkt())
    dataset.SetGeoTransform([west, (east - west) / width, 0, north, 0, (south - north) / height])
    y, x = np.mgrid[0:height, 0:width]
    top = 250 if data_type == gdal.GDT_Byte else 30000
    for band in range(1, bands + 1):
        wave = 0.5 + 0.3 * np.sin(x / (7 + band)) * np.cos(y / 11) + 0.1 * rng.random((height, width))
        values = np.clip((wave + 0.1 * ((x // 40 + y // 40) % 2)) * top, 5, top)
        if nodata is not None:
            values[(x // 60 + y // 50) % 5 == 0] = nodata
            dataset.GetRasterBand(band).SetNoDataValue(nodata)
        dataset.GetRasterBand(band).WriteArray(values)
    dataset = None
    return path


def pixels(path):
    """All bands of a raster: bands x rows x columns."""
    dataset = gdal.OpenEx(str(path), allowed_drivers=["GTiff"])
    assert dataset is not None, path
    return np.stack([dataset.GetRasterBand(i + 1).ReadAsArray() for i in range(dataset.RasterCount)])


def assert_same_bytes(actual, expected):
    """The same pixels to the bit, and they aren't all the same."""
    assert expected.min() != expected.max()
    assert actual.shape == expected.shape and actual.dtype == expected.dtype
    assert actual.tobytes() == expected.tobytes()


def assert_within_tolerance(actual, expected):
    """Integers equal or one apart, floats within 1e-5 of the value's size, for all but 1 pixel in 10,000."""
    assert expected.min() != expected.max()
    assert actual.shape == expected.shape and actual.dtype == expected.dtype
    a, b = actual.astype(np.float64), expected.astype(np.float64)
    tolerance = 1 if np.issubdtype(actual.dtype, np.integer) else 1e-5 * np.maximum(np.abs(b), 1e-3 * np.abs(b).max())
    assert np.mean(~(np.abs(a - b) <= tolerance)) <= 1e-4


def devices(lines, operation="warp"):
    """The devices that did this operation's requests."""
    return sorted({line["device"] for line in lines if line["operation"] == operation})


def reasons(lines):
    return "; ".join(sorted({line["reason"] for line in lines if line["reason"]}))
