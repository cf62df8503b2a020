"""Reprojections by PROJ's grids, through both doors, beside plain gdalwarp."""
import pathlib
import shutil

import numpy as np
import pytest
from osgeo import gdal, osr

from preload_fixtures import Programs, assert_within_tolerance, devices, make_raster, pixels, reasons

PROJ_DATA = pathlib.Path("/usr/share/proj")

# Source CRS, extent of the raster, target CRS, Debian's grid.
PAIRS = {
    "BETA2007": ("EPSG:31467", (3450000, 5500000, 3530000, 5564000), "EPSG:25832", "BETA2007.gsb"),
    "BETA2007 back": ("EPSG:25832", (450000, 5500000, 530000, 5564000), "EPSG:31467", "BETA2007.gsb"),
    "BETA2007 degrees": ("EPSG:4314", (8.5, 49, 9.5, 49.8), "EPSG:4258", "BETA2007.gsb"),
    "ntf_r93": ("EPSG:27572", (500000, 2000000, 580000, 2064000), "EPSG:2154", "ntf_r93.gsb"),
    "ntf_r93 back": ("EPSG:2154", (600000, 6500000, 680000, 6564000), "EPSG:27572", "ntf_r93.gsb"),
    "nzgd2kgrid0005": ("EPSG:4272", (171, -44, 172, -43.2), "EPSG:2193", "nzgd2kgrid0005.gsb"),
    "nzgd2kgrid0005 back": ("EPSG:2193", (1500000, 5200000, 1580000, 5264000), "EPSG:27200", "nzgd2kgrid0005.gsb"),
}


@pytest.fixture(scope="session")
def kernels(tmp_path_factory):
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture
def programs(build, tmp_path, kernels, device):
    return Programs(build, tmp_path, kernels, device)


def compare(programs, device, *arguments, path="tiles"):
    """Doors 5 and 1 beside plain GDAL; path: None for any. Returns the kernels that ran. Enlarged, so that GDAL's
    result doesn't depend on how it is cut."""
    warp = ["gdalwarp", "-q", "-overwrite", "-r", "bilinear", "-et", "0", "-ts", "600", "500", *arguments, "source.tif"]
    programs.plain(*warp, "-of", "VRT", "warped.vrt")
    used = []
    for program in ([*warp], ["gdal_translate", "-q", "warped.vrt"]):
        programs.plain(*program, "plain.tif")
        lines = programs.run(*program, "device.tif")
        assert devices(lines) == [device], reasons(lines)
        assert path is None or {line["path"] for line in lines} == {path}, reasons(lines)
        assert_within_tolerance(pixels(programs.folder / "device.tif"), pixels(programs.folder / "plain.tif"))
        for name in ("plain.tif", "device.tif"):
            (programs.folder / name).unlink()
        used.extend(line["kernel"] for line in lines)
    return used


@pytest.mark.parametrize("pair", PAIRS)
def test_grid_shifts_are_fused_and_equal_to_plain(programs, device, pair):
    source, extent, target, grid = PAIRS[pair]
    if not (PROJ_DATA / grid).exists():
        pytest.skip(f"{grid} isn't here (package proj-data)")
    make_raster(programs.folder / "source.tif", source, extent, width=400, height=320)
    used = compare(programs, device, "-t_srs", target)
    assert all("hgridshift" in kernel for kernel in used), used


def write_grid(path):
    """A GeoTIFF grid as PROJ has them, over 8 to 10 degrees east, 49 to 51 north."""
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), 21, 21, 2, gdal.GDT_Float32)
    dataset.SetGeoTransform([7.95, 0.1, 0, 51.05, 0, -0.1])
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(4326)
    dataset.SetProjection(srs.ExportToWkt())
    dataset.SetMetadataItem("AREA_OR_POINT", "Point")
    y, x = np.mgrid[0:21, 0:21]
    for index, name, values in ((1, "latitude_offset", 3 + np.sin(x / 4)), (2, "longitude_offset", 5 + np.cos(y / 5))):
        band = dataset.GetRasterBand(index)
        band.SetDescription(name)
        band.SetUnitType("arc-second")
        band.WriteArray(values)


def pipeline(grid):
    return ("+proj=pipeline +step +inv +proj=utm +zone=32 +ellps=GRS80 "
            f"+step +proj=hgridshift +grids={grid} +step +proj=utm +zone=33 +ellps=GRS80")


