"""Warps between CRSs drawn at random from PROJ's database (see random_crs_warps.py), a test a pair."""
import json

import pytest

import random_crs_warps

COUNT = 25
PAIRS, CASES = random_crs_warps.draw(random_crs_warps.SEED, COUNT)


@pytest.fixture(scope="module")
def results(build):
    return {result["case"]: result for result in random_crs_warps.run(PAIRS, CASES, 1)}


@pytest.mark.parametrize("case", [",".join(case) for case in CASES])
def test_warp_equals_plain_gdalwarp(results, case):
    assert random_crs_warps.passed(results[case]), json.dumps(results[case], indent=1)


def test_nearly_all_are_fused(results):
    ran = [result for result in results.values() if "door5" in result]
    fused = [result for result in ran if all(result[door]["path"] == ["tiles"] for door in ("door1", "door5"))]
    assert sum(result["ok"] for result in ran) >= COUNT - 5
    assert len(fused) >= len(ran) - 1, json.dumps(ran, indent=1)
