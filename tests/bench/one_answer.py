#!/usr/bin/env python3
"""One warp, one result, on a real device: a warped VRT and a gdalwarp with GDAL_GPU_DEVICE unset, read whole, in windows, by
threads, in forked children, with the device hidden, full, and lost half way.

    python3 tests/bench/one_answer.py [--size 6000]     prints a table; fails where a byte differs

autotest/test_one_answer.py does the same with what a machine without a GPU has. The build is $GDALGPU_BUILD, else build/.
"""
import argparse
import ctypes
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

from noise import make_noise

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("GDALGPU_BUILD", ROOT / "build")).resolve()
KINDS = {"shrinking": ["-r", "bilinear", "-tr", "40", "40"], "enlarging": ["-r", "cubic", "-tr", "9", "9"]}
HIDDEN = {"CUDA_VISIBLE_DEVICES": ""}
LOST = {"GDAL_GPU_FAULT": "lose:3"}
WAYS = [("whole", "whole", {})] + [(f"windows of {size}", f"windows {size}", {}) for size in (1500, 600, 256, 100)] + [
    ("threads, windows of 600", "threads 600", {}),
    ("forked child before the device", "fork 1500", {}),
    ("forked child after the device", "whole fork 1500", {}),
    ("device hidden, windows of 600", "windows 600", HIDDEN),
    ("device hidden, whole", "whole", HIDDEN),
    ("device lost half way, windows of 600", "windows 600", LOST),
    ("device full, windows of 600", "fill windows 600", {}),
]


def digest(array):
    return hashlib.sha256(array.tobytes()).hexdigest()[:16]


def fill_device():
    """All of the device's memory but a little, for as long as the process lives."""
    driver = ctypes.CDLL("libcuda.so.1")
    context, pointer, free, total = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_size_t(), ctypes.c_size_t()
    driver.cuInit(0)
    driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
    driver.cuCtxSetCurrent(context)
    driver.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total))
    if driver.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(free.value - (4 << 20))) != 0:
        raise RuntimeError("the device can't be filled")


def in_windows(path, size, together):
    import numpy as np
    from osgeo import gdal

    dataset = gdal.Open(path)
    width, height = dataset.RasterXSize, dataset.RasterYSize
    result = np.zeros((height, width), np.uint16)
    windows = [(x, y) for y in range(0, height, size) for x in range(0, width, size)]

    def read(some, source):
        for x, y in some:
            w, h = min(size, width - x), min(size, height - y)
            result[y:y + h, x:x + w] = source.ReadAsArray(x, y, w, h)

    if together:
        read(windows, dataset)
    else:
        threads = [threading.Thread(target=read, args=(windows[i::8], gdal.Open(path))) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return result


def read(path, words):
    """What a child process does: prints the digest of the last of these."""
    from osgeo import gdal

    gdal.UseExceptions()
    answer = None
    while words:
        word = words.pop(0)
        if word == "fill":
            fill_device()
        elif word == "whole":
            answer = digest(gdal.Open(path).ReadAsArray())
        elif word == "fork":
            size = int(words.pop(0))
            end, begin = os.pipe()
            if os.fork() == 0:
                os.write(begin, digest(in_windows(path, size, together=True)).encode())
                os._exit(0)
            answer = os.read(end, 16).decode()
            os.wait()
        else:
            answer = digest(in_windows(path, int(words.pop(0)), together=word == "windows"))
    print(answer)


def run(command, environment, folder):
    report = folder / "report.jsonl"
    report.unlink(missing_ok=True)
    everything = {key: value for key, value in os.environ.items() if not key.startswith("GDAL_GPU_") or key == "GDAL_GPU_CACHE_DIR"}
    everything.update(GDAL_DRIVER_PATH=str(BUILD / "gdalplugins"), GDAL_GPU_REPORT=str(report), **environment)
    done = subprocess.run(command, env=everything, stdout=subprocess.PIPE, text=True, check=True)
    lines = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    return done.stdout.strip(), "+".join(sorted({line["device"] for line in lines}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=6000, help="pixels a side of the source")
    parser.add_argument("--folder", default="/dev/shm")
    parser.add_argument("--read", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.read:
        read(arguments.read[0], arguments.read[1:])
        return 0
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gdal-gpu-one-answer-", dir=arguments.folder))
    different = []
    try:
        source = folder / "source.tif"
        make_noise(source, arguments.size)
        print("| warp | how | device | sha256 |\n| --- | --- | --- | --- |")
        for kind, flags in KINDS.items():
            vrt, out = folder / f"{kind}.vrt", folder / "out.tif"
            warp = ["gdalwarp", "-q", "-overwrite", "-t_srs", "EPSG:3857", *flags]
            subprocess.run([*warp, "-of", "VRT", str(source), str(vrt)], check=True)
            answers = []
            for name, words, environment in WAYS:
                answer, devices = run([sys.executable, __file__, "--read", str(vrt), *words.split()], environment, folder)
                answers.append((name, devices, answer))
            for name, environment in (("gdalwarp", {}), ("gdalwarp, device hidden", HIDDEN), ("gdalwarp, device lost half way", LOST)):
                _, devices = run([str(BUILD / "bin" / "gdal-gpu"), "run", *warp, "-wm", "8", "-wo", "NUM_THREADS=4", str(source), str(out)],
                                 environment, folder)
                answer, _ = run([sys.executable, __file__, "--read", str(out), "whole"], {}, folder)
                answers.append((name, devices, answer))
            for name, devices, answer in answers:
                print(f"| {kind} | {name} | {devices} | {answer} |", flush=True)
                if answer != answers[0][2]:
                    different.append(f"{kind}: {name}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"different: {', '.join(different) or 'none'}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
