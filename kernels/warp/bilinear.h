// Bilinear interpolation between the four pixel centres around the position.
//
// The sums are written with fma() and product(), so that a pixel comes out the same to the last bit whether masks are absent, or there
// and all set; GDAL drops a mask where a chunk needs none.
#pragma once

#include "warp/source.h"
#include "warp/store.h"

namespace kernels {
namespace warp {

// The four samples of a position. Beyond the raster's edge a sample has no weight, and repeats its neighbour's place.
struct BilinearStencil {
    Sample s00, s10, s01, s11;  // x, then y
    double w00, w10, w01, w11;
    bool inside;  // four samples in the raster

    GPU_FUNC BilinearStencil(const Request& q, double x, double y) {
        int64 column = static_cast<int64>(floor(x - 0.5)), row = static_cast<int64>(floor(y - 0.5));
        double left = 1.5 - (x - static_cast<double>(column));
        double top = 1.5 - (y - static_cast<double>(row));
        const bool has_right = column >= 0 && column + 1 < q.raster_width;
        const bool has_bottom = row >= 0 && row + 1 < q.raster_height;
        inside = has_right && has_bottom;
        if (column < 0) {
            column = 0;
            left = 1.0;
        }
        if (row < 0) {
            row = 0;
            top = 1.0;
        }
        const double right = has_right ? 1.0 - left : 0.0, bottom = has_bottom ? 1.0 - top : 0.0;
        w00 = product(left, top);
        w10 = product(right, top);
        w01 = product(left, bottom);
        w11 = product(right, bottom);
        s00 = sample_at(q, column, row);
        s10 = {s00.pixel + has_right, s00.bit + has_right};
        s01 = has_bottom ? Sample{s00.pixel + q.window_width, s00.bit + q.mask_stride} : s00;
        s11 = {s01.pixel + has_right, s01.bit + has_right};
    }

    template <typename T>
    GPU_FUNC double value(const T* band) const {
        double sum = to_double(load(band + s00.pixel)) * w00;
        sum = fma(to_double(load(band + s10.pixel)), w10, sum);
        sum = fma(to_double(load(band + s01.pixel)), w01, sum);
        sum = fma(to_double(load(band + s11.pixel)), w11, sum);
        return inside ? sum : sum / (((w00 + w10) + w01) + w11);
    }

    // With masks: over the valid samples alone; density 0 where there is none. d: what density_at() gives for each.
    template <typename T>
    GPU_FUNC double value(const Request& q, int64 index, double d00, double d10, double d01, double d11,
                          double& density) const {
        const T* band = source_band<T>(q, index);
        const bool v00 = d00 > kSourceDensityThreshold && band_valid_at(q, index, s00.bit);
        const bool v10 = d10 > kSourceDensityThreshold && band_valid_at(q, index, s10.bit);
        const bool v01 = d01 > kSourceDensityThreshold && band_valid_at(q, index, s01.bit);
        const bool v11 = d11 > kSourceDensityThreshold && band_valid_at(q, index, s11.bit);
        double sum = v00 ? to_double(load(band + s00.pixel)) * w00 : 0.0;
        if (v10) sum = fma(to_double(load(band + s10.pixel)), w10, sum);
        if (v01) sum = fma(to_double(load(band + s01.pixel)), w01, sum);
        if (v11) sum = fma(to_double(load(band + s11.pixel)), w11, sum);
        const double weight = (((v00 ? w00 : 0.0) + (v10 ? w10 : 0.0)) + (v01 ? w01 : 0.0)) + (v11 ? w11 : 0.0);
        if (weight < 0.00001) {
            density = 0.0;
            return 0.0;
        }
        density = (v00 ? d00 * w00 : 0.0) + (v10 ? d10 * w10 : 0.0) + (v01 ? d01 * w01 : 0.0) + (v11 ? d11 * w11 : 0.0);
        density /= weight;
        return inside && v00 && v10 && v01 && v11 ? sum : sum / weight;
    }
};

struct Bilinear {
    GPU_FUNC static SourceBox footprint(const Request& q, double x, double y, int32, int32) {
        return samples_around(q, x, y, 0, 1, 0, 1);
    }

    template <typename T, bool kMasked>
    GPU_FUNC static bool bands(const Request& q, double x, double y, Sample, double, Target at) {
        const BilinearStencil stencil(q, x, y);
        if constexpr (!kMasked) {
            for (int64 band = 0; band < q.bands; ++band) {
                store<T>(q, band, at, 1.0, stencil.value(source_band<T>(q, band)), PixelRange<T>::is_integer);
            }
            return true;
        }
        const double d00 = density_at(q, stencil.s00), d10 = density_at(q, stencil.s10);
        const double d01 = density_at(q, stencil.s01), d11 = density_at(q, stencil.s11);
        bool found = false;
        for (int64 band = 0; band < q.bands; ++band) {
            double density;
            const double value = stencil.value<T>(q, band, d00, d10, d01, d11, density);
            if (density < kBandDensityThreshold) continue;
            found = true;
            store<T>(q, band, at, density, value, PixelRange<T>::is_integer);
        }
        return found;
    }
};

}  // namespace warp
}  // namespace kernels
