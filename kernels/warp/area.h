// The pixels of an area, one by one, row by row: what the resamplings over areas share.
#pragma once

#include "warp/position.h"
#include "warp/source.h"

namespace kernels {
namespace warp {

template <typename Source>
class AreaSampling {
  public:
    using Value = typename Source::Value;
    using Position = Area;
    static constexpr bool kCopies = false;
    static constexpr int kBandsTogether = 0;

    GPU_FUNC static SourceBox footprint(const Request& q, const Area& at) { return at.box(q); }

    GPU_FUNC AreaSampling(const Source& from, const Filter&, const Area& at)
        : source(from), area(at) {}

  protected:
    // Calls use(place, x, y) for each pixel that isn't hidden, until it returns false.
    template <typename Use>
    GPU_FUNC void each(int64 band, Use&& use) const {
        for (int64 y = area.y_first; y < area.y_end; ++y) {
            Place place = source.at(area.x_first, y);
            for (int64 x = area.x_first; x < area.x_end; ++x, place = source.moved(place, 1, 0)) {
                if (x == source.width()) place = source.at(0, y);
                if (!(source.density(place) > kBandDensityThreshold) ||
                    !source.band_valid(band, place))
                    continue;
                if (!use(place, x, y)) return;
            }
        }
    }

    const Source& source;
    const Area area;
};

}  // namespace warp
}  // namespace kernels
