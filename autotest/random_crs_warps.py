#!/usr/bin/python3
"""gdalwarp through doors 1 and 5 against plain `gdalwarp -et 0`, between CRSs drawn at random from PROJ's database.

    /usr/bin/python3 autotest/random_crs_warps.py            25 pairs (what CI runs)
    /usr/bin/python3 autotest/random_crs_warps.py --all --jobs 8      120 pairs
    /usr/bin/python3 autotest/random_crs_warps.py --all --seed 7      other CRSs
    /usr/bin/python3 autotest/random_crs_warps.py --pairs EPSG:27700-EPSG:3035,ESRI:54030-EPSG:2154

Fifty CRSs of EPSG and ESRI at a time, projected and geographic, and the pairs of them whose areas of use meet; the
source covers what the two areas have in common. Cases run as those of warp_matrix.py do, with its tolerances.
"""
import argparse
import itertools
import json
import math
import os
import pathlib
import random
import sys
import tempfile
import time

import warp_matrix

SEED = 20261129
CRS_COUNT = 50
SIZE = 60  # pixels of a source side
TYPES = ["Byte", "UInt16", "Int16", "Float32", "Float64"]
MASKS = ["none", "nodata", "alpha", "dstalpha"]
SCALES = ["same", "double"]


def all_crs():
    """Those that are not deprecated, as {"EPSG:3857": area of use}; west, south, east, north, in degrees."""
    from osgeo import osr

    kinds = (osr.OSR_CRS_TYPE_PROJECTED, osr.OSR_CRS_TYPE_GEOGRAPHIC_2D)
    return {
        f"{info.auth_name}:{info.code}": (info.west_lon_degree, info.south_lat_degree, info.east_lon_degree,
                                          info.north_lat_degree)
        for authority in ("EPSG", "ESRI")
        for info in osr.GetCRSInfoListFromDatabase(authority)
        if info.type in kinds and not info.deprecated and info.bbox_valid
    }


def is_of_the_earth(crs):
    """ESRI has the Moon and the planets too."""
    from osgeo import osr

    srs = osr.SpatialReference()
    srs.SetFromUserInput(crs)
    return 6.3e6 < srs.GetSemiMajor() < 6.4e6


def common_area(a, b):
    """The largest rectangle of degrees that lies in both areas of use, or None."""
    def parts(area):
        west, south, east, north = area
        return [area] if west <= east else [(west, south, 180, north), (-180, south, east, north)]

    best, size = None, 0
    for p in parts(a):
        for q in parts(b):
            west, south, east, north = max(p[0], q[0]), max(p[1], q[1]), min(p[2], q[2]), min(p[3], q[3])
            if east > west and north > south and (east - west) * (north - south) > size:
                best, size = (west, south, east, north), (east - west) * (north - south)
    return best


def extent_in(crs, area):
    """The bounds of an area in degrees in the CRS, x before y, or None where the CRS doesn't hold it."""
    from osgeo import gdal, osr

    degrees, target = osr.SpatialReference(), osr.SpatialReference()
    degrees.ImportFromEPSG(4326)
    target.SetFromUserInput(crs)
    for srs in (degrees, target):
        srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    used = osr.GetUseExceptions()
    osr.UseExceptions()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        bounds = osr.CoordinateTransformation(degrees, target).TransformBounds(*area, 21)
    except RuntimeError:
        return None
    finally:
        gdal.PopErrorHandler()
        if not used:
            osr.DontUseExceptions()
    west, south, east, north = bounds
    return bounds if all(map(math.isfinite, bounds)) and east > west and north > south else None


def draw(seed, count):
    """Pairs, as warp_matrix.PAIRS, and cases: the same each time. Where too few of fifty CRSs meet, fifty more are
    drawn."""
    rng = random.Random(seed)
    areas = all_crs()
    crs = filter(is_of_the_earth, rng.sample(sorted(areas), len(areas)))
    pairs, cases = {}, []
    while len(cases) < count:
        drawn = list(itertools.islice(crs, CRS_COUNT))
        meeting = [(a, b) for a in drawn for b in drawn if a != b and common_area(areas[a], areas[b])]
        rng.shuffle(meeting)
        add_cases(meeting, areas, rng, count, pairs, cases)
    return pairs, cases


def add_cases(wanted, areas, rng, count, pairs, cases):
    for source, target in wanted:
        if len(cases) == count:
            break
        extent = extent_in(source, common_area(areas[source], areas[target]))
        if extent is None:
            continue
        name = f"{source}-{target}"
        pairs[name] = (source, extent, target)
        resampling = warp_matrix.RESAMPLINGS[len(cases) % 3]
        cases.append((resampling, rng.choice(TYPES), rng.choice(MASKS), rng.choice(SCALES), name))


def run(pairs, cases, jobs):
    with tempfile.TemporaryDirectory() as folder:
        return warp_matrix.run_preloaded(cases, folder, jobs, pairs, SIZE)


def sees_nothing(result):
    """The raster is smaller than a pixel of the destination: areas at the antimeridian."""
    return result.get("valid_pixels") == 0 and result["same_bytes"] and result["door5"].get("ok", False)


def passed(result):
    """The same as plain GDAL: where plain GDAL gives up, so does gdalwarp on the device."""
    gives_up = "plain_fails" in result and result.get("device_fails") == result["plain_fails"]
    return result["ok"] or gives_up or sees_nothing(result)


def print_paths(results):
    """How many were fused, and why the others weren't."""
    by_path = {}
    for result in results:
        for door in ("door5", "door1"):
            if door in result:
                key = (door, "+".join(result[door].get("path", [])))
                by_path.setdefault(key, []).append(result)
    for (door, path), rows in sorted(by_path.items()):
        print(f"{door}: {path}: {len(rows)}")
        if path != "tiles":
            for row in rows:
                print("   ", row["case"], "; ".join(row[door].get("reasons", []))[:300])
    for result in results:
        if "plain_fails" in result:
            print("plain GDAL gives up:", result["case"], result["plain_fails"])
    print(f"nothing to see: {len(list(filter(sees_nothing, results)))}")
    doors_differ = [result["case"] for result in results if result.get("plain_doors_differ")]
    print(f"plain gdalwarp and plain VRTs differ: {len(doors_differ)}", *doors_differ)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="120 pairs instead of 25")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--pairs", help="SOURCE-TARGET,...: these pairs")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--json", help="file for one JSON object a case")
    arguments = parser.parse_args()
    if arguments.pairs:
        wanted = [tuple(pair.split("-")) for pair in arguments.pairs.split(",")]
        pairs, cases = {}, []
        add_cases(wanted, all_crs(), random.Random(arguments.seed), len(wanted), pairs, cases)
    else:
        pairs, cases = draw(arguments.seed, 120 if arguments.all else 25)
    start = time.time()
    results = run(pairs, cases, arguments.jobs)
    if arguments.json:
        pathlib.Path(arguments.json).write_text("".join(json.dumps(result) + "\n" for result in results))
    for result in results:
        if not passed(result):
            print("FAILED", json.dumps(result)[:1500])
    print_paths(results)
    count = sum(map(passed, results))
    print(f"{count} passed, {len(results) - count} failed, in {time.time() - start:.0f} s on "
          f"{os.environ.get('GDAL_GPU_DEVICE', 'HOST')}")
    return 0 if count == len(results) > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
