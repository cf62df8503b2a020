// Cubic convolution (Keys 1981, a = -0.5) over 4 x 4 samples. Where a sample is missing - beyond
// the raster's edge, or masked - the pixel is interpolated bilinearly.
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

    GPU_FUNC double sum(double v0, double v1, double v2, double v3) const {
        return fma(v3, w[3], fma(v2, w[2], fma(v1, w[1], product(v0, w[0]))));
    }

    // The same as a polynomial in t.
    GPU_FUNC double hermite(double v0, double v1, double v2, double v3) const {
        const double linear = v2 - v0;
        const double square = fma(4.0, v2, fma(-5.0, v1, fma(2.0, v0, -v3)));
        const double cube = fma(3.0, v1 - v2, v3 - v0);
        return fma(product(0.5, t), fma(t, fma(t, cube, square), linear), v1);
    }
};

struct CubicStencil {
    Sample first;  // the sample at (-1, -1)
    CubicWeights x, y;

    // Of a position between (column, row) and the next pixel centres.
    GPU_FUNC CubicStencil(const Request& q, double at_x, double at_y, int64 column, int64 row)
        : first(sample_at(q, column - 1, row - 1)),
          x(at_x - 0.5 - static_cast<double>(column)),
          y(at_y - 0.5 - static_cast<double>(row)) {}

    template <typename T>
    GPU_FUNC double row_sum(const T* samples) const {
        return x.sum(to_double(load(samples)), to_double(load(samples + 1)),
                     to_double(load(samples + 2)), to_double(load(samples + 3)));
    }

    // Rows are weighted, or, where GDAL has code for the type, put together by differences: an
    // infinity becomes a NaN.
    template <typename T>
    GPU_FUNC double value(const Request& q, const T* band) const {
        const T* row = band + first.pixel;
        if constexpr (!PixelRange<T>::is_integer && sizeof(T) == 4) {
            return y.hermite(row_sum(row), row_sum(row + q.window_width),
                             row_sum(row + 2 * q.window_width), row_sum(row + 3 * q.window_width));
        }
        return y.sum(row_sum(row), row_sum(row + q.window_width), row_sum(row + 2 * q.window_width),
                     row_sum(row + 3 * q.window_width));
    }

    GPU_FUNC double density(const Request& q) const {
        return q.source_density != nullptr ? value(q, q.source_density) : 1.0;
    }

    GPU_FUNC bool opaque(const Request& q) const {
        bool all = true;
        GPU_NO_UNROLL
        for (int64 j = 0; j < 4; ++j) {
            for (int64 i = 0; i < 4; ++i) {
                const Sample s{first.pixel + j * q.window_width + i,
                               first.bit + j * q.mask_stride + i};
                all = all && !(density_at(q, s) < kSourceDensityThreshold);
            }
        }
        return all;
    }

    GPU_FUNC bool band_valid(const Request& q, int64 band) const {
        bool all = true;
        GPU_NO_UNROLL
        for (int64 j = 0; q.band_valid != nullptr && j < 4; ++j) {
            for (int64 i = 0; i < 4; ++i)
                all = all && band_valid_at(q, band, first.bit + j * q.mask_stride + i);
        }
        return all;
    }
};

struct Cubic {
    GPU_FUNC static SourceBox footprint(const Request& q, double x, double y, int32, int32) {
        return samples_around(q, x, y, -1, 2, -1, 2);
    }

    template <typename T, bool kMasked>
    GPU_FUNC static bool bands(const Request& q, double x, double y, Sample centre, double density,
                               Target at) {
        const int64 column = static_cast<int64>(floor(x - 0.5)),
                    row = static_cast<int64>(floor(y - 0.5));
        if (column < 1 || column + 2 >= q.raster_width || row < 1 || row + 2 >= q.raster_height) {
            return Bilinear::bands<T, kMasked>(q, x, y, centre, density, at);
        }
        const CubicStencil cubic(q, x, y, column, row);
        if constexpr (!kMasked) {
            GPU_NO_UNROLL
            for (int64 band = 0; band < q.bands; ++band) {
                store<T>(q, band, at, 1.0, cubic.value(q, source_band<T>(q, band)));
            }
            return true;
        }
        if (!cubic.opaque(q)) return Bilinear::bands<T, kMasked>(q, x, y, centre, density, at);
        const double cubic_density = cubic.density(q);
        bool found = false;
        GPU_NO_UNROLL
        for (int64 band = 0; band < q.bands; ++band) {
            double band_density = cubic_density, value;
            if (cubic.band_valid(q, band)) {
                value = cubic.value(q, source_band<T>(q, band));
            } else {
                const typename TypeStencil<T>::Bilinear bilinear(q, x, y);
                value = bilinear.template value<T>(q, band, bilinear.density(q, 1u),
                                                   bilinear.density(q, 2u), bilinear.density(q, 4u),
                                                   bilinear.density(q, 8u), band_density);
            }
            if (band_density < kBandDensityThreshold) continue;
            found = true;
            store<T>(q, band, at, band_density, value);
        }
        return found;
    }
};

}  // namespace warp
}  // namespace kernels
