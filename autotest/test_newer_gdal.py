"""GDAL 3.11's `gdal` program under door 5."""
import shutil
import subprocess

import pytest

from preload_fixtures import Programs, assert_within_tolerance, devices, make_raster, pixels, reasons


def has_raster_commands():
    program = shutil.which("gdal")
    if program is None:
        return False
    return subprocess.run([program, "raster", "pipeline", "--help"], capture_output=True).returncode == 0


pytestmark = pytest.mark.skipif(not has_raster_commands(), reason="no `gdal raster` before GDAL 3.11")

REPROJECT = ["--output-crs", "EPSG:3857", "--size", "500,400", "--et", "0"]


@pytest.fixture
def programs(build, tmp_path, tmp_path_factory, device):
    make_raster(tmp_path / "utm.tif", "EPSG:32633", (400000, 5300000, 500000, 5380000), width=500, height=400)
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
