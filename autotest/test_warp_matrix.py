"""The pairwise covering of the warp matrix (see warp_matrix.py), a test a case."""
import json
import subprocess
import sys

import pytest

import warp_matrix


@pytest.fixture(scope="module")
def results(build, tmp_path_factory):
    path = tmp_path_factory.mktemp("matrix") / "results.jsonl"
    run = subprocess.run([sys.executable, warp_matrix.__file__, "--json", str(path)], capture_output=True, text=True)
    assert path.exists(), run.stdout + run.stderr
    return {result["case"]: result for result in map(json.loads, path.read_text().splitlines())}


@pytest.mark.parametrize("case", [",".join(case) for case in warp_matrix.pairwise()])
def test_warp_equals_plain_gdalwarp(results, case):
    assert results[case]["ok"], json.dumps(results[case], indent=1)
