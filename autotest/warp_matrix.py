#!/usr/bin/python3
"""gdalwarp through doors 1 and 5 against plain `gdalwarp -et 0`, over resamplings, types, masks, scales and CRSs.

    /usr/bin/python3 autotest/warp_matrix.py            a pairwise covering (what CI runs)
    /usr/bin/python3 autotest/warp_matrix.py --all --jobs 16      the whole matrix
    /usr/bin/python3 autotest/warp_matrix.py --only bilinear,UInt16,alpha,same,utm33-webmerc

The program starts itself again with the preload library and the plugin. Plain GDAL is the same process with
GDAL_GPU_DEVICE=NONE, where the preload library calls the original functions and the driver claims nothing.
On CUDA, door 5's cases of the covering are compared with HOST too. --json FILE writes one object a case; the exit
status is 1 if any case fails.
"""
import argparse
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("GDALGPU_BUILD", ROOT / "build")).resolve()

RESAMPLINGS = ["near", "bilinear", "cubic", "cubicspline", "lanczos", "average", "rms", "mode", "max", "min", "med", "q1",
               "q3"]
TYPES = ["Byte", "UInt16", "Int16", "UInt32", "Int32", "Float32", "Float64"]
MASKS = ["none", "nodata", "nan-nodata", "dataset-mask", "alpha", "dstalpha", "dstnodata"]
SCALES = ["same", "third", "double"]
# Name: source CRS, extent of the source in it (west, south, east, north), destination CRS.
PAIRS = {
    "utm33-webmerc": ("EPSG:32633", (400000, 5300000, 500000, 5400000), "EPSG:3857"),
    "wgs84-laea": ("EPSG:4326", (5, 44, 15, 54), "EPSG:3035"),
    "wgs84-antarctic": ("EPSG:4326", (-60, -80, 30, -65), "EPSG:3031"),
    "wgs84-conus": ("EPSG:4326", (-105, 35, -95, 45), "EPSG:5070"),
    "wgs84-lambert93": ("EPSG:4326", (0, 43, 6, 49), "EPSG:2154"),
    "wgs84-britain": ("EPSG:4326", (-4, 51, 0, 55), "EPSG:27700"),
    "webmerc-wgs84": ("EPSG:3857", (1000000, 6000000, 1500000, 6500000), "EPSG:4326"),
    "utm18-wgs84": ("EPSG:32618", (200000, 2700000, 340000, 2840000), "EPSG:4326"),
    "lambert93-webmerc": ("EPSG:2154", (600000, 6500000, 800000, 6700000), "EPSG:3857"),
    "arctic-wgs84": ("EPSG:3995", (-2000000, -2000000, 2000000, 2000000), "EPSG:4326"),
    "laea-utm32": ("EPSG:3035", (4200000, 3000000, 4400000, 3200000), "EPSG:25832"),
    "wgs84-ups": ("EPSG:4326", (-180, 70, 180, 90), "EPSG:32661"),
}
NODATA = {"Byte": 3, "UInt16": 3, "Int16": -32768, "UInt32": 3, "Int32": -2147483648, "Float32": -9999, "Float64": -1e30}
SIZE = 180  # pixels of a source side
# Always run: a pixel here has weights that sum to 1 within 1e-5, next to nodata.
KNOWN = [("bilinear", "UInt32", "nodata", "same", "wgs84-antarctic")]


def pairwise():
    """A covering of the matrix in which every two values of different dimensions meet, in few cases; the same each
    time."""
    dimensions = [RESAMPLINGS, TYPES, MASKS, SCALES, list(PAIRS)]
    rng = random.Random(20261129)
    missing = {
        ((i, a), (j, b))
        for i, j in itertools.combinations(range(len(dimensions)), 2)
        for a in dimensions[i]
        for b in dimensions[j]
    }

    def pairs_of(case):
        return {((i, case[i]), (j, case[j])) for i, j in itertools.combinations(range(len(case)), 2)}

    cases = list(KNOWN)
    while missing:
        first = rng.choice(sorted(missing, key=str))
        best, gain = None, -1
        for _ in range(60):
            case = [rng.choice(values) for values in dimensions]
            for index, value in first:
                case[index] = value
            new = len(pairs_of(case) & missing)
            if new > gain:
                best, gain = tuple(case), new
        cases.append(best)
        missing -= pairs_of(best)
    return cases


def whole():
    return list(itertools.product(RESAMPLINGS, TYPES, MASKS, SCALES, PAIRS))


