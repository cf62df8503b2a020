// Pixels in and out of arithmetic, as GDALCopyWords converts them: rounded to the nearest (halves
// away from zero), saturated, NaN to 0 in an integer, a double beyond float's range to infinity.
#pragma once

#include "core/core.h"

namespace kernels {

template <typename T>
struct PixelType;  // an integer's range: min to max; low and end in double, end being max + 1

template <>
struct PixelType<uint8> {
    static constexpr bool is_signed = false;
    static constexpr double low = 0.0, end = 256.0;
    static constexpr uint8 min = 0, max = 0xFF;
};
template <>
struct PixelType<int8> {
    static constexpr bool is_signed = true;
    static constexpr double low = -128.0, end = 128.0;
    static constexpr int8 min = -0x7F - 1, max = 0x7F;
};
template <>
struct PixelType<uint16> {
    static constexpr bool is_signed = false;
    static constexpr double low = 0.0, end = 65536.0;
    static constexpr uint16 min = 0, max = 0xFFFF;
};
template <>
struct PixelType<int16> {
    static constexpr bool is_signed = true;
    static constexpr double low = -32768.0, end = 32768.0;
    static constexpr int16 min = -0x7FFF - 1, max = 0x7FFF;
};
template <>
struct PixelType<uint32> {
    static constexpr bool is_signed = false;
    static constexpr double low = 0.0, end = 4294967296.0;
    static constexpr uint32 min = 0, max = 0xFFFFFFFFu;
};
template <>
struct PixelType<int32> {
    static constexpr bool is_signed = true;
    static constexpr double low = -2147483648.0, end = 2147483648.0;
    static constexpr int32 min = -0x7FFFFFFF - 1, max = 0x7FFFFFFF;
};
template <>
struct PixelType<uint64> {
    static constexpr bool is_signed = false;
    static constexpr double low = 0.0, end = 18446744073709551616.0;
    static constexpr uint64 min = 0, max = 0xFFFFFFFFFFFFFFFFull;
};
template <>
struct PixelType<int64> {
    static constexpr bool is_signed = true;
    static constexpr double low = -9223372036854775808.0, end = 9223372036854775808.0;
    static constexpr int64 min = -0x7FFFFFFFFFFFFFFFll - 1, max = 0x7FFFFFFFFFFFFFFFll;
};

template <typename T>
struct FromDouble {
    static GPU_FUNC T convert(double v) {
        if (v != v) return T(0);
        const double rounded = PixelType<T>::is_signed && v < 0 ? v - 0.5 : v + 0.5;
        if (rounded <= PixelType<T>::low) return PixelType<T>::min;
        if (rounded >= PixelType<T>::end) return PixelType<T>::max;
        return static_cast<T>(rounded);
    }
};
template <>
struct FromDouble<double> {
    static GPU_FUNC double convert(double v) { return v; }
};
template <>
struct FromDouble<float> {
    static GPU_FUNC float convert(double v) {
        constexpr double kMax = 3.4028234663852886e38;
        // The product overflows to the infinity of v's sign.
        return static_cast<float>(v > kMax || v < -kMax ? v * 1e300 : v);
    }
};

}  // namespace kernels
