"""Where the build is, and how the tests reach it. The build folder is $GDALGPU_BUILD, else build/ in the repository."""
import json
import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("GDALGPU_BUILD", ROOT / "build")).resolve()

# Before GDAL is imported: its drivers are registered once, at import. A machine without a GPU tests HOST.
os.environ["GDAL_DRIVER_PATH"] = str(BUILD / "gdalplugins")
os.environ.setdefault("GDAL_GPU_DEVICE", "HOST")
os.environ["GDAL_GPU_MIN_PIXELS"] = "0"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))


@pytest.fixture(scope="session")
def build():
    """The build folder; fails with a hint where nothing was built."""
    if not (BUILD / "gdalplugins" / "gdal_GPU.so").exists():
        pytest.fail(f"no plugin in {BUILD}: build first (bash tests/run.sh), or set GDALGPU_BUILD")
    return BUILD


@pytest.fixture(scope="session")
def device():
    """The device that the tests run on: HOST, or CUDA where GDAL_GPU_DEVICE says so."""
    return os.environ["GDAL_GPU_DEVICE"]


@pytest.fixture
def no_exceptions():
    """GDAL's errors as return values, whatever other modules have switched on."""
    from osgeo import gdal

    used = gdal.GetUseExceptions()
    gdal.DontUseExceptions()
    yield
    if used:
        gdal.UseExceptions()


@pytest.fixture
def report(tmp_path, monkeypatch):
    """Collects this test's report lines, in process and in the programs that it starts: call it for the list."""
    from osgeo import gdal

    path = tmp_path / "report.jsonl"
    monkeypatch.setenv("GDAL_GPU_REPORT", str(path))
    gdal.SetConfigOption("GDAL_GPU_REPORT", str(path))

    def lines():
        if not path.exists():
            return []
        return [json.loads(line) for line in path.read_text().splitlines()]

    yield lines
    gdal.SetConfigOption("GDAL_GPU_REPORT", None)
