// Single precision as a type of its own: numbers of any type that meet it become floats, where a
// plain float would become a double. Only explicitly does it become another type.
#pragma once

#include "core/core.h"

namespace kernels {

struct fp32 {
    float value;

    fp32() = default;
    GPU_FUNC constexpr fp32(float v) : value(v) {}
    GPU_FUNC constexpr fp32(double v) : value(static_cast<float>(v)) {}
    GPU_FUNC constexpr fp32(int32 v) : value(static_cast<float>(v)) {}
    GPU_FUNC constexpr fp32(int64 v) : value(static_cast<float>(v)) {}

    struct parameter;

    GPU_FUNC static constexpr double smallest_tolerance() { return 1e-5; }
    GPU_FUNC static constexpr double smallest_rounding() { return 1e-6; }
    GPU_FUNC static constexpr double smallest_difference() { return 2e-3; }

    GPU_FUNC explicit operator double() const { return static_cast<double>(value); }
    GPU_FUNC explicit operator int32() const { return static_cast<int32>(value); }
    GPU_FUNC explicit operator int64() const { return static_cast<int64>(value); }

    GPU_FUNC fp32& operator+=(fp32 b) { return *this = *this + b; }
    GPU_FUNC fp32& operator-=(fp32 b) { return *this = *this - b; }
    GPU_FUNC fp32& operator*=(fp32 b) { return *this = *this * b; }
    GPU_FUNC fp32& operator/=(fp32 b) { return *this = *this / b; }

    friend GPU_FUNC fp32 operator-(fp32 a) { return -a.value; }
    friend GPU_FUNC fp32 operator+(fp32 a, fp32 b) { return a.value + b.value; }
    friend GPU_FUNC fp32 operator-(fp32 a, fp32 b) { return a.value - b.value; }
    friend GPU_FUNC fp32 operator*(fp32 a, fp32 b) { return a.value * b.value; }
    friend GPU_FUNC fp32 operator/(fp32 a, fp32 b) { return a.value / b.value; }

    friend GPU_FUNC bool operator<(fp32 a, fp32 b) { return a.value < b.value; }
    friend GPU_FUNC bool operator>(fp32 a, fp32 b) { return a.value > b.value; }
    friend GPU_FUNC bool operator<=(fp32 a, fp32 b) { return a.value <= b.value; }
    friend GPU_FUNC bool operator>=(fp32 a, fp32 b) { return a.value >= b.value; }
    friend GPU_FUNC bool operator==(fp32 a, fp32 b) { return a.value == b.value; }
    friend GPU_FUNC bool operator!=(fp32 a, fp32 b) { return a.value != b.value; }

    friend GPU_FUNC fp32 fabs(fp32 a) { return fabsf(a.value); }
    friend GPU_FUNC fp32 floor(fp32 a) { return floorf(a.value); }
    friend GPU_FUNC fp32 rint(fp32 a) { return rintf(a.value); }
    friend GPU_FUNC fp32 sqrt(fp32 a) { return sqrtf(a.value); }
    friend GPU_FUNC fp32 cbrt(fp32 a) { return cbrtf(a.value); }
    friend GPU_FUNC fp32 sin(fp32 a) { return sinf(a.value); }
    friend GPU_FUNC fp32 cos(fp32 a) { return cosf(a.value); }
    friend GPU_FUNC fp32 tan(fp32 a) { return tanf(a.value); }
    friend GPU_FUNC fp32 asin(fp32 a) { return asinf(a.value); }
    friend GPU_FUNC fp32 acos(fp32 a) { return acosf(a.value); }
    friend GPU_FUNC fp32 atan(fp32 a) { return atanf(a.value); }
    friend GPU_FUNC fp32 exp(fp32 a) { return expf(a.value); }
    friend GPU_FUNC fp32 expm1(fp32 a) { return expm1f(a.value); }
    friend GPU_FUNC fp32 log(fp32 a) { return logf(a.value); }
    friend GPU_FUNC fp32 log1p(fp32 a) { return log1pf(a.value); }
    friend GPU_FUNC fp32 sinh(fp32 a) { return sinhf(a.value); }
    friend GPU_FUNC fp32 cosh(fp32 a) { return coshf(a.value); }
    friend GPU_FUNC fp32 tanh(fp32 a) { return tanhf(a.value); }
    friend GPU_FUNC fp32 asinh(fp32 a) { return asinhf(a.value); }
    friend GPU_FUNC fp32 atanh(fp32 a) { return atanhf(a.value); }
    friend GPU_FUNC fp32 atan2(fp32 y, fp32 x) { return atan2f(y.value, x.value); }
    friend GPU_FUNC fp32 hypot(fp32 x, fp32 y) { return hypotf(x.value, y.value); }
    friend GPU_FUNC fp32 pow(fp32 x, fp32 y) { return powf(x.value, y.value); }
    friend GPU_FUNC fp32 fmod(fp32 x, fp32 y) { return fmodf(x.value, y.value); }
    friend GPU_FUNC fp32 copysign(fp32 x, fp32 y) { return copysignf(x.value, y.value); }

    friend GPU_FUNC bool is_refused(fp32 a) { return a.value > FLT_MAX; }
    friend GPU_FUNC void sin_cos(fp32 angle, fp32& sine, fp32& cosine) {
#if defined(__CUDACC__)
        sincosf(angle.value, &sine.value, &cosine.value);
#else
        sine = sin(angle);
        cosine = cos(angle);
#endif
    }
    friend GPU_FUNC fp32 reciprocal_sqrt(fp32 a) {
#if defined(__CUDACC__)
        return rsqrtf(a.value);
#else
        return 1 / sqrtf(a.value);
#endif
    }
};

struct alignas(8) fp32::parameter : fp32 {
    float rest;  // of the double
};

}  // namespace kernels
