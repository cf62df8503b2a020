"""Door 2: <GPUGenImgProjTransformer> in a warped VRT that GDAL's own VRT driver reads."""
import json
import re

import numpy as np
import pytest
from osgeo import gdal

from test_warped_vrt import assert_same_pixels, make_source, make_vrt, plain

gdal.UseExceptions()
pytestmark = pytest.mark.usefixtures("build")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("transformer")


@pytest.fixture(scope="module")
def source(folder):
    return make_source(folder / "source.tif", bands=1)


def with_gpu_transformer(path):
    """A copy of the VRT with this project's transformer."""
    copy = path.with_name("gpu_" + path.name)
    copy.write_text(path.read_text().replace("GenImgProjTransformer>", "GPUGenImgProjTransformer>"))
    return copy


def unfused_operation(folder, projection):
    """From UTM zone 33, with a triangulation on the way that moves nothing and has no kernel."""
    corners = [[x, y, x, y] for x, y in [(-4e7, -4e7), (4e7, -4e7), (4e7, 4e7), (-4e7, 4e7)]]
    file = folder / "triangulation.json"
    file.write_text(
        json.dumps(
            {
                "file_type": "triangulation_file",
                "format_version": "1.0",
                "transformed_components": ["horizontal"],
                "vertices_columns": ["source_x", "source_y", "target_x", "target_y"],
                "triangles_columns": ["idx_vertex1", "idx_vertex2", "idx_vertex3"],
                "vertices": corners,
                "triangles": [[0, 1, 2], [0, 2, 3]],
            }
        )
    )
    return (
        f"+proj=pipeline +step +proj=tinshift +file={file} "
        f"+step +inv +proj=utm +zone=33 +ellps=WGS84 +step {projection}"
    )


def transforms(lines):
    return [line for line in lines if line["door"] == "transformer"]


def test_exact_warp_runs_its_points_on_the_device(folder, source, report, device):
    path = make_vrt(folder / "exact.vrt", source)
    expected = plain(path).ReadAsArray()
    assert transforms(report()) == []
    dataset = plain(with_gpu_transformer(path))
    assert dataset.GetDriver().ShortName == "VRT"
    got = dataset.ReadAsArray()
    assert_same_pixels(got, expected)
    dataset = None  # the account is given when the transformer goes
    lines = transforms(report())
    assert any(line["device"] == device and line["pixels"] >= got.size * 0.8 for line in lines), lines
    assert all("utm" in line["kernel"] for line in lines if line["device"] == device)


def test_threads_have_their_own(folder, source, report, device):
    path = make_vrt(folder / "threads.vrt", source, warpOptions=["NUM_THREADS=4"])
    expected = plain(path).ReadAsArray()
    dataset = plain(with_gpu_transformer(path))
    assert_same_pixels(dataset.ReadAsArray(), expected)
    dataset = None
    assert any(line["device"] == device for line in transforms(report()))


def test_in_an_approximating_transformer(folder, source):
    path = make_vrt(folder / "approx.vrt", source, errorThreshold=0.125)
    text = path.read_text()
    assert "<ApproxTransformer>" in text
    assert_same_pixels(plain(with_gpu_transformer(path)).ReadAsArray(), plain(path).ReadAsArray())


def test_driver_gpu_fuses_it_too(folder, source, report, device):
    path = with_gpu_transformer(make_vrt(folder / "fused.vrt", source))
    dataset = gdal.Open(str(path))
    assert dataset.GetDriver().ShortName == "GPU"
    assert_same_pixels(dataset.ReadAsArray(), plain(path).ReadAsArray())
    lines = [line for line in report() if line["door"] == "warped_vrt"]
    assert lines and all(line["device"] == device and line["path"] == "tiles" for line in lines), lines


