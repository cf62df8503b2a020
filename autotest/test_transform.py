"""gdal-gpu transform, against PROJ's cs2cs and cct."""
import json
import os
import random
import shutil
import subprocess

import pytest

PROGRAMS = {name: shutil.which(name) for name in ("cs2cs", "cct")}


@pytest.fixture
def transform(build):
    def run(*arguments, lines="", **variables):
        return subprocess.run([str(build / "bin" / "gdal-gpu"), "transform", *map(str, arguments)], input=lines,
                              env={**os.environ, **variables}, capture_output=True, text=True, timeout=120)

    return run


def numbers(text):
    return [[float(word) for word in line.split()] if line != "*" else None for line in text.splitlines()]


def by_proj(*command, lines):
    assert PROGRAMS[command[0]], f"{command[0]} of Debian's proj-bin is needed"
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [None if "*" in line else [float(word) for word in line.split()[:3]] for line in done.stdout.splitlines()]


def assert_close(ours, theirs, tolerance):
    assert len(ours) == len(theirs)
    assert any(point is not None for point in ours)
    for mine, other in zip(ours, theirs):
        assert (mine is None) == (other is None), (mine, other)
        if mine is not None:
            assert mine == pytest.approx(other[:len(mine)], rel=0, abs=tolerance)


def points(count, x, y, columns=2):
    draw = random.Random(1)
    return "".join(f"{draw.uniform(*x)} {draw.uniform(*y)}{' 7' if columns > 2 else ''}\n" for _ in range(count))


@pytest.mark.parametrize("columns", [2, 3])
@pytest.mark.parametrize("target,tolerance", [("EPSG:32633", 1e-6), ("EPSG:2193", 1e-6), ("EPSG:4258", 1e-11)])
def test_two_crss_as_cs2cs_has_them_both_ways(transform, device, target, tolerance, columns):
    lines = points(300, (-45, 60), (10, 20), columns)
    theirs = by_proj("cs2cs", "-f", "%.17g", "EPSG:4326", target, lines=lines)
    forward = transform("-s_srs", "EPSG:4326", "-t_srs", target, "--device", device, lines=lines)
    assert (forward.returncode, forward.stderr) == (0, "")
    assert all(len(line.split()) == columns for line in forward.stdout.splitlines())
    assert_close(numbers(forward.stdout), theirs, tolerance)
    back = transform("-s_srs", "EPSG:4326", "-t_srs", target, "-I", "--device", device, lines=forward.stdout)
    assert_close(numbers(back.stdout), [list(map(float, line.split())) for line in lines.splitlines()], 1e-9)


def test_west_orientated_conic_is_lcc_with_its_easting_to_the_west(transform, device):
    """EPSG's method 9826: PROJ has the CRS, and no operation to it."""
    lines = "70.6 -25\n69.1 -29\n71.9 -21.4\n"
    swapped = "".join(f"{line.split()[1]} {line.split()[0]} 0\n" for line in lines.splitlines())
    eastings = by_proj("cct", "-d", "12", "+proj=lcc", "+lat_1=70.5", "+lat_0=70.5", "+lon_0=-24", "+ellps=intl", lines=swapped)
    forward = transform("-s_srs", "EPSG:4195", "-t_srs", "EPSG:2218", "--device", device, lines=lines)
    assert forward.returncode == 0 and forward.stderr == ""
    assert_close([point[:2] for point in numbers(forward.stdout)], [[y, -x] for x, y, *_ in eastings], 1e-6)
    back = transform("-s_srs", "EPSG:2218", "-t_srs", "EPSG:4195", "--device", device, lines=forward.stdout)
    assert_close([point[:2] for point in numbers(back.stdout)], numbers(lines), 1e-11)


