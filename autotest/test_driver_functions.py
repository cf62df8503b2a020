"""What GDAL lets a format do beside reading, over warped VRTs as files and as XML text: driver GPU beside GDAL's VRT
driver. The same values come back, the same files with the same content are left. And over GPU: names, which have no
files."""
import gc
import os
import shutil
import threading

import numpy as np
import pytest
from osgeo import gdal, osr

pytestmark = pytest.mark.usefixtures("build", "no_exceptions")

WIDTH, HEIGHT = 90, 70  # of the source


def srs(code=32633):
    system = osr.SpatialReference()
    system.ImportFromEPSG(code)
    return system


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A folder with w.vrt of src.tif, and with pair.vrt of pair.tif, which GDAL renames together."""
    folder = tmp_path_factory.mktemp("template")
    here = os.getcwd()
    os.chdir(folder)
    try:
        for name in ("src", "pair"):
            dataset = gdal.GetDriverByName("GTiff").Create(f"{name}.tif", WIDTH, HEIGHT, 2)
            dataset.SetGeoTransform([400000, 60, 0, 5400000, 0, -60])
            dataset.SetProjection(srs().ExportToWkt())
            y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
            for band in (1, 2):
                dataset.GetRasterBand(band).WriteArray((60 + x + band * y) % 251)
            dataset = None
            gdal.Warp("x.vrt", f"{name}.tif", format="VRT", dstSRS="EPSG:3857", xRes=65, yRes=65, errorThreshold=0)
            os.rename("x.vrt", "w.vrt" if name == "src" else "pair.vrt")
        with open("w.vrt.aux.xml", "w") as aux:
            aux.write("<PAMDataset/>")
        os.mkdir("sub")
    finally:
        os.chdir(here)
    return folder


class Walk:
    """One function over one driver, in a folder of its own."""

    def __init__(self, driver, name):
        self.driver, self.name = driver, name
        self.functions = gdal.GetDriverByName(driver)

    def named(self, file):
        """As the test names a file: relative, with its folder, or by its text."""
        if self.name == "text":
            return open(file).read()
        return file if self.name == "relative" else os.path.abspath(file)

    def open(self, file="w.vrt"):
        dataset = gdal.OpenEx(self.named(file), gdal.OF_RASTER, allowed_drivers=[self.driver])
        assert dataset.GetDriver().ShortName == self.driver
        return dataset


def content(folder):
    """Every file of the folder with its bytes."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def outcome(function, walk, folder, template, monkeypatch):
    """(what the function returned, whether it said that it failed, the files that are left)."""
    shutil.copytree(template, folder)
    monkeypatch.chdir(folder)
    failures = []
    gdal.PushErrorHandler(lambda kind, number, text: failures.append(text) if kind >= gdal.CE_Failure else None)
    try:
        returned = function(walk)
        gc.collect()  # writes what is left to be written when a dataset is closed
    finally:
        gdal.PopErrorHandler()
    files = {name: data.replace(os.fsencode(folder), b"FOLDER") for name, data in content(folder).items()}
    return repr(returned).replace(str(folder), "FOLDER"), failures, files


def kind(dataset):
    return dataset and dataset.GetDriver().ShortName


def pixels(dataset):
    return dataset.ReadAsArray().tobytes()


def with_band(function):
    """The function of a dataset and its first band, which the walk opens."""

    def walked(walk):
        dataset = walk.open()
        return function(dataset, dataset.GetRasterBand(1))

    return walked


def color_and_attribute_tables(dataset, band):
    colors = gdal.ColorTable()
    colors.SetColorEntry(0, (1, 2, 3, 255))
    table = gdal.RasterAttributeTable()
    table.CreateColumn("n", gdal.GFT_Integer, gdal.GFU_Generic)
    table.SetRowCount(2)
    return [band.SetColorTable(colors), band.GetColorTable().GetCount(), band.SetDefaultRAT(table),
            band.GetDefaultRAT().GetColumnCount(), band.SetColorTable(None)]


def copied(walk, driver, target, source):
    copy = gdal.GetDriverByName(driver).CreateCopy(target, source)
    return kind(copy), copy and copy.GetFileList(), copy and pixels(copy)


def copy_outlives_the_first(walk):
    copied(walk, "VRT", "copy.vrt", walk.open())
    os.remove("w.vrt")
    return pixels(gdal.Open("copy.vrt"))


