"""What a warped VRT and a mosaic of them hold on to: windows that were read, memory, threads and open files."""
import os
import threading
import time

import numpy as np
import pytest
from osgeo import gdal, osr
from test_warped_vrt import assert_same_pixels, gpu, make_vrt, plain, warps

gdal.UseExceptions()
pytestmark = pytest.mark.usefixtures("build")

MB = 1 << 20


def make_source(path, size=2000, bands=3, x=400000, seed=1, options=("TILED=YES",)):
    """Bytes that are nowhere 0, `size` pixels of 10 m a side."""
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), size, size, bands, gdal.GDT_Byte, list(options))
    system = osr.SpatialReference()
    system.ImportFromEPSG(32633)
    dataset.SetGeoTransform([x, 10, 0, 5400000, 0, -10])
    dataset.SetProjection(system.ExportToWkt())
    row, column = np.ogrid[0:size, 0:size]
    for band in range(1, bands + 1):
        values = 1 + (row * 7 + column * 3 + (row * column >> 6) + band * 60 + seed * 17) % 255
        dataset.GetRasterBand(band).WriteArray(values.astype(np.uint8))
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("resources")


@pytest.fixture(scope="module")
def vrt(folder):
    return make_vrt(folder / "warped.vrt", make_source(folder / "source.tif"), xRes=11, yRes=11)


@pytest.fixture(scope="module")
def whole(vrt):
    return gpu(vrt).ReadAsArray()


@pytest.fixture
def cache():
    """Sets GDAL_CACHEMAX in MB for a test."""
    before = gdal.GetCacheMax()
    yield lambda megabytes: gdal.SetCacheMax(megabytes * MB)
    gdal.SetCacheMax(before)


def timed(function):
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def rss():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MB


def count(what):
    return len(os.listdir(f"/proc/self/{what}"))


def pixels(lines):
    return sum(line["pixels"] for line in warps(lines))


# ------------------------------------------------------------------------------------------------ windows again

TILES = [(300 + 512 * column, 200 + 512 * row, 512, 512) for row in range(3) for column in range(4)]


def test_tiles_read_again_are_not_warped_again(vrt, whole, report):
    def read(dataset):
        return [timed(lambda: [dataset.ReadAsArray(*tile) for tile in TILES]) for _ in range(3)]

    dataset = gpu(vrt)
    before = len(warps(report()))
    rounds = read(dataset)
    lines = warps(report())[before:]
    assert len(lines) <= len(TILES) and pixels(lines) < 1.5 * len(TILES) * 512 * 512
    for _, tiles in rounds:
        for (x, y, w, h), tile in zip(TILES, tiles):
            assert np.array_equal(tile, whole[:, y : y + h, x : x + w])
    # A GPU's first round takes hardly longer than copies from a cache.
    assert rounds[2][0] <= max(0.1 * rounds[0][0], 2 * read(gdal.OpenEx(str(vrt), allowed_drivers=["VRT"]))[2][0])


def test_a_view_that_moves_warps_what_is_missing(vrt, whole, report):
    """As QGIS: band by band, a window that moves down and right a little each time."""
    dataset = gpu(vrt)
    before = len(warps(report()))
    views = [(400 + 70 * i, 100 + 45 * i, 900, 600) for i in range(12)]
    for x, y, w, h in views:
        for band in (1, 2, 3):
            got = dataset.GetRasterBand(band).ReadAsArray(x, y, w, h)
            assert np.array_equal(got, whole[band - 1, y : y + h, x : x + w])
    lines = warps(report())[before:]
    assert len(lines) <= 2 * len(views), "few warps a view, not one a block"
    # Blocks of 512 x 128 pixels around all that was seen, once.
    seen_width, seen_height = 70 * 11 + 900 + 2 * 512, 45 * 11 + 600 + 2 * 128
    assert pixels(lines) <= seen_width * seen_height
    for x, y, w, h in reversed(views):
        dataset.ReadAsArray(x, y, w, h)
    assert len(warps(report())) == before + len(lines), "all is at hand"


@pytest.mark.parametrize("algorithm", [gdal.GRIORA_NearestNeighbour, gdal.GRIORA_Bilinear])
def test_resampled_views_are_at_hand_too(algorithm, vrt, report):
    dataset, judge = gpu(vrt), plain(vrt)
    before = len(warps(report()))
    size = dict(buf_xsize=450, buf_ysize=300, resample_alg=algorithm)
    for i in range(4):
        for band in (1, 2, 3):
            window = (400 + 40 * i, 100 + 30 * i, 900, 600)
            got = dataset.GetRasterBand(band).ReadAsArray(*window, **size)
            assert_same_pixels(got, judge.GetRasterBand(band).ReadAsArray(*window, **size))
    assert len(warps(report())) - before <= 12, "not one a block row and view"
    assert pixels(warps(report())[before:]) < 2 * 1024 * 1024


