// A band's value into the destination: blended by its density, rounded, and kept off the nodata
// value.
#pragma once

#include "core/atomic.h"
#include "core/mask.h"
#include "core/pixel.h"
#include "warp/request.h"

namespace kernels {
namespace warp {

template <typename T>
GPU_FUNC T* destination_band(const Request& q, int64 band) {
    return static_cast<T*>(q.destination) + band * (q.width * q.height);
}

GPU_FUNC Target target_at(const Request& q, int64 column, int64 row) {
    return {row * q.width + column,
            q.destination_valid_origin + row * q.destination_valid_stride + column};
}

// How much of what the destination holds counts.
GPU_FUNC double destination_density_at(const Request& q, Target at) {
    if (q.destination_density != nullptr)
        return static_cast<double>(q.destination_density[at.pixel]);
    if (q.destination_valid == nullptr) return 1.0;
    return (atomic_load(q.destination_valid + (at.bit >> 5)) >> (at.bit & 31)) & 1u ? 1.0 : 0.0;
}

// A valid pixel must not look like nodata: one less, or one more at the low end of the range.
template <typename T>
GPU_FUNC T avoid_nodata(const Request& q, int64 band, T value) {
    if (q.destination_nodata != nullptr &&
        load(q.destination_nodata + band) == static_cast<double>(value)) {
        value = value == PixelRange<T>::low ? static_cast<T>(PixelRange<T>::low + 1)
                                            : static_cast<T>(value - 1);
    }
    return value;
}

// Below a density of 0.0001 the destination stays as it is; from 0.9999 on the value replaces it.
template <typename T>
GPU_FUNC void store(const Request& q, int64 band, Target at, double density, double value,
                    bool avoids_nodata) {
    T* const pixel = destination_band<T>(q, band) + at.pixel;
    if (density < 0.9999) {
        if (density < 0.0001) return;
        const double influence = (1.0 - density) * destination_density_at(q, at);
        value = (value * density + to_double(*pixel) * influence) / (density + influence);
    }
    const T result = from_double<T>(value);
    *pixel = avoids_nodata ? avoid_nodata(q, band, result) : result;
}

// After a pixel's bands: its density adds to the destination's, and it is valid.
GPU_FUNC void mark_valid(const Request& q, Target at, double density) {
    if (q.destination_density != nullptr && density >= 0.0001) {
        float& pixel = q.destination_density[at.pixel];
        pixel = static_cast<float>(1.0 - (1.0 - density) * (1.0 - static_cast<double>(pixel)));
    }
    if (q.destination_valid != nullptr) {
        uint32* const word = q.destination_valid + (at.bit >> 5);
        const uint32 mask = 1u << (at.bit & 31);
        if (!(atomic_load(word) & mask)) atomic_or(word, mask);
    }
}

}  // namespace warp
}  // namespace kernels
