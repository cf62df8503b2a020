// Where a resampling gets its pixels from: here the arrays of a request. Another source of pixels
// has the same members.
#pragma once

#include "core/mask.h"
#include "core/value.h"
#include "warp/request.h"

namespace kernels {
namespace warp {

// Below it a source pixel is transparent (a float in GDAL too).
GPU_CONST float kSourceDensityThreshold = 0.000000001f;
// Below it a band has no value.
GPU_CONST double kBandDensityThreshold = 0.0000000001;

// A source pixel: its place in the bands, and in the masks.
struct Place {
    int64 pixel;
    int64 bit;
};

// kMayHide: whether there is a mask of any kind.
template <typename T, bool kMayHide>
class ArraySource {
  public:
    static constexpr bool kMasked = kMayHide;
    using Pixel = T;
    using Value = typename WorkingValue<T>::Type;

    GPU_FUNC explicit ArraySource(const Request& request)
        : q(request), band_pixels(request.window_width * request.window_height) {}

    // Of the raster.
    GPU_FUNC int64 width() const { return q.raster_width; }
    GPU_FUNC int64 height() const { return q.raster_height; }

    GPU_FUNC Place at(int64 x, int64 y) const {
        const int64 column = x - q.window_x, row = y - q.window_y;
        return {row * q.window_width + column, q.mask_origin + row * q.mask_stride + column};
    }
    GPU_FUNC Place moved(Place place, int64 right, int64 down) const {
        return {place.pixel + right + down * q.window_width,
                place.bit + right + down * q.mask_stride};
    }

    GPU_FUNC T pixel(int64 band, Place place) const {
        return load(static_cast<const T*>(q.source) + band * band_pixels + place.pixel);
    }
    GPU_FUNC Value value(int64 band, Place place) const {
        return working_value(pixel(band, place));
    }

    // What the masks of all bands leave of a pixel: 0 to 1.
    GPU_FUNC float density(Place place) const {
        if constexpr (!kMasked) return 1.0f;
        if (q.source_valid != nullptr && !test_bit(q.source_valid, place.bit)) return 0.0f;
        return own_density(place);
    }
    // The same where it is valid.
    GPU_FUNC bool has_density() const { return q.source_density != nullptr; }
    GPU_FUNC float own_density(Place place) const {
        return has_density() ? load(q.source_density + place.pixel) : 1.0f;
    }
    GPU_FUNC bool has_band_masks() const { return q.band_valid != nullptr; }
    GPU_FUNC bool band_valid(int64 band, Place place) const {
        return !kMasked || q.band_valid == nullptr ||
               test_bit(q.band_valid + band * q.band_valid_words, place.bit);
    }

  private:
    const Request& q;
    const int64 band_pixels;
};

// A band's value at a position; density 0: it has none, else up to 1.
template <typename Value>
struct Sampled {
    double density;
    Value value;
};

}  // namespace warp
}  // namespace kernels
