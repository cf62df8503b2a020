// Lanczos's windowed sinc of three lobes. Where the destination is coarser, GDAL's weights
// until 3.9 are those of whole pixels from the middle sample, wherever the position lies between
// two.
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

// The weights along one axis of a position t, from 0 to 1, behind sample 0: of samples first,
// first + 1, ... by a Cursor.
class LanczosWeights {
  public:
    static constexpr int kMost = 7;  // samples of a filter that isn't widened

    // A sample's place x in the filter, and pi x.
    struct Turning {
        double x, sine, cosine, sine_of_third, cosine_of_third;
    };

    GPU_FUNC LanczosWeights(double t, double axis_scale, const double* by_sample, int64 table_first,
                            bool follows_position, const Turn& by_turn, int64 first)
        : table(by_sample != nullptr ? by_sample + (first - table_first) : nullptr),
          turn(by_turn),
          scale(axis_scale),
          follows(follows_position && axis_scale < 1.0) {
        if (follows) {
            start.x = (static_cast<double>(first) - t) * scale;
            const double s = sin(M_PI / 3.0 * start.x), c = cos(M_PI / 3.0 * start.x);
            start.sine_of_third = s;
            start.cosine_of_third = c;
            start.sine = (3.0 - 4.0 * s * s) * s;
            start.cosine = (4.0 * c * c - 3.0) * c;
        } else if (scale >= 1.0) {
            // sin(pi (i - t)) sin(pi (i - t) / 3) repeats every three samples.
            const double s = lanczos_sine(-M_PI / 3.0 * t);
            const double square = s * s;
            const double height = 3.0 / (M_PI * M_PI) * ((3.0 - 4.0 * square) * s);
            const double even = -0.5 * height * s;
            const double odd = 0.8660254037844386 * height * sqrt(1.0 - square);
            const double heights[3] = {height * s, even - odd, even + odd};
            int phase = static_cast<int>((first + 3) % 3);
            for (int i = 0; i < kMost; ++i) {
                const double distance = static_cast<double>(first + i) - t;
                narrow[i] = distance == 0.0 ? 1.0 : heights[phase] / (distance * distance);
                phase = phase == 2 ? 0 : phase + 1;
            }
        }
    }

    // Goes through the samples.
    class Cursor {
      public:
        GPU_FUNC explicit Cursor(const LanczosWeights& weights)
            : of(weights), table(weights.table), turning(weights.start) {}

        GPU_FUNC double next() {
            if (of.follows) return next_of_turns();
            return table != nullptr ? load(table++) : of.narrow[index++];
        }

      private:
        // GDAL's factor, in which pi squared is on the wrong side: it has no effect but where x is
        // exactly 0.
        GPU_FUNC double next_of_turns() {
            Turning& t = turning;
            const Turn& turn = of.turn;
            const double weight =
                t.x == 0.0 ? 1.0 : 3.0 * M_PI * M_PI * t.sine * t.sine_of_third / (t.x * t.x);
            t.x += of.scale;
            const double sine = t.sine * turn.cosine + t.cosine * turn.sine;
            t.cosine = t.cosine * turn.cosine - t.sine * turn.sine;
            t.sine = sine;
            const double sine_of_third =
                t.sine_of_third * turn.cosine_of_third + t.cosine_of_third * turn.sine_of_third;
            t.cosine_of_third =
                t.cosine_of_third * turn.cosine_of_third - t.sine_of_third * turn.sine_of_third;
            t.sine_of_third = sine_of_third;
            return weight;
        }

        const LanczosWeights& of;
        const double* table;
        int index = 0;
        Turning turning;
    };

    GPU_FUNC double sum(int64 count) const {
        Cursor weights(*this);
        double result = 0.0;
        for (int64 i = 0; i < count; ++i) result += weights.next();
        return result;
    }

  private:
    const double* table;
    const Turn& turn;
    const double scale;
    const bool follows;
    double narrow[kMost];  // the weights, where the filter isn't widened
    Turning start;
};

// The samples along an axis that count, cut off at the raster's edges: 0 is the one before the
// position t.
struct LanczosReach {
    int64 first, last;

    GPU_FUNC LanczosReach(double t, double scale, int64 filter_first, int64 filter_last,
                          bool follows_position, int64 origin, int64 size)
        : first(filter_first), last(filter_last) {
        if (origin + first < 0) first = -origin;
        if (origin + last >= size) last = size - 1 - origin;
        if (scale < 1.0 && !follows_position) return;
        while ((static_cast<double>(first) - t) * scale < -3.0) ++first;
        while ((static_cast<double>(last) - t) * scale > 3.0) --last;
    }

