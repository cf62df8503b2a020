// Pixel types in and out of double, as GDAL's warper converts them.
#pragma once

#include "core/pixel_range.h"

namespace kernels {

// Read through the cache for data that no thread of the launch writes.
template <typename T>
GPU_FUNC T load(const T* address) {
#if defined(__CUDACC__)
    return __ldg(address);
#else
    return *address;
#endif
}
template <typename T>
GPU_FUNC Complex<T> load(const Complex<T>* address) {
    return {load(&address->real), load(&address->imaginary)};
}

// Exact but for integers of 64 bits. On CUDA a smaller one becomes the low word of 2^52 + value:
// one addition, where the conversion instruction has a quarter of its rate.
template <typename T>
GPU_FUNC double to_double(T value) {
#if defined(__CUDACC__)
    if constexpr (sizeof(T) == 8) {
        return static_cast<double>(value);
    } else if constexpr (PixelRange<T>::is_integer && PixelRange<T>::is_signed) {
        return __hiloint2double(0x43300000, int32(value) ^ int32(0x80000000)) - 4503601774854144.0;
    } else if constexpr (PixelRange<T>::is_integer) {
        return __hiloint2double(0x43300000, int32(uint32(value))) - 4503599627370496.0;
    }
#endif
    return static_cast<double>(value);
}

// A product that no later addition is fused with, and a value that a product before it isn't fused
// into: results that must come out the same to the last bit in several places of a kernel are made
// of these and fma().
GPU_FUNC double product(double a, double b) {
#if defined(__CUDACC__)
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
}
GPU_FUNC float float_product(float a, float b) {
#if defined(__CUDACC__)
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}
GPU_FUNC double rounded(double value) {
#if defined(__CUDACC__)
    return __dadd_rn(value, 0.0);
#else
    return value;
#endif
}

template <bool kLong, bool kSigned>
struct WideInteger;
template <>
struct WideInteger<false, false> {
    using Type = uint32;
};
template <>
struct WideInteger<false, true> {
    using Type = int32;
};
template <>
struct WideInteger<true, false> {
    using Type = uint64;
};
template <>
struct WideInteger<true, true> {
    using Type = int64;
};

// Saturated; rounded half up (signed: floor(v + 0.5)). A double beyond float's range becomes an
// infinity.
template <typename T>
GPU_FUNC T from_double(double value) {
    if constexpr (PixelRange<T>::is_integer) {
        if (value < static_cast<double>(PixelRange<T>::low)) return PixelRange<T>::low;
        // The largest integer of 64 bits isn't a double; the next one is beyond it.
        if (value >= static_cast<double>(PixelRange<T>::high)) return PixelRange<T>::high;
        using Wide = typename WideInteger<sizeof(T) == 8, PixelRange<T>::is_signed>::Type;
        if constexpr (PixelRange<T>::is_signed) {
            return static_cast<T>(static_cast<Wide>(floor(value + 0.5)));
        } else {
            return static_cast<T>(static_cast<Wide>(value + 0.5));
        }
    } else {
        return static_cast<T>(value);
    }
}

}  // namespace kernels
