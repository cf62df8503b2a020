"""gdal-gpu coverage, on the first few hundred CRSs of PROJ's database, and `gdal-gpu help ALGORITHM`."""
import json
import os
import pathlib
import subprocess

import pytest


@pytest.fixture(scope="module")
def gdal_gpu(build):
    def run(*arguments, **variables):
        return subprocess.run([str(build / "bin" / "gdal-gpu"), *map(str, arguments)],
                              env={**os.environ, **variables}, capture_output=True, text=True, timeout=300)

    return run


@pytest.fixture(scope="module")
def first(gdal_gpu):
    done = gdal_gpu("coverage", "--auth", "EPSG", "--limit", 200, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_each_crs_is_listed_once_with_all_that_is_known(first):
    assert len(first) == 200 == len({crs["code"] for crs in first})
    for crs in first:
        assert {"auth", "code", "name", "method", "in_proj", "fused", "reason", "forward_m", "inverse_rad"} <= set(crs)
        assert crs["auth"] == "EPSG" and isinstance(crs["fused"], bool) and crs["name"] and crs["method"]
        if not crs["fused"]:
            assert crs["reason"] and crs["forward_m"] is None and crs["inverse_rad"] is None


def test_those_that_are_fused_are_as_close_to_proj_as_promised(first):
    fused = [crs for crs in first if crs["fused"]]
    assert len(fused) >= 190
    for crs in fused:
        assert crs["reason"] == "" and crs["refused_by_one"] == 0 and crs["further"] == 0, crs
        assert crs["forward_m"] <= max(1e-6, crs["proj_round_trip_m"] or 0), crs
        assert crs["inverse_rad"] <= max(1e-11, crs["proj_round_trip_rad"] or 0), crs
    assert max(crs["forward_m"] for crs in fused) > 0, "nothing was compared"


def test_other_bodies_are_as_close(gdal_gpu):
    """The first of them: the Sun, whose radius is a hundred times the Earth's, Mercury and Venus, which are spheres."""
    done = gdal_gpu("coverage", "--auth", "IAU_2015", "--limit", 60, "--json")
    crss = json.loads(done.stdout)
    assert len(crss) == 60 and {"Transverse Mercator", "Orthographic"} < {crs["method"] for crs in crss}
    for crs in crss:
        assert crs["fused"] and crs["reason"] == "" and crs["refused_by_one"] == crs["further"] == 0, crs


def test_what_proj_cannot_do_itself_is_named_as_such(gdal_gpu):
    missing = [crs for crs in json.loads(gdal_gpu("coverage", "--auth", "ESRI", "--json").stdout) if not crs["in_proj"]]
    assert {"World_Fuller", "World_Cube"} < {crs["name"] for crs in missing}
    for crs in missing:
        assert not crs["fused"] and crs["reason"].startswith("PROJ has none either: ")


def test_west_orientated_conics_are_fused(first):
    west = [crs for crs in first if crs["method"] == "Lambert Conic Conformal (West Orientated)"]
    assert west and all(crs["fused"] and crs["in_proj"] and crs["further"] == 0 for crs in west)


def test_readme_has_the_tables_of_operations_and_crss(gdal_gpu):
    """All of PROJ's database, which takes a minute on two cores."""
    done = gdal_gpu("coverage", "--markdown", GDAL_GPU_DEVICE="HOST")
    assert (done.returncode, done.stderr) == (0, "")
    if json.loads(gdal_gpu("info", "--json").stdout)["proj"] != "9.1.1":
        pytest.skip("the tables in plugin/coordinates/README.md are those of PROJ 9.1.1")
    readme = (pathlib.Path(__file__).parent.parent / "plugin" / "coordinates" / "README.md").read_text()
    for table in done.stdout.strip().split("\n\n"):
        assert table in readme, "gdal-gpu coverage --markdown prints another table:\n" + table


def test_text_sums_up_by_method_and_lists_what_is_missing(gdal_gpu, first):
    done = gdal_gpu("coverage", "--auth", "EPSG", "--limit", 200)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    total = next(line.split() for line in lines if line.endswith("  all"))
    in_proj, fused = (sum(crs[key] for crs in first) for key in ("in_proj", "fused"))
    assert total[:3] == ["200", str(in_proj), str(fused)]
    assert (f"{200 - in_proj} of 200 projected CRSs PROJ itself can't compute. Of the other {in_proj}, {fused} are fused"
            f" ({100 * fused / in_proj:.2f} %), and {fused} of these are close to PROJ.") in lines
    for crs in first:
        if not crs["fused"]:
            assert any(line.startswith(f"EPSG:{crs['code']} ") and crs["reason"] in line for line in lines)


@pytest.mark.parametrize("arguments,status", [(["--xml"], 2), (["--auth"], 2), (["--limit", "many"], 2),
                                              (["--limit", "-1"], 2), (["--auth", "NOBODY"], 1)])
def test_wrong_arguments_of_coverage_give_a_message(gdal_gpu, arguments, status):
    done = gdal_gpu("coverage", *arguments)
    assert done.returncode == status and done.stdout == "" and done.stderr.startswith("gdal-gpu: ")


def test_coverage_without_a_device_says_why(gdal_gpu):
    done = gdal_gpu("coverage", "--limit", 1, GDAL_GPU_DEVICE="NONE")
    assert done.returncode == 1 and "GDAL_GPU_DEVICE=NONE" in done.stderr


def test_help_describes_an_algorithm_and_lists_them_for_an_unknown_one(gdal_gpu):
    shown = gdal_gpu("help", "hillshade")
    assert shown.returncode == 0 and "azimuth" in shown.stdout
    shown = gdal_gpu("help", "gpu_expression")
    assert shown.returncode == 0 and "isnodata" in shown.stdout and "nodata" in shown.stdout
    unknown = gdal_gpu("help", "sculpt")
    assert unknown.returncode == 2 and "hillshade" in unknown.stderr and unknown.stdout == ""
