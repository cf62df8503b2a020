"""The command gdal-gpu: its subcommands, and what `run` gives to the program that it becomes."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

import pytest

from conftest import ROOT
from preload_fixtures import make_raster, plain_environment


@pytest.fixture
def gdal_gpu(build):
    def run(*arguments, command=build / "bin" / "gdal-gpu", cwd=None, **variables):
        return subprocess.run([str(command), *map(str, arguments)], env={**plain_environment(), **variables}, cwd=cwd,
                              capture_output=True, text=True, timeout=60)

    return run


def variables_of(done):
    assert done.returncode == 0, done.stderr
    return dict(line.split("=", 1) for line in done.stdout.split("\0") if "=" in line)


def test_help_and_version_print_and_succeed(gdal_gpu):
    shown = gdal_gpu("--help")
    assert shown.returncode == 0
    assert all(word in shown.stdout for word in ("COMMAND [ARGUMENT...]", "info", "cache", "--clear"))
    version = gdal_gpu("--version")
    assert version.returncode == 0 and version.stdout.startswith("gdal-gpu 0.")


@pytest.mark.parametrize("subcommand", ["run", "info", "cache", "transform", "coverage", "help"])
def test_each_subcommand_explains_itself(gdal_gpu, subcommand):
    shown = gdal_gpu("help", subcommand)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith(f"Usage: gdal-gpu {subcommand} ")
    assert max(map(len, shown.stdout.splitlines())) <= 100
    for flag in ("--help", "-h"):
        assert gdal_gpu(subcommand, flag).stdout == shown.stdout
    assert f"\n  {subcommand} " in gdal_gpu("--help").stdout


@pytest.mark.parametrize("arguments,message", [
    (["inof"], "there is no subcommand inof; is info meant? See gdal-gpu --help"),
    (["help", "gpu_expressio"], 'there is no help on "gpu_expressio"; is gpu_expression meant? There is on run, info,'),
    (["help", "Hilshade"], "is hillshade meant?"),
    (["help", "xyz"], 'there is no help on "xyz". There is on run,'),
    (["info", "--jsno"], "info has no argument --jsno; is --json meant? See gdal-gpu help info"),
    (["info", "--json", "more"], "info has no argument more. See gdal-gpu help info"),
    (["cache", "--clear", "--clear"], "cache takes --clear once"),
    (["coverage", "--limit", "x"], '--limit takes a whole number, not "x"'),
    (["coverage", "--auth"], "--auth needs a value: EPSG"),
    (["run", "--fast", "true"], "run has no argument --fast before the command; see gdal-gpu help run"),
    (["run", "--"], "run needs a command"),
])
def test_what_is_unknown_is_named_with_what_may_be_meant(gdal_gpu, arguments, message):
    done = gdal_gpu(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr and done.stderr.startswith("gdal-gpu: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["frobnicate"], ["run"], ["run", "--fast"], ["info", "--xml"],
                                       ["cache", "--purge"], ["cache", "--clear", "--clear"]])
def test_wrong_arguments_give_a_message_and_status_2(gdal_gpu, arguments):
    done = gdal_gpu(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("gdal-gpu: ") and done.stdout == ""


def test_run_passes_arguments_and_streams_through(gdal_gpu):
    for marker in ([], ["--"]):
        done = gdal_gpu("run", *marker, "bash", "-c", 'printf "%s|" "$@"; echo oops >&2', "bash", "a b", "--help", "")
        assert (done.returncode, done.stdout, done.stderr) == (0, "a b|--help||", "oops\n")


def test_run_ends_as_the_command_ends(gdal_gpu):
    assert gdal_gpu("run", "bash", "-c", "exit 7").returncode == 7
    assert gdal_gpu("run", "bash", "-c", "kill -TERM $$").returncode == -signal.SIGTERM


def test_run_of_a_missing_command_gives_127_and_of_a_plain_file_126(gdal_gpu, tmp_path):
    missing = gdal_gpu("run", "no-such-command")
    assert missing.returncode == 127 and "no-such-command: command not found" in missing.stderr
    plain_file = tmp_path / "data"
    plain_file.write_text("not a program")
    denied = gdal_gpu("run", plain_file)
    assert denied.returncode == 126 and "data: Permission denied" in denied.stderr


def test_run_sets_the_plugin_path_and_the_preload_library_and_nothing_else(gdal_gpu, build):
    after = variables_of(gdal_gpu("run", "env", "-0"))
    added = {name: value for name, value in after.items() if plain_environment().get(name) != value and name != "_"}
    assert sorted(added) == ["GDAL_DRIVER_PATH", "LD_PRELOAD"]
    assert added["LD_PRELOAD"] == str(build / "lib" / "libgdalgpu_preload.so")
    ours, default = added["GDAL_DRIVER_PATH"].split(":")
    assert ours == str(build / "gdalplugins")
    assert default.endswith("/gdalplugins") and default != ours


def test_run_keeps_what_the_user_set(gdal_gpu, build, tmp_path):
    other = next(pathlib.Path("/usr/lib").glob("*/libz.so.1"))
    after = variables_of(gdal_gpu("run", "env", "-0", GDAL_DRIVER_PATH=f"{tmp_path}:/nowhere", LD_PRELOAD=str(other)))
    assert after["GDAL_DRIVER_PATH"] == f"{build}/gdalplugins:{tmp_path}:/nowhere"
    assert after["LD_PRELOAD"] == f"{build}/lib/libgdalgpu_preload.so:{other}"
    assert variables_of(gdal_gpu("run", "env", "-0", GDAL_DRIVER_PATH="disable"))["GDAL_DRIVER_PATH"] == "disable"


def test_run_within_run_changes_nothing_more(gdal_gpu, build):
    once = variables_of(gdal_gpu("run", "env", "-0"))
    twice = variables_of(gdal_gpu("run", build / "bin" / "gdal-gpu", "run", "env", "-0"))
    once.pop("_", None), twice.pop("_", None)
    assert twice == once


def test_the_preload_library_brings_nothing_into_a_program_without_gdal(gdal_gpu):
    done = gdal_gpu("run", "cat", "/proc/self/maps")
    libraries = {pathlib.Path(line.split()[-1]).name for line in done.stdout.splitlines() if ".so" in line}
    assert "libgdalgpu_preload.so" in libraries
    assert not [name for name in libraries if name.startswith(("libgdal.", "libgdalgpu.", "libstdc++", "libcuda"))]


def test_run_without_its_libraries_says_which_is_missing(gdal_gpu, build, tmp_path):
    (tmp_path / "bin").mkdir()
    lonely = shutil.copy(build / "bin" / "gdal-gpu", tmp_path / "bin")
    done = gdal_gpu("run", "true", command=lonely)
    assert done.returncode == 125
    assert "libgdalgpu" in done.stderr and "is missing" in done.stderr


def test_an_installed_tree_works_as_the_build_does(gdal_gpu, build, tmp_path):
    if not (build / "cmake_install.cmake").exists():
        pytest.skip("a build that was copied without CMake's files")
    subprocess.run(["cmake", "--install", build, "--prefix", tmp_path / "usr"], check=True, capture_output=True)
    installed = tmp_path / "usr" / "bin" / "gdal-gpu"
    after = variables_of(gdal_gpu("run", "env", "-0", command=installed))
    assert after["LD_PRELOAD"].startswith(str(tmp_path / "usr" / "lib"))
    assert (pathlib.Path(after["GDAL_DRIVER_PATH"].split(":")[0]) / "gdal_GPU.so").exists()
    info = json.loads(gdal_gpu("info", "--json", command=installed, GDAL_GPU_DEVICE="NONE").stdout)
    assert info["problem"] == "" and info["library"].startswith(str(tmp_path))
    assert all(info["takeovers"].values())
    # The stock programs find the driver through it.
    formats = gdal_gpu("run", "gdalinfo", "--formats", command=installed)
    assert "GPU -raster-" in formats.stdout, formats.stderr


def test_info_tells_devices_cache_options_and_takeovers(gdal_gpu, build, tmp_path):
    done = gdal_gpu("info", "--json", GDAL_GPU_DEVICE="HOST", GDAL_GPU_CACHE_DIR=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stderr
    info = json.loads(done.stdout)
    assert info["problem"] == ""
    assert info["gdal"].split(".")[:2] == info["built_for_gdal"].split(".")[:2]
    assert info["proj"].count(".") == 2
    assert info["plugins"] == str(build / "gdalplugins")
    devices = {device["kind"]: device for device in info["devices"]}
    assert set(devices) == {"CUDA", "HOST"}
    assert "threads" in devices["HOST"]["name"] and devices["HOST"]["available_memory"] > 0
    assert "name" in devices["CUDA"] or devices["CUDA"]["problem"]
    assert info["selected"]["device"] == "HOST"
    assert info["cache"]["folder"] == str(tmp_path / "cache")
    options = {option["name"]: option for option in info["options"]}
    assert options["GDAL_GPU_DEVICE"]["value"] == "HOST" and options["GDAL_GPU_DEVICE"]["default"] == "AUTO"
    assert "value" not in options["GDAL_GPU_MEMORY_LIMIT"]
    assert info["takeovers"] == dict.fromkeys(
        ["ChunkAndWarpImage", "ChunkAndWarpMulti", "PerformWarp", "WarpRegionToBuffer", "~GDALWarpOperation"], True)


def test_info_in_words_says_the_same(gdal_gpu):
    done = gdal_gpu("info", GDAL_GPU_DEVICE="NONE", GDAL_GPU_CXX="/nonexistent")
    assert done.returncode == 0, done.stderr
    assert "large requests run on: GDAL's own code: GDAL_GPU_DEVICE=NONE" in done.stdout
    assert "HOST: none: " in done.stdout and "/nonexistent" in done.stdout
    assert "PerformWarp: yes" in done.stdout


def test_info_names_the_compilers_with_version_and_path(gdal_gpu, tmp_path):
    compiler = shutil.which("c++")
    version = subprocess.run([compiler, "--version"], env={**os.environ, "LC_ALL": "C"}, capture_output=True,
                             text=True).stdout.splitlines()[0]
    lines = gdal_gpu("info", GDAL_GPU_CXX=compiler).stdout.splitlines()
    assert f"  HOST: {version}, {compiler}" in lines
    cuda, = [line for line in lines[lines.index("Compilers of kernels"):] if line.startswith("  CUDA: ")]
    library = re.fullmatch(r"  CUDA: NVRTC \d+\.\d+, (/.*)", cuda)
    assert pathlib.Path(library[1]).exists() if library else cuda.startswith("  CUDA: none: no NVRTC")
    missing = gdal_gpu("info", GDAL_GPU_NVRTC="/no/nvrtc", GDAL_GPU_CXX="/no/compiler").stdout
    assert "  CUDA: none: GDAL_GPU_NVRTC=/no/nvrtc can't be opened" in missing
    assert "  HOST: none: GDAL_GPU_CXX=/no/compiler is no program" in missing


def warnings_of(done):
    return [line.split(": ", 1)[1] for line in done.stderr.splitlines() if line.startswith("Warning ")]


@pytest.mark.parametrize("variables,warned", [
    ({"GDAL_GPU_DEVICE": "HOST"}, None),
    ({"GDAL_GPU_DEVICE": "HOST", "GDAL_GPU_CXX": "/no/compiler"}, "GDAL_GPU_CXX=/no/compiler is no program"),
    ({"GDAL_GPU_DEVICE": "HOST", "GDAL_GPU_CXX": "/bin/false"}, "GDAL_GPU_CXX=/bin/false: /bin/false --version fails: "),
    ({"GDAL_GPU_DEVICE": "HOST", "GDAL_GPU_CACHE_DIR": "/dev/null/kernels"}, "compiled kernels are not kept, "),
    ({"GDAL_GPU_DEVICE": "HOST", "GDAL_GPU_THREADS": "many"}, "GDAL_GPU_THREADS=many is not a whole number"),
    ({"GDAL_GPU_DEVICE": "NONE", "GDAL_GPU_PRECISION": "fp16"}, "GDAL_GPU_PRECISION=fp16 is none of "),
    ({"GDAL_GPU_DEVICE": "NONE", "GDAL_GPU_REPORT": "/no/folder/report"}, "GDAL_GPU_REPORT=/no/folder/report can't be "),
])
def test_a_program_is_warned_once_of_what_info_says_too(gdal_gpu, build, tmp_path, variables, warned):
    """Doors 1 and 5, each with several requests; the result is there all the same."""
    variables = {"GDAL_GPU_CACHE_DIR": str(tmp_path / "cache"), "GDAL_GPU_MIN_PIXELS": "0", **variables}
    make_raster(tmp_path / "source.tif", "EPSG:32633", (400000, 5300000, 410000, 5310000), 64, 64, bands=1)
    warp = ["gdalwarp", "-q", "-t_srs", "EPSG:3857", "-ts", "300", "300", "source.tif"]
    chunks = gdal_gpu("run", *warp, "-wm", "100000", "warped.tif", cwd=tmp_path, **variables)
    plugin = {**plain_environment(), **variables, "GDAL_DRIVER_PATH": str(build / "gdalplugins")}
    for command in ([*warp, "-of", "VRT", "warped.vrt"], ["gdal_translate", "-q", "warped.vrt", "translated.tif"]):
        blocks = subprocess.run(command, cwd=tmp_path, env=plugin, capture_output=True, text=True, timeout=60)
        assert blocks.returncode == 0, blocks.stderr
    assert chunks.returncode == 0, chunks.stderr
    info = json.loads(gdal_gpu("info", "--json", **variables).stdout)["warnings"]
    for said in (warnings_of(chunks), warnings_of(blocks), info):
        assert len(said) == (warned is not None) and all(text.startswith(warned) for text in said), said
    assert warnings_of(chunks) == info
    if warned:
        assert f"Warnings\n  {warned}" in gdal_gpu("info", **variables).stdout


@pytest.mark.parametrize("name", ["stdout", "-", "stderr"])
def test_the_report_goes_to_a_stream(gdal_gpu, tmp_path, name):
    make_raster(tmp_path / "source.tif", "EPSG:32633", (400000, 5300000, 410000, 5310000), 64, 64, bands=1)
    done = gdal_gpu("run", "gdalwarp", "-q", "-t_srs", "EPSG:3857", "source.tif", "warped.tif", cwd=tmp_path,
                    GDAL_GPU_DEVICE="NONE", GDAL_GPU_REPORT=name)
    line, other = (done.stderr, done.stdout) if name == "stderr" else (done.stdout, done.stderr)
    assert json.loads(line)["reason"] == "GDAL_GPU_DEVICE=NONE" and other == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["source.tif", "warped.tif"]


def test_transform_says_once_that_a_device_is_missing(gdal_gpu, tmp_path):
    (tmp_path / "points").write_text("1 2\n")
    done = gdal_gpu("transform", "--pipeline", "+proj=merc", "--device", "HOST", tmp_path / "points",
                    GDAL_GPU_CXX="/no/compiler")
    assert done.returncode == 0 and done.stderr.count("\n") == 1 and "GDAL_GPU_CXX=/no/compiler" in done.stderr
    coverage = gdal_gpu("coverage", "--limit", "1", GDAL_GPU_DEVICE="HOST", GDAL_GPU_CXX="/no/compiler")
    assert coverage.returncode == 1 and "no device: GDAL_GPU_CXX=/no/compiler" in coverage.stderr


def readme_rows(first_cell):
    """The cells of the table rows in README.md whose first cell matches."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in (ROOT / "README.md").read_text().splitlines() if line.startswith("|")]
    return [row for row in rows if re.fullmatch(first_cell, row[0])]


