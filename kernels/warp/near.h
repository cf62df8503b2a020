// Nearest neighbour.
#pragma once

#include "warp/position.h"
#include "warp/source.h"

namespace kernels {
namespace warp {

template <typename Source>
class Near {
  public:
    using Value = typename Source::Value;
    using Position = Point;
    static constexpr bool kCopies = true;
    static constexpr int kBandsTogether = 0;

    GPU_FUNC static SourceBox footprint(const Request&, const Point& at) {
        return {at.column, at.row, at.column, at.row};
    }

    GPU_FUNC Near(const Source& from, const Filter&, const Point& at)
        : source(from), place(from.at(at.column, at.row)) {}

    GPU_FUNC Sampled<Value> sample(int64 band) const {
        if (!source.band_valid(band, place)) return {0.0, Value{}};
        return {static_cast<double>(source.density(place)), source.value(band, place)};
    }

    GPU_FUNC typename Source::Pixel copied(int64 band) const { return source.pixel(band, place); }

  private:
    const Source& source;
    const Place place;
};

}  // namespace warp
}  // namespace kernels
