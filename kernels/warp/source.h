// Source pixels, their masks, and the check that a pixel's samples lie in the window.
#pragma once

#include "core/atomic.h"
#include "core/mask.h"
#include "core/pixel.h"
#include "warp/request.h"

namespace kernels {
namespace warp {

// Below it a source pixel is transparent (a float in GDAL too).
GPU_CONST float kSourceDensityThreshold = 0.000000001f;
// Below it a band has no value.
GPU_CONST double kBandDensityThreshold = 0.0000000001;

// A source pixel of the window: its place in the bands, and in the masks.
struct Sample {
    int64 pixel;
    int64 bit;
};

GPU_FUNC Sample sample_at(const Request& q, int64 x, int64 y) {
    const int64 column = x - q.window_x, row = y - q.window_y;
    return {row * q.window_width + column, q.mask_origin + row * q.mask_stride + column};
}

template <typename T>
GPU_FUNC const T* source_band(const Request& q, int64 band) {
    return static_cast<const T*>(q.source) + band * (q.window_width * q.window_height);
}

// What the masks of all bands leave of a sample: 0 to 1.
GPU_FUNC float density_at(const Request& q, Sample s) {
    if (q.source_valid != nullptr && !test_bit(q.source_valid, s.bit)) return 0.0f;
    return q.source_density != nullptr ? load(q.source_density + s.pixel) : 1.0f;
}

GPU_FUNC bool band_valid_at(const Request& q, int64 band, int64 bit) {
    return q.band_valid == nullptr || test_bit(q.band_valid + band * q.band_valid_words, bit);
}

GPU_FUNC void extend(SourceBox* box, SourceBox by) {
    if (by.x_min < atomic_load(&box->x_min)) atomic_min(&box->x_min, by.x_min);
    if (by.y_min < atomic_load(&box->y_min)) atomic_min(&box->y_min, by.y_min);
    if (by.x_max > atomic_load(&box->x_max)) atomic_max(&box->x_max, by.x_max);
    if (by.y_max > atomic_load(&box->y_max)) atomic_max(&box->y_max, by.y_max);
}

GPU_FUNC bool in_window(const Request& q, SourceBox box) {
    return box.x_min >= q.window_x && box.y_min >= q.window_y &&
           box.x_max < q.window_x + q.window_width && box.y_max < q.window_y + q.window_height;
}

// The samples first to last (relative to the one left of and above the position), cut off at the
// raster's edges.
GPU_FUNC SourceBox samples_around(const Request& q, double x, double y, int64 x_first, int64 x_last,
                                  int64 y_first, int64 y_last) {
    const int64 left = static_cast<int64>(floor(x - 0.5)), top = static_cast<int64>(floor(y - 0.5));
    SourceBox box;
    box.x_min = static_cast<int32>(left + x_first > 0 ? left + x_first : 0);
    box.y_min = static_cast<int32>(top + y_first > 0 ? top + y_first : 0);
    box.x_max =
        static_cast<int32>(left + x_last < q.raster_width ? left + x_last : q.raster_width - 1);
    box.y_max =
        static_cast<int32>(top + y_last < q.raster_height ? top + y_last : q.raster_height - 1);
    return box;
}

}  // namespace warp
}  // namespace kernels