@pytest.mark.parametrize("resampling", ["near", "lanczos"])
def test_a_pole_in_the_destination_is_found_by_gdals_own_code(folder, resampling):
    """GDAL looks for poles where the transformer's function is its own; without them the image has a hole."""
    world = folder / "world.tif"
    if not world.exists():
        y, x = np.mgrid[0:180, 0:360]
        dataset = gdal.GetDriverByName("GTiff").Create(str(world), 360, 180, 1)
        dataset.SetProjection("EPSG:4326")
        dataset.SetGeoTransform([-180, 1, 0, 90, 0, -1])
        dataset.GetRasterBand(1).WriteArray((50 + y + x % 25).clip(1, 255).astype(np.uint8))
        dataset = None
    path = folder / f"pole_{resampling}.vrt"
    gdal.Warp(str(path), str(world), format="VRT", dstSRS="EPSG:3031", outputBounds=(-4e6, -4e6, 4e6, 4e6), width=200,
              height=200, resampleAlg=resampling, errorThreshold=0)
    plainly, ours = plain(path).ReadAsArray(), plain(with_gpu_transformer(path)).ReadAsArray()
    assert plainly.all() and ours.all()
    # Blocks away from the pole have other source windows, from which GDAL takes its scale of shrinking.
    assert resampling != "near" or np.array_equal(ours, plainly)


def test_overviews(folder, source):
    with_overviews = make_source(folder / "overviews.tif", bands=1)
    dataset = gdal.Open(str(with_overviews), gdal.GA_Update)
    dataset.BuildOverviews("AVERAGE", [2])
    dataset = None
    path = make_vrt(folder / "overviews.vrt", with_overviews)
    ours, theirs = plain(with_gpu_transformer(path)), plain(path)
    assert ours.GetRasterBand(1).GetOverviewCount() == 1
    assert_same_pixels(
        ours.GetRasterBand(1).GetOverview(0).ReadAsArray(), theirs.GetRasterBand(1).GetOverview(0).ReadAsArray()
    )


def test_saved_vrt_keeps_it(folder, source):
    path = with_gpu_transformer(make_vrt(folder / "saved.vrt", source))
    dataset = gdal.OpenEx(str(path), gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.SetMetadataItem("A", "B")
    dataset = None
    text = path.read_text()
    assert "<GPUGenImgProjTransformer>" in text and '<MDI key="A">B</MDI>' in text
    assert "<GenImgProjTransformer>" not in text


def test_other_operations_are_gdals_with_the_reason(folder, source, report):
    path = make_vrt(
        folder / "tinshift.vrt",
        source,
        dstSRS="+proj=robin +datum=WGS84",
        coordinateOperation=unfused_operation(folder, "+proj=robin +ellps=WGS84"),
    )
    expected = plain(path).ReadAsArray()
    dataset = plain(with_gpu_transformer(path))
    assert np.array_equal(dataset.ReadAsArray(), expected)
    dataset = None
    lines = [line for line in transforms(report()) if line["reason"]]
    assert lines and all(line["device"] == "GDAL" for line in lines)
    assert any("tinshift" in line["reason"] for line in lines), lines


def test_no_device_is_gdals(folder, source, report):
    path = make_vrt(folder / "none.vrt", source)
    expected = plain(path).ReadAsArray()
    gdal.SetConfigOption("GDAL_GPU_DEVICE", "NONE")
    try:
        dataset = plain(with_gpu_transformer(path))
        assert np.array_equal(dataset.ReadAsArray(), expected)
        dataset = None
    finally:
        gdal.SetConfigOption("GDAL_GPU_DEVICE", None)
    assert any(line["reason"] == "GDAL_GPU_DEVICE=NONE" for line in transforms(report()))


def test_damaged_xml_fails_as_gdals(folder, source):
    path = make_vrt(folder / "damaged.vrt", source)
    text = re.sub("<SourceSRS>.*?</SourceSRS>", "<SourceSRS>nonsense</SourceSRS>", path.read_text(), flags=re.DOTALL)
    assert "nonsense" in text
    path.write_text(text)

    def outcome(name):
        with pytest.raises(RuntimeError) as error:
            plain(name)
        return str(error.value)

    assert outcome(with_gpu_transformer(path)) == outcome(path)
