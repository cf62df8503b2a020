// Cubic convolution (Keys 1981, a = -0.5) over 4 x 4 samples. Where a sample is missing - beyond
// the raster's edge, or masked - the pixel is interpolated bilinearly. Where the destination is
// coarser, the same filter, widened.
#pragma once

#include "warp/bilinear.h"

namespace kernels {
namespace warp {

// The weights of the samples at -1, 0, 1 and 2 for a position t between 0 and 1.
struct CubicWeights {
    double t;
    double w[4];

    GPU_FUNC explicit CubicWeights(double at) : t(at) {
        const double half = product(0.5, t);
        w[0] = product(half, fma(t, 2.0 - t, -1.0));
        w[1] = fma(product(half, t), fma(3.0, t, -5.0), 1.0);
        w[2] = product(half, fma(t, fma(-3.0, t, 4.0), 1.0));
        w[3] = product(product(half, t), t - 1.0);
    }

    template <typename Value>
    GPU_FUNC Value sum(Value v0, Value v1, Value v2, Value v3) const {
        return add_weighted(add_weighted(add_weighted(weighted(v0, w[0]), v1, w[1]), v2, w[2]), v3,
                            w[3]);
    }

    // The same as a polynomial in t.
    GPU_FUNC double hermite(double v0, double v1, double v2, double v3) const {
        const double linear = v2 - v0;
        const double square = fma(4.0, v2, fma(-5.0, v1, fma(2.0, v0, -v3)));
        const double cube = fma(3.0, v1 - v2, v3 - v0);
        return fma(product(0.5, t), fma(t, fma(t, cube, square), linear), v1);
    }
};

// Whether GDAL puts rows of the type together by differences, where an infinity becomes a NaN.
template <typename T>
struct RowsByDifferences {
    static constexpr bool value = false;
};
template <>
struct RowsByDifferences<float> {
    static constexpr bool value = true;
};

template <typename Source>
class Cubic {
  public:
    using Value = typename Source::Value;
    using Position = Point;
    static constexpr bool kCopies = false;
    static constexpr int kBandsTogether = 1;

    GPU_FUNC static SourceBox footprint(const Request& q, const Point& at) {
        return at.samples(q, -1, 2, -1, 2);
    }

    GPU_FUNC Cubic(const Source& from, const Filter& f, const Point& position)
        : source(from),
          filter(f),
          at(position),
          column(static_cast<int64>(floor(at.x - 0.5))),
          row(static_cast<int64>(floor(at.y - 0.5))),
          inside(column >= 1 && column + 2 < source.width() && row >= 1 &&
                 row + 2 < source.height()),
          first(source.at(column - 1, row - 1)),
          whole(inside && (!Source::kMasked || dense())),
          x(at.x - 0.5 - static_cast<double>(column)),
          y(at.y - 0.5 - static_cast<double>(row)) {}

    template <int kBands>
    GPU_FUNC double opaque(int64 band, Value (&values)[kBands]) const {
        if (!inside) return bilinear().template opaque<kBands>(band, values);
        values[0] = value(band);
        return 1.0;
    }

    GPU_FUNC Sampled<Value> sample(int64 band) const {
        if (!whole || !valid(band)) return bilinear().sample(band);
        return {density(), value(band)};
    }

  private:
    GPU_FUNC Bilinear<Source> bilinear() const { return Bilinear<Source>(source, filter, at); }

    GPU_FUNC Value row_value(int64 band, int64 j) const {
        const Place begin = source.moved(first, 0, j);
        return x.sum(source.value(band, begin), source.value(band, source.moved(begin, 1, 0)),
                     source.value(band, source.moved(begin, 2, 0)),
                     source.value(band, source.moved(begin, 3, 0)));
    }
    GPU_FUNC Value value(int64 band) const {
        if constexpr (RowsByDifferences<typename Source::Pixel>::value) {
            return y.hermite(row_value(band, 0), row_value(band, 1), row_value(band, 2),
                             row_value(band, 3));
        } else {
            return y.sum(row_value(band, 0), row_value(band, 1), row_value(band, 2),
                         row_value(band, 3));
        }
    }

    GPU_FUNC double row_density(int64 j) const {
        const Place begin = source.moved(first, 0, j);
        return x.sum(to_double(source.own_density(begin)),
                     to_double(source.own_density(source.moved(begin, 1, 0))),
                     to_double(source.own_density(source.moved(begin, 2, 0))),
                     to_double(source.own_density(source.moved(begin, 3, 0))));
    }
    GPU_FUNC double density() const {
        if (!source.has_density()) return 1.0;
        return y.hermite(row_density(0), row_density(1), row_density(2), row_density(3));
    }

    GPU_FUNC bool dense() const {
        bool all = true;
        GPU_NO_UNROLL
        for (int64 j = 0; j < 4; ++j) {
            for (int64 i = 0; i < 4; ++i) {
                all = all && !(source.density(source.moved(first, i, j)) < kSourceDensityThreshold);
            }
        }
        return all;
    }
    GPU_FUNC bool valid(int64 band) const {
        bool all = true;
        GPU_NO_UNROLL
        for (int64 j = 0; source.has_band_masks() && j < 4; ++j) {
            for (int64 i = 0; i < 4; ++i)
                all = all && source.band_valid(band, source.moved(first, i, j));
        }
        return all;
    }

    const Source& source;
    const Filter& filter;
    const Point at;
    const int64 column, row;  // left of and above the position
    const bool inside;        // all 16 samples are in the raster
    const Place first;        // the sample at (-1, -1)
    const bool whole;         // and none is hidden by a mask of all bands
    const CubicWeights x, y;
};

struct CubicFilter {
    GPU_FUNC static double weight(double offset, double scale) {
        const double t = product(fabs(offset), scale), t2 = product(t, t);
        if (t <= 1.0) return fma(t2, fma(1.5, t, -2.5), 1.0);
        if (t <= 2.0) return fma(t2, fma(-0.5, t, 2.5), fma(-4.0, t, 2.0));
        return 0.0;
    }
};

template <typename Source>
using AntialiasedCubic = Filtered<Source, CubicFilter>;

}  // namespace warp
}  // namespace kernels
