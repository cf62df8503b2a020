#!/usr/bin/env python3
"""Whole gdalwarp commands of growing size, plain GDAL beside `gdal-gpu run` as it comes (GDAL_GPU_DEVICE unset: AUTO).

    python3 tests/bench/auto.py                 prints a table; fails where ours is more than 50 ms slower
    python3 tests/bench/auto.py --sizes 0,1000  some of it

Warps of one band UInt16, UTM to Web Mercator; size 0 is a destination beside the source. Both commands in turn, --repeat
times after a run of each that isn't counted (it compiles the kernel); medians. A row that is over is measured once more
at the end, on a lent machine whose speed changes; both are printed, the second counts. The build is $GDALGPU_BUILD, else
build/.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from noise import make_noise

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("GDALGPU_BUILD", ROOT / "build")).resolve()
SLOWER_AT_MOST = 0.050  # seconds


def destination(size):
    """Of so many pixels a side, about those of the source, from its upper left corner on; 0: of 1000, beside the source."""
    x, y, pixel = 1520000.0, 6229000.0, 15.1
    if size == 0:
        x, size = x - 1e6, 1000
    return ["-te", str(x), str(y - size * pixel), str(x + size * pixel), str(y), "-ts", str(size), str(size)]


def timed(command, environment, out):
    out.unlink(missing_ok=True)
    start = time.perf_counter()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def measure(folder, size, resampling, threads, repeat):
    out, report = folder / "out.tif", folder / "report.jsonl"
    command = ["gdalwarp", "-q", "-t_srs", "EPSG:3857", "-r", resampling, "-wo", f"NUM_THREADS={threads}", *destination(size),
               str(folder / "source.tif"), str(out)]
    plain = dict(os.environ)
    plain.pop("GDAL_GPU_DEVICE", None)
    ours = dict(plain, GDAL_GPU_REPORT=str(report))
    seconds = {"plain": [], "ours": []}
    for run in range(repeat + 1):
        for name, line, environment in (("plain", command, plain),
                                        ("ours", [str(BUILD / "bin" / "gdal-gpu"), "run", *command], ours)):
            report.unlink(missing_ok=True)
            passed = timed(line, environment, out)
            if run > 0:
                seconds[name].append(passed)
    lines = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    return statistics.median(seconds["plain"]), statistics.median(seconds["ours"]), {line["device"] for line in lines}


def over_in(rows, folder, repeat):
    """Prints a line a row; those that are over."""
    over = []
    for size, resampling, threads in rows:
        plain, ours, devices = measure(folder, size, resampling, threads, repeat if size < 5000 else min(repeat, 2))
        print(f"| {size} | {resampling} | {threads} | {plain:.3f} | {ours:.3f} | {1e3 * (ours - plain):+.0f} "
              f"| {'+'.join(sorted(devices)) or 'none'} |", flush=True)
        if ours > plain + SLOWER_AT_MOST:
            over.append((size, resampling, threads))
    return over


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="0,300,1000,3000,10000", help="pixels of a side")
    parser.add_argument("--resamplings", default="near,bilinear,cubic")
    parser.add_argument("--threads", default="1,ALL_CPUS")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--folder", default="/dev/shm")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gdal-gpu-auto-", dir=arguments.folder))
    try:
        make_noise(folder / "source.tif", max(sizes + [1000]))
        print("| pixels a side | resampling | threads | plain, s | gdal-gpu, s | difference, ms | device |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        rows = [(size, resampling, threads) for size in sizes for resampling in arguments.resamplings.split(",")
                for threads in arguments.threads.split(",")]
        slower = over_in(rows, folder, arguments.repeat)
        if slower:
            print("once more:")
            slower = over_in(slower, folder, arguments.repeat)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"slower by more than {1e3 * SLOWER_AT_MOST:.0f} ms: {', '.join(f'{size} {how} {threads}' for size, how, threads in slower) or 'none'}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