def test_rows_of_band_after_band_are_warped_once(vrt, whole, report):
    dataset = gpu(vrt)
    before = len(warps(report()))
    _, height, width = whole.shape
    for band in (1, 2, 3):
        rows = [dataset.GetRasterBand(band).ReadAsArray(0, y, width, 1) for y in range(300, 900)]
        assert np.array_equal(np.concatenate(rows), whole[band - 1, 300:900])
    assert len(warps(report())) - before <= 1 + 600 // 128 + 1, "one a block row"


@pytest.mark.parametrize("height", [256, 1000])
def test_swaths_through_a_raster_are_not_kept_before_they_are_read_again(height, vrt, whole, report):
    """What gdal_translate reads once costs no copies and pushes nothing out of the cache."""
    dataset = gpu(vrt)
    width = dataset.RasterXSize
    swaths = [(0, y, width, height) for y in range(0, 2 * height, height)]
    before = len(warps(report()))
    for _ in range(3):
        for x, y, w, h in swaths:
            assert np.array_equal(dataset.ReadAsArray(x, y, w, h), whole[:, y : y + h])
    times = [line["pixels"] for line in warps(report())[before:]]
    assert times[:2] == [width * height] * 2, "no whole blocks around them"
    assert sum(times) < 2.5 * 2 * width * height, "the second time they are kept"


def test_what_does_not_fit_is_not_kept(vrt, whole, cache):
    cache(1)
    dataset = gpu(vrt)
    for x, y, w, h in TILES[:3] + TILES[:3]:
        assert np.array_equal(dataset.ReadAsArray(x, y, w, h), whole[:, y : y + h, x : x + w])
    for y in range(500, 520):
        assert np.array_equal(dataset.ReadAsArray(0, y, 2000, 1), whole[:, y : y + 1, :2000])
    assert gdal.GetCacheUsed() <= 1.5 * MB


def test_threads_whose_blocks_push_each_other_out(vrt, whole, cache):
    cache(2)
    failures = []

    def work(seed):
        rng = np.random.default_rng(seed)
        try:
            dataset = gpu(vrt)
            for _ in range(12):
                x, y = int(rng.integers(0, 1200)), int(rng.integers(0, 1200))
                w, h = int(rng.integers(1, 500)), int(rng.choice([1, 40, 300]))
                for band in (1, 3):
                    got = dataset.GetRasterBand(band).ReadAsArray(x, y, w, h)
                    if not np.array_equal(got, whole[band - 1, y : y + h, x : x + w]):
                        failures.append((x, y, w, h))
        except Exception as error:  # a thread's exception would be lost
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_forked_child_reads_the_same_pixels(vrt, whole):
    dataset = gpu(vrt)
    dataset.ReadAsArray(100, 100, 600, 600)
    child = os.fork()
    if child == 0:
        try:
            good = np.array_equal(dataset.ReadAsArray(100, 100, 1200, 900), whole[:, 100:1000, 100:1300])
            good = good and np.array_equal(gpu(vrt).ReadAsArray(), whole)
            os._exit(0 if good else 1)
        finally:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert np.array_equal(dataset.ReadAsArray(100, 100, 1200, 900), whole[:, 100:1000, 100:1300])


def test_flush_cache_forgets_what_was_read(folder, report):
    """A changed source is seen when plain GDAL sees it."""
    source = make_source(folder / "changing.tif", size=700)
    path = make_vrt(folder / "changing.vrt", source, xRes=11, yRes=11)
    ours, theirs = gpu(path), plain(path)
    window = (100, 100, 300, 300)
    first = ours.ReadAsArray(*window)
    assert_same_pixels(first, theirs.ReadAsArray(*window))
    make_source(source, size=700, seed=2)
    assert np.array_equal(ours.ReadAsArray(*window), first), "as a block cache does"
    before = len(warps(report()))
    for dataset in (ours, theirs):
        dataset.FlushCache()
    got = ours.ReadAsArray(*window)
    assert len(warps(report())) == before + 1, "warped again"
    assert_same_pixels(got, theirs.ReadAsArray(*window))
    ours = theirs = None
    changed = gpu(path).ReadAsArray(*window)
    assert_same_pixels(changed, plain(path).ReadAsArray(*window))
    assert not np.array_equal(changed, first)


