// Pixel values as unsigned integers in the same order.
#pragma once

#include "core/value.h"

namespace kernels {

GPU_FUNC uint32 bits_of(float value) {
#if defined(__CUDACC__)
    return static_cast<uint32>(__float_as_int(value));
#else
    uint32 bits;
    __builtin_memcpy(&bits, &value, sizeof(bits));
    return bits;
#endif
}
GPU_FUNC uint64 bits_of(double value) {
#if defined(__CUDACC__)
    return static_cast<uint64>(__double_as_longlong(value));
#else
    uint64 bits;
    __builtin_memcpy(&bits, &value, sizeof(bits));
    return bits;
#endif
}
GPU_FUNC float from_bits(uint32 bits) {
#if defined(__CUDACC__)
    return __int_as_float(static_cast<int32>(bits));
#else
    float value;
    __builtin_memcpy(&value, &bits, sizeof(value));
    return value;
#endif
}
GPU_FUNC double from_bits(uint64 bits) {
#if defined(__CUDACC__)
    return __longlong_as_double(static_cast<int64>(bits));
#else
    double value;
    __builtin_memcpy(&value, &bits, sizeof(value));
    return value;
#endif
}

// Key: unsigned, of which `bits` are used. Integers of 64 bits are ordered as doubles, a complex
// pixel by its real part.
template <typename T>
struct Order {
    using Key = uint32;
    static constexpr int bits = 8 * sizeof(T);
    static constexpr uint32 flip = PixelRange<T>::is_signed ? 1u << (bits - 1) : 0u;
    static constexpr uint32 used = bits == 32 ? 0xFFFFFFFFu : (1u << (bits % 32)) - 1u;

    GPU_FUNC static Key key(T value) { return (static_cast<uint32>(value) ^ flip) & used; }
    GPU_FUNC static double value(Key key) { return to_double(static_cast<T>(key ^ flip)); }
};
template <>
struct Order<float> {
    using Key = uint32;
    static constexpr int bits = 32;

    GPU_FUNC static Key key(float value) {
        const uint32 all = bits_of(value);
        return all & 0x80000000u ? ~all : all | 0x80000000u;
    }
    GPU_FUNC static double value(Key key) {
        return to_double(from_bits(key & 0x80000000u ? key & 0x7FFFFFFFu : ~key));
    }
};
template <>
struct Order<double> {
    using Key = uint64;
    static constexpr int bits = 64;
    static constexpr uint64 sign = 0x8000000000000000ull;

    GPU_FUNC static Key key(double value) {
        const uint64 all = bits_of(value);
        return all & sign ? ~all : all | sign;
    }
    GPU_FUNC static double value(Key key) { return from_bits(key & sign ? key & ~sign : ~key); }
};
template <typename T>
struct OrderAsDouble {
    using Key = uint64;
    static constexpr int bits = 64;

    GPU_FUNC static Key key(T value) { return Order<double>::key(to_double(value)); }
    GPU_FUNC static double value(Key key) { return Order<double>::value(key); }
};
template <>
struct Order<int64> : OrderAsDouble<int64> {};
template <>
struct Order<uint64> : OrderAsDouble<uint64> {};
template <typename T>
struct Order<Complex<T>> {
    using Key = typename Order<T>::Key;
    static constexpr int bits = Order<T>::bits;

    GPU_FUNC static Key key(Complex<T> value) { return Order<T>::key(value.real); }
    GPU_FUNC static double value(Key key) { return Order<T>::value(key); }
};

}  // namespace kernels
