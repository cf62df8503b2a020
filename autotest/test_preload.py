"""Door 5: unmodified programs with their warps on the device, beside the same programs without this project."""
import itertools
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from osgeo import gdal

import gdal_rules
from preload_fixtures import (Programs, assert_same_bytes, assert_within_tolerance, devices, make_raster, pixels,
                              plain_environment, reasons)

# GDAL cuts a warp of which little lies in the source even where there is memory for all of it, and then each part has a
# resampling scale of its own; this makes it the one chunk that the device's result is compared with.
ONE_CHUNK = ["-wm", "4000", "-wo", "SRC_FILL_RATIO_HEURISTICS=NO"]
UTM = ("EPSG:32633", (400000, 5300000, 500000, 5380000))
DEGREES = ("EPSG:4326", (-60, -85, 40, -55))


@pytest.fixture(scope="session")
def kernels(tmp_path_factory):
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture(scope="session")
def rasters(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rasters")
    make_raster(folder / "utm.tif", *UTM)
    make_raster(folder / "utm-nodata.tif", *UTM, data_type=gdal.GDT_Int16, nodata=-5)
    make_raster(folder / "utm-byte.tif", *UTM, width=400, height=320, bands=3, data_type=gdal.GDT_Byte)
    make_raster(folder / "east.tif", UTM[0], (470000, 5310000, 560000, 5390000), data_type=gdal.GDT_Int16, nodata=-5)
    make_raster(folder / "antarctic.tif", *DEGREES, data_type=gdal.GDT_Float32)
    return folder


@pytest.fixture
def programs(build, tmp_path, kernels, rasters, device):
    for raster in rasters.iterdir():
        (tmp_path / raster.name).symlink_to(raster)
    return Programs(build, tmp_path, kernels, device)


# ---------------------------------------------------------------------------------------------------------------------
# The same answer however it is cut

CUTS = {
    "small chunks": ["-wm", "1"],
    "threads": ["-wo", "NUM_THREADS=3", "-wm", "1"],
    "multi": ["-multi", "-wm", "1"],
    "multi and threads": ["-multi", "-wo", "NUM_THREADS=ALL_CPUS", "-wm", "1"],
    "blocks": ["-wo", "OPTIMIZE_SIZE=YES", "-co", "TILED=YES", "-co", "COMPRESS=DEFLATE", "-wm", "1"],
    "exact": ["-et", "0", "-wm", "1"],
}


@pytest.mark.parametrize("source, crs", [("utm.tif", "EPSG:3857"), ("antarctic.tif", "EPSG:3031")])
@pytest.mark.parametrize("resampling, size", [
    *itertools.product(["near", "bilinear", "cubic"], [700, 230]),
    ("cubicspline", 700), ("lanczos", 230), ("average", 230), ("mode", 230), ("q1", 700)])
def test_chunks_threads_and_doors_give_the_same_bytes(programs, device, source, crs, resampling, size):
    warp = ["gdalwarp", "-q", "-overwrite", "-r", resampling, "-t_srs", crs, "-ts", size, size, *ONE_CHUNK]

    def warped(*options):
        lines = programs.run(*warp, *options, source, "warped.tif")
        assert devices(lines) == [device], reasons(lines)
        return pixels(programs.folder / "warped.tif"), len(lines)

    programs.plain(*warp, "-et", "0", source, "plain.tif")
    whole, chunks = warped()
    assert chunks == 1
    assert_within_tolerance(whole, pixels(programs.folder / "plain.tif"))
    for name, options in CUTS.items():
        result, chunks = warped(*options)
        assert chunks > 1, name
        assert result.tobytes() == whole.tobytes(), name

    programs.plain(*warp, "-of", "VRT", source, "warped.vrt")
    lines = programs.run("gdal_translate", "-q", "warped.vrt", "translated.tif")
    assert {line["door"] for line in lines if line["operation"] == "warp"} == {"warped_vrt"}, lines
    assert devices(lines) == [device], reasons(lines)
    assert_same_bytes(pixels(programs.folder / "translated.tif"), whole)


@pytest.mark.parametrize("options", [[], ["-multi"], ["-wo", "NUM_THREADS=2"]])
def test_a_source_window_that_is_too_small_is_read_again(programs, device, options):
    """With two samples a side GDAL's windows miss what the sides bend around."""
    warp = ["gdalwarp", "-q", "-overwrite", "-r", "near", "-t_srs", "EPSG:3031", "-ts", "600", "600", *ONE_CHUNK]
    programs.plain(*warp, "-et", "0", "antarctic.tif", "plain.tif")
    few = ["-wm", "1", "-wo", "SAMPLE_STEPS=2", "antarctic.tif"]
    programs.plain(*warp, "-et", "0", *few, "missing.tif")
    lines = programs.run(*warp, *options, *few, "warped.tif")
    assert devices(lines) == [device], reasons(lines)
    assert "the source window was too small" in reasons(lines)
    plain, missing, warped = (pixels(programs.folder / f"{name}.tif") for name in ("plain", "missing", "warped"))
    assert np.count_nonzero(missing != plain) > 1000
    assert_within_tolerance(warped, plain)


@pytest.mark.parametrize("resampling", ["near", "cubic"])
def test_memory_changes_nothing_where_gdal_cuts_for_the_sake_of_the_source(programs, device, resampling):
    warp = ["gdalwarp", "-q", "-overwrite", "-r", resampling, "-t_srs", "EPSG:3857", "-te", "1300000", "6000000",
            "1700000", "6300000", "-ts", "500", "400", "utm.tif"]
    results = []
    for memory in ("1", "4000"):
        lines = programs.run(*warp, "-wm", memory, "warped.tif")
        assert devices(lines) == [device] and len(lines) > 1, reasons(lines)
        results.append(pixels(programs.folder / "warped.tif"))
    assert_same_bytes(results[0], results[1])


def test_the_scale_is_that_of_the_whole_operation_where_plain_gdal_takes_the_chunks(programs, device):
    warp = ["gdalwarp", "-q", "-overwrite", "-r", "cubic", "-t_srs", "EPSG:3031", "-ts", "230", "230", "-et", "0"]
    programs.plain(*warp, *ONE_CHUNK, "antarctic.tif", "whole.tif")
    programs.plain(*warp, "-wm", "1", "antarctic.tif", "chunks.tif")
    lines = programs.run(*warp, *ONE_CHUNK, "-wm", "1", "antarctic.tif", "warped.tif")
    assert devices(lines) == [device] and len(lines) > 2
    whole, chunks, warped = (pixels(programs.folder / f"{name}.tif") for name in ("whole", "chunks", "warped"))
    assert_within_tolerance(warped, whole)
    with pytest.raises(AssertionError):
        assert_within_tolerance(chunks, whole)


def test_scale_options_are_followed(programs, device):
    warp = ["gdalwarp", "-q", "-overwrite", "-r", "bilinear", "-t_srs", "EPSG:3857", "-ts", "300", "300", "-et", "0"]
    sampled = [] if gdal_rules.SCALE_BY_UNIT_SQUARES else [["-wo", "XSCALE=FROM_GRID_SAMPLING"]]
    for options in (["-wo", "XSCALE=0.2", "-wo", "YSCALE=0.5"], *sampled, []):
        programs.plain(*warp, *options, "utm.tif", "plain.tif")
        lines = programs.run(*warp, *options, "utm.tif", "warped.tif")
        assert devices(lines) == [device], reasons(lines)
        assert_within_tolerance(pixels(programs.folder / "warped.tif"), pixels(programs.folder / "plain.tif"))


@pytest.mark.parametrize("resampling", ["near", "bilinear"])
def test_pixels_with_the_destinations_nodata_value_are_as_plain_gdals(programs, device, resampling):
    """Valid pixels of a plateau that has the destination's nodata value: the same bytes, and one warning for all chunks
    where GDAL gives one."""
    warp = ["gdalwarp", "-q", "-overwrite", "-r", resampling, "-t_srs", "EPSG:3857", "-et", "0", "-dstnodata", "100"]
    dataset = gdal.GetDriverByName("GTiff").CreateCopy(str(programs.folder / "plateau.tif"),
                                                       gdal.Open(str(programs.folder / "utm.tif")))
    for band in (1, 2):
        dataset.GetRasterBand(band).WriteArray(np.full((200, 300), 100, np.uint16), 150, 120)
    dataset = None
    programs.plain(*warp, *ONE_CHUNK, "plateau.tif", "plain.tif")
    lines = programs.run(*warp, *ONE_CHUNK, "-wm", "1", "plateau.tif", "warped.tif")
    assert devices(lines) == [device] and len(lines) > 1, reasons(lines)
    plain, warped = (pixels(programs.folder / f"{name}.tif") for name in ("plain", "warped"))
    assert_within_tolerance(warped, plain)
    # The plateau's inside is moved to 99, other than by nearest neighbour before GDAL 3.11.
    moved = resampling != "near" or gdal_rules.WARNS_OF_AVOIDED_NODATA
    assert (np.count_nonzero(warped == 99) > 50000) == moved
    assert programs.errors.count("nodata value (100, 100)") == (1 if gdal_rules.WARNS_OF_AVOIDED_NODATA else 0)


# ---------------------------------------------------------------------------------------------------------------------
# What gdalwarp can be asked for

CUTLINE = """{"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "EPSG:32633"}}, "features": [
{"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates":
[[[410000, 5310000], [490000, 5320000], [480000, 5370000], [420000, 5360000], [410000, 5310000]]]}}]}"""

COMMANDS = {
    "several sources": ["-t_srs", "EPSG:3857", "utm-nodata.tif", "east.tif"],
    "target extent": ["-t_srs", "EPSG:3857", "-te", "1520000", "6080000", "1600000", "6140000", "-tr", "90", "90",
                      "utm.tif"],
    "outside of the source": ["-t_srs", "EPSG:3857", "-te", "1300000", "6000000", "1700000", "6300000", "-ts", "500",
                              "400", "utm.tif"],
    "source CRS given": ["-s_srs", "EPSG:32634", "-t_srs", "EPSG:4326", "utm.tif"],
    "alpha added": ["-t_srs", "EPSG:3857", "-dstalpha", "utm-byte.tif"],
    "nodata changed": ["-t_srs", "EPSG:3857", "-dstnodata", "-99", "utm-nodata.tif"],
    "nodata given": ["-t_srs", "EPSG:3857", "-srcnodata", "100", "utm-byte.tif"],
    "cutline": ["-t_srs", "EPSG:3857", "-cutline", "cutline.json", "-dstalpha", "utm-byte.tif"],
    "cropped to a cutline": ["-t_srs", "EPSG:3857", "-cutline", "cutline.json", "-crop_to_cutline", "utm.tif"],
    "other type": ["-t_srs", "EPSG:3857", "-ot", "Float64", "-wt", "Float32", "utm.tif"],
    "no reprojection": ["-tr", "150", "150", "utm.tif"],
}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("chunks", ["1", "2000"])
def test_commands_give_plain_gdals_pixels_from_the_device(programs, device, name, chunks):
    (programs.folder / "cutline.json").write_text(CUTLINE)
    warp = ["gdalwarp", "-q", "-overwrite", "-et", "0", "-r", "bilinear", *ONE_CHUNK]
    programs.plain(*warp, *COMMANDS[name], "plain.tif")
    lines = programs.run(*warp, "-wm", chunks, *COMMANDS[name], "warped.tif")
    assert devices(lines) == [device], reasons(lines)
    assert {line["door"] for line in lines} == {"preload"}
    assert_within_tolerance(pixels(programs.folder / "warped.tif"), pixels(programs.folder / "plain.tif"))


@pytest.mark.parametrize("size", [(), ("-ts", 80, 60), ("-ts", 31, 77)])
def test_points_are_checked_by_their_inverse_where_gdal_does(programs, device, size):
    """gdalwarp may make its transformer with CHECK_WITH_INVERT_PROJ, which nothing says afterwards: positions beyond
    the cone of a conic projection then fail. In a warped VRT they don't: each door is as GDAL is there."""
    make_raster(programs.folder / "world.tif", "EPSG:4326", (-180, -90, 180, 90), width=360, height=180, bands=1,
                data_type=gdal.GDT_Byte)
    warp = ["gdalwarp", "-q", "-overwrite", "-et", "0", "-t_srs", "EPSG:5070", *size, "world.tif"]
    programs.plain(*warp, "-of", "VRT", "world.vrt")
    empty = []
    for program in ([*warp], ["gdal_translate", "-q", "world.vrt"]):
        programs.plain(*program, "plain.tif")
        lines = programs.run(*program, "device.tif")
        assert devices(lines) == [device], reasons(lines)
        assert {line["path"] for line in lines} == {"tiles"}, reasons(lines)
        assert_within_tolerance(pixels(programs.folder / "device.tif"), pixels(programs.folder / "plain.tif"))
        empty.append(int((pixels(programs.folder / "device.tif") == 0).sum()))
        for name in ("plain.tif", "device.tif"):
            (programs.folder / name).unlink()
    assert empty[0] > empty[1]


@pytest.mark.parametrize("alpha", [[], ["-dstalpha"]])
def test_an_existing_destination_keeps_what_is_not_covered(programs, device, alpha):
    first = ["gdalwarp", "-q", "-et", "0", "-t_srs", "EPSG:3857", *alpha, "-te", "1500000", "6050000", "1750000",
             "6200000", "-tr", "250", "250", "-r", "bilinear"]
    second = ["gdalwarp", "-q", "-et", "0", "-r", "cubic", *ONE_CHUNK]
    programs.plain(*first, *ONE_CHUNK, "utm-nodata.tif", "plain.tif")
    programs.plain(*second, "east.tif", "plain.tif")
    programs.run(*first, *ONE_CHUNK, "utm-nodata.tif", "warped.tif")
    lines = programs.run(*second, "-wm", "1", "east.tif", "warped.tif")
    assert devices(lines) == [device], reasons(lines)
    assert_within_tolerance(pixels(programs.folder / "warped.tif"), pixels(programs.folder / "plain.tif"))


def test_gdalwarp_to_a_vrt_leaves_the_file_to_gdal(programs):
    programs.plain("gdalwarp", "-q", "-of", "VRT", "-t_srs", "EPSG:3857", "utm.tif", "plain.vrt")
    programs.run("gdalwarp", "-q", "-of", "VRT", "-t_srs", "EPSG:3857", "utm.tif", "warped.vrt")
    assert (programs.folder / "warped.vrt").read_text() == (programs.folder / "plain.vrt").read_text()


def test_a_warped_vrt_as_the_source_runs_through_both_doors(programs, device):
    first = ["gdalwarp", "-q", "-et", "0", "-r", "bilinear", "-t_srs", "EPSG:3857", "utm.tif"]
    second = ["gdalwarp", "-q", "-et", "0", "-r", "cubic", "-t_srs", "EPSG:4326"]
    programs.plain(*first, "middle.tif")
    programs.plain(*second, "middle.tif", "plain.tif")
    programs.plain(*first, "-of", "VRT", "middle.vrt")
    lines = programs.run(*second, "middle.vrt", "warped.tif")
    assert devices(lines) == [device], reasons(lines)
    assert {line["door"] for line in lines if line["operation"] == "warp"} == {"preload", "warped_vrt"}
    assert_within_tolerance(pixels(programs.folder / "warped.tif"), pixels(programs.folder / "plain.tif"))


def test_explicit_overviews_of_a_warped_vrt_are_gdals(programs):
    """GDAL's transformer for them has functions that were never set."""
    programs.plain("gdalwarp", "-q", "-of", "VRT", "-t_srs", "EPSG:3857", "utm-byte.tif", "warped.vrt")
    programs.plain("gdaladdo", "-q", "-r", "nearest", "warped.vrt", 2, 4)
    half = ["gdal_translate", "-q", "-outsize", "50%", "50%", "warped.vrt"]
    programs.plain(*half, "plain.tif")
    lines = programs.run(*half, "half.tif")
    assert_same_bytes(pixels(programs.folder / "half.tif"), pixels(programs.folder / "plain.tif"))
    assert {line["device"] for line in lines} == {"GDAL"}
    assert {line["door"] for line in lines} == {"warped_vrt", "preload"}
    expected = {"overviews of a warped VRT are GDAL's"}
    if gdal_rules.WARPED_VRT_WARPS_WHOLE_READS_AT_THEIR_SIZE:
        expected.add("a read of the whole at another size is GDAL's")
    assert {line["reason"] for line in lines} == expected


def test_an_unknown_source_fails_as_without_this_project(programs):
    process = programs.start("gdalwarp", "-t_srs", "EPSG:3857", "missing.tif", "warped.tif")
    _, errors = process.communicate(timeout=60)
    plain = subprocess.run(["gdalwarp", "-t_srs", "EPSG:3857", "missing.tif", "warped.tif"], cwd=programs.folder,
                           env=plain_environment(), capture_output=True, text=True)
    assert process.returncode == plain.returncode != 0
    assert errors == plain.stderr


# ---------------------------------------------------------------------------------------------------------------------
# Programs other than gdalwarp

PYTHON = sys.executable


def test_a_program_that_opens_libgdal_later_is_taken_over(programs, device):
    script = """
from osgeo import gdal
gdal.Warp("warped.tif", "utm.tif", dstSRS="EPSG:3857", resampleAlg="cubic")
"""
    lines = programs.run(PYTHON, "-c", script)
    assert devices(lines) == [device], reasons(lines)
    assert {line["door"] for line in lines} == {"preload"}
    programs.plain("gdalwarp", "-q", "-et", "0", "-r", "cubic", "-t_srs", "EPSG:3857", "utm.tif", "plain.tif")
    assert_within_tolerance(pixels(programs.folder / "warped.tif"), pixels(programs.folder / "plain.tif"))


def test_progress_runs_to_its_end_and_a_cancelled_warp_stops(programs, device):
    script = """
from osgeo import gdal
seen = []
def progress(part, message, limit):
    seen.append(part)
    return 1 if part < limit else 0
def warp(limit):
    seen.clear()
    return gdal.Warp("warped.tif", "utm.tif", dstSRS="EPSG:3857", warpMemoryLimit=1, callback=progress,
                     callback_data=limit)
assert warp(2) is not None and seen == sorted(seen) and seen[-1] == 1 and len(seen) > 3, seen
assert warp(0.3) is None and "terminated" in gdal.GetLastErrorMsg() and 0.3 <= seen[-1] < 1, seen
"""
    lines = programs.run(PYTHON, "-c", script)
    assert devices(lines) == [device], reasons(lines)


def test_many_operations_and_threads_at_once(programs, device):
    script = """
import threading
from osgeo import gdal
gdal.UseExceptions()
jobs = [(r, s, m) for r in ("near", "bilinear", "cubic") for s in (160, 700) for m in (False, True)]
def work(resampling, size, multi):
    gdal.Warp(f"{resampling}-{size}-{multi}.tif", "utm.tif", dstSRS="EPSG:3857", resampleAlg=resampling, width=size,
              height=size, warpMemoryLimit=1, multithread=multi)
threads = [threading.Thread(target=work, args=job) for job in jobs]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
    lines = programs.run(PYTHON, "-c", script)
    assert devices(lines) == [device], reasons(lines)
    for resampling in ("near", "bilinear", "cubic"):
        for size in (160, 700):
            programs.plain("gdalwarp", "-q", "-overwrite", "-et", "0", "-r", resampling, "-t_srs", "EPSG:3857", "-ts",
                           size, size, "-wm", "4000", "utm.tif", "plain.tif")
            single, multi = (pixels(programs.folder / f"{resampling}-{size}-{multi}.tif") for multi in (False, True))
            assert_same_bytes(multi, single)
            assert_within_tolerance(single, pixels(programs.folder / "plain.tif"))


def test_regions_asked_for_one_by_one_take_the_scale_of_the_whole_destination(programs, device):
    """A warped VRT that the VRT driver itself reads, block by block."""
    script = """
import sys
from osgeo import gdal
gdal.Warp("warped.vrt", "utm.tif", dstSRS="EPSG:3857", resampleAlg="cubic", width=300, height=300)
dataset = gdal.OpenEx("warped.vrt", allowed_drivers=["VRT"])
dataset.GetRasterBand(1).ReadBlock(0, 0)
gdal.Translate("translated.tif", dataset)
"""
    lines = programs.run(PYTHON, "-c", script)
    assert devices(lines) == [device], reasons(lines)
    assert {line["door"] for line in lines} == {"preload"} and len(lines) > 1
    programs.run("gdalwarp", "-q", "-t_srs", "EPSG:3857", "-r", "cubic", "-ts", "300", "300", "utm.tif", "warped.tif")
    assert_same_bytes(pixels(programs.folder / "translated.tif"), pixels(programs.folder / "warped.tif"))


def test_an_operation_at_the_address_of_an_older_one_is_another(programs, device):
    script = """
from osgeo import gdal
def pixels(crs, shift):
    gdal.Warp("warped.vrt", "utm.tif", dstSRS=crs, width=200, height=150, errorThreshold=0,
              outputBounds=None if not shift else shift)
    return gdal.OpenEx("warped.vrt", allowed_drivers=["VRT"]).ReadAsArray().tobytes()
cases = [("EPSG:3857", None), ("EPSG:4326", None), ("EPSG:3035", None),
         ("EPSG:3857", (1510000, 6070000, 1600000, 6150000)), ("EPSG:3857", (1500000, 6070000, 1600000, 6150000))]
chosen = gdal.GetConfigOption("GDAL_GPU_DEVICE")
for _ in range(3):
    for case in cases:
        gdal.SetConfigOption("GDAL_GPU_DEVICE", "NONE")
        plain = pixels(*case)
        gdal.SetConfigOption("GDAL_GPU_DEVICE", chosen)
        assert pixels(*case) == plain, case
"""
    lines = programs.run(PYTHON, "-c", script)
    assert devices(lines) == sorted(["GDAL", device])
    assert {line["reason"] for line in lines if line["device"] == "GDAL"} == {"GDAL_GPU_DEVICE=NONE"}


OTHER_GDAL = """
// A libgdal of another version, as some Python packages bring along.
enum CPLErr { CE_None };
struct GDALWarpKernel { int done = 0; CPLErr PerformWarp(); };
CPLErr GDALWarpKernel::PerformWarp() { done = 42; return CE_None; }
#include <cstdarg>
#include <cstdio>
extern "C" const char* GDALVersionInfo(const char*) { return "2.4.0"; }
extern "C" void CPLError(int, int, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}
extern "C" int Warp() {
    GDALWarpKernel kernel;
    kernel.PerformWarp();
    return kernel.done;
}
"""


def test_another_libgdal_in_the_process_runs_its_own_code(programs, device):
    (programs.folder / "other.cpp").write_text(OTHER_GDAL)
    programs.plain("g++", "-shared", "-fPIC", "-o", "libother.so", "other.cpp")
    script = """
import ctypes
from osgeo import gdal
other = ctypes.CDLL("./libother.so")
for _ in range(2):
    assert other.Warp() == 42
gdal.Warp("warped.tif", "utm.tif", dstSRS="EPSG:3857")
assert other.Warp() == 42
"""
    lines = programs.run(PYTHON, "-c", script)
    assert devices(lines) == [device], reasons(lines)  # of the libgdal that is ours
    assert programs.errors.count("gdal-gpu isn't used by ") == 1
    assert "libother.so: it is GDAL 2.4.0, and gdal-gpu was built for GDAL 3" in programs.errors


# ---------------------------------------------------------------------------------------------------------------------
# Where the device can't: plain GDAL's bytes, and the reason in the report

WARP = ["gdalwarp", "-q", "-overwrite", "-et", "0", "-r", "bilinear", "-t_srs", "EPSG:3857", "-ts", "400", "400"]


def plain_and_taken_over(programs, options, **variables):
    """The pixels of plain GDAL and through door 5, and the latter's report."""
    programs.plain(*WARP, *options, "utm.tif", "plain.tif")
    lines = programs.run(*WARP, *options, "utm.tif", "warped.tif", **variables)
    return pixels(programs.folder / "plain.tif"), pixels(programs.folder / "warped.tif"), lines


@pytest.mark.parametrize("options", [[], ["-wm", "1"], ["-wm", "1", "-multi", "-wo", "NUM_THREADS=2"]])
@pytest.mark.parametrize("threshold", ["0", "0.125"])
def test_device_none_leaves_all_to_gdal(programs, options, threshold):
    plain, warped, lines = plain_and_taken_over(programs, [*options, "-et", threshold], GDAL_GPU_DEVICE="NONE")
    assert_same_bytes(warped, plain)
    assert devices(lines) == ["GDAL"]
    assert {line["reason"] for line in lines} == {"GDAL_GPU_DEVICE=NONE"}


@pytest.mark.parametrize("options", [[], ["-wm", "1"], ["-wm", "1", "-multi"]])
def test_an_unsupported_resampling_is_left_to_gdal(programs, options):
    plain, warped, lines = plain_and_taken_over(programs, ["-r", "sum", *options])
    assert_same_bytes(warped, plain)
    assert devices(lines) == ["GDAL"]
    assert "the resampling has no kernel" in reasons(lines)


@pytest.mark.parametrize("fault", ["allocate", "launch", "compile", "copy"])
@pytest.mark.parametrize("options", [[], ["-wm", "1"]])
def test_gdals_own_code_does_the_work_of_a_failing_device(programs, tmp_path, fault, options):
    """With exact coordinates and the whole operation's scale."""
    programs.plain(*WARP, *ONE_CHUNK, "utm.tif", "plain.tif")
    lines = programs.run(*WARP, *(options or ONE_CHUNK), "utm.tif", "warped.tif", GDAL_GPU_FAULT=fault,
                         GDAL_GPU_CACHE_DIR=str(tmp_path / "empty"))
    assert_within_tolerance(pixels(programs.folder / "warped.tif"), pixels(programs.folder / "plain.tif"))
    assert devices(lines) == ["GDAL"]
    assert reasons(lines)


@pytest.mark.parametrize("fault", ["allocate:20", "launch:4", "copy:20", "lose:3"])
def test_gdal_goes_on_with_the_scale_of_a_device_that_fails_half_way(programs, device, fault):
    options = ["-ts", "230", "230", *ONE_CHUNK]
    programs.plain(*WARP, *options, "utm.tif", "plain.tif")
    lines = programs.run(*WARP, *options, "-wm", "200000", "utm.tif", "warped.tif", GDAL_GPU_FAULT=fault)
    assert devices(lines) == sorted(["GDAL", device]), lines
    assert reasons(lines)
    assert_within_tolerance(pixels(programs.folder / "warped.tif"), pixels(programs.folder / "plain.tif"))


def test_a_device_of_1_MB_does_the_work_in_parts_or_leaves_it(programs):
    plain, warped, lines = plain_and_taken_over(programs, ["-ts", "900", "900"], GDAL_GPU_MEMORY_LIMIT="1MB")
    assert_within_tolerance(warped, plain)
    if "GDAL" in devices(lines):
        assert reasons(lines)


def test_without_a_compiler_gdal_does_the_work(programs, tmp_path):
    plain, warped, lines = plain_and_taken_over(programs, [], GDAL_GPU_DEVICE="HOST", GDAL_GPU_CXX="/nonexistent",
                                                GDAL_GPU_CACHE_DIR=str(tmp_path / "empty"))
    assert_same_bytes(warped, plain)
    assert devices(lines) == ["GDAL"]
    assert "/nonexistent" in reasons(lines)


def test_without_nvrtc_gdal_does_the_work(programs, tmp_path):
    plain, warped, lines = plain_and_taken_over(programs, [], GDAL_GPU_DEVICE="CUDA", GDAL_GPU_NVRTC="/nonexistent",
                                                GDAL_GPU_CACHE_DIR=str(tmp_path / "empty"))
    assert_same_bytes(warped, plain)
    assert devices(lines) == ["GDAL"]
    # Without a driver there is nothing to compile for, which is then the reason.
    assert any(word in reasons(lines) for word in ("/nonexistent", "NVRTC", "libcuda"))


def test_small_requests_are_left_to_gdal_where_the_device_is_chosen_for_them(programs):
    plain, warped, lines = plain_and_taken_over(programs, [], GDAL_GPU_DEVICE="AUTO", GDAL_GPU_MIN_PIXELS="1000000")
    assert_same_bytes(warped, plain)
    assert devices(lines) == ["GDAL"]
    assert any(word in reasons(lines) for word in ("GDAL_GPU_MIN_PIXELS", "libcuda"))


# ---------------------------------------------------------------------------------------------------------------------
# The cache


def test_a_second_run_compiles_nothing(programs, tmp_path):
    cache = {"GDAL_GPU_CACHE_DIR": str(tmp_path / "cache")}
    first = programs.run(*WARP, "-wm", "1", "utm.tif", "first.tif", **cache)
    second = programs.run(*WARP, "-wm", "1", "utm.tif", "second.tif", **cache)
    other_zone = programs.run(*WARP, "-s_srs", "EPSG:32640", "utm.tif", "third.tif", **cache)
    assert sum(line["compiled"] for line in first) == 1
    assert sum(line["compiled"] for line in second) == 0
    assert sum(line["compiled"] for line in other_zone) == 0
    assert_same_bytes(pixels(tmp_path / "second.tif"), pixels(tmp_path / "first.tif"))


def test_a_cache_that_cannot_be_written_costs_a_compilation(programs, device, tmp_path):
    (tmp_path / "file").write_text("")
    plain, warped, lines = plain_and_taken_over(programs, [], GDAL_GPU_CACHE_DIR=str(tmp_path / "file" / "cache"))
    assert devices(lines) == [device], reasons(lines)
    assert sum(line["compiled"] for line in lines) == 1
    assert_within_tolerance(warped, plain)


@pytest.mark.parametrize("damage", ["cut", "foreign", "empty", "flipped"])
def test_a_damaged_cache_is_compiled_again(programs, device, tmp_path, damage):
    cache = tmp_path / "cache"
    variables = {"GDAL_GPU_CACHE_DIR": str(cache)}
    plain, before, _ = plain_and_taken_over(programs, [], **variables)
    files = [file for file in cache.rglob("*") if file.is_file()]
    assert files
    for file in files:
        data = file.read_bytes()
        file.write_bytes({"cut": data[: len(data) // 2], "foreign": b"#!/bin/sh\nexit 1\n", "empty": b"",
                          "flipped": data[:-100] + bytes([data[-100] ^ 255]) + data[-99:]}[damage])
    lines = programs.run(*WARP, "utm.tif", "warped.tif", **variables)
    assert devices(lines) == [device], reasons(lines)
    assert sum(line["compiled"] for line in lines) == 1
    assert_same_bytes(pixels(tmp_path / "warped.tif"), before)
    assert sum(line["compiled"] for line in programs.run(*WARP, "utm.tif", "warped.tif", **variables)) == 0


def processes_of(mark):
    """Processes that have `mark` in their environment, which children inherit."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes() and (process / "stat").read_text().split()[2] != "Z":
                found.append(process.name)
        except OSError:
            pass
    return found


@pytest.mark.parametrize("after", [0.1, 0.35, 0.8])
def test_a_killed_gdalwarp_leaves_nothing_behind(programs, device, tmp_path, after):
    mark = f"GDAL_GPU_TEST_MARK={tmp_path}-{after}"
    cache = {"GDAL_GPU_CACHE_DIR": str(tmp_path / "cache")}
    big = ["gdalwarp", "-q", "-overwrite", "-r", "cubic", "-t_srs", "EPSG:3857", "-ts", "16000", "16000", "-wm", "4",
           "utm.tif"]
    process = programs.start(*big, "killed.tif", **cache, **dict([mark.split("=", 1)]))
    time.sleep(after)
    assert processes_of(mark)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    deadline = time.time() + 10  # a compiler that the program started may be at its end
    while processes_of(mark) and time.time() < deadline:
        time.sleep(0.1)
    assert processes_of(mark) == []

    lines = programs.run(*WARP, "-r", "cubic", "utm.tif", "warped.tif", **cache)
    assert devices(lines) == [device], reasons(lines)
    again = programs.run(*WARP, "-r", "cubic", "utm.tif", "warped.tif", **cache)
    assert sum(line["compiled"] for line in again) == 0


def test_exit_is_clean_while_the_device_is_in_use(programs):
    """Terminated, gdalwarp ends at once; its exit handlers meet worker threads in the middle of their work."""
    process = programs.start("gdalwarp", "-q", "-overwrite", "-r", "cubic", "-t_srs", "EPSG:3857", "-ts", "16000", "16000",
                             "-wm", "4", "utm.tif", "killed.tif")
    time.sleep(0.8)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == -signal.SIGTERM, errors


def test_rasterio_reads_and_warps_through_the_device(programs, device):
    if shutil.which("rio") is None and not list(pathlib.Path("/usr/lib/python3/dist-packages").glob("rasterio")):
        pytest.skip("python3-rasterio isn't installed")
    script = """
import numpy, rasterio
from rasterio.warp import reproject, Resampling
with rasterio.open("utm.tif") as source:
    out = numpy.zeros((400, 400), "uint16")
    reproject(rasterio.band(source, 1), out, dst_transform=rasterio.Affine(300, 0, 1500000, 0, -300, 6180000),
              dst_crs="EPSG:3857", resampling=Resampling.bilinear)
assert out.max() > 100
"""
    lines = programs.run(PYTHON, "-c", script)
    assert devices(lines) == [device], reasons(lines)


def test_threads_that_read_the_source_change_nothing(programs):
    """From 8 million samples on the source is read by several threads: the bytes are the same, and plain GDAL's."""
    source = make_raster(programs.folder / "large.tif", "EPSG:32633", (400000, 5300000, 430000, 5330000), 3000, 3000, 1)
    command = ["gdalwarp", "-q", "-t_srs", "EPSG:3857", "-ts", "400", "400", "-r", "near", "-et", "0", source]
    programs.run(*command, "one.tif", GDAL_GPU_READ_THREADS="1")
    lines = programs.run(*command, "four.tif", GDAL_GPU_READ_THREADS="4", CPL_DEBUG="GPU")
    assert {line["device"] for line in lines} == {programs.environment["GDAL_GPU_DEVICE"]}
    assert "is read by 4 threads" in programs.errors
    programs.plain(*command, "plain.tif")
    one, four, plain = (pixels(programs.folder / f"{name}.tif") for name in ("one", "four", "plain"))
    assert np.array_equal(one, four)
    assert np.count_nonzero(one != plain) <= 16