def copy_of_changes(walk):
    dataset = walk.open()
    dataset.SetMetadataItem("A", "1")
    dataset.GetRasterBand(1).SetScale(2)
    return copied(walk, "VRT", "copy.vrt", dataset)


def nested(walk, make):
    made = make("made.vrt", walk.open())
    made = None
    return pixels(gdal.Open("made.vrt"))


FILES = {  # what is done with files
    "delete": lambda w: w.functions.Delete(w.named("w.vrt")),
    "delete_what_is_no_vrt": lambda w: w.functions.Delete("src.tif"),
    "delete_what_is_not_there": lambda w: w.functions.Delete("missing.vrt"),
    "rename": lambda w: w.functions.Rename("n.vrt", w.named("w.vrt")),
    "rename_with_its_source": lambda w: w.functions.Rename("n.vrt", w.named("pair.vrt")),
    "rename_what_is_not_there": lambda w: w.functions.Rename("n.vrt", "missing.vrt"),
    "copy_files": lambda w: w.functions.CopyFiles("n.vrt", w.named("w.vrt")),
    "copy_files_with_the_source": lambda w: w.functions.CopyFiles("sub/n.vrt", w.named("pair.vrt")),
    "create": lambda w: kind(w.functions.Create("n.vrt", 10, 10, 2)),
    "create_over_it": lambda w: kind(w.functions.Create("w.vrt", 10, 10, 2)),
    "create_nothing": lambda w: w.functions.Create("n.vrt", 0, 10, 2),
    "copy": lambda w: copied(w, w.driver, "n.vrt", w.open()),
    "copy_to_another_folder": lambda w: copied(w, w.driver, "sub/n.vrt", w.open()),
    "copy_to_an_absolute_name": lambda w: copied(w, w.driver, os.path.abspath("sub/n.vrt"), w.open()),
    "copy_to_memory": lambda w: copied(w, w.driver, "", w.open()),
    "copy_over_itself": lambda w: copied(w, w.driver, "w.vrt", w.open()),
    "copy_the_source_over_it": lambda w: copied(w, w.driver, "w.vrt", gdal.Open("src.tif")),
    "copy_to_a_folder_that_is_not_there": lambda w: kind(w.functions.CreateCopy("no/n.vrt", w.open())),
    "copy_by_the_vrt_driver": lambda w: copied(w, "VRT", "sub/n.vrt", w.open()),
    "copy_outlives_the_first": copy_outlives_the_first,
    "copy_of_changes": copy_of_changes,
    "gtiff_over_it": lambda w: copied(w, "GTiff", "w.vrt", gdal.Open("src.tif")),
    "gtiff_of_itself_over_it": lambda w: copied(w, "GTiff", "w.vrt", w.open())[0],
    "translate": lambda w: nested(w, lambda n, d: gdal.Translate(n, d, format="VRT")),
    "translate_a_part": lambda w: nested(w, lambda n, d: gdal.Translate(n, d, format="VRT", srcWin=[5, 5, 30, 20])),
    "translate_to_memory": lambda w: pixels(gdal.Translate("", w.open(), format="VRT", bandList=[2])),
    "mosaic": lambda w: nested(w, lambda n, d: gdal.BuildVRT(n, [d])),
    "warp": lambda w: nested(w, lambda n, d: gdal.Warp(n, d, format="VRT", dstSRS="EPSG:4326", errorThreshold=0)),
    "open_to_update": lambda w: [kind(gdal.OpenEx(w.named("w.vrt"), gdal.OF_UPDATE)),
                                 kind(gdal.Open(w.named("w.vrt"), gdal.GA_Update))],
    "open_as_something_else": lambda w: [gdal.OpenEx(w.named("w.vrt"), gdal.OF_VECTOR),
                                         gdal.OpenEx(w.named("w.vrt"), gdal.OF_MULTIDIM_RASTER)],
    "open_with_options": lambda w: gdal.OpenEx(w.named("w.vrt"), gdal.OF_RASTER, allowed_drivers=[w.driver],
                                               open_options=["ROOT_PATH=."]).GetMetadata("xml:VRT"),
    "identify": lambda w: gdal.IdentifyDriver(w.named("w.vrt")).ShortName,
    "file_list": lambda w: w.open().GetFileList(),
}

