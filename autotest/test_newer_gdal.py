"""GDAL 3.11's `gdal` program under door 5, and its warning of pixels kept off the destination's nodata value."""
import shutil
import subprocess

import numpy as np
import pytest
from osgeo import gdal

from preload_fixtures import Programs, assert_within_tolerance, devices, make_raster, pixels, reasons


def has_raster_commands():
    program = shutil.which("gdal")
    if program is None:
        return False
    return subprocess.run([program, "raster", "pipeline", "--help"], capture_output=True).returncode == 0


pytestmark = pytest.mark.skipif(not has_raster_commands(), reason="no `gdal raster` before GDAL 3.11")

EXTENT = (400000, 5300000, 500000, 5380000)
REPROJECT = ["--output-crs", "EPSG:3857", "--size", "500,400", "--et", "0"]


@pytest.fixture
def programs(build, tmp_path, tmp_path_factory, device):
    make_raster(tmp_path / "utm.tif", "EPSG:32633", EXTENT, width=500, height=400)
    return Programs(build, tmp_path, tmp_path_factory.mktemp("kernels"), device)


def reproject(resampling, output):
    return ["gdal", "raster", "reproject", "-q", "-r", resampling, *REPROJECT, "utm.tif", output]


def pipeline(resampling, output):
    return ["gdal", "raster", "pipeline", "-q", "read", "utm.tif", "!", "reproject", "-r", resampling, *REPROJECT, "!",
            "write", output]


@pytest.mark.parametrize("command", [reproject, pipeline])
@pytest.mark.parametrize("resampling", ["nearest", "bilinear", "cubic"])
def test_raster_commands_run_on_the_device(programs, device, command, resampling):
    programs.plain(*command(resampling, "plain.tif"))
    lines = programs.run(*command(resampling, "device.tif"))
    assert devices(lines) == [device], reasons(lines)
    assert {line["path"] for line in lines if line["operation"] == "warp"} == {"tiles"}, reasons(lines)
    assert sum(line["pixels"] for line in lines if line["operation"] == "warp") >= 500 * 400
    assert_within_tolerance(pixels(programs.folder / "device.tif"), pixels(programs.folder / "plain.tif"))


@pytest.mark.parametrize("fault", ["", "launch", "launch:9"])
def test_kept_off_nodata_is_told_once(programs, device, fault):
    """By the device, by GDAL's own code in strips on threads, and where the device fails half way. Plain GDAL tells it
    with each chunk."""
    command = ["gdalwarp", "-q", "-t_srs", "EPSG:3857", "-ts", "1000", "800", "-et", "0", "-wm", "400000", "-multi",
               "-wo", "NUM_THREADS=2", "-dstnodata", "77", "constant.tif"]
    make_raster(programs.folder / "constant.tif", "EPSG:32633", EXTENT, width=500, height=400)
    with gdal.OpenEx(str(programs.folder / "constant.tif"), gdal.OF_UPDATE) as constant:
        for band in (1, 2):
            constant.GetRasterBand(band).Fill(77)

    def told(errors):
        return len([line for line in errors.splitlines() if "nodata" in line.lower()])

    assert told(programs.plain(*command, "plain.tif").stderr) > 1
    lines = programs.run(*command, "warped.tif", GDAL_GPU_FAULT=fault)
    expected = {"": {device}, "launch": {"GDAL"}, "launch:9": {device, "GDAL"}}
    assert set(devices(lines)) == expected[fault], reasons(lines)
    assert told(programs.errors) == 1, programs.errors
    for name in ("plain.tif", "warped.tif"):
        assert set(np.unique(pixels(programs.folder / name))) == {76, 77}