def test_a_large_source_that_changes_is_read_anew(folder):
    """Its handles for reading by threads aren't those of the file before."""
    source = make_source(folder / "large.tif", size=2400)
    path = make_vrt(folder / "large.vrt", source, xRes=40, yRes=40, resampleAlg="near")
    dataset = gpu(path)
    first = dataset.ReadAsArray()
    os.replace(make_source(folder / "other.tif", size=2400, seed=2), source)
    dataset.FlushCache()
    dataset.ReadAsArray()  # of the file that it has open
    second = gpu(path).ReadAsArray()
    assert_same_pixels(second, plain(path).ReadAsArray())
    assert not np.array_equal(first, second)


def test_pixels_beside_a_window_that_cannot_be_read_do_not_matter(folder):
    source = make_source(folder / "damaged.tif", size=1500, options=["TILED=YES", "COMPRESS=DEFLATE"])
    path = make_vrt(folder / "damaged.vrt", source, xRes=11, yRes=11)
    good = gpu(path).ReadAsArray(0, 0, 600, 300)
    with open(source, "r+b") as file:
        file.truncate(os.path.getsize(source) // 2)
    dataset = gpu(path)
    assert np.array_equal(dataset.ReadAsArray(0, 0, 600, 300), good)
    with pytest.raises(RuntimeError):
        dataset.ReadAsArray(0, 1000, 600, 400)
    bad_row = next(row for row in range(20) if not reads_block(dataset.GetRasterBand(1), row))
    ends = range(128 * bad_row - 40, 128 * bad_row + 120, 10)
    ends = [end for end in ends if reads(gpu(path), (0, end - 200, 600, 200))]
    assert bad_row > 1 and ends[-1] > 128 * bad_row, "windows that end in blocks that can't be read"


def reads_block(band, row):
    try:
        return band.ReadBlock(0, row) is not None
    except RuntimeError:
        return False


def reads(dataset, window):
    try:
        return dataset.ReadAsArray(*window) is not None
    except RuntimeError:
        return False


# ------------------------------------------------------------------------------------------------ a mosaic

SOURCES, SIZE, BANDS = 12, 1700, 4


@pytest.fixture(scope="module")
def mosaic(folder):
    paths = []
    for i in range(SOURCES):
        source = make_source(folder / f"m{i}.tif", SIZE, BANDS, 400000 + i * SIZE * 10, i, ["TILED=YES", "ALPHA=NO"])
        paths.append(make_vrt(folder / f"m{i}.vrt", source, dstSRS="EPSG:32633", xRes=10, yRes=10))
    gdal.BuildVRT(str(folder / "mosaic.vrt"), [str(path) for path in paths])
    return folder / "mosaic.vrt"


def read_by_source(dataset):
    """The sum of each source's first band."""
    band = dataset.GetRasterBand(1)
    return [int(band.ReadAsArray(i * SIZE, 0, SIZE, SIZE).sum()) for i in range(SOURCES)]


def test_a_mosaic_holds_what_the_block_cache_holds(mosaic, cache, report):
    cache(40)  # three sources with all their bands
    gdal.SetConfigOption("GDAL_GPU_READ_THREADS", "8")
    others = count("task")  # of tests before
    try:
        read_by_source(gdal.OpenEx(str(mosaic)))  # what GDAL and the device open and allocate once
        other_files = count("fd")
        dataset = gdal.OpenEx(str(mosaic))
        read_by_source(dataset)
        memory, files, threads = rss(), count("fd"), count("task")
        before = len(warps(report()))
        for _ in range(2):
            sums = read_by_source(dataset)
        assert len(warps(report())) >= before + 2 * SOURCES
        assert rss() - memory < 20, "twelve sources have 139 MB"
        assert files - other_files <= 3 * SOURCES + 32 and count("fd") <= files
        assert threads - others <= 8 + 2 * os.cpu_count() + 8 and count("task") <= threads
        dataset = None
        assert count("fd") <= files - 2 * SOURCES, "closed with the sources"
    finally:
        gdal.SetConfigOption("GDAL_GPU_READ_THREADS", None)
    judge = gdal.OpenEx(str(mosaic))
    assert sums == [int(judge.GetRasterBand(1).ReadAsArray(i * SIZE, 0, SIZE, SIZE).sum()) for i in range(SOURCES)]
