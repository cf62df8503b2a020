#!/usr/bin/env python3
"""Plain GDAL on all cores beside gdal-gpu, whole commands on the same data in one session: every figure of the README.

    python3 tests/bench/compare.py                  the sizes of the README (a Sentinel-2 tile: 10980 x 10980 x 4)
    python3 tests/bench/compare.py --size 2000      something quick

Makes its rasters in --folder (default: /dev/shm), runs each command --repeat times, alternating, and prints a table of
medians; --markdown and --svg write the same table and its chart. The build is $GDALGPU_BUILD, else build/.
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

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("GDALGPU_BUILD", ROOT / "build")).resolve()


def make_inputs(folder, size):
    """Four bands UInt16 in UTM 33, tiled, uncompressed; and one band Float32 of terrain."""
    import numpy as np
    from osgeo import gdal, osr

    gdal.UseExceptions()
    srs = osr.SpatialReference()
    srs.SetFromUserInput("EPSG:32633")
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 400, (512, size), dtype=np.uint16)

    def create(name, bands, data_type):
        dataset = gdal.GetDriverByName("GTiff").Create(
            str(folder / name), size, size, bands, data_type, ["TILED=YES", "BLOCKXSIZE=512", "BLOCKYSIZE=512", "BIGTIFF=IF_SAFER"])
        dataset.SetProjection(srs.ExportToWkt())
        dataset.SetGeoTransform([399960, 10, 0, 5400000, 0, -10])
        return dataset

    scene = create("scene.tif", 4, gdal.GDT_UInt16)
    terrain = create("terrain.tif", 1, gdal.GDT_Float32)
    x = np.arange(size) / size
    for top in range(0, size, 512):
        rows = min(512, size - top)
        y = (np.arange(top, top + rows) / size)[:, None]
        for band in range(1, 5):
            wave = 3000 + 2500 * np.sin(40 * x * band) * np.cos(31 * y)
            scene.GetRasterBand(band).WriteArray((wave + noise[:rows]).astype(np.uint16), 0, top)
        height = 800 + 500 * np.sin(25 * x) * np.cos(17 * y) + noise[:rows] / 100
        terrain.GetRasterBand(1).WriteArray(height.astype(np.float32), 0, top)


def expression_vrt(folder, size, name, function, arguments):
    bands = "".join(
        f"<SimpleSource><SourceFilename relativeToVRT='1'>scene.tif</SourceFilename><SourceBand>{band}</SourceBand>"
        "</SimpleSource>" for band in (1, 2))
    (folder / name).write_text(
        f"<VRTDataset rasterXSize='{size}' rasterYSize='{size}'><VRTRasterBand dataType='Float32' band='1' "
        f"subClass='VRTDerivedRasterBand'><PixelFunctionType>{function}</PixelFunctionType>{arguments}"
        f"<SourceTransferType>Float32</SourceTransferType>{bands}</VRTRasterBand></VRTDataset>")


def commands(folder, size):
    """Name -> (plain command, gdal-gpu command)."""
    threads = ["-wo", "NUM_THREADS=ALL_CPUS", "-wm", "2000", "-overwrite", "-q"]
    run = [str(BUILD / "bin" / "gdal-gpu"), "run"]
    scene, out = str(folder / "scene.tif"), str(folder / "out.tif")

    def warp(*flags):
        command = ["gdalwarp", *threads, "-t_srs", "EPSG:3857", *flags, scene, out]
        return command, run + command

    exact_vrt = ["gdalwarp", "-q", "-overwrite", "-of", "VRT", "-t_srs", "EPSG:3857", "-r", "bilinear", "-et", "0", scene,
                 str(folder / "warped.vrt")]
    subprocess.run(exact_vrt, check=True)
    expression_vrt(folder, size, "sum.vrt", "sum", "")
    expression_vrt(folder, size, "gpu_sum.vrt", "gpu_expression", "<PixelFunctionArguments expression='B1 + B2'/>")
    translate = ["gdal_translate", "-q"]
    terrain = str(folder / "terrain.tif")
    return {
        "gdalwarp -r near": warp("-r", "near"),
        "gdalwarp -r bilinear": warp("-r", "bilinear"),
        "gdalwarp -r bilinear -et 0": warp("-r", "bilinear", "-et", "0"),
        "gdalwarp -r cubic -et 0": warp("-r", "cubic", "-et", "0"),
        "gdalwarp -r bilinear -et 0 -tr 40 40": warp("-r", "bilinear", "-et", "0", "-tr", "40", "40"),
        "gdal_translate warped.vrt (bilinear, -et 0)": (translate + [str(folder / "warped.vrt"), out],
                                                        run + translate + [str(folder / "warped.vrt"), out]),
        "sum of two bands, VRT pixel function": (translate + [str(folder / "sum.vrt"), out],
                                                 run + translate + [str(folder / "gpu_sum.vrt"), out]),
        "gdaldem hillshade": (["gdaldem", "hillshade", "-q", terrain, out],
                              run + translate + [f"GPU:hillshade:{terrain}", out]),
        "gdaldem slope": (["gdaldem", "slope", "-q", terrain, out], run + translate + [f"GPU:slope:{terrain}", out]),
    }


def timed(command, environment, out):
    pathlib.Path(out).unlink(missing_ok=True)
    start = time.perf_counter()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def measure(pair, repeat, folder):
    """Median seconds of both, and what the report says of ours: device, seconds by stage over its requests."""
    report = folder / "report.jsonl"
    plain_environment = {**os.environ, "GDAL_CACHEMAX": "4000"}
    ours_environment = {**plain_environment, "GDAL_GPU_REPORT": str(report)}
    plain, ours, stages, devices = [], [], [], set()
    for _ in range(repeat):
        plain.append(timed(pair[0], plain_environment, folder / "out.tif"))
        report.unlink(missing_ok=True)
        ours.append(timed(pair[1], ours_environment, folder / "out.tif"))
        lines = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
        devices |= {line["device"] for line in lines}
        total = {}
        for line in lines:
            for stage, seconds in line.get("seconds", {}).items():
                total[stage] = total.get(stage, 0) + seconds
        stages.append(total)
    names = sorted({name for total in stages for name in total})
    return {
        "plain": statistics.median(plain), "ours": statistics.median(ours), "device": "+".join(sorted(devices)) or "none",
        "stages": {name: statistics.median(total.get(name, 0) for total in stages) for name in names},
    }


def table(results):
    lines = ["| what | plain GDAL, all cores | gdal-gpu | times as fast | device | of it: request / kernel |",
             "| --- | --- | --- | --- | --- | --- |"]
    for name, row in results.items():
        stages = row["stages"]
        lines.append(f"| {name} | {row['plain']:.2f} s | {row['ours']:.2f} s | {row['plain'] / row['ours']:.2f} | {row['device']} "
                     f"| {stages.get('total', 0):.3f} / {stages.get('kernel', 0):.4f} s |")
    return "\n".join(lines)


def chart(results, title):
    """Two bars a command, as SVG."""
    longest = max(max(row["plain"], row["ours"]) for row in results.values())
    height = 46 * len(results) + 60
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="860" height="{height}" font-family="sans-serif" font-size="13">',
             f'<rect width="860" height="{height}" fill="white"/><text x="10" y="22" font-size="15">{title}</text>']
    for index, (name, row) in enumerate(results.items()):
        top = 44 + 46 * index
        label = name.replace("&", "&amp;").replace("<", "&lt;")
        parts.append(f'<text x="310" y="{top + 22}" text-anchor="end">{label}</text>')
        for offset, key, colour in ((0, "plain", "#9aa5b1"), (17, "ours", "#2f7d4f")):
            width = 470 * row[key] / longest
            parts.append(f'<rect x="320" y="{top + offset}" width="{width:.1f}" height="15" fill="{colour}"/>'
                         f'<text x="{325 + width:.1f}" y="{top + offset + 12}">{row[key]:.2f} s</text>')
    parts.append("</svg>")
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=10980, help="pixels of a side")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each command")
    parser.add_argument("--only", default="", help="commands whose name holds this text")
    parser.add_argument("--folder", default="/dev/shm", help="where the rasters go (about 4 GB for the default size)")
    parser.add_argument("--markdown", help="file for the table")
    parser.add_argument("--svg", help="file for the chart")
    parser.add_argument("--json", help="file for all figures")
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gdal-gpu-bench-", dir=arguments.folder))
    try:
        make_inputs(folder, arguments.size)
        results = {}
        for name, pair in commands(folder, arguments.size).items():
            if arguments.only in name:
                results[name] = measure(pair, arguments.repeat, folder)
                print(f"{name}: {json.dumps(results[name])}", file=sys.stderr, flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    title = (f"{arguments.size} x {arguments.size} pixels, seconds of the whole command, median of {arguments.repeat}; grey: GDAL "
             f"on {os.cpu_count()} cores, green: gdal-gpu")
    print(table(results))
    if arguments.markdown:
        pathlib.Path(arguments.markdown).write_text(table(results) + "\n")
    if arguments.svg:
        pathlib.Path(arguments.svg).write_text(chart(results, title) + "\n")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
