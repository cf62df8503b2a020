"""Other people's programs over warped VRTs, as they are: rasterio, gdal2tiles, dask. Each runs without this project and
with it, gives the same pixels and leaves the same files; the report tells which code made them."""
import functools
import json
import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest
from osgeo import gdal

import gdal_rules
from preload_fixtures import TIMEOUT, assert_within_tolerance, make_raster, plain_environment

PYTHON = "/usr/bin/python3"  # the one that Debian's packages are for
UTM = ("EPSG:32633", (400000, 5300000, 430000, 5324000))  # 60 m with 500 x 400 pixels

pytestmark = [
    pytest.mark.usefixtures("build"),
    pytest.mark.skipif(not pathlib.Path(PYTHON).exists(), reason=f"there is no {PYTHON}"),
]


@functools.lru_cache(maxsize=None)
def needs(package):
    """Debian 12 and CI have them all; elsewhere a test is left out."""
    found = subprocess.run([PYTHON, "-c", f"import {package}"], capture_output=True).returncode == 0
    return pytest.mark.skipif(not found, reason=f"Python's {package} isn't installed")


def warp(target, source, **options):
    """A warped VRT that enlarges a little, with exact coordinates: plain GDAL's pixels don't depend on chunks then."""
    settings = dict(format="VRT", dstSRS="EPSG:3857", xRes=65, yRes=65, errorThreshold=0)
    dataset = gdal.Warp(target, source, **{**settings, **options})
    assert dataset is not None
    dataset = None


def make_inputs(folder):
    """utm.tif (UInt16, two bands, overviews), rgb.tif, rgba.tif and grey.tif (nodata 0), and warped VRTs of some."""
    make_raster(folder / "utm.tif", *UTM, width=500, height=400, nodata=0)
    dataset = gdal.Open(str(folder / "utm.tif"), gdal.GA_Update)
    dataset.BuildOverviews("AVERAGE", [2, 4])
    dataset = None
    for name, bands, nodata in (("rgb", 3, None), ("rgba", 4, None), ("grey", 1, 0)):
        make_raster(folder / f"{name}.tif", *UTM, width=500, height=400, bands=bands, data_type=gdal.GDT_Byte,
                    nodata=nodata)
    dataset = gdal.Open(str(folder / "rgba.tif"), gdal.GA_Update)
    for number, meaning in enumerate((gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_BlueBand, gdal.GCI_AlphaBand), 1):
        dataset.GetRasterBand(number).SetColorInterpretation(meaning)
    y, x = np.mgrid[0:400, 0:500]
    dataset.GetRasterBand(4).WriteArray(np.where((x - 250) ** 2 + (y - 200) ** 2 < 180**2, 255, 0).astype(np.uint8))
    dataset = None
    before = os.getcwd()
    os.chdir(folder)  # sources by relative paths
    try:
        warp("nodata.vrt", "utm.tif", resampleAlg="bilinear")
        warp("alpha.vrt", "rgb.tif", resampleAlg="cubic", dstAlpha=True)
        warp("again.vrt", "grey.tif")
    finally:
        os.chdir(before)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    used = gdal.GetUseExceptions()
    gdal.UseExceptions()
    make_inputs(folder)
    if not used:
        gdal.DontUseExceptions()
    return folder