def test_a_geotiff_grid_of_a_given_operation(programs, device):
    write_grid(programs.folder / "grid.tif")
    make_raster(programs.folder / "source.tif", "EPSG:25832", (480000, 5450000, 540000, 5498000), width=400, height=320)
    used = compare(programs, device, "-t_srs", "EPSG:25833", "-ct", pipeline(programs.folder / "grid.tif"))
    assert all("hgridshift" in kernel for kernel in used), used


def test_a_raster_across_the_edge_of_a_given_grid(programs, device):
    """gdalwarp refuses points that don't come back to where they were, as some next to the edge: any path will do."""
    write_grid(programs.folder / "grid.tif")
    make_raster(programs.folder / "source.tif", "EPSG:25832", (380000, 5350000, 540000, 5478000), width=400, height=320)
    compare(programs, device, "-t_srs", "EPSG:25833", "-ct", pipeline(programs.folder / "grid.tif"), path=None)


@pytest.mark.parametrize("source, extent, target", [
    ("EPSG:31467", (3200000, 5300000, 3500000, 5540000), "EPSG:4258"),
    ("EPSG:4275", (-7, 41, 11, 53), "EPSG:2154"),
    ("EPSG:4230", (-11, 34, 30, 52), "EPSG:3035"),
    ("EPSG:4267", (-130, 20, -60, 70), "EPSG:4269"),
], ids=["German grid", "French grid", "Europe", "North America"])
def test_a_raster_across_several_operations(programs, device, source, extent, target):
    """Beyond a grid, and beyond an operation's area of use, PROJ takes another operation: pixel by pixel."""
    make_raster(programs.folder / "source.tif", source, extent, width=200, height=160)
    used = compare(programs, device, "-t_srs", target)
    assert all(" | " in kernel for kernel in used), used


@pytest.fixture
def proj_folder(programs, monkeypatch):
    """PROJ's folder with its database alone, for GDAL with and without the device."""
    folder = programs.folder / "proj"
    folder.mkdir()
    shutil.copy(PROJ_DATA / "proj.db", folder)
    for name, value in (("PROJ_DATA", folder), ("PROJ_LIB", folder), ("PROJ_SKIP_READ_USER_WRITABLE_DIRECTORY", "YES")):
        monkeypatch.setenv(name, str(value))
        programs.environment[name] = str(value)
    return folder


@pytest.mark.parametrize("name", ["CHENyx06a.gsb", "ch_swisstopo_CHENyx06a.tif"], ids=["old name", "new name"])
def test_a_grid_is_found_by_both_of_its_names(programs, device, proj_folder, name):
    if not (PROJ_DATA / "CHENYX06a.gsb").exists():
        pytest.skip("CHENYX06a.gsb isn't here (package proj-data)")
    shutil.copy(PROJ_DATA / "CHENYX06a.gsb", proj_folder / name)
    make_raster(programs.folder / "source.tif", "EPSG:21781", (590000, 190000, 650000, 238000), width=400, height=320)
    used = compare(programs, device, "-t_srs", "EPSG:2056")
    assert all("hgridshift" in kernel for kernel in used), used


def test_without_the_grid_another_operation_is_fused(programs, device, proj_folder):
    """PROJ takes the Helmert shift."""
    source, extent, target, _ = PAIRS["BETA2007"]
    make_raster(programs.folder / "source.tif", source, extent, width=400, height=320)
    used = compare(programs, device, "-t_srs", target)
    assert all("helmert" in kernel and "hgridshift" not in kernel for kernel in used), used


def test_a_grid_that_is_nowhere_fails_as_in_plain_gdal(programs):
    make_raster(programs.folder / "source.tif", "EPSG:25832", (480000, 5450000, 540000, 5498000), width=100, height=80)
    warp = ["gdalwarp", "-q", "-overwrite", "-t_srs", "EPSG:25833", "-ct", pipeline("nowhere.gsb"), "source.tif"]
    process = programs.start(*warp, "device.tif")
    _, errors = process.communicate(timeout=120)
    assert process.returncode != 0 and "nowhere.gsb" not in str(programs.lines())
    with pytest.raises(AssertionError):
        programs.plain(*warp, "plain.tif")