def test_readme_lists_the_options_that_there_are(gdal_gpu):
    options = {option["name"] for option in json.loads(gdal_gpu("info", "--json").stdout)["options"]}
    documented = [row[0].strip("`") for row in readme_rows("`GDAL_GPU_[A-Z_]+`")]
    assert sorted(documented) == sorted(options)


def test_info_and_readme_tell_which_programs_are_taken_over(gdal_gpu):
    programs = json.loads(gdal_gpu("info", "--json").stdout)["programs"]
    words = " ".join(gdal_gpu("info").stdout.split())
    row, = readme_rows("programs under `gdal-gpu run`")
    for taken_over, start, cell in ((True, "Taken over by gdal-gpu run: ", row[1]),
                                    (False, "Left to GDAL's own code so far: ", row[2])):
        listed = [program for program in programs if program["taken_over"] == taken_over]
        names = [program["name"] + (f" (on the device: {program['instead']})" if program["instead"] else "")
                 for program in listed]
        assert start + ", ".join(names) + " " in words
        assert [name for name in re.findall("`([^`]+)`", cell) if "GPU" not in name.upper()] == [p["name"] for p in listed]


@pytest.mark.parametrize("variables,said", [({}, False), ({"GDAL_GPU_REPORT": "/dev/null"}, True), ({"CPL_DEBUG": "OFF"}, False),
                                            ({"CPL_DEBUG": "GPU"}, True)])