def run_preloaded(cases, folder, jobs, pairs=None, size=SIZE):
    """Runs the cases in this program again, with the plugin and the preload library, in several processes. pairs: as
    PAIRS, for cases of other CRSs; size: pixels of a source side."""
    environment = dict(os.environ)
    if not (BUILD / "gdalplugins" / "gdal_GPU.so").exists():
        sys.exit(f"no plugin in {BUILD}: build first (bash tests/run.sh), or set GDALGPU_BUILD")
    environment["GDAL_DRIVER_PATH"] = str(BUILD / "gdalplugins")
    environment["LD_PRELOAD"] = str(BUILD / "lib" / "libgdalgpu_preload.so")
    environment.setdefault("GDAL_GPU_DEVICE", "HOST")
    processes = []
    for job in range(jobs):
        path = pathlib.Path(folder) / str(job)
        path.mkdir()
        # Neighbours share kernels: give each process whole runs of them.
        share = cases[job * len(cases) // jobs:(job + 1) * len(cases) // jobs]
        (path / "cases.json").write_text(json.dumps({"cases": share, "pairs": pairs or PAIRS, "size": size}))
        processes.append(subprocess.Popen([sys.executable, __file__, "--child", str(path)], env=environment))
    results = []
    for job, process in enumerate(processes):
        if process.wait() != 0:
            sys.exit(f"process {job} of the matrix ended with status {process.returncode}")
        results += json.loads((pathlib.Path(folder) / str(job) / "results.json").read_text())
    return results


def run_child(folder):
    """The share of one process."""
    share = json.loads((pathlib.Path(folder) / "cases.json").read_text())
    matrix = Matrix(folder, share["pairs"], share["size"])
    results = []
    for case in share["cases"]:
        try:
            results.append(matrix.run(case))
        except Exception as error:  # a case that can't run is a failed case, and the others go on
            results.append({"case": ",".join(case), "ok": False, "error": f"{type(error).__name__}: {error}"})
    (pathlib.Path(folder) / "results.json").write_text(json.dumps(results))


class Matrix:
    """Runs cases in this process."""

    def __init__(self, folder, pairs, size):
        import numpy
        from osgeo import gdal, osr

        gdal.UseExceptions()
        gdal.PushErrorHandler("CPLQuietErrorHandler")
        self.np, self.gdal, self.osr = numpy, gdal, osr
        self.device = os.environ["GDAL_GPU_DEVICE"]
        self.covering = set(pairwise())
        self.folder = pathlib.Path(folder)
        self.pairs, self.size = pairs, size
        self.report = self.folder / "report.jsonl"
        gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
        gdal.SetConfigOption("GDAL_GPU_MIN_PIXELS", "0")
        gdal.SetConfigOption("GDAL_GPU_REPORT", str(self.report))

    def source(self, data_type, mask, pair):
        """A GeoTIFF of two bands: smooth ground, noise, sharp edges, and the mask's holes; made once for its key."""
        np, gdal, size = self.np, self.gdal, self.size
        kind = mask if mask not in ("dstalpha", "dstnodata") else "none"
        path = self.folder / f"{data_type}-{kind}-{pair}.tif"
        if path.exists():
            return str(path)
        rng = np.random.default_rng(7)
        gdal_type = getattr(gdal, f"GDT_{data_type}")
        low, high = {
            "Byte": (5, 250), "UInt16": (5, 65000), "Int16": (-32000, 32000), "UInt32": (5, 4.2e9),
            "Int32": (-2.1e9, 2.1e9), "Float32": (-1000, 1000), "Float64": (-1e6, 1e6),
        }[data_type]
        crs, (west, south, east, north), _ = self.pairs[pair]
        bands = 3 if mask == "alpha" else 2
        dataset = gdal.GetDriverByName("GTiff").Create(str(path), size, size, bands, gdal_type)
        srs = self.osr.SpatialReference()
        srs.SetFromUserInput(crs)
        dataset.SetProjection(srs.ExportToWkt())
        dataset.SetGeoTransform([west, (east - west) / size, 0, north, 0, (south - north) / size])
        y, x = np.mgrid[0:size, 0:size] / size
        holes = rng.random((size, size)) < 0.04
        holes[40:70, 90:140] = True
        for band in range(1, 3):
            wave = 0.5 + 0.25 * np.sin(9 * x + band) * np.cos(7 * y) + 0.1 * rng.random((size, size))
            wave += 0.14 * ((x * 6).astype(int) % 2)
            values = low + (high - low) * np.clip(wave, 0, 1)
            if data_type not in ("Float32", "Float64"):
                values = np.round(values)
            here = holes if band == 1 else holes & (x < 0.7)
            if kind == "nodata":
                values = np.where(here, NODATA[data_type], values)
            elif kind == "nan-nodata" and data_type in ("Float32", "Float64"):
                values = np.where(here, np.nan, values)
            dataset.GetRasterBand(band).WriteArray(values)
        for band in range(1, 3):
            if kind == "nodata":
                dataset.GetRasterBand(band).SetNoDataValue(NODATA[data_type])
            elif kind == "nan-nodata":
                dataset.GetRasterBand(band).SetNoDataValue(float("nan"))
        if kind == "alpha":
            alpha = np.where(holes, 0, 255)
            alpha[100:130, 20:60] = 128
            dataset.GetRasterBand(3).WriteArray(alpha)
            dataset.GetRasterBand(3).SetColorInterpretation(gdal.GCI_AlphaBand)
        elif kind == "dataset-mask":
            dataset.CreateMaskBand(gdal.GMF_PER_DATASET)
            dataset.GetRasterBand(1).GetMaskBand().WriteArray(np.where(holes, 0, 255).astype(np.uint8))
        dataset = None
        return str(path)

    def options(self, case, output_format):
        resampling, data_type, mask, scale, pair = case
        size = {"same": self.size, "third": self.size // 3, "double": self.size * 2}[scale]
        extra = {"dstalpha": {"dstAlpha": True}, "dstnodata": {"dstNodata": 7}}.get(mask, {})
        return self.gdal.WarpOptions(format=output_format, dstSRS=self.pairs[pair][2], resampleAlg=resampling,
                                     errorThreshold=0, width=size, height=size, **extra)

    def read(self, dataset):
        return self.np.stack([dataset.GetRasterBand(i + 1).ReadAsArray() for i in range(dataset.RasterCount)])

    def run_lines(self, function):
        """The function's result, and the report lines that it wrote."""
        self.report.unlink(missing_ok=True)
        result = function()
        lines = self.report.read_text().splitlines() if self.report.exists() else []
        return result, [json.loads(line) for line in lines]

    def compare(self, case, plain, other, source, dataset):
        """What differs: fractions of pixels, and whether each pixel that does lies at an edge of source pixels."""
        np, gdal = self.np, self.gdal
        _, data_type, mask, _, _ = case
        result = {"pixels": int(plain[0].size)}
        if plain.shape != other.shape:
            return {**result, "error": f"shape {other.shape} instead of {plain.shape}"}
        floating = data_type.startswith("Float")
        nodata = dataset.GetRasterBand(1).GetNoDataValue()

        def valid(array):
            if mask in ("alpha", "dstalpha"):
                return np.broadcast_to(array[-1:] > 0, array.shape)
            if nodata is None:
                return np.ones(array.shape, bool)
            return ~np.isnan(array) if np.isnan(nodata) else array != nodata

        valid_differs = valid(plain) != valid(other)
        if floating:
            a, b = plain.astype(np.float64), other.astype(np.float64)
            tolerance = 1e-5 * np.maximum(np.abs(a), np.nanmax(np.abs(a[valid(plain) & ~np.isnan(a)]), initial=0) * 1e-3)
            value_differs = ~((np.abs(a - b) <= tolerance) | (np.isnan(a) & np.isnan(b)) | (a == b))
        else:
            # Positions are within 1e-8 pixels of GDAL's, which integers of 32 bits show.
            tolerance = 200 if data_type in ("Int32", "UInt32") else 1
            value_differs = np.abs(plain.astype(np.int64) - other.astype(np.int64)) > tolerance
        value_differs &= ~valid_differs
        result["valid_differs"] = int(valid_differs.any(axis=0).sum())
        result["value_differs"] = int(value_differs.any(axis=0).sum())
        rows, columns = np.nonzero((valid_differs | value_differs).any(axis=0))
        away = 0
        if len(rows):
            transformer = gdal.Transformer(gdal.Open(source), dataset, [])
            for row, column in zip(rows, columns):
                success, point = transformer.TransformPoint(True, column + 0.5, row + 0.5, 0)
                distance = min(abs(2 * p - round(2 * p)) / 2 for p in point[:2])
                if success and distance > 1e-6:
                    away += 1
        result["away_from_edge"] = away
        allowed = result["pixels"] * 1e-4
        result["ok"] = result["valid_differs"] <= allowed and result["value_differs"] <= allowed and away == 0
        return result

    def run(self, case):
        gdal = self.gdal
        resampling, data_type, mask, scale, pair = case
        result = {"case": ",".join(case)}
        source = self.source(data_type, mask, pair)

        def warp(device):
            gdal.SetConfigOption("GDAL_GPU_DEVICE", device)
            return gdal.Warp("", source, options=self.options(case, "MEM"))

        try:
            plain_dataset = warp("NONE")
        except RuntimeError as error:
            result.update(ok=False, plain_fails=str(error))
            try:
                warp(self.device)
            except RuntimeError as error_on_device:
                result["device_fails"] = str(error_on_device)
            return result
        plain = self.read(plain_dataset)
        result["valid_pixels"] = int((plain[0] != plain[0].flat[0]).sum())

        door5, lines5 = self.run_lines(lambda: self.read(warp(self.device)))
        vrt = str(self.folder / "warped.vrt")
        gdal.Warp(vrt, source, options=self.options(case, "VRT"))

        def through_driver():
            dataset = gdal.Open(vrt)
            result["driver"] = dataset.GetDriver().ShortName
            return self.read(dataset)

        door1, lines1 = self.run_lines(through_driver)
        for name, array, lines in (("door5", door5, lines5), ("door1", door1, lines1)):
            warps = [line for line in lines if line["operation"] == "warp"]
            compared = self.compare(case, plain, array, source, plain_dataset)
            if name == "door1" and not compared.get("ok", False):
                # gdalwarp may have made its transformer under CHECK_WITH_INVERT_PROJ; a warped VRT never does.
                gdal.SetConfigOption("GDAL_GPU_DEVICE", "NONE")
                vrt_dataset = gdal.OpenEx(vrt, allowed_drivers=["VRT"])
                plain_vrt = self.read(vrt_dataset)
                result["plain_doors_differ"] = not self.compare(case, plain, plain_vrt, source, plain_dataset)["ok"]
                compared = self.compare(case, plain_vrt, array, source, vrt_dataset)
            compared["reasons"] = sorted({line["reason"] for line in warps if line.get("reason")})
            compared["device"] = sorted({line["device"] for line in warps})
            compared["path"] = sorted({line.get("path", "") for line in warps})
            if compared["device"] != [self.device]:
                compared["ok"] = False
                compared["error"] = "not run on the device"
            result[name] = compared
        if self.device == "CUDA" and tuple(case) in self.covering:
            on_host, lines = self.run_lines(lambda: self.read(warp("HOST")))
            result["host"] = self.compare(case, on_host, door5, source, plain_dataset)
            result["host"]["device"] = sorted({line["device"] for line in lines if line["operation"] == "warp"})
            if not result["host"].get("ok", False) or result["host"]["device"] != ["HOST"]:
                result["door5"]["ok"] = False
        result["same_bytes"] = door1.tobytes() == door5.tobytes()
        same = result["same_bytes"] or result.get("plain_doors_differ", False)
        result["ok"] = (result["door1"].get("ok", False) and result["door5"].get("ok", False) and same
                        and result["driver"] == "GPU" and result["valid_pixels"] > 0)
        return result


def print_table(results):
    """Cases and failures for each value of each dimension, then the failures."""
    print(f"{'dimension':<12}{'value':<20}{'cases':>7}{'failed':>8}{'edge pixels':>13}{'of pixels':>12}")
    for index, name in enumerate(["resampling", "type", "mask", "scale", "CRS pair"]):
        for value in dict.fromkeys(result["case"].split(",")[index] for result in results):
            rows = [result for result in results if result["case"].split(",")[index] == value]
            doors = [result[door] for result in rows for door in ("door1", "door5") if door in result]
            edge = sum(door.get("valid_differs", 0) + door.get("value_differs", 0) for door in doors)
            pixels = sum(door.get("pixels", 0) for door in doors)
            failed = sum(not result["ok"] for result in rows)
            print(f"{name:<12}{value:<20}{len(rows):>7}{failed:>8}{edge:>13}{pixels:>12}")
    for result in results:
        if not result["ok"]:
            print("FAILED", json.dumps(result)[:1000])
    beside = [result["host"] for result in results if "host" in result]
    if beside:
        apart = sum(host.get("valid_differs", 0) + host.get("value_differs", 0) for host in beside)
        print(f"CUDA beside HOST: {len(beside)} cases, {sum(host.get('ok', False) for host in beside)} equal; "
              f"{apart} edge pixels of {sum(host.get('pixels', 0) for host in beside)}")
    print(f"{sum(result['ok'] for result in results)} passed, {sum(not result['ok'] for result in results)} failed")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="the whole matrix instead of a pairwise covering")
    parser.add_argument("--only", help="resampling,type,mask,scale,pair: one case (a part may be empty: any)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--json", help="file for one JSON object a case")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        return run_child(arguments.child)
    cases = whole() if arguments.all or arguments.only else pairwise()
    if arguments.only:
        wanted = arguments.only.split(",")
        cases = [case for case in cases if all(not w or w == c for w, c in zip(wanted, case))]
    start = time.time()
    with tempfile.TemporaryDirectory() as folder:
        results = run_preloaded(cases, folder, arguments.jobs)
    if arguments.json:
        pathlib.Path(arguments.json).write_text("".join(json.dumps(result) + "\n" for result in results))
    print_table(results)
    print(f"{len(cases)} cases in {time.time() - start:.0f} s on {os.environ.get('GDAL_GPU_DEVICE', 'HOST')}")
    return 0 if all(result["ok"] for result in results) and results else 1


if __name__ == "__main__":
    sys.exit(main())
