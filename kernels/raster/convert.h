// Pixels in and out of arithmetic, as GDALCopyWords converts them: rounded to the nearest (halves
// away from zero), saturated, NaN to 0 in an integer, a double beyond float's range to infinity.
#pragma once

#include "core/pixel_range.h"

namespace kernels {

template <typename T>
struct FromDouble {
    static GPU_FUNC T convert(double v) {
        if (v != v) return T(0);
        using Range = PixelRange<T>;
        const double rounded = Range::is_signed && v < 0 ? v - 0.5 : v + 0.5;
        if (rounded <= static_cast<double>(Range::low)) return Range::low;
        if (rounded >= static_cast<double>(Range::high) + 1.0) return Range::high;
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
