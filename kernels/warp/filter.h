// A filter over the samples around the position, its weights renormalized over those that count.
// Where the destination is coarser it is widened to the destination's pixels, along each axis by a
// scale of its own.
#pragma once

#include "warp/position.h"
#include "warp/source.h"

namespace kernels {
namespace warp {

// Kernel: a struct with a static weight(offset, scale) of a sample so far after the position.
template <typename Source, typename Kernel>
class Filtered {
  public:
    using Value = typename Source::Value;
    using Position = Point;
    static constexpr bool kCopies = false;
    static constexpr int kBandsTogether = 4;

    GPU_FUNC static SourceBox footprint(const Request& q, const Point& at) {
        const Filter& f = q.filter;
        return at.samples(q, f.x_first, f.x_radius, f.y_first, f.y_radius);
    }

    GPU_FUNC Filtered(const Source& from, const Filter& f, const Point& at)
        : source(from),
          filter(f),
          column(static_cast<int64>(floor(at.x - 0.5))),
          row(static_cast<int64>(floor(at.y - 0.5))) {
        x = at.x - 0.5 - static_cast<double>(column);
        y = at.y - 0.5 - static_cast<double>(row);
        x_first = column + f.x_first < 0 ? -column : f.x_first;
        y_first = row + f.y_first < 0 ? -row : f.y_first;
        x_last = column + f.x_radius < source.width() ? f.x_radius : source.width() - 1 - column;
        y_last = row + f.y_radius < source.height() ? f.y_radius : source.height() - 1 - row;
    }

    // Sums up in the order of sample().
    template <int kBands>
    GPU_FUNC double opaque(int64 band, Value (&values)[kBands]) const {
        Value sums[kBands] = {};
        double weight = 0.0, x_weights = 0.0;
        for (int64 i = x_first; i <= x_last; ++i) x_weights += x_weight(i);
        for (int64 j = y_first; j <= y_last; ++j) {
            const double wy = y_weight(j);
            Place place = source.at(column + x_first, row + j);
            Value row_sums[kBands] = {};
            for (int64 i = x_first; i <= x_last; ++i, place = source.moved(place, 1, 0)) {
                const double wx = x_weight(i);
                GPU_UNROLL
                for (int b = 0; b < kBands; ++b)
                    row_sums[b] = add_weighted(row_sums[b], source.value(band + b, place), wx);
            }
            GPU_UNROLL
            for (int b = 0; b < kBands; ++b) sums[b] = add_weighted(sums[b], row_sums[b], wy);
            weight = fma(x_weights, wy, weight);
        }
        GPU_UNROLL
        for (int b = 0; b < kBands; ++b) values[b] = divided(sums[b], weight);
        return 1.0;
    }

    // Over the valid samples alone.
    GPU_FUNC Sampled<Value> sample(int64 band) const {
        Value sum{};
        double weight = 0.0, density_sum = 0.0;
        bool complete = true;
        for (int64 j = y_first; j <= y_last; ++j) {
            Value row_sum{};
            double row_weight = 0.0, row_density = 0.0;
            Place place = source.at(column + x_first, row + j);
            for (int64 i = x_first; i <= x_last; ++i, place = source.moved(place, 1, 0)) {
                const double d = source.density(place);
                if (d < kSourceDensityThreshold || !source.band_valid(band, place)) {
                    complete = false;
                    continue;
                }
                const double wx = x_weight(i);
                row_sum = add_weighted(row_sum, source.value(band, place), wx);
                row_density = fma(d, wx, row_density);
                row_weight += wx;
            }
            const double wy = y_weight(j);
            sum = add_weighted(sum, row_sum, wy);
            density_sum = fma(row_density, wy, density_sum);
            weight = fma(row_weight, wy, weight);
        }
        if (weight < 0.000001 || density_sum < 0.000001) return {0.0, Value{}};
        // GDAL takes a weight this close to 1 for 1 where it looks at masks.
        if (!complete && weight >= 0.99999 && weight <= 1.00001) weight = 1.0;
        return {density_sum / weight, divided(sum, weight)};
    }

  private:
    GPU_FUNC double x_weight(int64 i) const {
        return Kernel::weight(static_cast<double>(i) - x, filter.x_scale);
    }
    GPU_FUNC double y_weight(int64 j) const {
        return Kernel::weight(static_cast<double>(j) - y, filter.y_scale);
    }

    const Source& source;
    const Filter& filter;
    const int64 column, row;  // left of and above the position
    double x, y;              // the position between it and the next
    int64 x_first, x_last, y_first, y_last;
};

}  // namespace warp
}  // namespace kernels
