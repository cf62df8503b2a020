#include <atomic>
#include <new>
#include <vector>

#include "gtest/gtest.h"
#include "plugin/vrt/block_store.h"
#include "plugin/vrt/block_sweep.h"
#include "plugin/vrt/read_history.h"

namespace gdalgpu {
namespace {

TEST(BlockSweep, DoublesAlongARow) {
    BlockSweep sweep;
    EXPECT_EQ(sweep.Request(3, 0), 4);
    EXPECT_EQ(sweep.Request(4, 0), 5);
    EXPECT_EQ(sweep.Request(5, 0), 7);
    EXPECT_EQ(sweep.Request(7, 0), 11);
}

TEST(BlockSweep, ReadsTheNextRowAtOnce) {
    BlockSweep sweep;
    sweep.Request(3, 0);
    sweep.Request(4, 0);
    sweep.Request(5, 0);
    EXPECT_EQ(sweep.Request(3, 1), 7);
    EXPECT_EQ(sweep.Request(3, 9), 7);
    EXPECT_EQ(sweep.Request(7, 9), 11) << "goes on where the row was wider";
}

TEST(BlockSweep, ReadsOneBlockAtRandomPlaces) {
    BlockSweep sweep;
    for (const auto& [column, row] : {std::pair(5, 5), {2, 7}, {9, 1}, {0, 0}}) {
        EXPECT_EQ(sweep.Request(column, row), column + 1);
    }
}

TEST(ReadHistory, CoversWhatWasReadBefore) {
    ReadHistory history;
    EXPECT_FALSE(history.Covers({0, 0, 100, 100}));
    history.Add({0, 0, 100, 100}, 10, 1000);
    EXPECT_TRUE(history.Covers({0, 0, 100, 100}));
    EXPECT_TRUE(history.Covers({50, 0, 100, 100})) << "half of it";
    EXPECT_FALSE(history.Covers({51, 0, 100, 100}));
    EXPECT_FALSE(history.Covers({0, 100, 100, 100})) << "the next one of a way through a raster";
    history.Add({0, 100, 100, 100}, 10, 1000);
    EXPECT_TRUE(history.Covers({0, 50, 100, 100})) << "two of them together";
    history.Clear();
    EXPECT_FALSE(history.Covers({0, 0, 100, 100}));
}

TEST(ReadHistory, ForgetsWhatACacheWouldHaveForgotten) {
    ReadHistory history;
    for (int64_t i = 0; i < 5; ++i) history.Add({0, 100 * i, 100, 100}, 10, 30);
    EXPECT_FALSE(history.Covers({0, 100, 100, 100}));
    EXPECT_TRUE(history.Covers({0, 200, 100, 100}));
    history.Add({0, 500, 100, 100}, 31, 30);
    EXPECT_FALSE(history.Covers({0, 500, 100, 100})) << "more than the cache holds";
    EXPECT_FALSE(history.Covers({0, 400, 100, 100}));
}

// Bands in blocks of 64 x 32 pixels, of different types, that GDAL can't read.
class Raster final : public GDALDataset {
  public:
    Raster() {
        nRasterXSize = 300;
        nRasterYSize = 200;
        SetBand(1, new Band(GDT_Byte));
        SetBand(2, new Band(GDT_Float32));
    }

