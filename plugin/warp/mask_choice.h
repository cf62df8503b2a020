// Source nodata values and a mask of the whole dataset together: GDAL (until
// nodata_hides_dataset_mask) takes the dataset's mask for those chunks in which no pixel has a
// nodata value, so its pixels depend on how the work is cut. Here the choice is made once for an
// operation: what one chunk over everything gives.
#pragma once

#include <mutex>

#include "gdalwarper.h"
#include "plugin/warp/source_window.h"
#include "plugin/warp/warp_chunk.h"

namespace gdalgpu {

class MaskChoice {
  public:
    // The operation must be initialized and outlive this.
    explicit MaskChoice(GDALWarpOperation& operation);

    // Makes the choice, where there is one to make, by reading the source's `window` up to the
    // first nodata value. On a thread that may read the source now. Pixels that can't be read have
    // no nodata value.
    void Decide(const SourceWindow& window);

    // Makes the chunk's masks those of the choice.
    void Apply(WarpChunk& chunk) const;

  private:
    bool HasNodata(int width, int height, const std::vector<GByte*>& bands) const;
    bool SourceHasNodata(const SourceWindow& window) const;

    const GDALWarpOptions& options_;
    bool open_ = false;  // both are there
    std::once_flag once_;
    bool by_nodata_ = false;
};

}  // namespace gdalgpu
