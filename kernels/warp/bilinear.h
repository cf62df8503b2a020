// Bilinear interpolation between the four pixel centres around the position.
//
// The sums are written with fma() and product(), so that a pixel comes out the same to the last bit
// whether masks are absent, or there and all set; GDAL drops a mask where a chunk needs none.
#pragma once

#include "warp/source.h"
#include "warp/store.h"

namespace kernels {
namespace warp {

// The four samples of a position. One beyond the raster's far edge isn't there; before its near
// edge the position is taken to the first pixel's centre. Then the other pixel has no weight;
// GDAL's code for all types still reads it, which a NaN shows through, and its code for some types
// doesn't: kReads.
template <bool kReads>
struct BilinearStencil {
    Sample first;
    double w00, w10, w01, w11;  // x, then y
    uint32 present;             // bits as in `valid` of sum()

    GPU_FUNC BilinearStencil(const Request& q, double x, double y) {
        int64 column = static_cast<int64>(floor(x - 0.5)), row = static_cast<int64>(floor(y - 0.5));
        double left = 1.5 - (x - static_cast<double>(column));
        double top = 1.5 - (y - static_cast<double>(row));
        bool has_right = true, has_bottom = true;
        if (column < 0) {
            column = 0;
            left = 1.0;
            has_right = kReads;
        }
        if (row < 0) {
            row = 0;
            top = 1.0;
            has_bottom = kReads;
        }
        has_right = has_right && column + 1 < q.raster_width;
        has_bottom = has_bottom && row + 1 < q.raster_height;
        const double right = has_right ? 1.0 - left : 0.0, bottom = has_bottom ? 1.0 - top : 0.0;
        w00 = product(left, top);
        w10 = product(right, top);
        w01 = product(left, bottom);
        w11 = product(right, bottom);
        first = sample_at(q, column, row);
        present = has_right ? 3u : 1u;
        if (has_bottom) present |= present << 2;
    }

    // Over the samples whose bits are set in `valid`: 1, 2 (right), 4 (below), 8.
    template <typename T>
    GPU_FUNC double sum(const T* band, int64 stride, uint32 valid) const {
        const T* const above = band + first.pixel;
        const T* const below = above + stride;
        double sum = valid & 1u ? product(to_double(load(above)), w00) : 0.0;
        if (valid & 2u) sum = fma(to_double(load(above + 1)), w10, sum);
        if (valid & 4u) sum = fma(to_double(load(below)), w01, sum);
        if (valid & 8u) sum = fma(to_double(load(below + 1)), w11, sum);
        return sum;
    }

    GPU_FUNC double weight(uint32 valid) const {
        return (((valid & 1u ? w00 : 0.0) + (valid & 2u ? w10 : 0.0)) + (valid & 4u ? w01 : 0.0)) +
               (valid & 8u ? w11 : 0.0);
    }

    template <typename T>
    GPU_FUNC double value(const T* band, int64 stride) const {
        if (present == 15u) return sum(band, stride, 15u);
        return sum(band, stride, present) / weight(present);
    }

    GPU_FUNC Sample sample(const Request& q, int i, int j) const {
        return {first.pixel + i + (j ? q.window_width : 0),
                first.bit + i + (j ? q.mask_stride : 0)};
    }

    // Over the valid samples alone; density 0 where there is none. d: density_at() of each sample
    // that is present, else 0.
    template <typename T>
    GPU_FUNC double value(const Request& q, int64 index, float d00, float d10, float d01, float d11,
                          double& density) const {
        uint32 valid = 0;
        if (d00 > kSourceDensityThreshold && band_valid_at(q, index, first.bit)) valid |= 1u;
        if (d10 > kSourceDensityThreshold && band_valid_at(q, index, sample(q, 1, 0).bit))
            valid |= 2u;
        if (d01 > kSourceDensityThreshold && band_valid_at(q, index, sample(q, 0, 1).bit))
            valid |= 4u;
        if (d11 > kSourceDensityThreshold && band_valid_at(q, index, sample(q, 1, 1).bit))
            valid |= 8u;
        const double weights = weight(valid);
        if (weights < 0.00001) {
            density = 0.0;
            return 0.0;
        }
        density = valid & 1u ? product(d00, w00) : 0.0;
        if (valid & 2u) density = fma(double(d10), w10, density);
        if (valid & 4u) density = fma(double(d01), w01, density);
        if (valid & 8u) density = fma(double(d11), w11, density);
        density /= weights;
        const double values = sum(source_band<T>(q, index), q.window_width, valid);
        return valid == 15u ? values : values / weights;
    }

    GPU_FUNC float density(const Request& q, uint32 bit) const {
        return present & bit ? density_at(q, sample(q, bit & 10u ? 1 : 0, bit & 12u ? 1 : 0))
                             : 0.0f;
    }
};

// What GDAL's code for the type reads.
template <typename T>
struct TypeStencil {
    using Bilinear = BilinearStencil<false>;
};
template <>
struct TypeStencil<double> {
    using Bilinear = BilinearStencil<true>;
};

struct Bilinear {
    GPU_FUNC static SourceBox footprint(const Request& q, double x, double y, int32, int32) {
        SourceBox box = samples_around(q, x, y, 0, 1, 0, 1);
        if (box.x_max == 0 && q.raster_width > 1) box.x_max = 1;
        if (box.y_max == 0 && q.raster_height > 1) box.y_max = 1;
        return box;
    }

    template <typename T, bool kMasked>
    GPU_FUNC static bool bands(const Request& q, double x, double y, Sample, double, Target at) {
        const typename TypeStencil<T>::Bilinear stencil(q, x, y);
        if constexpr (!kMasked) {
            GPU_NO_UNROLL
            for (int64 band = 0; band < q.bands; ++band) {
                store<T>(q, band, at, 1.0, stencil.value(source_band<T>(q, band), q.window_width));
            }
            return true;
        }
        const float d00 = stencil.density(q, 1u), d10 = stencil.density(q, 2u);
        const float d01 = stencil.density(q, 4u), d11 = stencil.density(q, 8u);
        bool found = false;
        GPU_NO_UNROLL
        for (int64 band = 0; band < q.bands; ++band) {
            double density;
            const double value = stencil.template value<T>(q, band, d00, d10, d01, d11, density);
            if (density < kBandDensityThreshold) continue;
            found = true;
            store<T>(q, band, at, density, value);
        }
        return found;
    }
};

}  // namespace warp
}  // namespace kernels