  private:
    struct Band final : GDALRasterBand {
        explicit Band(GDALDataType type) {
            eDataType = type;
            nBlockXSize = 64;
            nBlockYSize = 32;
        }
        CPLErr IReadBlock(int, int, void*) override { return CE_Failure; }
    };
};

bool operator==(const PixelWindow& a, const PixelWindow& b) {
    return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

class Blocks : public testing::Test {
  protected:
    // What band `band` has at a pixel.
    static int Value(int64_t band, int64_t x, int64_t y) {
        return static_cast<int>((x * 3 + y * 7 + band * 50) % 251);
    }

    void Keep(const PixelWindow& window) {
        store.Keep(window, [&](const ReadRequest& block) {
            ++filled;
            const PixelWindow& part = block.window;
            for (int64_t y = 0; y < part.height; ++y) {
                for (int64_t x = 0; x < part.width; ++x) {
                    const int value = Value(block.bands[0], part.x + x, part.y + y);
                    GDALCopyWords(&value, GDT_Int32, 0,
                                  static_cast<GByte*>(block.data) + y * block.line_space +
                                      x * block.pixel_space,
                                  block.type, 0, 1);
                }
            }
        });
    }

    Raster raster;
    BlockStore store{raster};
    std::atomic<int> filled{0};
};

TEST_F(Blocks, AreWholeAndEndWithTheRaster) {
    EXPECT_TRUE((store.WholeBlocks({70, 33, 10, 10}) == PixelWindow{64, 32, 64, 32}));
    EXPECT_TRUE((store.WholeBlocks({63, 31, 2, 2}) == PixelWindow{0, 0, 128, 64}));
    EXPECT_TRUE((store.WholeBlocks({299, 199, 1, 1}) == PixelWindow{256, 192, 44, 8}));
    EXPECT_TRUE((store.WindowOfBlocks(3, 5, 6) == PixelWindow{192, 192, 108, 8}));
    EXPECT_EQ(store.Bytes({63, 0, 2, 1}), 2 * 64 * 32 * 5);
    EXPECT_EQ(store.Bytes({299, 199, 1, 1}), 64 * 32 * 5) << "GDAL's blocks don't end there";
}

TEST_F(Blocks, ThatAreKeptAreDeliveredInAnyForm) {
    const PixelWindow window{60, 20, 200, 150};
    EXPECT_FALSE(store.Holds(window, {1}));
    Keep(store.WholeBlocks(window));
    EXPECT_TRUE(store.Holds(window, {2, 1}));
    EXPECT_FALSE(store.Holds({0, 0, 300, 200}, {1}));
    std::vector<double> pixels(window.width * window.height * 3, -1);
    ReadRequest request;
    request.window = window;
    request.bands = {2, 1};
    request.data = pixels.data();
    request.type = GDT_Float64;
    request.pixel_space = 3 * sizeof(double);
    request.line_space = request.pixel_space * window.width;
    request.band_space = sizeof(double);
    EXPECT_TRUE(store.Deliver(request).empty());
    for (int64_t y = 0; y < window.height; ++y) {
        for (int64_t x = 0; x < window.width; ++x) {
            const double* pixel = &pixels[(y * window.width + x) * 3];
            ASSERT_EQ(pixel[0], Value(2, window.x + x, window.y + y)) << x << " " << y;
            ASSERT_EQ(pixel[1], Value(1, window.x + x, window.y + y)) << x << " " << y;
            ASSERT_EQ(pixel[2], -1);
        }
    }
}

TEST_F(Blocks, ThatAreThereAreNotFilledAgain) {
    Keep({0, 0, 128, 32});
    EXPECT_EQ(filled, 4);
    Keep({0, 0, 192, 32});
    EXPECT_EQ(filled, 6);
    raster.FlushCache(false);
    EXPECT_FALSE(store.Holds({0, 0, 1, 1}, {1}));
}

TEST_F(Blocks, ThatCannotBeFilledDoNotStay) {
    Keep({0, 0, 64, 32});
    const auto fill = [](const ReadRequest& block) {
        if (block.window.x == 128) throw std::bad_alloc();
    };
    EXPECT_THROW(store.Keep({0, 0, 300, 32}, fill), std::bad_alloc);
    EXPECT_TRUE(store.Holds({0, 0, 64, 32}, {1, 2})) << "one that was there";
    for (int column = 1; column < store.columns(); ++column) {
        EXPECT_FALSE(store.Holds(1, column, 0)) << column;
        EXPECT_FALSE(store.Holds(2, column, 0)) << column;
    }
}

TEST_F(Blocks, ThatAreMissingAreFewRectangles) {
    const PixelWindow whole{0, 0, 300, 200};
    auto missing = store.Missing(whole, {1, 2});
    ASSERT_EQ(missing.size(), 1u);
    EXPECT_TRUE(missing[0] == whole);

    Keep({0, 0, 128, 96});  // a view, moved to the lower right
    missing = store.Missing({70, 40, 128, 96}, {1, 2});
    ASSERT_EQ(missing.size(), 2u);
    EXPECT_TRUE((missing[0] == PixelWindow{128, 32, 128, 64}));
    EXPECT_TRUE((missing[1] == PixelWindow{64, 96, 192, 64}));
    EXPECT_TRUE(store.Missing({5, 5, 123, 91}, {1}).empty());

    for (int64_t row = 3; row < 6; ++row) Keep({0, 32 * row, 64 * (2 - row % 2), 32});
    missing = store.Missing({0, 64, 256, 136}, {1});
    ASSERT_EQ(missing.size(), 1u) << "the rectangle around many";
    EXPECT_TRUE((missing[0] == PixelWindow{0, 64, 256, 136}));
}

TEST_F(Blocks, OfABandThatIsMissingAreMissing) {
    Keep({0, 0, 64, 32});
    raster.GetRasterBand(2)->FlushCache(false);
    EXPECT_TRUE(store.Missing({0, 0, 64, 32}, {1}).empty());
    EXPECT_EQ(store.Missing({0, 0, 64, 32}, {1, 2}).size(), 1u);
}

TEST_F(Blocks, AreBoundedByGdalsCache) {
    const GIntBig before = GDALGetCacheMax64();
    GDALSetCacheMax64(GIntBig{4} * 64 * 32 * 5);
    Keep({0, 0, 300, 64});
    EXPECT_EQ(filled, 20);
    EXPECT_LE(GDALGetCacheUsed64(), GIntBig{6} * 64 * 32 * 5)
        << "blocks of a row are filled together";
    EXPECT_FALSE(store.Holds({0, 0, 1, 1}, {1}));
    GDALSetCacheMax64(before);
}

}  // namespace
}  // namespace gdalgpu