class Side:
    """A copy of the inputs in which a program runs: `plain`, without this project; `plugin`, with GDAL_DRIVER_PATH
    alone; `run`, by `gdal-gpu run`."""

    def __init__(self, kind, inputs, folder, build, device, kernels):
        self.kind, self.folder, self.build = kind, folder, build
        shutil.copytree(inputs, folder)
        self.report = folder.parent / f"{folder.name}.jsonl"
        self.environment = plain_environment()
        if kind != "plain":
            self.environment.update(GDAL_GPU_DEVICE=device, GDAL_GPU_MIN_PIXELS="0", GDAL_GPU_CACHE_DIR=str(kernels),
                                    GDAL_GPU_REPORT=str(self.report))
        if kind == "plugin":
            self.environment["GDAL_DRIVER_PATH"] = str(build / "gdalplugins")

    def start(self, *arguments):
        """The program, which must succeed."""
        runner = [str(self.build / "bin" / "gdal-gpu"), "run"] if self.kind == "run" else []
        done = subprocess.run([*runner, *map(str, arguments)], cwd=self.folder, env=self.environment, timeout=TIMEOUT,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def script(self, text):
        """A Python script's arrays, which it puts into `arrays`, and values, which it puts into `values`."""
        frame = "import json, numpy\narrays, values = {}, {}\n"
        end = "\nnumpy.savez('arrays.npz', **arrays)\nprint(json.dumps(values, default=str))\n"
        (self.folder / "script.py").write_text(frame + text + end)
        out = self.start(PYTHON, "script.py")
        values = json.loads(out.splitlines()[-1])
        with np.load(self.folder / "arrays.npz") as arrays:
            return {name: arrays[name] for name in arrays}, values

    def lines(self, door, operation="warp"):
        lines = map(json.loads, self.report.read_text().splitlines()) if self.report.exists() else ()
        return [line for line in lines if line["door"] == door and line["operation"] == operation]

    def files(self):
        """Names, and what is in those that are text."""
        found = (path for path in sorted(self.folder.rglob("*")) if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_text() if path.suffix in (".vrt", ".xml") else ""
                for path in found}


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture(scope="module")
def side(build, inputs, device, kernels, tmp_path_factory):
    def made(kind):
        return Side(kind, inputs, tmp_path_factory.mktemp(kind) / kind, build, device, kernels)

    return made


def assert_all_on(device, lines):
    assert lines and {line["device"] for line in lines} == {device}, lines


def assert_same_arrays(ours, plain):
    assert ours.keys() == plain.keys()
    for name, expected in plain.items():
        got = ours[name]
        assert got.shape == expected.shape and got.dtype == expected.dtype, name
        if expected.size > 100 and expected.min() != expected.max():
            assert_within_tolerance(got, expected)
        else:
            assert np.array_equal(got, expected), name


# ---------------------------------------------------------------------------------------------- rasterio

READING = """
import rasterio
from rasterio.enums import Resampling
from rasterio.windows import Window, from_bounds

for name in ("nodata.vrt", "alpha.vrt"):
    with rasterio.open(name) as d:
        profile = dict(d.profile)
        opened_by = profile.pop("driver")
        values[name] = [profile, d.bounds, d.res, d.crs.to_wkt(), d.descriptions, d.colorinterp, d.mask_flag_enums,
                        d.tags(), d.tags(1), d.tags(ns="IMAGE_STRUCTURE"), d.tag_namespaces(), d.scales, d.offsets,
                        d.units, d.block_shapes, d.files, d.overviews(1), d.gcps[0], d.subdatasets, d.mode, d.name,
                        d.is_tiled, d.interleaving, d.lnglat(), d.meta["count"], d.photometric]
        values[name + " driver"] = opened_by
        whole = arrays[name] = d.read()
        arrays[name + " one band"] = d.read(2)
        arrays[name + " order"] = d.read([2, 1])
        for window in (Window(0, 0, 1, 1), Window(101, 57, 200, 150), Window(37, 300, 401, 3)):
            arrays[f"{name} {window.flatten()}"] = part = d.read(window=window)
            x, y, w, h = (int(v) for v in window.flatten())
            assert (part == whole[:, y:y + h, x:x + w]).all()
        arrays[name + " bounds"] = d.read(1, window=from_bounds(*d.bounds, d.transform).round_offsets().round_lengths())
        masked = d.read(masked=True)
        arrays[name + " masked"] = masked.filled(7)
        arrays[name + " mask"] = numpy.ma.getmaskarray(masked)
        arrays[name + " dataset mask"] = d.dataset_mask()
        arrays[name + " read masks"] = d.read_masks()
        for fill in (None, 9):
            arrays[f"{name} boundless {fill}"] = d.read(1, window=Window(-50, -40, 200, 150), boundless=True,
                                                       fill_value=fill)
        arrays[name + " boundless masked"] = d.read(1, window=Window(d.width - 80, d.height - 70, 200, 150),
                                                   boundless=True, masked=True).filled(3)
        for how in (Resampling.nearest, Resampling.bilinear, Resampling.average):
            arrays[f"{name} {how.name}"] = d.read(out_shape=(d.count, 97, 211), resampling=how)
        arrays[name + " small"] = d.read(1, out_shape=(d.height // 4, d.width // 4))
        arrays[name + " sampled"] = numpy.array(list(d.sample([d.xy(50, 60), d.xy(200, 300)])))
        for (row, column), window in d.block_windows(1):
            assert (d.read(1, window=window) == whole[(0, *window.toslices())]).all()
with rasterio.open("nodata.vrt", OVERVIEW_LEVEL=0) as d:
    arrays["overview"] = d.read()
"""

FILES = """
import os, rasterio, rasterio.shutil
from rasterio.rio.main import main_group

def outcome(function, *arguments, **options):
    try:
        return str(function(*arguments, **options))
    except (Exception, SystemExit) as error:
        return type(error).__name__

def pixels(name, **options):
    with rasterio.open(name, **options) as d:
        return d.read()

# Copies, in other formats and in the VRT's own.
values["tif"] = outcome(rasterio.shutil.copy, "nodata.vrt", "copy.tif", driver="GTiff")
arrays["copy.tif"] = pixels("copy.tif")
values["vrt"] = outcome(rasterio.shutil.copy, "nodata.vrt", "copy.vrt", driver="VRT")
arrays["copy.vrt"] = pixels("copy.vrt")
with rasterio.open("alpha.vrt") as d:
    rasterio.shutil.copy(d, "from_dataset.vrt", driver="VRT")
    values["profile"] = outcome(rasterio.shutil.copy, d, "as_opened.vrt", driver=d.driver)
arrays["as_opened.vrt"] = pixels("as_opened.vrt")
values["copyfiles"] = outcome(rasterio.shutil.copyfiles, "nodata.vrt", "files.vrt")

# Deleted by the driver that opens it, by one that is named, by the command.
values["exists"] = [rasterio.shutil.exists("copy.vrt"), rasterio.shutil.exists("missing.vrt")]
values["delete"] = outcome(rasterio.shutil.delete, "copy.vrt")
with rasterio.open("from_dataset.vrt") as d:
    opened_by = d.driver
values["delete by the driver"] = outcome(rasterio.shutil.delete, "from_dataset.vrt", driver=opened_by)
values["rm"] = outcome(main_group, ["rm", "as_opened.vrt", "--yes"], standalone_mode=False)

# Written over.
profile = dict(driver="GTiff", width=8, height=6, count=1, dtype="uint8")
with rasterio.open("again.vrt", "w", **profile) as d:
    d.write(numpy.arange(48, dtype="uint8").reshape(6, 8), 1)
arrays["again.vrt"] = pixels("again.vrt")
values["warp"] = outcome(main_group, ["warp", "rgb.tif", "alpha.vrt", "--dst-crs", "EPSG:4326", "--overwrite",
                                      "--driver", "GTiff"], standalone_mode=False)
os.remove("again.vrt")
os.remove("alpha.vrt")
for name in ("utm.tif", "rgb.tif", "rgba.tif", "grey.tif"):
    arrays[name] = pixels(name)
"""

WARPING = """
import rasterio
from rasterio.enums import Resampling
from rasterio.vrt import WarpedVRT
from rasterio.warp import calculate_default_transform, reproject
from rasterio.windows import Window

for name, resampling, options in (("utm.tif", Resampling.nearest, {}), ("utm.tif", Resampling.bilinear, {}),
                                  ("rgb.tif", Resampling.cubic, {"add_alpha": True}),
                                  ("rgba.tif", Resampling.bilinear, {}), ("grey.tif", Resampling.cubic, {"nodata": 0})):
    with rasterio.open(name) as source:
        transform, width, height = calculate_default_transform(source.crs, "EPSG:3857", source.width, source.height,
                                                               *source.bounds, resolution=65)
        with WarpedVRT(source, crs="EPSG:3857", transform=transform, width=width, height=height, tolerance=1e-6,
                       resampling=resampling, **options) as vrt:
            key = f"{name} {resampling.name}"
            whole = arrays[key] = vrt.read()
            arrays[key + " window"] = part = vrt.read(window=Window(101, 57, 200, 150))
            assert (part == whole[:, 57:207, 101:301]).all()
            arrays[key + " masked"] = vrt.read(masked=True).filled(7)
            arrays[key + " boundless"] = vrt.read(1, window=Window(0, 0, width, height), masked=True).filled(5)
with rasterio.open("utm.tif") as source:
    out = numpy.zeros((2, height, width), "uint16")
    reproject(rasterio.band(source, [1, 2]), out, dst_transform=transform, dst_crs="EPSG:3857",
              resampling=Resampling.bilinear)
    arrays["reproject"] = out
"""


@needs("rasterio")
def test_rasterio_reads_warped_vrts(side, device):
    """Open, windows, masked and boundless reads, overviews."""
    plain, ours = side("plain"), side("plugin")
    expected, told = plain.script(READING)
    got, said = ours.script(READING)
    assert {name: said.pop(name) for name in ("nodata.vrt driver", "alpha.vrt driver")} == \
        {"nodata.vrt driver": "GPU", "alpha.vrt driver": "GPU"}
    assert told.pop("nodata.vrt driver") == told.pop("alpha.vrt driver") == "VRT"
    assert said == told
    assert_same_arrays(got, expected)
    assert np.array_equal(got["overview"], expected["overview"]), "overviews are GDAL's"
    assert_all_on(device, ours.lines("warped_vrt"))
    assert {line["device"] for line in ours.lines("warped_vrt", "overview")} == {"GDAL"}
    assert ours.files() == plain.files()


@needs("rasterio")
def test_rasterio_copies_deletes_and_overwrites_warped_vrts(side, device):
    plain, ours = side("plain"), side("plugin")
    expected, told = plain.script(FILES)
    got, said = ours.script(FILES)
    assert said == told and told["exists"] == [True, False]
    assert ours.files() == plain.files()
    assert {"utm.tif", "rgb.tif", "rgba.tif", "grey.tif", "nodata.vrt"} <= set(ours.files())
    assert_same_arrays(got, expected)
    assert_all_on(device, ours.lines("warped_vrt"))


@needs("rasterio")
def test_rasterio_warps_under_gdal_gpu_run(side, device):
    """WarpedVRT and reproject(), which warp by GDAL's own warper."""
    plain, ours = side("plain"), side("run")
    expected, _ = plain.script(WARPING)
    got, _ = ours.script(WARPING)
    # reproject() approximates by up to 0.125 pixels, whatever it is told; here it is exact, as WarpedVRT is.
    approximate = expected.pop("reproject")
    assert not np.array_equal(approximate, expected["utm.tif bilinear"])
    assert_within_tolerance(got.pop("reproject"), expected["utm.tif bilinear"])
    assert_same_arrays(got, expected)
    assert_all_on(device, ours.lines("preload"))
    assert len(ours.lines("preload")) >= 6


# ---------------------------------------------------------------------------------------------- gdal2tiles

LEGACY = ["--legacy"] if gdal_rules.TILES_BY_RASTER_TILE else []
GDAL2TILES = ["-m", "osgeo_utils.gdal2tiles", "-q", "-w", "none", "-z", "10-11", "-r", "bilinear", *LEGACY]
TILES = {  # of which name, options
    "rgb relative": ("rgb", False, []),
    "rgb absolute, two processes": ("rgb", True, ["--processes=2"]),
    "rgba relative, two processes": ("rgba", False, ["--processes=2"]),
    "rgba absolute": ("rgba", True, []),
    "grey relative, two processes": ("grey", False, ["--processes=2"]),
    "grey absolute": ("grey", True, []),
}


def tiles(folder):
    found = {}
    for path in sorted(folder.rglob("*.png")):
        found[str(path.relative_to(folder))] = gdal.Open(str(path)).ReadAsArray()
    return found


@pytest.fixture(scope="module")
def plain_tiles(side):
    """Plain GDAL's tiles of an input; made once."""
    made, plain = {}, side("plain")

    def of(name):
        if name not in made:
            plain.start(PYTHON, *GDAL2TILES, f"{name}.tif", f"tiles-{name}")
            made[name] = tiles(plain.folder / f"tiles-{name}")
        return made[name]

    return of


@needs("osgeo_utils.gdal2tiles")
@pytest.mark.parametrize("case", TILES)
def test_gdal2tiles(side, device, plain_tiles, case):
    name, absolute, options = TILES[case]
    ours = side("plugin")
    before = ours.files()
    source = ours.folder / f"{name}.tif" if absolute else f"{name}.tif"
    ours.start(PYTHON, *GDAL2TILES, *options, source, ours.folder / "tiles" if absolute else "tiles")
    got, expected = tiles(ours.folder / "tiles"), plain_tiles(name)
    assert got.keys() == expected.keys() and len(expected) >= 6
    assert len({array.tobytes() for array in expected.values()}) > 3
    assert_same_arrays(got, expected)
    assert {file: text for file, text in ours.files().items() if not file.startswith("tiles/")} == before
    # RGBA without more ado is read through the VRT that GDAL's warper made in memory: no warped VRT is opened, unless
    # by other processes.
    if (name, options) != ("rgba", []):
        assert_all_on(device, ours.lines("warped_vrt"))


# ---------------------------------------------------------------------------------------------- dask

DASK = """
import dask, dask.array, pathlib
from osgeo import gdal

gdal.UseExceptions()
NAME = str(pathlib.Path("nodata.vrt").absolute())

def window(x, y, width, height):
    return gdal.Open(NAME).ReadAsArray(x, y, width, height)

def block(x, y):
    width, height = min(SIZE, dataset.RasterXSize - x), min(SIZE, dataset.RasterYSize - y)
    return dask.array.from_delayed(dask.delayed(window)(x, y, width, height),
                                   (dataset.RasterCount, height, width), "uint16")

if __name__ == "__main__":
    SIZE = 150
    dataset = gdal.Open(NAME)
    image = dask.array.block([[block(x, y) for x in range(0, dataset.RasterXSize, SIZE)]
                              for y in range(0, dataset.RasterYSize, SIZE)])
    arrays["image"] = image.compute(scheduler=SCHEDULER, num_workers=2)
    arrays["mean"] = image.astype("float64").mean(axis=(1, 2)).compute(scheduler=SCHEDULER, num_workers=2)
    values["blocks"] = image.npartitions
"""


@needs("dask.array")
@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_dask(side, device, scheduler):
    ours = side("plugin")
    got, said = ours.script(DASK.replace("SCHEDULER", repr(scheduler)))
    expected = gdal.OpenEx(str(ours.folder / "nodata.vrt"), allowed_drivers=["VRT"]).ReadAsArray()
    assert_within_tolerance(got["image"], expected)
    assert np.allclose(got["mean"], got["image"].mean(axis=(1, 2), dtype="float64"), rtol=1e-12)
    assert said["blocks"] >= 12
    lines = ours.lines("warped_vrt")
    assert_all_on(device, lines)
    assert len(lines) >= 2 * said["blocks"]
