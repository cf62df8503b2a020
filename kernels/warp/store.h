// A band's value into the destination: blended by its density, rounded, and kept off the nodata
// value, which complex pixels don't have.
#pragma once

#include "core/atomic.h"
#include "core/mask.h"
#include "core/value.h"
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

// The float or double next to a value, away from the end of the range.
GPU_FUNC float next_to(float value) { return nextafterf(value, value == FLT_MAX ? 0.0f : FLT_MAX); }
GPU_FUNC double next_to(double value) { return nextafter(value, value == DBL_MAX ? 0.0 : DBL_MAX); }

// What stands for a value that must not be used: one less, or one more at the low end of the
// range; or, of float and double, the next value.
template <typename T>
GPU_FUNC T step_off(T value, bool floats_to_next) {
    if constexpr (!PixelRange<T>::is_integer) {
        if (floats_to_next) return next_to(value);
    }
    return value == PixelRange<T>::low ? static_cast<T>(PixelRange<T>::low + 1)
                                       : static_cast<T>(value - 1);
}

GPU_FUNC void note_avoided(const Request& q) {
    if (!atomic_load(q.nodata_avoided)) atomic_or(q.nodata_avoided, 1u);
}

template <typename T>
GPU_FUNC bool is_nodata(const Request& q, int64 band, T value) {
    return q.destination_nodata != nullptr &&
           load(q.destination_nodata + band) == static_cast<double>(value);
}

// A valid pixel must not look like nodata.
template <typename T>
GPU_FUNC T avoid_nodata(const Request& q, int64 band, T value) {
    if (!is_nodata(q, band, value)) return value;
    note_avoided(q);
    return step_off(value, q.floats_avoid_nodata != 0);
}

// After a pixel's bands, where nodata is what all bands have.
template <typename T>
GPU_FUNC void avoid_nodata_of_all_bands(const Request& q, Target at) {
    if constexpr (!IsComplex<T>::value) {
        for (int64 band = 0; band < q.bands; ++band) {
            if (!is_nodata(q, band, destination_band<T>(q, band)[at.pixel])) return;
        }
        note_avoided(q);
        for (int64 band = 0; band < q.bands; ++band) {
            T& pixel = destination_band<T>(q, band)[at.pixel];
            pixel = step_off(pixel, q.floats_avoid_nodata != 0);
        }
    }
}

// Whether the general store keeps pixels of the type off the nodata value.
template <typename T>
GPU_FUNC bool avoids_nodata(const Request& q) {
    if constexpr (IsComplex<T>::value) {
        return false;
    } else {
        return (PixelRange<T>::is_integer || q.floats_avoid_nodata) && !q.nodata_is_in_all_bands;
    }
}

template <typename T>
GPU_FUNC void put(const Request& q, int64 band, Target at, T pixel, bool avoids) {
    if constexpr (!IsComplex<T>::value) {
        if (avoids) pixel = avoid_nodata(q, band, pixel);
    }
    destination_band<T>(q, band)[at.pixel] = pixel;
}

GPU_FUNC double blended(double value, double density, double under, double influence) {
    return (value * density + under * influence) / (density + influence);
}
GPU_FUNC ComplexValue blended(ComplexValue value, double density, ComplexValue under,
                              double influence) {
    return {blended(value.real, density, under.real, influence),
            blended(value.imaginary, density, under.imaginary, influence)};
}

// Below a density of 0.0001 the destination stays as it is; from 0.9999 on the value replaces it.
template <typename T, typename Value>
GPU_FUNC void store(const Request& q, int64 band, Target at, double density, Value value,
                    bool avoids) {
    if (density < 0.9999) {
        if (density < 0.0001) return;
        const double influence = (1.0 - density) * destination_density_at(q, at);
        const Value under = working_value(destination_band<T>(q, band)[at.pixel]);
        value = blended(value, density, under, influence);
    }
    put<T>(q, band, at, from_value<T>(value), avoids);
}

// After a pixel's bands: its density adds to the destination's, and it is valid.
GPU_FUNC void mark_valid(const Request& q, Target at, double density) {
    if (q.destination_density != nullptr && density >= 0.0001) {
        float& pixel = q.destination_density[at.pixel];
        if (q.density_in_float) {
            const float rest = 1.0f - static_cast<float>(density);
            pixel = 1.0f - float_product(rest, 1.0f - pixel);
        } else {
            pixel = static_cast<float>(1.0 - (1.0 - density) * (1.0 - static_cast<double>(pixel)));
        }
    }
    if (q.destination_valid != nullptr) {
        uint32* const word = q.destination_valid + (at.bit >> 5);
        const uint32 mask = 1u << (at.bit & 31);
        if (!(atomic_load(word) & mask)) atomic_or(word, mask);
    }
}

}  // namespace warp
}  // namespace kernels