    GPU_FUNC int64 count() const { return last - first + 1; }
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
        const int64 column = before(at.x), row = before(at.y);
        const LanczosReach x = x_reach(f, at.x, column, q.raster_width),
                           y = y_reach(f, at.y, row, q.raster_height);
        return {static_cast<int32>(column + x.first), static_cast<int32>(row + y.first),
                static_cast<int32>(column + x.last), static_cast<int32>(row + y.last)};
    }

    GPU_FUNC Lanczos(const Source& from, const Filter& f, const Point& at)
        : source(from),
          column(before(at.x)),
          row(before(at.y)),
          x(x_reach(f, at.x, column, source.width())),
          y(y_reach(f, at.y, row, source.height())),
          x_weights(behind(at.x), f.x_scale, f.x_weights, f.x_first,
                    f.lanczos_follows_position != 0, f.x_turn, x.first),
          y_weights(behind(at.y), f.y_scale, f.y_weights, f.y_first,
                    f.lanczos_follows_position != 0, f.y_turn, y.first),
          takes_few(f.lanczos_takes_few_samples != 0) {}

    template <int kBands>
    GPU_FUNC double opaque(int64 band, Value (&values)[kBands]) const {
        const double weight = whole_weight();
        if (weight < 0.000001) return 0.0;
        Value sums[kBands] = {};
        LanczosWeights::Cursor wy(y_weights);
        for (int64 j = y.first; j <= y.last; ++j) {
            Place place = source.at(column + x.first, row + j);
            Value row_sums[kBands] = {};
            LanczosWeights::Cursor wx(x_weights);
            for (int64 i = x.first; i <= x.last; ++i, place = source.moved(place, 1, 0)) {
                const double w = wx.next();
                GPU_UNROLL
                for (int b = 0; b < kBands; ++b)
                    row_sums[b] = add_weighted(row_sums[b], source.value(band + b, place), w);
            }
            const double w = wy.next();
            GPU_UNROLL
            for (int b = 0; b < kBands; ++b) sums[b] = add_weighted(sums[b], row_sums[b], w);
        }
        GPU_UNROLL
        for (int b = 0; b < kBands; ++b) values[b] = normalized(sums[b], weight);
        return 1.0;
    }

    // Half of the samples must be valid, but for GDAL's newest versions.
    GPU_FUNC Sampled<Value> sample(int64 band) const {
        Value sum{};
        double weight = 0.0, density = 0.0;
        int64 valid = 0;
        LanczosWeights::Cursor wy(y_weights);
        for (int64 j = y.first; j <= y.last; ++j) {
            Value row_sum{};
            double row_weight = 0.0, row_density = 0.0;
            Place place = source.at(column + x.first, row + j);
            LanczosWeights::Cursor wx(x_weights);
            for (int64 i = x.first; i <= x.last; ++i, place = source.moved(place, 1, 0)) {
                const double w = wx.next();
                const double d = source.density(place);
                if (d < kSourceDensityThreshold || !source.band_valid(band, place)) continue;
                ++valid;
                row_sum = add_weighted(row_sum, source.value(band, place), w);
                row_density = fma(d, w, row_density);
                row_weight += w;
            }
            const double w = wy.next();
            sum = add_weighted(sum, row_sum, w);
            density = fma(row_density, w, density);
            weight = fma(row_weight, w, weight);
        }
        const int64 all = x.count() * y.count();
        if (valid == all) weight = whole_weight();
        if (weight < 0.000001 || density < 0.000001 || (!takes_few && valid < all / 2)) {
            return {0.0, Value{}};
        }
        return {normalized(density, weight), normalized(sum, weight)};
    }

  private:
    GPU_FUNC static int64 before(double at) { return static_cast<int64>(floor(at - 0.5)); }
    GPU_FUNC static double behind(double at) { return at - 0.5 - static_cast<double>(before(at)); }
    GPU_FUNC static LanczosReach x_reach(const Filter& f, double at, int64 origin, int64 size) {
        return {behind(at), f.x_scale, f.x_first, f.x_radius, f.lanczos_follows_position != 0,
                origin,     size};
    }
    GPU_FUNC static LanczosReach y_reach(const Filter& f, double at, int64 origin, int64 size) {
        return {behind(at), f.y_scale, f.y_first, f.y_radius, f.lanczos_follows_position != 0,
                origin,     size};
    }
    GPU_FUNC double whole_weight() const {
        return product(x_weights.sum(x.count()), y_weights.sum(y.count()));
    }
    // GDAL takes a weight this close to 1 for 1.
    template <typename V>
    GPU_FUNC static V normalized(V sum, double weight) {
        if (weight >= 0.99999 && weight <= 1.00001) return sum;
        return weighted(sum, 1.0 / weight);
    }

    const Source& source;
    const int64 column, row;  // left of and above the position
    const LanczosReach x, y;
    const LanczosWeights x_weights, y_weights;
    const bool takes_few;
};

}  // namespace warp
}  // namespace kernels
