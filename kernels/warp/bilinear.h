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
    Sample s00, s10, s01, s11;  // x, then y
    double w00, w10, w01, w11;
    bool has_right, has_bottom;

    GPU_FUNC BilinearStencil(const Request& q, double x, double y) {
        int64 column = static_cast<int64>(floor(x - 0.5)), row = static_cast<int64>(floor(y - 0.5));
        double left = 1.5 - (x - static_cast<double>(column));
        double top = 1.5 - (y - static_cast<double>(row));
        has_right = has_bottom = true;
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
        s00 = sample_at(q, column, row);
        s10 = {s00.pixel + 1, s00.bit + 1};
        s01 = {s00.pixel + q.window_width, s00.bit + q.mask_stride};
        s11 = {s01.pixel + 1, s01.bit + 1};
    }

    template <typename T>
    GPU_FUNC double sum(const T* band, bool v00, bool v10, bool v01, bool v11) const {
        double sum = v00 ? product(to_double(load(band + s00.pixel)), w00) : 0.0;
        if (v10) sum = fma(to_double(load(band + s10.pixel)), w10, sum);
        if (v01) sum = fma(to_double(load(band + s01.pixel)), w01, sum);
        if (v11) sum = fma(to_double(load(band + s11.pixel)), w11, sum);
        return sum;
    }

    GPU_FUNC double weight(bool v00, bool v10, bool v01, bool v11) const {
        return (((v00 ? w00 : 0.0) + (v10 ? w10 : 0.0)) + (v01 ? w01 : 0.0)) + (v11 ? w11 : 0.0);
    }

    template <typename T>
    GPU_FUNC double value(const T* band) const {
        if (has_right && has_bottom) return sum(band, true, true, true, true);
        const bool has_both = has_right && has_bottom;
        return sum(band, true, has_right, has_bottom, has_both) /
               weight(true, has_right, has_bottom, has_both);
    }

    // With masks: over the valid samples alone; density 0 where there is none.
    struct Densities {
        double d00, d10, d01, d11;
    };
    GPU_FUNC Densities densities(const Request& q) const {
        return {density_at(q, s00), has_right ? density_at(q, s10) : 0.0,
                has_bottom ? density_at(q, s01) : 0.0,
                has_right && has_bottom ? density_at(q, s11) : 0.0};
    }
    template <typename T>
    GPU_FUNC double value(const Request& q, int64 index, Densities d, double& density) const {
        const bool v00 = d.d00 > kSourceDensityThreshold && band_valid_at(q, index, s00.bit);
        const bool v10 = d.d10 > kSourceDensityThreshold && band_valid_at(q, index, s10.bit);
        const bool v01 = d.d01 > kSourceDensityThreshold && band_valid_at(q, index, s01.bit);
        const bool v11 = d.d11 > kSourceDensityThreshold && band_valid_at(q, index, s11.bit);
        const double weights = weight(v00, v10, v01, v11);
        if (weights < 0.00001) {
            density = 0.0;
            return 0.0;
        }
        density = (v00 ? d.d00 * w00 : 0.0) + (v10 ? d.d10 * w10 : 0.0) +
                  (v01 ? d.d01 * w01 : 0.0) + (v11 ? d.d11 * w11 : 0.0);
        density /= weights;
        const double values = sum(source_band<T>(q, index), v00, v10, v01, v11);
        return v00 && v10 && v01 && v11 ? values : values / weights;
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
            for (int64 band = 0; band < q.bands; ++band) {
                store<T>(q, band, at, 1.0, stencil.value(source_band<T>(q, band)),
                         PixelRange<T>::is_integer);
            }
            return true;
        }
        const auto densities = stencil.densities(q);
        bool found = false;
        for (int64 band = 0; band < q.bands; ++band) {
            double density;
            const double value = stencil.template value<T>(q, band, densities, density);
            if (density < kBandDensityThreshold) continue;
            found = true;
            store<T>(q, band, at, density, value, PixelRange<T>::is_integer);
        }
        return found;
    }
};

}  // namespace warp
}  // namespace kernels