VALUES = {  # what a dataset is asked and told
    "geotransform": lambda d, b: [d.GetGeoTransform(), d.SetGeoTransform([1, 2, 0, 3, 0, -2]), d.GetGeoTransform()],
    "projection": lambda d, b: [d.GetProjection(), d.SetProjection(srs(4326).ExportToWkt()), d.GetProjection()],
    "spatial_ref": lambda d, b: [d.SetSpatialRef(srs(4326)), d.GetSpatialRef().ExportToWkt()],
    "gcps": lambda d, b: [d.GetGCPCount(), d.SetGCPs([gdal.GCP(1, 2, 0, 3, 4)], srs().ExportToWkt()), d.GetGCPCount(),
                          d.GetGCPProjection(), d.GetGCPs()[0].GCPX],
    "metadata": lambda d, b: [d.SetMetadata({"A": "1"}), d.SetMetadata({"B": "2"}, "X"), d.SetMetadataItem("C", "3"),
                              d.GetMetadata(), d.GetMetadata("X"), d.GetMetadataDomainList(), d.GetMetadataItem("C")],
    "xml": lambda d, b: [d.GetMetadata("xml:VRT"), d.GetMetadata("IMAGE_STRUCTURE"),
                         d.GetMetadata("DERIVED_SUBDATASETS"), d.GetSubDatasets()],
    "band_metadata": lambda d, b: [b.SetMetadata({"A": "1"}), b.SetMetadata({"B": "2"}, "X"),
                                   b.SetMetadataItem("C", "3"), b.GetMetadata(), b.GetMetadata("X"),
                                   b.GetMetadataDomainList(), b.GetMetadataItem("Pixel_0_0", "LocationInfo")],
    "descriptions": lambda d, b: [d.SetDescription("sub/q.vrt"), d.GetDescription(), b.SetDescription("first"),
                                  b.GetDescription(), d.GetMetadata("xml:VRT")],
    "another_name": lambda d, b: [d.SetDescription("q.vrt"), d.SetMetadataItem("A", "1"), d.GetFileList()],
    "nodata": lambda d, b: [b.GetNoDataValue(), b.SetNoDataValue(128), b.GetNoDataValue(), b.GetMaskFlags(),
                            b.GetMaskBand().Checksum(), b.DeleteNoDataValue(), b.GetNoDataValue(), b.GetMaskFlags()],
    "values": lambda d, b: [b.SetScale(2), b.SetOffset(3), b.SetUnitType("m"), b.SetCategoryNames(["a"]),
                            b.SetColorInterpretation(gdal.GCI_RedBand), b.GetScale(), b.GetOffset(), b.GetUnitType(),
                            b.GetCategoryNames(), b.GetColorInterpretation()],
    "tables": color_and_attribute_tables,
    "statistics": lambda d, b: [b.GetStatistics(1, 0), b.GetMinimum(), b.ComputeStatistics(False), b.GetMinimum(),
                                b.GetMaximum(), b.GetMetadata(), b.GetStatistics(0, 0)],
    "statistics_when_asked": lambda d, b: [b.GetStatistics(0, 1), b.ComputeRasterMinMax(), b.ComputeBandStats()],
    "statistics_of_others": lambda d, b: [b.SetStatistics(1, 2, 3, 4), b.GetStatistics(1, 0), b.GetMetadata()],
    "histogram": lambda d, b: [b.GetHistogram(), b.GetHistogram(approx_ok=0), b.GetDefaultHistogram(force=0),
                               b.GetDefaultHistogram(), b.SetDefaultHistogram(0, 1, [1, 2]),
                               b.GetDefaultHistogram(force=0)],
    "overviews": lambda d, b: [b.GetOverviewCount(), b.GetOverview(0), d.BuildOverviews("NEAREST", [2, 4]),
                               b.GetOverviewCount(), b.GetOverview(1).Checksum(), b.GetOverview(2),
                               b.HasArbitraryOverviews(), d.BuildOverviews("NEAREST", []), b.GetOverviewCount()],
    "masks": lambda d, b: [b.GetMaskFlags(), b.GetMaskBand().Checksum(), d.CreateMaskBand(gdal.GMF_PER_DATASET),
                           b.GetMaskFlags(), b.GetMaskBand().Checksum(), d.CreateMaskBand(gdal.GMF_PER_DATASET)],
    "band_masks": lambda d, b: [b.CreateMaskBand(0), b.GetMaskFlags(), b.GetMaskBand().Checksum(), b.IsMaskBand()],
    "layers": lambda d, b: [d.GetLayerCount(), d.GetLayer(0), d.CreateLayer("x"), d.DeleteLayer(0),
                            d.TestCapability(gdal.ODsCCreateLayer if hasattr(gdal, "ODsCCreateLayer")
                                             else "CreateLayer"), d.GetRootGroup(), d.StartTransaction()],
    "blocks": lambda d, b: [b.GetBlockSize(), b.GetActualBlockSize(0, 0), b.GetDataCoverageStatus(0, 0, 9, 9),
                            b.DataType, b.AdviseRead(0, 0, 9, 9), d.AdviseRead(0, 0, 9, 9), d.GetRasterBand(3),
                            b.Checksum(), b.ReadAsArray(-1, 0, 9, 9)],
    "flush": lambda d, b: [b.FlushCache(), d.FlushCache(), b.Checksum()],
}

