"""The manual pages and bash's completion say what --help and the declarations say."""
import gzip
import json
import re
import shutil
import subprocess

import pytest

from preload_fixtures import plain_environment


@pytest.fixture(scope="module")
def gdal_gpu(build):
    def run(*arguments):
        return subprocess.run([build / "bin" / "gdal-gpu", *arguments], env=plain_environment(), check=True,
                              capture_output=True, text=True, timeout=60).stdout

    return run


@pytest.fixture(scope="module")
def page(build):
    """A built manual page as troff, and its words as they are read."""
    def read(name):
        troff = gzip.decompress((build / "pages" / f"{name}.gz").read_bytes()).decode()
        text = troff.replace("\\-", "-").replace("\\(ti", "~").replace("\\(ha", "^").replace("\\(aq", "'")
        return troff, " ".join(re.sub(r"^\.\w+ ?", "", line) for line in text.splitlines())

    return read


def words(text):
    return " ".join(text.split())


def test_the_command_s_page_has_every_subcommand_and_option(gdal_gpu, page):
    _, text = page("gdal-gpu.1")
    subcommands = re.findall(r"^  (\w+) ", gdal_gpu("--help"), re.MULTILINE)
    assert {"run", "info", "transform", "help"} <= set(subcommands)
    for subcommand in subcommands:
        lines = gdal_gpu("help", subcommand).splitlines()
        assert lines[0].removeprefix("Usage: gdal-gpu ") in text
        for line in lines:
            if option := re.match(r"  (-\S+)", line):
                assert option[1] in text, option[1]
    options = json.loads(gdal_gpu("info", "--json"))["options"]
    assert len(options) > 8
    for option in options:
        assert f"{option['name']} ({option['default']}) {option['help']}" in text


def test_the_algorithms_page_has_every_argument(gdal_gpu, page):
    _, text = page("gdal-gpu-algorithms.7")
    for algorithm in ("hillshade", "slope"):
        arguments = re.findall(r"^  (\w+) +(.*?) \(default", gdal_gpu("help", algorithm), re.MULTILINE)
        assert len(arguments) > 5
        for name, help_text in arguments:
            assert f" {name} {words(help_text)} (default" in text, name
    # Also what the pixel function takes, word by word.
    expression = gdal_gpu("help", "gpu_expression")
    functions = words(expression[expression.index("and the functions"):expression.index("\n  nodata")])
    assert "sinh sqrt tan" in functions and functions in text


@pytest.mark.skipif(not shutil.which("groff"), reason="groff isn't installed")
@pytest.mark.parametrize("name", ["gdal-gpu.1", "gdal-gpu-algorithms.7"])
def test_groff_has_nothing_to_warn_of(page, name):
    done = subprocess.run(["groff", "-ww", "-man", "-Tascii", "-P-cbou"], input=page(name)[0], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "SEE ALSO" in done.stdout


@pytest.mark.parametrize("line,expected", [
    (["c"], ["cache", "coverage"]),
    (["--v"], ["--version"]),
    (["info", "--j"], ["--json"]),
    (["transform", "--p"], ["--pipeline", "--precision"]),
    (["transform", "--axes", ""], ["crs", "xy"]),
    (["transform", "-s_srs", ""], []),
    (["help", "h"], ["help", "hillshade"]),
    (["run", "gdal_transl"], ["gdal_translate"]),
    (["run", "--", "gdal_transl"], ["gdal_translate"]),
])
def test_bash_completes(build, line, expected):
    script = f"source {build}/pages/gdal-gpu; COMP_WORDS=(gdal-gpu \"$@\"); COMP_CWORD=$#; _gdal_gpu; " \
             "printf '%s\\n' \"${COMPREPLY[@]}\""
    done = subprocess.run(["bash", "--norc", "-c", script, "bash", *line], env=plain_environment(), capture_output=True,
                          text=True, check=True)
    assert (sorted(set(done.stdout.split())), done.stderr) == (expected, "")
