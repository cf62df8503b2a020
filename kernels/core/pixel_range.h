// The ranges of pixel types.
#pragma once

#include "core/core.h"

namespace kernels {

// For floating point, `low` is what GDAL takes for it: the smallest positive value.
template <typename T>
struct PixelRange;
template <>
struct PixelRange<uint8> {
    static constexpr bool is_integer = true, is_signed = false;
    static constexpr uint8 low = 0, high = 0xFF;
};
template <>
struct PixelRange<int8> {
    static constexpr bool is_integer = true, is_signed = true;
    static constexpr int8 low = -0x7F - 1, high = 0x7F;
};
template <>
struct PixelRange<uint16> {
    static constexpr bool is_integer = true, is_signed = false;
    static constexpr uint16 low = 0, high = 0xFFFF;
};
template <>
struct PixelRange<int16> {
    static constexpr bool is_integer = true, is_signed = true;
    static constexpr int16 low = -0x7FFF - 1, high = 0x7FFF;
};
template <>
struct PixelRange<uint32> {
    static constexpr bool is_integer = true, is_signed = false;
    static constexpr uint32 low = 0, high = 0xFFFFFFFFu;
};
template <>
struct PixelRange<int32> {
    static constexpr bool is_integer = true, is_signed = true;
    static constexpr int32 low = -0x7FFFFFFF - 1, high = 0x7FFFFFFF;
};
template <>
struct PixelRange<uint64> {
    static constexpr bool is_integer = true, is_signed = false;
    static constexpr uint64 low = 0, high = 0xFFFFFFFFFFFFFFFFull;
};
template <>
struct PixelRange<int64> {
    static constexpr bool is_integer = true, is_signed = true;
    static constexpr int64 low = -0x7FFFFFFFFFFFFFFFll - 1, high = 0x7FFFFFFFFFFFFFFFll;
};
template <>
struct PixelRange<float> {
    static constexpr bool is_integer = false, is_signed = true;
    static constexpr float low = 1.17549435082228751e-38f;
};
template <>
struct PixelRange<double> {
    static constexpr bool is_integer = false, is_signed = true;
    static constexpr double low = 2.2250738585072014e-308;
};

template <typename T>
struct Complex {
    using Part = T;
    T real, imaginary;
};

template <typename T>
struct IsComplex {
    static constexpr bool value = false;
};
template <typename T>
struct IsComplex<Complex<T>> {
    static constexpr bool value = true;
};

}  // namespace kernels