def test_run_tells_who_asks_that_a_program_is_not_taken_over(gdal_gpu, tmp_path, variables, said):
    for name in ("gdaldem", "gdalwarp"):
        (tmp_path / name).write_text("#!/bin/sh\necho ran\n")
        (tmp_path / name).chmod(0o755)
    left = gdal_gpu("run", tmp_path / "gdaldem", **variables)
    assert left.stdout == "ran\n"
    assert left.stderr == ("gdal-gpu: gdaldem's algorithms are not taken over; they run in GDAL's own code (on the device: "
                           "GPU:hillshade and GPU:slope)\n" if said else "")
    assert gdal_gpu("run", tmp_path / "gdalwarp", **variables).stderr == ""


def test_info_sees_that_takeovers_are_not_in_effect(build):
    """The probe that info runs with the preload library, here without it."""
    done = subprocess.run([str(build / "bin" / "gdal-gpu"), "info", "--takeovers"], env=plain_environment(),
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert dict(line.split() for line in done.stdout.splitlines()) == {
        "ChunkAndWarpImage": "0", "ChunkAndWarpMulti": "0", "WarpRegionToBuffer": "0", "PerformWarp": "0",
        "~GDALWarpOperation": "0"}


def test_cache_counts_the_kernels_and_clears_them(gdal_gpu, tmp_path):
    cache = {"GDAL_GPU_CACHE_DIR": str(tmp_path / "cache"), "GDAL_GPU_DEVICE": "HOST", "GDAL_GPU_MIN_PIXELS": "0"}
    make_raster(tmp_path / "source.tif", "EPSG:32633", (400000, 5300000, 410000, 5310000), 64, 64, bands=1)
    assert ": 0 kernels" in gdal_gpu("cache", **cache).stdout
    warped = gdal_gpu("run", "gdalwarp", "-t_srs", "EPSG:3857", "source.tif", "warped.tif", cwd=tmp_path, **cache)
    assert warped.returncode == 0, warped.stderr
    assert ": 1 kernels" in gdal_gpu("cache", **cache).stdout
    cleared = gdal_gpu("cache", "--clear", **cache)
    assert cleared.returncode == 0 and "removed 1 kernels" in cleared.stdout
    assert ": 0 kernels" in gdal_gpu("cache", **cache).stdout


def test_cache_clear_removes_what_a_killed_compiler_left(gdal_gpu, tmp_path):
    cache = tmp_path / "cache"
    assert gdal_gpu("cache", GDAL_GPU_CACHE_DIR=str(cache)).returncode == 0
    (cache / "compile-abcdef").mkdir()
    (cache / "compile-abcdef" / "kernel.cpp").write_text("half")
    (cache / "write-abcdef").write_text("half")
    (cache / "somebody's").write_text("stays")
    cleared = gdal_gpu("cache", "--clear", GDAL_GPU_CACHE_DIR=str(cache))
    assert cleared.returncode == 0 and [path.name for path in cache.iterdir()] == ["somebody's"]


def test_cache_says_why_it_is_off(gdal_gpu, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = gdal_gpu("cache", GDAL_GPU_CACHE_DIR=str(blocked))
    assert done.returncode == 1 and "the cache is off" in done.stderr