# The VRT driver takes these in a read-only dataset, and forgets them or says so later.
REFUSED = {
    "fill": lambda d, b: b.Fill(3),
    "write": lambda d, b: d.WriteRaster(0, 0, 1, 1, b"12"),
    "write_to_a_band": lambda d, b: b.WriteRaster(0, 0, 1, 1, b"1"),
    "add_a_band": lambda d, b: d.AddBand(gdal.GDT_Byte),
}


def compare(function, name, template, tmp_path, monkeypatch):
    theirs = outcome(function, Walk("VRT", name), tmp_path / "theirs", template, monkeypatch)
    ours = outcome(function, Walk("GPU", name), tmp_path / "ours", template, monkeypatch)
    # One says "VRT" where the other says "GPU" of the dataset that was opened: nowhere here.
    assert ours[0] == theirs[0]
    assert ours[2] == theirs[2]
    if theirs[1]:
        assert ours[1], "the VRT driver failed with a message"
    source = template / "src.tif"
    if function is not FILES["rename_with_its_source"]:
        assert ours[2]["src.tif"] == source.read_bytes()
    return ours


@pytest.mark.parametrize("name", ["relative", "absolute", "text"])
@pytest.mark.parametrize("function", FILES)
def test_files(function, name, template, tmp_path, monkeypatch):
    returned, failures, _ = compare(FILES[function], name, template, tmp_path, monkeypatch)
    if returned in ("None", str(gdal.CE_Failure)):
        assert failures, "a failure has a message"


@pytest.mark.parametrize("name", ["relative", "text"])
@pytest.mark.parametrize("function", VALUES)
def test_values(function, name, template, tmp_path, monkeypatch):
    compare(with_band(VALUES[function]), name, template, tmp_path, monkeypatch)


@pytest.mark.parametrize("function", REFUSED)
def test_what_a_read_only_dataset_refuses(function, template, tmp_path, monkeypatch):
    walked = with_band(REFUSED[function])
    returned, failures, files = outcome(walked, Walk("GPU", "relative"), tmp_path / "ours", template, monkeypatch)
    assert returned == str(gdal.CE_Failure) and failures
    assert files == content(template)


def test_copies_stand_alone(template, tmp_path, monkeypatch):
    """What test_files compares is what it should be: a warped VRT of the source."""
    for name in ("relative", "text"):
        walk = Walk("GPU", name)
        _, _, files = outcome(FILES["copy_by_the_vrt_driver"], walk, tmp_path / name, template, monkeypatch)
        assert b'subClass="VRTWarpedDataset"' in files["sub/n.vrt"]
        assert b">src.tif</SourceDataset>" in files["sub/n.vrt"]
        assert b"w.vrt" not in files["sub/n.vrt"]


def test_delete_leaves_the_source(template, tmp_path, monkeypatch):
    for driver in ("GPU", "VRT"):
        walk = Walk(driver, "relative")
        returned, _, files = outcome(FILES["delete"], walk, tmp_path / driver, template, monkeypatch)
        assert returned == "0" and set(files) == set(content(template)) - {"w.vrt"}


def test_the_driver_describes_itself_as_the_vrt_driver(build):
    ours, theirs = gdal.GetDriverByName("GPU"), gdal.GetDriverByName("VRT")
    for item in ("DMD_OPENOPTIONLIST", "DMD_CREATIONDATATYPES", "DCAP_RASTER", "DCAP_OPEN", "DCAP_CREATE",
                 "DCAP_CREATECOPY", "DCAP_VIRTUALIO", "DCAP_VECTOR"):
        assert ours.GetMetadataItem(item) == theirs.GetMetadataItem(item), item
    # The extension stays the VRT driver's: programs choose a format for a new file by it.
    assert not ours.GetMetadataItem("DMD_EXTENSION") and not ours.GetMetadataItem("DMD_EXTENSIONS")


