"""Programs that bring a GDAL of their own, as wheels do: the plugin and the preload library tell them so, and load nothing."""
import pathlib
import re
import shutil
import subprocess

import pytest
from osgeo import gdal

from preload_fixtures import plain_environment

# A libgdal, as far as the two look at it: it opens the plugin as GDAL does, twice, and warps.
FOREIGN = """
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#define SHOWN extern "C" __attribute__((visibility("default")))
#ifdef VERSION
SHOWN const char* GDALVersionInfo(const char*) { return VERSION; }
#endif
#ifdef WITH_ERRORS
SHOWN void CPLError(int kind, int, const char* format, ...) {
    std::printf("CPLError %d: ", kind);
    va_list arguments;
    va_start(arguments, format);
    std::vprintf(format, arguments);
    va_end(arguments);
    std::puts("");
}
SHOWN void CPLDefaultErrorHandler() {}
static void OwnHandler() {}
SHOWN void* CPLGetErrorHandler(void**) {
    return reinterpret_cast<void*>(OWN_HANDLER ? &OwnHandler : &CPLDefaultErrorHandler);
}
#endif
struct __attribute__((visibility("default"))) GDALWarpKernel { int done = 0; int PerformWarp(); };
int GDALWarpKernel::PerformWarp() { done = 42; return 0; }
SHOWN int Use(const char* plugin) {
    void* library = dlopen(plugin, RTLD_LAZY);
    if (!library) return std::puts(dlerror()), 1;
    for (int i = 0; i < 2; ++i) reinterpret_cast<void (*)()>(dlsym(library, "GDALRegister_GPU"))();
    GDALWarpKernel kernel;
    for (int i = 0; i < 2; ++i) kernel.PerformWarp();
    std::FILE* maps = std::fopen("/proc/self/maps", "r");
    for (char line[5000]; std::fgets(line, sizeof line, maps);)
        if (std::strstr(line, ".so")) std::printf("maps %s", std::strchr(line, '/'));
    return kernel.done == 42 ? 0 : 2;
}
"""
PROGRAM = 'extern "C" int Use(const char*); int main(int, char** arguments) { return Use(arguments[1]); }'


@pytest.fixture
def use(build, tmp_path):
    """Builds a program with a libgdal of its own and runs it: what CPLError got, stderr, and the libraries loaded."""

    def run(*defines, preload=False, static=False):
        (tmp_path / "foreign.cpp").write_text(FOREIGN)
        (tmp_path / "program.cpp").write_text(PROGRAM)
        compiler = ["g++", "-fvisibility=hidden", "-fPIC", *[f"-D{define}" for define in defines]]
        if static:
            subprocess.run([*compiler, "-rdynamic", "program.cpp", "foreign.cpp", "-o", "program"], cwd=tmp_path, check=True)
        else:
            subprocess.run([*compiler, "-shared", "foreign.cpp", "-o", "libgdal-c8c9c467.so.36"], cwd=tmp_path, check=True)
            subprocess.run([*compiler, "program.cpp", "-o", "program", "-L.", "-l:libgdal-c8c9c467.so.36", "-Wl,-rpath,$ORIGIN"],
                           cwd=tmp_path, check=True)
        command = [str(build / "bin" / "gdal-gpu"), "run"] if preload else []
        done = subprocess.run([*command, "./program", str(build / "gdalplugins" / "gdal_GPU.so")], cwd=tmp_path,
                              env=plain_environment(), capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        lines = done.stdout.splitlines()
        loaded = {pathlib.Path(line.split()[-1]).name for line in lines if line.startswith("maps ")}
        assert "gdal_GPU.so" in loaded and ("libgdalgpu_preload.so" in loaded) == preload
        assert not [name for name in loaded if name.startswith(("libgdalgpu.so", "libgdal.so", "libproj"))], loaded
        return [line for line in lines if line.startswith("CPLError ")], done.stderr

    return run


OWN_VERSION = gdal.VersionInfo("RELEASE_NAME")


@pytest.mark.parametrize("preload", [False, True])
def test_another_version_is_told_so_once(use, preload):
    said, errors = use('VERSION="3.99.0"', "WITH_ERRORS", "OWN_HANDLER=0", preload=preload)
    assert len(said) == 1 and errors == ""
    assert re.fullmatch(r"CPLError 2: gdal-gpu isn't used by .*/libgdal-c8c9c467\.so\.36: it is GDAL 3\.99\.0, and gdal-gpu "
                        r"was built for GDAL \d+\.\d+\..* \(libgdal\.so\.\d+\)\. Programs of that GDAL .*", said[0])


def test_where_the_program_keeps_errors_to_itself_the_standard_error_has_the_line_too(use):
    """rasterio gives them to a log that nobody sees by default."""
    said, errors = use('VERSION="3.99.0"', "WITH_ERRORS", "OWN_HANDLER=1", preload=True)
    assert len(said) == 1 and errors == said[0].split(": ", 1)[1] + "\n"


def test_the_same_version_under_another_name_is_another_gdal(use):
    said, errors = use(f'VERSION="{OWN_VERSION}"', "WITH_ERRORS", "OWN_HANDLER=0", preload=True)
    assert len(said) == 1 and errors == ""
    assert f"it is a GDAL {OWN_VERSION} of its own, and gdal-gpu is linked with libgdal.so." in said[0]


def test_a_gdal_that_is_part_of_the_program_is_told_too(use):
    said, errors = use('VERSION="3.99.0"', "WITH_ERRORS", "OWN_HANDLER=0", static=True)
    assert len(said) == 1 and "it is GDAL 3.99.0" in said[0] and errors == ""


def test_a_gdal_that_shows_nothing_of_itself_gets_a_line_on_the_standard_error(use):
    said, errors = use("HIDDEN")
    assert said == [] and errors.count("\n") == 1
    assert errors.startswith("gdal-gpu isn't used by ") and "it shows no GDAL that gdal-gpu could use" in errors


def test_plugin_and_preload_library_need_libc_alone(build):
    for library in (build / "gdalplugins" / "gdal_GPU.so", build / "lib" / "libgdalgpu_preload.so"):
        dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
        assert needed and all(name.startswith(("libc.so", "libdl.so", "ld-linux")) for name in needed), needed


def test_the_plugin_finds_its_library_through_a_link(build, tmp_path):
    (tmp_path / "gdal_GPU.so").symlink_to(build / "gdalplugins" / "gdal_GPU.so")
    formats = subprocess.run(["gdalinfo", "--formats"], env={**plain_environment(), "GDAL_DRIVER_PATH": str(tmp_path)},
                             capture_output=True, text=True, timeout=60)
    assert "  GPU -raster-" in formats.stdout and formats.stderr == ""


def test_a_plugin_without_its_library_says_what_is_missing(build, tmp_path):
    shutil.copy(build / "gdalplugins" / "gdal_GPU.so", tmp_path)
    formats = subprocess.run(["gdalinfo", "--formats"], env={**plain_environment(), "GDAL_DRIVER_PATH": str(tmp_path)},
                             capture_output=True, text=True, timeout=60)
    assert formats.returncode == 0
    if "  GPU -raster-" in formats.stdout:
        pytest.skip("libgdalgpu is installed where the loader finds it")
    assert re.fullmatch(r"Warning 1: gdal-gpu isn't used by .*/libgdal\.so\S*: libgdalgpu\.so\.0: cannot open.*\n", formats.stderr)
