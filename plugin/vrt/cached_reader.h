// Reads a warped VRT: what was warped before and is in GDAL's block cache comes from there.
#pragma once

#include <memory>

#include "gdal_priv.h"
#include "plugin/vrt/block_store.h"
#include "plugin/vrt/block_sweep.h"
#include "plugin/vrt/read_history.h"
#include "plugin/vrt/warp_reader.h"

namespace gdalgpu {

// Windows are kept in GDAL's block cache, whole blocks with all bands, so that only what is missing
// is warped when a window is read again, moved, or read band by band. Kept is what fits well and is
// small, or likely to be asked for again: other bands of it, or what was read before. All else goes
// straight to the caller.
class CachedReader {
  public:
    // Both hold for the life of this; `dataset` is the one whose blocks are kept.
    CachedReader(GDALDataset& dataset, std::unique_ptr<WarpReader> reader);

    int block_width() const { return store_.block_width(); }
    int block_height() const { return store_.block_height(); }

    CPLErr Read(const ReadRequest& request);

    // Warps the blocks of a window that aren't in the cache, where they are several and fit, so
    // that GDAL finds them there. Gives no CPLError: GDAL asks for what isn't there.
    void Prefetch(const PixelWindow& window, const std::vector<int>& bands);

    // Warps the block, and those after it that a sweep over the raster will ask for next, and keeps
    // all but the block itself, which goes to `image`.
    CPLErr ReadBlock(int band, int column, int row, void* image);

    // Forgets which windows were read.
    void Forget() { history_.Clear(); }

  private:
    bool IsToBeKept(const ReadRequest& request) const;
    CPLErr ReadAndKeep(const ReadRequest& request);
    template <class Deliver>
    CPLErr WarpAndKeep(const PixelWindow& blocks, Deliver&& deliver);

    GDALDataset& dataset_;
    const BlockStore store_;
    const std::unique_ptr<WarpReader> reader_;
    ReadHistory history_;
    BlockSweep sweep_;
};

}  // namespace gdalgpu
