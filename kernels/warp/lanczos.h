// Lanczos's windowed sinc of three lobes. Where the destination is coarser, the weights are those
// of whole pixels from the middle sample, wherever the position lies between two: as GDAL has it.
#pragma once

#include "warp/position.h"
#include "warp/source.h"

namespace kernels {
namespace warp {

// sin(t) for |t| up to pi / 3: Taylor's series, in the same order on every device.
GPU_FUNC double lanczos_sine(double t) {
    const double s = t * t;
    double sum = 1.0 / 51090942171709440000.0;  // 21!
    sum = sum * s - 1.0 / 121645100408832000.0;
    sum = sum * s + 1.0 / 355687428096000.0;
    sum = sum * s - 1.0 / 1307674368000.0;
    sum = sum * s + 1.0 / 6227020800.0;
    sum = sum * s - 1.0 / 39916800.0;
    sum = sum * s + 1.0 / 362880.0;
    sum = sum * s - 1.0 / 5040.0;
    sum = sum * s + 1.0 / 120.0;
    sum = sum * s - 1.0 / 6.0;
    return t + t * s * sum;
}

// The weights along one axis of a position t, from 0 to 1, behind sample 0.
class LanczosWeights {
  public:
    GPU_FUNC LanczosWeights(double t, double scale, const double* by_sample, int64 first)
        : table(by_sample), table_first(first), at(t) {
        if (scale < 1.0) return;
        // sin(pi (i - t)) sin(pi (i - t) / 3) repeats every three samples.
        const double sine = lanczos_sine(-M_PI / 3.0 * t);
        const double square = sine * sine;
        const double cosine = sqrt(1.0 - square);
        const double height = 3.0 / (M_PI * M_PI) * ((3.0 - 4.0 * square) * sine);
        const double even = -0.5 * height * sine;
        const double odd = 0.8660254037844386 * height * cosine;
        heights[0] = height * sine;
        heights[1] = even - odd;
        heights[2] = even + odd;
    }

    GPU_FUNC double operator()(int64 i) const {
        if (table != nullptr) return load(table + (i - table_first));
        const double distance = static_cast<double>(i) - at;
        if (distance == 0.0) return 1.0;
        return heights[(i + 3) % 3] / (distance * distance);
    }

  private:
    const double* table;
    int64 table_first;
    double at;
    double heights[3];
};

template <typename Source>
class Lanczos {
  public:
    using Value = typename Source::Value;
    using Position = Point;
    static constexpr bool kCopies = false;
    static constexpr int kBandsTogether = 4;

    GPU_FUNC static SourceBox footprint(const Request& q, const Point& at) {
        const Filter& f = q.filter;
        return at.samples(q, first_of(f.x_scale, f.x_first, fraction(at.x)), f.x_radius,
                          first_of(f.y_scale, f.y_first, fraction(at.y)), f.y_radius);
    }

    GPU_FUNC Lanczos(const Source& from, const Filter& f, const Point& at)
        : source(from),
          column(static_cast<int64>(floor(at.x - 0.5))),
          row(static_cast<int64>(floor(at.y - 0.5))),
          x_weights(fraction(at.x), f.x_scale, f.x_weights, f.x_first),
          y_weights(fraction(at.y), f.y_scale, f.y_weights, f.y_first) {
        x_first = first_of(f.x_scale, f.x_first, fraction(at.x));
        y_first = first_of(f.y_scale, f.y_first, fraction(at.y));
        if (column + x_first < 0) x_first = -column;
        if (row + y_first < 0) y_first = -row;
        x_last = column + f.x_radius < source.width() ? f.x_radius : source.width() - 1 - column;
        y_last = row + f.y_radius < source.height() ? f.y_radius : source.height() - 1 - row;
    }

    template <int kBands>
    GPU_FUNC double opaque(int64 band, Value (&values)[kBands]) const {
        const double weight = whole_weight();
        if (weight < 0.000001) return 0.0;
        Value sums[kBands] = {};
        for (int64 j = y_first; j <= y_last; ++j) {
            Place place = source.at(column + x_first, row + j);
            Value row_sums[kBands] = {};
            for (int64 i = x_first; i <= x_last; ++i, place = source.moved(place, 1, 0)) {
                const double wx = x_weights(i);
                GPU_UNROLL
                for (int b = 0; b < kBands; ++b)
                    row_sums[b] = add_weighted(row_sums[b], source.value(band + b, place), wx);
            }
            const double wy = y_weights(j);
            GPU_UNROLL
            for (int b = 0; b < kBands; ++b) sums[b] = add_weighted(sums[b], row_sums[b], wy);
        }
        GPU_UNROLL
        for (int b = 0; b < kBands; ++b) values[b] = normalized(sums[b], weight);
        return 1.0;
    }

    // Half of the samples must be valid.
    GPU_FUNC Sampled<Value> sample(int64 band) const {
        Value sum{};
        double weight = 0.0, density = 0.0;
        int64 valid = 0;
        for (int64 j = y_first; j <= y_last; ++j) {
            Value row_sum{};
            double row_weight = 0.0, row_density = 0.0;
            Place place = source.at(column + x_first, row + j);
            for (int64 i = x_first; i <= x_last; ++i, place = source.moved(place, 1, 0)) {
                const double d = source.density(place);
                if (d < kSourceDensityThreshold || !source.band_valid(band, place)) continue;
                const double wx = x_weights(i);
                ++valid;
                row_sum = add_weighted(row_sum, source.value(band, place), wx);
                row_density = fma(d, wx, row_density);
                row_weight += wx;
            }
            const double wy = y_weights(j);
            sum = add_weighted(sum, row_sum, wy);
            density = fma(row_density, wy, density);
            weight = fma(row_weight, wy, weight);
        }
        const int64 all = (y_last - y_first + 1) * (x_last - x_first + 1);
        if (valid == all) weight = whole_weight();
        if (weight < 0.000001 || density < 0.000001 || valid < all / 2) return {0.0, Value{}};
        return {normalized(density, weight), normalized(sum, weight)};
    }

  private:
    GPU_FUNC static double fraction(double at) {
        return at - 0.5 - static_cast<double>(static_cast<int64>(floor(at - 0.5)));
    }
    // Not widened, the sample three before counts only where the position is exactly on one.
    GPU_FUNC static int64 first_of(double scale, int64 first, double t) {
        return scale < 1.0 || t == 0.0 ? first : first + 1;
    }
    GPU_FUNC double whole_weight() const {
        double along_x = 0.0, along_y = 0.0;
        for (int64 i = x_first; i <= x_last; ++i) along_x += x_weights(i);
        for (int64 j = y_first; j <= y_last; ++j) along_y += y_weights(j);
        return product(along_x, along_y);
    }
    // GDAL takes a weight this close to 1 for 1.
    template <typename V>
    GPU_FUNC static V normalized(V sum, double weight) {
        if (weight >= 0.99999 && weight <= 1.00001) return sum;
        return weighted(sum, 1.0 / weight);
    }

    const Source& source;
    const int64 column, row;  // left of and above the position
    const LanczosWeights x_weights, y_weights;
    int64 x_first, x_last, y_first, y_last;
};

}  // namespace warp
}  // namespace kernels
