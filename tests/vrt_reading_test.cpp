#include "gtest/gtest.h"
#include "plugin/vrt/block_sweep.h"
#include "plugin/vrt/region_cache.h"

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

class Regions : public testing::Test {
  protected:
    bool Put(RegionCache& cache, PixelWindow window, size_t bytes, bool transient = false) {
        if (cache.Allocate(bytes) == nullptr) return false;
        EXPECT_EQ(cache.Find(window), nullptr) << "not there before Keep()";
        cache.Keep(window, transient);
        return true;
    }
    const PixelWindow a{0, 0, 10, 10}, b{0, 10, 10, 10}, c{0, 20, 10, 10};
};

TEST_F(Regions, HoldsAWindowInsideARegion) {
    RegionCache cache(1000);
    ASSERT_TRUE(Put(cache, a, 100));
    ASSERT_NE(cache.Find({2, 3, 4, 5}), nullptr);
    EXPECT_EQ(cache.Find({2, 3, 4, 5})->window.width, 10);
    EXPECT_EQ(cache.Find({2, 3, 4, 8}), nullptr);
    EXPECT_EQ(cache.Find({-1, 0, 2, 2}), nullptr);
    cache.Clear();
    EXPECT_EQ(cache.Find(a), nullptr);
}

TEST_F(Regions, DropsTheOldestBeyondItsLimit) {
    RegionCache cache(250);
    ASSERT_TRUE(Put(cache, a, 100) && Put(cache, b, 100) && Put(cache, c, 100));
    EXPECT_EQ(cache.Find(a), nullptr);
    EXPECT_NE(cache.Find(b), nullptr);
    EXPECT_NE(cache.Find(c), nullptr);
    ASSERT_TRUE(Put(cache, a, 10000)) << "the last one always stays";
    EXPECT_EQ(cache.Find(b), nullptr);
    EXPECT_NE(cache.Find(a), nullptr);
}

TEST_F(Regions, DropsATransientOneFirst) {
    RegionCache cache(1000);
    ASSERT_TRUE(Put(cache, a, 100) && Put(cache, b, 100, true));
    EXPECT_NE(cache.Find(b), nullptr);
    ASSERT_TRUE(Put(cache, c, 100));
    EXPECT_NE(cache.Find(a), nullptr);
    EXPECT_EQ(cache.Find(b), nullptr);
}

TEST_F(Regions, ForgetsWhatWasNeverFilled) {
    RegionCache cache(1000);
    ASSERT_NE(cache.Allocate(100), nullptr);
    ASSERT_TRUE(Put(cache, a, 100));
    EXPECT_NE(cache.Find(a), nullptr);
}

}  // namespace
}  // namespace gdalgpu
