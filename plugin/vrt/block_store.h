// A dataset's pixels in GDAL's block cache, which GDAL_CACHEMAX bounds for the whole process, as
// windows.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gdal_priv.h"
#include "plugin/vrt/read_request.h"

namespace gdalgpu {

class BlockStore {
  public:
    // The bands of `dataset`, which must outlive this, have blocks of one size.
    explicit BlockStore(GDALDataset& dataset);

    int block_width() const { return block_width_; }
    int block_height() const { return block_height_; }
    int columns() const { return columns_; }

    // The whole blocks that the window touches, as far as they lie in the raster.
    PixelWindow WholeBlocks(const PixelWindow& window) const;
    PixelWindow WindowOfBlocks(int begin, int end, int row) const;  // columns [begin, end)

    // What they take in the cache with all bands.
    int64_t Bytes(const PixelWindow& window) const;

    bool Holds(int band, int column, int row) const;
    bool Holds(const PixelWindow& window, const std::vector<int>& bands) const;

    // The rectangles of whole blocks that hold all blocks of the window that aren't there for each
    // of the bands: few, so they may hold some that are.
    std::vector<PixelWindow> Missing(const PixelWindow& window,
                                     const std::vector<int>& bands) const;

    // Delivers the blocks that are there for each of the bands. Returns as Missing() what is
    // missing.
    std::vector<PixelWindow> Deliver(const ReadRequest& request) const;

    // Puts the blocks of a window of whole blocks into the cache that aren't there, with all bands,
    // as far as there is room; `fill` is called with requests for them, by several threads. Where
    // it throws, none of that row's new ones stay.
    void Keep(const PixelWindow& window, const std::function<void(const ReadRequest&)>& fill) const;

    // A request for a block of a band into memory of a block's size and the band's type.
    ReadRequest RequestForBlock(int band, int column, int row, void* data) const;

  private:
    GDALRasterBlock* Find(int band, int column, int row) const;
    void Copy(const ReadRequest& request, GDALRasterBlock& block, size_t band_index) const;
    template <class Held>
    std::vector<PixelWindow> CollectMissing(const PixelWindow& window, Held&& held) const;

    GDALDataset& dataset_;
    int block_width_ = 0;
    int block_height_ = 0;
    int columns_ = 0;
};

}  // namespace gdalgpu
