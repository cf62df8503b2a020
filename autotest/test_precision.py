"""GDAL_GPU_PRECISION and `gdal-gpu transform --precision`."""
import os
import subprocess

import numpy as np
import pytest
from osgeo import gdal

from preload_fixtures import Programs, assert_within_tolerance, devices, make_raster, pixels

EXTENT = (-1000000, 4500000, 2000000, 6500000)  # UTM zone 33


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture
def programs(build, tmp_path, kernels, device):
    make_raster(tmp_path / "coarse.tif", "EPSG:32633", EXTENT, width=300, height=200, data_type=gdal.GDT_Float32)
    make_raster(tmp_path / "fine.tif", "EPSG:32633", (500000, 5500000, 503000, 5502000), width=300, height=200,
                data_type=gdal.GDT_Float32)
    return Programs(build, tmp_path, kernels, device)


def precisions(lines, device):
    assert devices(lines) == [device], lines
    return sorted({line["precision"] for line in lines if line["operation"] == "warp"})


@pytest.mark.parametrize("source, asked, taken", [
    ("coarse.tif", "auto", "fp32"), ("fine.tif", "auto", "ds"), ("coarse.tif", "fp32", "fp32"),
    ("fine.tif", "fp32", "fp64"), ("fine.tif", "ds", "ds"), ("fine.tif", "fp64", "fp64"), ("fine.tif", None, "fp64")])
def test_gdalwarp_takes_the_precision_and_says_so(programs, device, source, asked, taken):
    command = ["gdalwarp", "-q", "-overwrite", "-t_srs", "EPSG:3857", "-r", "bilinear", "-et", "0", source]
    programs.plain(*command, "plain.tif")
    options = {} if asked is None else {"GDAL_GPU_PRECISION": asked}
    lines = programs.run(*command, "ours.tif", **options)
    assert precisions(lines, device) == [taken]
    # Positions are within 1e-3 pixel, values within 1e-3 of the largest step between neighbours.
    ours, plain = pixels(programs.folder / "ours.tif"), pixels(programs.folder / "plain.tif")
    if taken == "fp64":
        assert_within_tolerance(ours, plain)
    else:
        assert np.mean(np.abs(ours - plain) <= 2e-3 * 30000) > 0.9999
        assert not np.array_equal(ours, plain)
    dropped = [line["reason"] for line in lines if line["operation"] == "warp"]
    assert all(("in fp32 dropped" in reason) == (asked in ("auto", "fp32") and taken != "fp32") for reason in dropped)


def test_chunks_of_a_request_take_one_precision(programs, device):
    command = ["gdalwarp", "-q", "-overwrite", "-t_srs", "EPSG:3857", "-r", "bilinear", "-et", "0", "fine.tif"]
    taken = [precisions(programs.run(*command, "-wm", memory, memory + ".tif", GDAL_GPU_PRECISION="auto"), device)
             for memory in ("0.2", "500")]
    assert taken == [["ds"], ["ds"]]
    assert np.array_equal(pixels(programs.folder / "0.2.tif"), pixels(programs.folder / "500.tif"))


def test_a_warped_vrt_takes_it_too(programs, device, report):
    source, vrt = programs.folder / "coarse.tif", programs.folder / "warped.vrt"
    gdal.Warp(str(vrt), str(source), format="VRT", dstSRS="EPSG:3857", errorThreshold=0)
    gdal.SetConfigOption("GDAL_GPU_PRECISION", "fp32")
    try:
        gdal.Open(str(vrt)).ReadAsArray()
    finally:
        gdal.SetConfigOption("GDAL_GPU_PRECISION", None)
    assert precisions([line for line in report() if line["door"] == "warped_vrt"], device) == ["fp32"]


def test_an_unknown_precision_is_warned_of_and_counts_as_not_set(programs, device):
    lines = programs.run("gdalwarp", "-q", "-overwrite", "-t_srs", "EPSG:3857", "coarse.tif", "ours.tif",
                         GDAL_GPU_PRECISION="fp16")
    assert precisions(lines, device) == ["fp64"]
    assert "GDAL_GPU_PRECISION=fp16" in programs.errors


@pytest.mark.parametrize("precision, low, high", [
    ("fp64", 0, 1e-8), ("ds", 1e-9, 1e-4), ("fp32", 1e-3, 30), ("auto", 0, 1e-8)])
def test_transform_computes_in_a_precision(build, device, precision, low, high):
    lines = "".join(f"{latitude} {longitude}\n" for latitude in range(40, 60) for longitude in range(10, 20))

    def points(name):
        done = subprocess.run([str(build / "bin" / "gdal-gpu"), "transform", "-s_srs", "EPSG:4326", "-t_srs",
                               "EPSG:32633", "--device", device, "--precision", name], input=lines, env=os.environ,
                              capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, "")
        return np.array([[float(word) for word in line.split()] for line in done.stdout.splitlines()])

    assert low <= np.abs(points(precision) - points("fp64")).max() <= high
