// The compute precision of coordinates inside projections: `real` is double, unless the text that
// this header is put into defines GPU_REAL as kernels::fp32 or kernels::ds, with their header.
#pragma once

#include "core/core.h"

#define GPU_REAL_IS_SETTLED

namespace kernels {

#if defined(GPU_REAL)
using real = GPU_REAL;
// A member of a projection's struct: 8 bytes, which hold a double, or the two floats that
// EncodeParameters() makes of it.
using parameter = GPU_REAL::parameter;

// What the last step of an iteration has to reach: not less than it can.
GPU_FUNC constexpr double tolerance(double wanted) {
    return wanted > GPU_REAL::smallest_tolerance() ? wanted : GPU_REAL::smallest_tolerance();
}

// How far beyond its domain roundings may put a value of about 1.
GPU_FUNC constexpr double rounding(double wanted) {
    return wanted > GPU_REAL::smallest_rounding() ? wanted : GPU_REAL::smallest_rounding();
}

// The distance between the two values of a difference that stands for a derivative.
GPU_FUNC constexpr double difference(double wanted) {
    return wanted > GPU_REAL::smallest_difference() ? wanted : GPU_REAL::smallest_difference();
}

// A positive number to stand for 0 in divisions; its square is one too.
GPU_FUNC constexpr double tiny() { return 1e-18; }
#else
using real = double;
using parameter = double;

GPU_FUNC constexpr double tolerance(double wanted) { return wanted; }
GPU_FUNC constexpr double rounding(double wanted) { return wanted; }
GPU_FUNC constexpr double difference(double wanted) { return wanted; }
GPU_FUNC constexpr double tiny() { return 1e-154; }
#endif

}  // namespace kernels
