// What the text made from an expression calls: double arithmetic, the same bits on every device
// where the function is IEEE's (+ - * / sqrt, rounding, comparison, fmod). Truth is "not 0" (so NaN
// is true), as in C; a comparison gives 1 or 0.
#pragma once

#include "raster/convert.h"

namespace kernels {
namespace expression {

#if defined(__CUDACC__)
// Never contracted to a fused multiply-add, so that CUDA, HOST and the CPU agree.
GPU_FUNC double Add(double a, double b) { return __dadd_rn(a, b); }
GPU_FUNC double Subtract(double a, double b) { return __dsub_rn(a, b); }
GPU_FUNC double Multiply(double a, double b) { return __dmul_rn(a, b); }
GPU_FUNC double Divide(double a, double b) { return __ddiv_rn(a, b); }
#else
GPU_FUNC double Add(double a, double b) { return a + b; }
GPU_FUNC double Subtract(double a, double b) { return a - b; }
GPU_FUNC double Multiply(double a, double b) { return a * b; }
GPU_FUNC double Divide(double a, double b) { return a / b; }
#endif
GPU_FUNC double Modulo(double a, double b) { return ::fmod(a, b); }
GPU_FUNC double Negate(double a) { return -a; }

GPU_FUNC double Less(double a, double b) { return a < b ? 1.0 : 0.0; }
GPU_FUNC double LessEqual(double a, double b) { return a <= b ? 1.0 : 0.0; }
GPU_FUNC double Greater(double a, double b) { return a > b ? 1.0 : 0.0; }
GPU_FUNC double GreaterEqual(double a, double b) { return a >= b ? 1.0 : 0.0; }
GPU_FUNC double Equal(double a, double b) { return a == b ? 1.0 : 0.0; }
GPU_FUNC double NotEqual(double a, double b) { return a != b ? 1.0 : 0.0; }
GPU_FUNC double And(double a, double b) { return a != 0.0 && b != 0.0 ? 1.0 : 0.0; }
GPU_FUNC double Or(double a, double b) { return a != 0.0 || b != 0.0 ? 1.0 : 0.0; }
GPU_FUNC double Not(double a) { return a != 0.0 ? 0.0 : 1.0; }
GPU_FUNC double Select(double condition, double a, double b) { return condition != 0.0 ? a : b; }

GPU_FUNC double Abs(double a) { return ::fabs(a); }
GPU_FUNC double Sqrt(double a) { return ::sqrt(a); }
GPU_FUNC double Square(double a) { return Multiply(a, a); }
GPU_FUNC double Exp(double a) { return ::exp(a); }
GPU_FUNC double Log(double a) { return ::log(a); }
GPU_FUNC double Log10(double a) { return ::log10(a); }
GPU_FUNC double Log2(double a) { return ::log2(a); }
GPU_FUNC double Pow(double a, double b) { return ::pow(a, b); }
GPU_FUNC double Sin(double a) { return ::sin(a); }
GPU_FUNC double Cos(double a) { return ::cos(a); }
GPU_FUNC double Tan(double a) { return ::tan(a); }
GPU_FUNC double Asin(double a) { return ::asin(a); }
GPU_FUNC double Acos(double a) { return ::acos(a); }
GPU_FUNC double Atan(double a) { return ::atan(a); }
GPU_FUNC double Atan2(double a, double b) { return ::atan2(a, b); }
GPU_FUNC double Sinh(double a) { return ::sinh(a); }
GPU_FUNC double Cosh(double a) { return ::cosh(a); }
GPU_FUNC double Tanh(double a) { return ::tanh(a); }
GPU_FUNC double Hypot(double a, double b) { return ::hypot(a, b); }
GPU_FUNC double Floor(double a) { return ::floor(a); }
GPU_FUNC double Ceil(double a) { return ::ceil(a); }
GPU_FUNC double Round(double a) { return ::round(a); }
GPU_FUNC double Trunc(double a) { return ::trunc(a); }
GPU_FUNC double Sign(double a) { return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a; }
GPU_FUNC double IsNan(double a) { return a != a ? 1.0 : 0.0; }
// The other one where one is NaN, as C's fmin and fmax.
GPU_FUNC double Min(double a, double b) { return a < b || b != b ? a : b; }
GPU_FUNC double Max(double a, double b) { return a > b || b != b ? a : b; }
// NaN stays NaN; where low > high, high.
GPU_FUNC double Clamp(double a, double low, double high) {
    const double raised = a < low ? low : a;
    return raised > high ? high : raised;
}

// nodata may be NaN: then NaN is nodata.
GPU_FUNC bool IsNodata(double a, double nodata) {
    return a == nodata || (a != a && nodata != nodata);
}
GPU_FUNC double IsNodataValue(double a, double nodata) { return IsNodata(a, nodata) ? 1.0 : 0.0; }

}  // namespace expression
}  // namespace kernels
