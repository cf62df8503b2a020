"""What `cmake --install` leaves in a prefix works from there."""
import json
import os
import subprocess

import pytest


@pytest.fixture(scope="module")
def prefix(build, tmp_path_factory):
    path = tmp_path_factory.mktemp("prefix")
    subprocess.run(["cmake", "--install", build, "--prefix", path], check=True, capture_output=True)
    return path


@pytest.fixture
def plugins(prefix):
    found = list(prefix.glob("lib*/**/gdal_GPU.so"))
    assert len(found) == 1 and found[0].parent.name == "gdalplugins"
    return found[0].parent


def test_gdal_finds_the_installed_driver(plugins):
    formats = subprocess.run(["gdalinfo", "--formats"], env={**os.environ, "GDAL_DRIVER_PATH": str(plugins)},
                             check=True, capture_output=True, text=True)
    assert "  GPU -raster-" in formats.stdout
    assert formats.stderr == ""


def test_the_installed_command_runs_gdalwarp_on_the_device(prefix, plugins, tmp_path, device):
    environment = {name: value for name, value in os.environ.items() if name != "GDAL_DRIVER_PATH"}
    environment["GDAL_GPU_REPORT"] = str(tmp_path / "report.jsonl")
    source, warped = tmp_path / "source.tif", tmp_path / "warped.tif"
    subprocess.run(["gdal_create", "-q", "-outsize", "50", "50", "-a_srs", "EPSG:32633", "-a_ullr", "500000", "5000000",
                    "505000", "4995000", "-burn", "7", source], check=True)
    subprocess.run([prefix / "bin" / "gdal-gpu", "run", "gdalwarp", "-q", "-t_srs", "EPSG:3857", source, warped],
                   env=environment, check=True)
    requests = [json.loads(line) for line in (tmp_path / "report.jsonl").read_text().splitlines()]
    assert [(request["door"], request["device"]) for request in requests] == [("preload", device)]


def test_header_and_licence_are_installed(prefix):
    assert (prefix / "include" / "gdal_gpu.h").is_file()
    assert "Permission is hereby granted" in (prefix / "share" / "doc" / "gdal-gpu" / "copyright").read_text()