@pytest.mark.skipif(not hasattr(gdal, "OF_THREAD_SAFE"), reason="GDAL 3.10 and newer have thread-safe datasets")
def test_threads_share_a_thread_safe_dataset(template, monkeypatch):
    monkeypatch.chdir(template)
    for name in ("w.vrt", "GPU:hillshade:src.tif"):
        dataset = gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_THREAD_SAFE)
        assert kind(dataset) == "GPU" and dataset.IsThreadSafe(gdal.OF_RASTER)
        read = []
        threads = [threading.Thread(target=lambda: read.append(pixels(dataset))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert read == [pixels(gdal.Open(name))] * len(threads)


# ---------------------------------------------------------------------------------------------- identification


def test_gdals_identify_names_the_vrt_driver(template, monkeypatch):
    """The VRT driver deletes, and gdalbuildvrt overwrites, only what this says is a VRT."""
    monkeypatch.chdir(template)
    for flags in (0, gdal.OF_RASTER, gdal.OF_RASTER | gdal.OF_UPDATE):
        assert gdal.IdentifyDriverEx("w.vrt", flags).ShortName == "VRT"
    assert gdal.IdentifyDriver(open("w.vrt").read()).ShortName == "VRT"
    assert gdal.IdentifyDriverEx("w.vrt", gdal.OF_VECTOR) is None


def test_a_vrt_that_is_left_to_gdal_is_reported_once(template, tmp_path, monkeypatch, report):
    monkeypatch.chdir(template)
    left = tmp_path / "left.vrt"
    assert gdal.Warp(str(left), "src.tif", format="VRT", resampleAlg="sum")
    assert gdal.IdentifyDriverEx(str(left), gdal.OF_RASTER).ShortName == "VRT"
    assert not report(), "nothing was opened"
    assert kind(gdal.Open(str(left))) == "VRT"
    assert [line["reason"] for line in report()] == ["resampling Sum"]


@pytest.mark.parametrize("options", [[], ["NO_SUCH_OPTION=1"]])
def test_what_the_vrt_driver_warns_of_is_said_once(options, template, tmp_path, monkeypatch):
    monkeypatch.chdir(template)
    (tmp_path / "odd.vrt").write_text((template / "w.vrt").read_text().replace(
        'band="2"', 'band="7"').replace(">src.tif<", f">{template / 'src.tif'}<"))
    said, last = {}, {}
    for driver in ("VRT", "GPU"):
        messages = said[driver] = []
        gdal.PushErrorHandler(lambda kind, number, text: messages.append(text) if kind != gdal.CE_Debug else None)
        dataset = gdal.OpenEx(str(tmp_path / "odd.vrt"), gdal.OF_RASTER, allowed_drivers=[driver], open_options=options)
        gdal.PopErrorHandler()
        assert kind(dataset) == driver
        last[driver] = gdal.GetLastErrorMsg()
    assert any("band number" in text for text in said["VRT"]) and len(said["VRT"]) == 1 + len(options)
    assert sorted(text.replace("driver GPU", "driver VRT") for text in said["GPU"]) == sorted(said["VRT"])
    if not options:  # GDAL may look at them before or after it opens
        assert last["GPU"] == last["VRT"]


# ---------------------------------------------------------------------------------------------- GPU: names

NAME = "GPU:hillshade:src.tif"


@pytest.fixture
def there(template, tmp_path, monkeypatch):
    """A copy of the template, in which the test runs and leaves nothing."""
    folder = tmp_path / "there"
    shutil.copytree(template, folder)
    monkeypatch.chdir(folder)
    mosaic = gdal.BuildVRT("mosaic.vrt", ["src.tif", "pair.tif"])
    mosaic = None
    before = content(folder)
    yield folder
    gc.collect()
    assert content(folder) == before


GPU_NAMES = {
    "delete": lambda d: d.Delete(NAME),
    "delete_in_a_row": lambda d: d.Delete("GPU:slope:GPU:hillshade:w.vrt"),
    "delete_what_is_no_name": lambda d: d.Delete("gpu:nothing"),
    "rename": lambda d: d.Rename("n.tif", NAME),
    "rename_to": lambda d: d.Rename(NAME, "w.vrt"),
    "copy_files": lambda d: d.CopyFiles("n.tif", NAME),
    "copy_files_to": lambda d: d.CopyFiles(NAME, "w.vrt"),
    "create": lambda d: d.Create(NAME, 5, 5),
    "copy": lambda d: d.CreateCopy(NAME, gdal.Open("src.tif")),
    "copy_one_of_its_sources": lambda d: d.CreateCopy("GPU:hillshade:mosaic.vrt", gdal.Open("src.tif")),
    "translate": lambda d: gdal.Translate(NAME, "pair.tif"),
    "open_to_update": lambda d: gdal.Open(NAME, gdal.GA_Update),
}


@pytest.mark.parametrize("function", GPU_NAMES)
def test_gpu_names_have_no_files(function, there):
    messages = []
    gdal.PushErrorHandler(lambda kind, number, text: messages.append(text) if kind == gdal.CE_Failure else None)
    returned = GPU_NAMES[function](gdal.GetDriverByName("GPU"))
    gdal.PopErrorHandler()
    assert returned in (None, gdal.CE_Failure)
    assert messages and all("an algorithm's result" in text for text in messages), messages


def test_gpu_names_are_rasters_only(there):
    assert gdal.IdentifyDriverEx(NAME, gdal.OF_RASTER).ShortName == gdal.IdentifyDriver(NAME).ShortName == "GPU"
    assert gdal.IdentifyDriverEx(NAME, gdal.OF_VECTOR) is None
    assert gdal.OpenEx(NAME, gdal.OF_VECTOR) is None and gdal.OpenEx(NAME, gdal.OF_MULTIDIM_RASTER) is None
    assert kind(gdal.OpenEx(NAME, 0)) == "GPU"
    assert not gdal.Open(NAME).GetFileList()


def test_gpu_names_keep_what_a_dataset_keeps(there):
    """Nothing goes into a file: of the name's own folder, of the source, or named after the name."""
    dataset = gdal.Open(NAME)
    band = dataset.GetRasterBand(1)
    values = band.ReadAsArray()
    assert band.GetMetadataItem("STATISTICS_MEAN") is None
    expected = [values[values != 0].min(), values.max()]
    assert band.ComputeStatistics(False)[:2] == expected == band.GetStatistics(1, 0)[:2]
    assert band.GetDefaultHistogram()[2] == 256 and sum(band.GetHistogram()) == (values != 0).sum()
    assert dataset.SetMetadata({"A": "1"}) == 0 and dataset.GetMetadata() == {"A": "1"}
    assert band.SetMetadataItem("B", "2") == 0 and band.GetMetadataItem("B") == "2"
    assert band.GetMaskFlags() == gdal.GMF_NODATA
    assert ((band.GetMaskBand().ReadAsArray() != 0) == (values != 0)).all()
    assert band.GetOverviewCount() == 0 and dataset.GetLayerCount() == 0

    failures = []
    gdal.PushErrorHandler(lambda kind, number, text: failures.append(text))
    refused = [
        dataset.SetGeoTransform([0, 1, 0, 0, 0, 1]), dataset.SetSpatialRef(srs()), dataset.SetGCPs([], ""),
        dataset.BuildOverviews("NEAREST", [2]), dataset.CreateMaskBand(2), dataset.AddBand(),
        dataset.WriteRaster(0, 0, 1, 1, b"1"), band.WriteRaster(0, 0, 1, 1, b"1"), band.Fill(1),
        band.SetNoDataValue(1), band.DeleteNoDataValue(), band.SetScale(1), band.SetOffset(1), band.SetUnitType("m"),
        band.SetCategoryNames(["a"]), band.SetColorInterpretation(gdal.GCI_RedBand),
        band.SetColorTable(gdal.ColorTable()), band.SetDefaultHistogram(0, 1, [1, 2]), band.CreateMaskBand(0),
    ]
    gdal.PopErrorHandler()
    assert refused == [gdal.CE_Failure] * len(refused) and len(failures) == len(refused)
    dataset.FlushCache()
    assert (band.ReadAsArray() == values).all()


def test_a_vrt_of_a_gpu_name_reads_it(there):
    for driver in ("VRT", "GPU"):
        copy = gdal.GetDriverByName(driver).CreateCopy("/vsimem/of_a_name.vrt", gdal.Open(NAME))
        assert kind(copy) == "VRT" and pixels(copy) == pixels(gdal.Open(NAME))
        copy = None
        assert pixels(gdal.Open("/vsimem/of_a_name.vrt")) == pixels(gdal.Open(NAME))
        assert gdal.GetDriverByName("GPU").Delete("/vsimem/of_a_name.vrt") == 0
        assert gdal.VSIStatL("/vsimem/of_a_name.vrt") is None
