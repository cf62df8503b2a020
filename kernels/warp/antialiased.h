// Bilinear and cubic where the destination is coarser than the source: the filter widened to the
// destination's pixels, its weights renormalized over the samples that count. Each direction has a
// scale of its own.
#pragma once

#include "warp/source.h"
#include "warp/store.h"

namespace kernels {
namespace warp {

// 1 - |t| up to |t| = 1. The argument is distance * scale, not below 0.
struct BilinearFilter {
    GPU_FUNC static double weight(double distance, double scale) {
        const double w = fma(-distance, scale, 1.0);
        return w > 0.0 ? w : 0.0;
    }
};

// Keys (1981) with a = -0.5.
struct CubicFilter {
    GPU_FUNC static double weight(double distance, double scale) {
        const double t = product(distance, scale), t2 = product(t, t);
        if (t <= 1.0) return fma(t2, fma(1.5, t, -2.5), 1.0);
        if (t <= 2.0) return fma(t2, fma(-0.5, t, 2.5), fma(-4.0, t, 2.0));
        return 0.0;
    }
};

// The samples of a position, cut off at the raster's edges.
template <typename Filter>
struct FilterStencil {
    int64 column, row;  // left of and above the position
    double x, y;        // the position between it and the next
    int64 x_first, x_last, y_first, y_last;

    GPU_FUNC FilterStencil(const Request& q, double at_x, double at_y)
        : column(static_cast<int64>(floor(at_x - 0.5))),
          row(static_cast<int64>(floor(at_y - 0.5))) {
        x = at_x - 0.5 - static_cast<double>(column);
        y = at_y - 0.5 - static_cast<double>(row);
        x_first = column + q.x_first < 0 ? -column : q.x_first;
        y_first = row + q.y_first < 0 ? -row : q.y_first;
        x_last = column + q.x_radius < q.raster_width ? q.x_radius : q.raster_width - 1 - column;
        y_last = row + q.y_radius < q.raster_height ? q.y_radius : q.raster_height - 1 - row;
    }

    GPU_FUNC double x_weight(const Request& q, int64 i) const {
        return Filter::weight(fabs(static_cast<double>(i) - x), q.x_scale);
    }
    GPU_FUNC double y_weight(const Request& q, int64 j) const {
        return Filter::weight(fabs(static_cast<double>(j) - y), q.y_scale);
    }
    GPU_FUNC Sample sample(const Request& q, int64 i, int64 j) const {
        return sample_at(q, column + i, row + j);
    }

    // kBands bands from `band` on, all samples valid. Sums up in the order of the masked variant.
    template <typename T, int kBands>
    GPU_FUNC void opaque_bands(const Request& q, int64 band, Target at) const {
        double sums[kBands] = {};
        double weight = 0.0, x_weights = 0.0;
        for (int64 i = x_first; i <= x_last; ++i) x_weights += x_weight(q, i);
        const int64 stride = q.window_width * q.window_height;
        for (int64 j = y_first; j <= y_last; ++j) {
            const double wy = y_weight(q, j);
            const T* pixel = source_band<T>(q, band) + sample(q, x_first, j).pixel;
            double row_sums[kBands] = {};
            for (int64 i = x_first; i <= x_last; ++i, ++pixel) {
                const double wx = x_weight(q, i);
                GPU_UNROLL
                for (int b = 0; b < kBands; ++b)
                    row_sums[b] = fma(to_double(load(pixel + b * stride)), wx, row_sums[b]);
            }
            GPU_UNROLL
            for (int b = 0; b < kBands; ++b) sums[b] = fma(row_sums[b], wy, sums[b]);
            weight = fma(x_weights, wy, weight);
        }
        GPU_UNROLL
        for (int b = 0; b < kBands; ++b) {
            store<T>(q, band + b, at, 1.0, sums[b] / weight);
        }
    }

    // One band over its valid samples; density 0 where they don't count.
    template <typename T>
    GPU_FUNC double masked_band(const Request& q, int64 band, double& density) const {
        const T* pixels = source_band<T>(q, band);
        double sum = 0.0, weight = 0.0, density_sum = 0.0;
        bool complete = true;
        for (int64 j = y_first; j <= y_last; ++j) {
            double row_sum = 0.0, row_weight = 0.0, row_density = 0.0;
            Sample s = sample(q, x_first, j);
            for (int64 i = x_first; i <= x_last; ++i, ++s.pixel, ++s.bit) {
                const double d = density_at(q, s);
                if (d < kSourceDensityThreshold || !band_valid_at(q, band, s.bit)) {
                    complete = false;
                    continue;
                }
                const double wx = x_weight(q, i);
                row_sum = fma(to_double(load(pixels + s.pixel)), wx, row_sum);
                row_density = fma(d, wx, row_density);
                row_weight += wx;
            }
            const double wy = y_weight(q, j);
            sum = fma(row_sum, wy, sum);
            density_sum = fma(row_density, wy, density_sum);
            weight = fma(row_weight, wy, weight);
        }
        if (weight < 0.000001 || density_sum < 0.000001) {
            density = 0.0;
            return 0.0;
        }
        // GDAL takes a weight this close to 1 for 1 where it looks at masks.
        if (!complete && weight >= 0.99999 && weight <= 1.00001) weight = 1.0;
        density = density_sum / weight;
        return sum / weight;
    }
};

template <typename Filter>
struct Antialiased {
    GPU_FUNC static SourceBox footprint(const Request& q, double x, double y, int32, int32) {
        return samples_around(q, x, y, q.x_first, q.x_radius, q.y_first, q.y_radius);
    }

    template <typename T, bool kMasked>
    GPU_FUNC static bool bands(const Request& q, double x, double y, Sample, double, Target at) {
        const FilterStencil<Filter> stencil(q, x, y);
        if constexpr (!kMasked) {
            int64 band = 0;
            GPU_NO_UNROLL
            for (; band + 4 <= q.bands; band += 4) stencil.template opaque_bands<T, 4>(q, band, at);
            GPU_NO_UNROLL
            for (; band < q.bands; ++band) stencil.template opaque_bands<T, 1>(q, band, at);
            return true;
        }
        bool found = false;
        GPU_NO_UNROLL
        for (int64 band = 0; band < q.bands; ++band) {
            double density;
            const double value = stencil.template masked_band<T>(q, band, density);
            if (density < kBandDensityThreshold) continue;
            found = true;
            store<T>(q, band, at, density, value);
        }
        return found;
    }
};

using AntialiasedBilinear = Antialiased<BilinearFilter>;
using AntialiasedCubic = Antialiased<CubicFilter>;

}  // namespace warp
}  // namespace kernels
