"""What `cmake --install` leaves in a prefix works from there."""
import json
import os
import re
import shutil
import subprocess

import pytest

from conftest import ROOT

VERSION = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text())[1]
PROGRAM = """
#include <stdio.h>
#include "gdal_gpu.h"
int main(void) { return puts(GDALGPUVersion()) < 0; }
"""


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


def test_a_program_is_built_by_what_pkg_config_says(prefix, tmp_path):
    if not shutil.which("pkg-config"):
        pytest.skip("pkg-config isn't installed")
    (tmp_path / "program.c").write_text(PROGRAM)
    pc, = prefix.glob("lib*/**/gdalgpu.pc")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gdalgpu"], check=True, capture_output=True, text=True,
                           env={**os.environ, "PKG_CONFIG_PATH": str(pc.parent)}).stdout.split()
    assert f"-I{prefix}/include" in flags and f"-L{pc.parent.parent}" in flags
    subprocess.run(["cc", "program.c", *flags, f"-Wl,-rpath,{pc.parent.parent}", "-o", "program"], cwd=tmp_path,
                   check=True)
    assert subprocess.run([tmp_path / "program"], check=True, capture_output=True, text=True).stdout == VERSION + "\n"


def test_a_program_is_built_by_find_package(prefix, tmp_path):
    (tmp_path / "program.c").write_text(PROGRAM)
    (tmp_path / "CMakeLists.txt").write_text(f"""
cmake_minimum_required(VERSION 3.16)
project(program C)
find_package(gdalgpu {VERSION} REQUIRED)
add_executable(program program.c)
target_link_libraries(program gdalgpu::gdalgpu)
""")
    subprocess.run(["cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}"], cwd=tmp_path, check=True,
                   capture_output=True)
    subprocess.run(["cmake", "--build", "build"], cwd=tmp_path, check=True, capture_output=True)
    shown = subprocess.run([tmp_path / "build" / "program"], check=True, capture_output=True, text=True)
    assert shown.stdout == VERSION + "\n"


@pytest.mark.parametrize("component,files", [
    ("library", {"libgdalgpu.so.0", f"libgdalgpu.so.{VERSION}"}),
    ("development", {"libgdalgpu.so", "gdal_gpu.h", "gdalgpu.pc", "gdalgpuConfig.cmake", "gdalgpuConfigVersion.cmake",
                     "gdalgpuTargets.cmake"}),
    ("plugin", {"gdal_GPU.so", "libgdalgpu_preload.so", "gdal-gpu", "gdal-gpu.1.gz", "gdal-gpu-algorithms.7.gz"}),
])
def test_a_component_has_its_files(build, tmp_path, component, files):
    subprocess.run(["cmake", "--install", build, "--prefix", tmp_path, "--component", component], check=True,
                   capture_output=True)
    # One for each build type; documents belong to packages.
    installed = {path.name for path in tmp_path.rglob("*") if not path.is_dir() and "doc" not in path.parts
                 and not path.name.startswith("gdalgpuTargets-")}
    assert installed == files


def test_the_manifest_names_all_that_is_installed(build, prefix):
    """So that what it names can be removed again."""
    manifest = {line for line in (build / "install_manifest.txt").read_text().splitlines() if line}
    # Other tests of this build may have installed elsewhere since: compare what is below a prefix.
    root = next(line for line in manifest if line.endswith("/include/gdal_gpu.h")).removesuffix("/include/gdal_gpu.h")
    installed = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()}
    assert {line.removeprefix(root + "/") for line in manifest} == installed
