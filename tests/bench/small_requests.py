#!/usr/bin/python3
"""What small requests take on a device, beside GDAL's own code.

    python3 tests/bench/small_requests.py           tables: one process that warps again and again, and whole commands

Warps of one band UInt16, UTM to Web Mercator, of growing size. Within a process: the median of several, once the kernels
are compiled and the device is made; GDAL's own code on one thread and on all, approximate (0.125) and exact. Whole
commands: gdalwarp, and gdal-gpu run gdalwarp, which makes a device each time. The build is $GDALGPU_BUILD, else build/.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from noise import make_noise

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("GDALGPU_BUILD", ROOT / "build")).resolve()
SIZES = [100, 200, 400, 800, 1600, 3200]


def within_a_process(device):
    """Prints a table; runs with the preload library."""
    from osgeo import gdal

    gdal.UseExceptions()
    ways = {"1 thread, 0.125": ("NONE", 0.125, "1"), "1 thread, exact": ("NONE", 0, "1"),
            "all, 0.125": ("NONE", 0.125, "ALL_CPUS"), "all, exact": ("NONE", 0, "ALL_CPUS"), device: (device, 0, "1")}
    print("| pixels | " + " | ".join(f"{way}, ms" for way in ways) + " |")
    print("| --- |" + " --- |" * len(ways))
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            path = pathlib.Path(folder) / f"{size}.tif"
            make_noise(path, size, below=60000, options=())
            cells = []
            for wanted, threshold, threads in ways.values():
                gdal.SetConfigOption("GDAL_GPU_DEVICE", wanted)
                source = gdal.Open(str(path))
                times = []
                for _ in range(7):
                    start = time.perf_counter()
                    gdal.Warp("", source, format="MEM", dstSRS="EPSG:3857", resampleAlg="bilinear", errorThreshold=threshold,
                              warpOptions=[f"NUM_THREADS={threads}"])
                    times.append(time.perf_counter() - start)
                cells.append(f"{1e3 * statistics.median(times[1:]):.1f}")
            print(f"| {size * size} | " + " | ".join(cells) + " |", flush=True)


def whole_commands(device):
    run = [str(BUILD / "bin" / "gdal-gpu"), "run"]
    print("\n| pixels | gdalwarp, s | gdalwarp -et 0, s | gdal-gpu run gdalwarp, s |\n| --- | --- | --- | --- |")
    environment = dict(os.environ, GDAL_GPU_DEVICE=device)
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            path = pathlib.Path(folder) / f"{size}.tif"
            make_noise(path, size, below=60000, options=())
            flags = ["-q", "-overwrite", "-t_srs", "EPSG:3857", "-r", "bilinear", str(path), str(path) + ".out.tif"]
            cells = []
            for command in (["gdalwarp", *flags], ["gdalwarp", "-et", "0", *flags], run + ["gdalwarp", *flags]):
                times = []
                for _ in range(4):
                    start = time.perf_counter()
                    subprocess.run(command, check=True, env=environment)
                    times.append(time.perf_counter() - start)
                cells.append(f"{statistics.median(times[1:]):.3f}")
            print(f"| {size * size} | " + " | ".join(cells) + " |", flush=True)


def main():
    device = os.environ.get("GDAL_GPU_DEVICE", "CUDA")
    if len(sys.argv) > 1:
        return within_a_process(device)
    # GDAL_GPU_DEVICE decides within; whatever the size.
    subprocess.run([str(BUILD / "bin" / "gdal-gpu"), "run", sys.executable, __file__, "within"], check=True,
                   env=dict(os.environ, GDAL_GPU_DEVICE=device))
    whole_commands(device)


if __name__ == "__main__":
    main()
