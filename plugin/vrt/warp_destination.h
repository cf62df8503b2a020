// The dataset that a warp operation of door 1 takes for its destination. The warper asks it for
// band types and writes the alpha band to it; the other bands go to the buffer that the operation
// is given.
#pragma once

#include "gdal_priv.h"
#include "plugin/coordinates/pixel_transform.h"

namespace gdalgpu {

// Where the pixels of a window of the alpha band go: `data` holds them row by row, of the band's
// own type.
struct AlphaTarget {
    PixelWindow window;
    void* data = nullptr;  // nullptr: nowhere
    GSpacing pixel_space = 0;
    GSpacing line_space = 0;
};

class WarpDestination final : public GDALDataset {
  public:
    // As many bands, of the same size, types and NBITS, as `like`, which must outlive this.
    explicit WarpDestination(GDALDataset& like);

    // Holds for what is written from now on. Writes outside its window are dropped.
    void SetAlphaTarget(const AlphaTarget& target) { alpha_ = target; }
    const AlphaTarget& alpha_target() const { return alpha_; }

  private:
    AlphaTarget alpha_;
};

}  // namespace gdalgpu