def test_lost_output_is_an_error(build):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([build / "bin" / "gdal-gpu", "transform", "-s_srs", "EPSG:4326", "-t_srs", "EPSG:32633"],
                              input="52 13\n", text=True, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1 and "can't be written" in done.stderr


def test_a_pipeline_as_cct_has_it_with_angles_in_degrees(transform, device):
    lines = points(200, (5, 15), (-80, 80), 3)
    theirs = by_proj("cct", "-d", "12", "+proj=utm", "+zone=32", lines=lines)
    forward = transform("--pipeline", "+proj=utm +zone=32", "--device", device, lines=lines)
    assert forward.stderr == ""
    assert_close(numbers(forward.stdout), theirs, 1e-6)
    back = transform("--pipeline", "+proj=utm +zone=32", "--inverse", "--device", device, lines=forward.stdout)
    assert_close(numbers(back.stdout), numbers(lines), 1e-11)


def test_it_prints_17_significant_digits(transform, device):
    done = transform("-s_srs", "EPSG:4326", "-t_srs", "EPSG:32633", "--device", device, lines="52 13\n")
    assert done.stdout == " ".join(f"{float(word):.17g}" for word in done.stdout.split()) + "\n"
    assert max(len(word.replace(".", "")) for word in done.stdout.split()) >= 16


def test_comments_and_what_follows_the_coordinates_pass_and_failures_are_stars(transform, device):
    lines = "# a comment\n52 13 0 2020 Berlin, near\n\n95 13\n  \t48 9\tB\n#last"
    done = transform("-s_srs", "EPSG:4326", "-t_srs", "EPSG:32633", "--device", device, lines=lines)
    assert (done.returncode, done.stderr) == (0, "")
    out = done.stdout.split("\n")
    assert out[0] == "# a comment" and out[2] == "" and out[3] == "*" and out[5:] == ["#last", ""]
    assert out[1].startswith("362705.63410563") and out[1].endswith(" 0 2020 Berlin, near")
    assert out[4].endswith("\tB")


def test_lines_that_are_no_coordinates_give_a_star_a_message_and_status_1(transform, device):
    done = transform("-s_srs", "EPSG:4326", "-t_srs", "EPSG:32633", "--device", device, lines="52 13\nhello\n5\n52 13\n")
    assert done.returncode == 1
    first, second, third, fourth = done.stdout.splitlines()
    assert first == fourth and second.startswith("*") and third.startswith("*")
    assert "line 2: a line needs two numbers: hello" in done.stderr and "line 3: a line needs" in done.stderr


def test_files_are_read_and_a_missing_one_is_an_error(transform, device, tmp_path):
    (tmp_path / "a").write_text("52 13\n")
    (tmp_path / "b").write_text("48 9")
    arguments = ("-s_srs", "EPSG:4326", "-t_srs", "EPSG:32633", "--device", device)
    done = transform(*arguments, tmp_path / "a", tmp_path / "b")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 2
    both = transform(*arguments, tmp_path / "a", "-", lines="48 9\n")
    assert (both.stdout, both.returncode) == (done.stdout, 0)
    done = transform(*arguments, tmp_path / "none", tmp_path / "b")
    assert done.returncode == 1 and "none can't be read: No such file or directory" in done.stderr and len(done.stdout.splitlines()) == 1


def test_axes_may_be_asked_for_with_x_first(transform, device):
    arguments = ("-s_srs", "EPSG:4326", "-t_srs", "EPSG:2193", "--device", device)
    as_crs = transform(*arguments, lines="-41 174\n").stdout.split()
    x_first = transform(*arguments, "--axes", "xy", lines="174 -41\n").stdout.split()
    assert as_crs == x_first[::-1]


def test_device_none_is_proj_itself_and_an_operation_without_a_kernel_says_so(transform, device, tmp_path):
    corners = [[-4e7, -4e7], [4e7, -4e7], [4e7, 4e7], [-4e7, 4e7]]
    (tmp_path / "triangles.json").write_text(json.dumps({
        "file_type": "triangulation_file", "format_version": "1.0", "transformed_components": ["horizontal"],
        "vertices_columns": ["source_x", "source_y", "target_x", "target_y"],
        "triangles_columns": ["idx_vertex1", "idx_vertex2", "idx_vertex3"],
        "vertices": [corner + corner for corner in corners], "triangles": [[0, 1, 2], [0, 2, 3]]}))
    lines = points(20, (2e5, 8e5), (1e6, 5e6))
    arguments = ("--pipeline", f"+proj=tinshift +file={tmp_path}/triangles.json")
    plain = transform(*arguments, "--device", "NONE", lines=lines)
    assert (plain.returncode, plain.stderr) == (0, "")
    fallback = transform(*arguments, "--device", device, lines=lines)
    assert fallback.stdout == plain.stdout and fallback.returncode == 0
    if device != "NONE":
        assert "by PROJ on the CPU" in fallback.stderr and "tinshift" in fallback.stderr


def test_no_input_gives_no_output(transform, device):
    done = transform("-s_srs", "EPSG:4326", "-t_srs", "EPSG:32633", "--device", device)
    assert (done.returncode, done.stdout) == (0, "")


CRSS = ["-s_srs", "EPSG:4326", "-t_srs", "EPSG:3857"]


@pytest.mark.parametrize("arguments,message", [
    ([], "-s_srs and -t_srs, or --pipeline, are needed"), (["-s_srs", "EPSG:4326"], "-t_srs is missing"),
    (["-t_srs", "EPSG:4326"], "-s_srs is missing"), (["-s_srs"], "-s_srs needs a value: CRS"),
    (["--pipeline", "+proj=merc", "-t_srs", "EPSG:3857"], "--pipeline goes without -s_srs and -t_srs"),
    (["--pipeline", ""], '--pipeline takes TEXT, not ""'),
    ([*CRSS, "--fast"], "transform has no argument --fast. See gdal-gpu help transform"),
    ([*CRSS, "--invers"], "transform has no argument --invers; is --inverse meant?"),
    ([*CRSS, "--device", "TPU"], '--device takes AUTO, CUDA, HOST or NONE, not "TPU"'),
    ([*CRSS, "--axes", "yx"], '--axes takes crs or xy, not "yx"'),
    ([*CRSS, "--precision", "fp16"], '--precision takes fp64, ds, fp32 or auto, not "fp16"')])
def test_wrong_arguments_give_a_message_and_status_2(transform, arguments, message):
    done = transform(*arguments, lines="1 2\n")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("gdal-gpu: ") and message in done.stderr


@pytest.mark.parametrize("arguments,named", [(["-s_srs", "EPSG:4326", "-t_srs", "EPSG:0"], "EPSG:0"),
                                             (["--pipeline", "+proj=nothing"], "+proj=nothing"),
                                             (["--pipeline", "EPSG:4326"], "EPSG:4326")])
def test_a_crs_or_operation_that_cannot_be_read_is_named_with_status_1(transform, arguments, named):
    done = transform(*arguments, lines="1 2\n")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("gdal-gpu: ") and named in done.stderr


def test_help_tells_the_options(transform):
    done = transform("--help")
    assert done.returncode == 0 and "--pipeline" in done.stdout and "-t_srs" in done.stdout
