// Bilinear interpolation between the four pixel centres around the position; where the destination
// is coarser, the filter 1 - |t|.
//
// The sums are written with fma() and product(), so that a pixel comes out the same to the last bit
// whether masks are absent, or there and all set; GDAL drops a mask where a chunk needs none.
#pragma once

#include "warp/filter.h"
#include "warp/position.h"
#include "warp/source.h"

namespace kernels {
namespace warp {

// Of the two samples along an axis of which one is beyond the raster's near edge, the position is
// taken to the other's centre. The first then has no weight; GDAL's code for all types still reads
// it, which a NaN shows through, and its code for some types doesn't.
template <typename T>
struct ReadsWithoutWeight {
    static constexpr bool value = sizeof(T) == 8 || IsComplex<T>::value;
};

template <typename Source>
class Bilinear {
  public:
    using Value = typename Source::Value;
    using Position = Point;
    static constexpr bool kCopies = false;
    static constexpr int kBandsTogether = 1;

    GPU_FUNC static SourceBox footprint(const Request& q, const Point& at) {
        SourceBox box = at.samples(q, 0, 1, 0, 1);
        if (box.x_max == 0 && q.raster_width > 1) box.x_max = 1;
        if (box.y_max == 0 && q.raster_height > 1) box.y_max = 1;
        return box;
    }

    GPU_FUNC Bilinear(const Source& from, const Filter&, const Point& at) : source(from) {
        constexpr bool reads = ReadsWithoutWeight<typename Source::Pixel>::value;
        int64 column = static_cast<int64>(floor(at.x - 0.5)),
              row = static_cast<int64>(floor(at.y - 0.5));
        double left = 1.5 - (at.x - static_cast<double>(column));
        double top = 1.5 - (at.y - static_cast<double>(row));
        bool has_right = true, has_bottom = true;
        if (column < 0) {
            column = 0;
            left = 1.0;
            has_right = reads;
        }
        if (row < 0) {
            row = 0;
            top = 1.0;
            has_bottom = reads;
        }
        has_right = has_right && column + 1 < source.width();
        has_bottom = has_bottom && row + 1 < source.height();
        const double right = has_right ? 1.0 - left : 0.0, bottom = has_bottom ? 1.0 - top : 0.0;
        w00 = product(left, top);
        w10 = product(right, top);
        w01 = product(left, bottom);
        w11 = product(right, bottom);
        first = source.at(column, row);
        present = has_right ? 3u : 1u;
        if (has_bottom) present |= present << 2;
    }

    template <int kBands>
    GPU_FUNC double opaque(int64 band, Value (&values)[kBands]) const {
        values[0] = present == 15u ? sum(band, 15u) : divided(sum(band, present), weight(present));
        return 1.0;
    }

    // Over the valid samples alone.
    GPU_FUNC Sampled<Value> sample(int64 band) const {
        const float d00 = density(1u), d10 = density(2u), d01 = density(4u), d11 = density(8u);
        uint32 valid = 0;
        if (d00 > kSourceDensityThreshold && source.band_valid(band, first)) valid |= 1u;
        if (d10 > kSourceDensityThreshold && source.band_valid(band, place(2u))) valid |= 2u;
        if (d01 > kSourceDensityThreshold && source.band_valid(band, place(4u))) valid |= 4u;
        if (d11 > kSourceDensityThreshold && source.band_valid(band, place(8u))) valid |= 8u;
        const double weights = weight(valid);
        if (weights < 0.00001) return {0.0, Value{}};
        double found = valid & 1u ? product(d00, w00) : 0.0;
        if (valid & 2u) found = fma(double(d10), w10, found);
        if (valid & 4u) found = fma(double(d01), w01, found);
        if (valid & 8u) found = fma(double(d11), w11, found);
        const Value values = sum(band, valid);
        return {found / weights, valid == 15u ? values : divided(values, weights)};
    }

  private:
    // Samples by a bit each: 1, 2 (right), 4 (below), 8 (both).
    GPU_FUNC Place place(uint32 bit) const {
        return source.moved(first, bit & 10u ? 1 : 0, bit & 12u ? 1 : 0);
    }
    GPU_FUNC float density(uint32 bit) const {
        return present & bit ? source.density(place(bit)) : 0.0f;
    }
    GPU_FUNC double weight(uint32 valid) const {
        return (((valid & 1u ? w00 : 0.0) + (valid & 2u ? w10 : 0.0)) + (valid & 4u ? w01 : 0.0)) +
               (valid & 8u ? w11 : 0.0);
    }
    GPU_FUNC Value sum(int64 band, uint32 valid) const {
        Value sum = valid & 1u ? weighted(source.value(band, first), w00) : Value{};
        if (valid & 2u) sum = add_weighted(sum, source.value(band, place(2u)), w10);
        if (valid & 4u) sum = add_weighted(sum, source.value(band, place(4u)), w01);
        if (valid & 8u) sum = add_weighted(sum, source.value(band, place(8u)), w11);
        return sum;
    }

    const Source& source;
    Place first;
    double w00, w10, w01, w11;  // x, then y
    uint32 present;
};

// 1 - |t| up to |t| = 1.
struct BilinearFilter {
    GPU_FUNC static double weight(double offset, double scale) {
        const double w = fma(-fabs(offset), scale, 1.0);
        return w > 0.0 ? w : 0.0;
    }
};

template <typename Source>
using AntialiasedBilinear = Filtered<Source, BilinearFilter>;

}  // namespace warp
}  // namespace kernels
