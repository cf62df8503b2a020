// Pairs of floats: 48 bits of mantissa from single precision arithmetic, for devices that have
// little double precision. Dekker (1971), "A floating-point technique for extending the available
// precision"; Knuth, "The Art of Computer Programming", vol. 2, sec. 4.2.2; Hida, Li and Bailey
// (2001), "Algorithms for quad-double precision floating point arithmetic". Relative errors are a
// few 1e-14. The range is float's; below 1e-30 precision is lost.
#pragma once

#include "core/core.h"

// Functions of many operations, called and not put in place each time: texts with dozens of them
// would take NVRTC minutes.
#if defined(__CUDACC__)
#define GPU_DS_FUNC __device__ __noinline__
#else
#define GPU_DS_FUNC inline
#endif

namespace kernels {

// Single operations, rounded as they stand: never contracted with another.
namespace exact {
#if defined(__CUDACC__)
GPU_FUNC float add(float a, float b) { return __fadd_rn(a, b); }
GPU_FUNC float subtract(float a, float b) { return __fsub_rn(a, b); }
GPU_FUNC float multiply(float a, float b) { return __fmul_rn(a, b); }
// What multiply() rounded off.
GPU_FUNC float product_error(float a, float b, float product) { return __fmaf_rn(a, b, -product); }
#else
GPU_FUNC float add(float a, float b) { return a + b; }
GPU_FUNC float subtract(float a, float b) { return a - b; }
GPU_FUNC float multiply(float a, float b) { return a * b; }
GPU_FUNC float product_error(float a, float b, float product) {
    return static_cast<float>(static_cast<double>(a) * b - product);
}
#endif
}  // namespace exact

struct alignas(8) ds {
    float high;
    float low;  // at most half a unit of high's last place; 0 where high isn't finite

    ds() = default;
    GPU_FUNC constexpr ds(float v) : high(v), low(0) {}
    GPU_FUNC constexpr ds(double v)
        : high(static_cast<float>(v)),
          low(finite(high) ? static_cast<float>(v - static_cast<double>(high)) : 0.0f) {}
    GPU_FUNC constexpr ds(int32 v) : ds(static_cast<double>(v)) {}
    GPU_FUNC constexpr ds(int64 v) : ds(static_cast<double>(v)) {}
    GPU_FUNC constexpr ds(float high_part, float low_part) : high(high_part), low(low_part) {}

    using parameter = ds;

    GPU_FUNC static constexpr double smallest_tolerance() { return 1e-12; }
    GPU_FUNC static constexpr double smallest_rounding() { return 1e-13; }
    GPU_FUNC static constexpr double smallest_difference() { return 1e-6; }

    GPU_FUNC explicit operator double() const {
        return static_cast<double>(high) + static_cast<double>(low);
    }
    GPU_FUNC explicit operator int32() const { return static_cast<int32>(double(*this)); }
    GPU_FUNC explicit operator int64() const { return static_cast<int64>(double(*this)); }

    GPU_FUNC static constexpr bool finite(float v) { return v - v == 0; }

    // The sum of two floats of which the first is the larger; where it isn't finite, as it is.
    GPU_FUNC static ds of_sum(float larger, float smaller) {
        const float sum = exact::add(larger, smaller);
        const float rest = exact::subtract(smaller, exact::subtract(sum, larger));
        return finite(sum) ? ds(sum, rest) : ds(larger, 0);
    }
    // The exact sum of any two floats.
    GPU_FUNC static ds two_sum(float a, float b) {
        const float sum = exact::add(a, b);
        const float of_b = exact::subtract(sum, a);
        const float of_a = exact::subtract(sum, of_b);
        return {sum, exact::add(exact::subtract(a, of_a), exact::subtract(b, of_b))};
    }
    GPU_FUNC static ds two_product(float a, float b) {
        const float product = exact::multiply(a, b);
        return {product, exact::product_error(a, b, product)};
    }

    GPU_FUNC ds& operator+=(ds b) { return *this = *this + b; }
    GPU_FUNC ds& operator-=(ds b) { return *this = *this - b; }
    GPU_FUNC ds& operator*=(ds b) { return *this = *this * b; }
    GPU_FUNC ds& operator/=(ds b) { return *this = *this / b; }

    friend GPU_FUNC ds operator-(ds a) { return {-a.high, -a.low}; }
    friend GPU_FUNC ds operator+(ds a, ds b) {
        const ds high = two_sum(a.high, b.high), low = two_sum(a.low, b.low);
        const ds sum = of_sum(high.high, exact::add(high.low, low.high));
        return of_sum(sum.high, exact::add(sum.low, low.low));
    }
    friend GPU_FUNC ds operator-(ds a, ds b) { return a + -b; }
    friend GPU_FUNC ds operator*(ds a, ds b) {
        const ds product = two_product(a.high, b.high);
        const float cross =
            exact::add(exact::multiply(a.high, b.low), exact::multiply(a.low, b.high));
        return of_sum(product.high, exact::add(product.low, cross));
    }
    friend GPU_FUNC ds operator/(ds a, ds b) {
        const float first = a.high / b.high;
        if (!finite(first) || !finite(b.high)) return first;
        const ds rest = a - b * ds(first);
        return of_sum(first, rest.high / b.high);
    }

    friend GPU_FUNC bool operator<(ds a, ds b) {
        return a.high < b.high || (a.high == b.high && a.low < b.low);
    }
    friend GPU_FUNC bool operator<=(ds a, ds b) {
        return a.high < b.high || (a.high == b.high && a.low <= b.low);
    }
    friend GPU_FUNC bool operator>(ds a, ds b) { return b < a; }
    friend GPU_FUNC bool operator>=(ds a, ds b) { return b <= a; }
    friend GPU_FUNC bool operator==(ds a, ds b) { return a.high == b.high && a.low == b.low; }
    friend GPU_FUNC bool operator!=(ds a, ds b) { return !(a == b); }

    // Times a power of two.
    GPU_FUNC static ds scaled(ds a, int32 exponent) {
        return {ldexpf(a.high, exponent), ldexpf(a.low, exponent)};
    }

    friend GPU_FUNC ds copysign(ds size, ds sign) {
        return copysignf(1.0f, size.high) == copysignf(1.0f, sign.high) ? size : -size;
    }
    friend GPU_FUNC ds fabs(ds a) { return copysign(a, 1.0f); }
    friend GPU_FUNC ds floor(ds a) {
        const float high = floorf(a.high);
        return high == a.high && finite(high) ? of_sum(high, floorf(a.low)) : ds(high);
    }
    friend GPU_FUNC ds rint(ds a) { return floor(a + 0.5f); }
    friend GPU_FUNC ds fmod(ds a, ds b) {
        const ds ratio = a / b;
        return a - b * (ratio < 0 ? -floor(-ratio) : floor(ratio));
    }

    friend GPU_FUNC ds sqrt(ds a) {
        const float root = sqrtf(a.high);
        if (!(root > 0) || !finite(root)) return root;
        const ds rest = a - two_product(root, root);
        return of_sum(root, rest.high / (2 * root));
    }
    friend GPU_FUNC ds reciprocal_sqrt(ds a) { return 1 / sqrt(a); }
    friend GPU_FUNC ds hypot(ds x, ds y) { return sqrt(x * x + y * y); }
    friend GPU_FUNC ds cbrt(ds a) {
        const float root = cbrtf(a.high);
        if (root == 0 || !finite(root)) return root;
        const ds square = two_product(root, root);
        return of_sum(root, (a - square * root).high / (3 * square.high));
    }

    struct SineCosine;
    GPU_DS_FUNC static SineCosine sine_and_cosine(ds angle);
    friend GPU_FUNC void sin_cos(ds angle, ds& sine, ds& cosine);
    friend GPU_FUNC ds sin(ds angle) {
        ds sine, cosine;
        sin_cos(angle, sine, cosine);
        return sine;
    }
    friend GPU_FUNC ds cos(ds angle) {
        ds sine, cosine;
        sin_cos(angle, sine, cosine);
        return cosine;
    }
    friend GPU_FUNC ds tan(ds angle) {
        ds sine, cosine;
        sin_cos(angle, sine, cosine);
        return sine / cosine;
    }

    // One step of Newton's method from the float's arc tangent.
    GPU_DS_FUNC static ds arc_tangent(ds y, ds x) {
        if (!finite(y.high) || !finite(x.high) || (y.high == 0 && x.high == 0)) {
            return ::atan2(static_cast<double>(y.high), static_cast<double>(x.high));
        }
        const ds start = atan2f(y.high, x.high);
        ds sine, cosine;
        sin_cos(start, sine, cosine);
        return start + (y * cosine - x * sine) / (x * cosine + y * sine);
    }
    friend GPU_FUNC ds atan2(ds y, ds x) { return arc_tangent(y, x); }
    friend GPU_FUNC ds atan(ds a) { return atan2(a, 1.0f); }
    friend GPU_FUNC ds asin(ds a) { return atan2(a, sqrt((1 - a) * (1 + a))); }
    friend GPU_FUNC ds acos(ds a) { return atan2(sqrt((1 - a) * (1 + a)), a); }

    // exp(a) - 1 for |a| < 0.36, by Taylor's series.
    GPU_DS_FUNC static ds small_expm1(ds a) {
        const float h = a.high;
        const ds tail =
            2.48015873e-5f +
            h * (2.75573192e-6f +
                 h * (2.75573192e-7f +
                      h * (2.50521084e-8f +
                           h * (2.08767570e-9f + h * (1.60590438e-10f + h * 1.14707456e-11f)))));
        return a + a * a *
                       (1. / 2 +
                        a * (1. / 6 +
                             a * (1. / 24 +
                                  a * (1. / 120 + a * (1. / 720 + a * (1. / 5040 + a * tail))))));
    }
    friend GPU_FUNC ds exp(ds a) {
        if (!(fabsf(a.high) < 104)) return expf(a.high);
        const float k = rintf(a.high * 1.44269504f);
        const ds r = (a - two_product(k, 0.693147182f)) - two_product(k, -1.90465421e-9f) -
                     k * -8.78318343e-17f;
        const ds result = scaled(1 + small_expm1(r), static_cast<int32>(k));
        return finite(result.high) ? result : ds(result.high);
    }
    friend GPU_FUNC ds expm1(ds a) { return fabsf(a.high) < 0.35f ? small_expm1(a) : exp(a) - 1; }
    friend GPU_FUNC ds sinh(ds a) {
        const ds e = expm1(fabs(a));
        return finite(e.high) ? copysign((e + e / (e + 1)) * 0.5f, a) : ds(sinhf(a.high));
    }
    friend GPU_FUNC ds cosh(ds a) {
        const ds e = exp(fabs(a));
        return finite(e.high) ? (e + 1 / e) * 0.5f : ds(coshf(a.high));
    }
    friend GPU_FUNC ds tanh(ds a) {
        if (fabsf(a.high) > 20) return tanhf(a.high);
        const ds e = expm1(2 * a);
        return e / (e + 2);
    }

    // log(1 + a): the float's logarithm, and a step of Newton's method to the second order.
    GPU_DS_FUNC static ds logarithm(ds a) {
        if (!(a.high > -1) || !finite(a.high)) {
            return a.high == -1 && a.low > 0 ? ds(logf(a.low)) : ds(log1pf(a.high));
        }
        const ds start = log1pf(a.high);
        const ds reached = expm1(start);
        const ds step = (a - reached) / (1 + reached);
        return start + (step - step * step * 0.5f);
    }
    friend GPU_FUNC ds log1p(ds a) { return logarithm(a); }
    friend GPU_FUNC ds log(ds a) {
        if (!(a.high > 0) || !finite(a.high)) return logf(a.high);
        int32 exponent;
        if (frexpf(a.high, &exponent) < 0.70710678f) --exponent;
        return log1p(scaled(a, -exponent) - 1) + ds(0.69314718055994530942) * exponent;
    }
    friend GPU_FUNC ds asinh(ds a) {
        const ds size = fabs(a), square = size * size;
        return copysign(log1p(size + square / (1 + sqrt(1 + square))), a);
    }
    friend GPU_FUNC ds atanh(ds a) {
        const ds size = fabs(a);
        return copysign(0.5f * log1p(2 * size / (1 - size)), a);
    }
    // x >= 0.
    friend GPU_FUNC ds pow(ds x, ds y) {
        return x.high == 0 || !finite(x.high) ? ds(powf(x.high, y.high)) : exp(y * log(x));
    }

    friend GPU_FUNC bool is_refused(ds a) { return a.high > FLT_MAX; }
};

struct ds::SineCosine {
    ds sine, cosine;
};

// Reduced to an eighth of a turn, then Taylor's series, whose last terms floats are enough for.
GPU_DS_FUNC ds::SineCosine ds::sine_and_cosine(ds angle) {
    const float quarter = rintf(angle.high * 0.63661977f);
    if (!(fabsf(quarter) < 65536)) {
        return {NAN, NAN};
    }
    const ds turn = two_product(quarter, 1.57079637f), rest = two_product(quarter, -4.37113883e-8f);
    const ds r = ((angle - turn) - rest) - quarter * -1.71512451e-15f;
    const ds r2 = r * r;
    const float s = r2.high;
    const ds sine_tail =
        -2.50521084e-8f + s * (1.60590438e-10f + s * (-7.64716373e-13f + s * 2.81145725e-15f));
    const ds cosine_tail =
        -2.75573192e-7f +
        s * (2.08767570e-9f + s * (-1.14707456e-11f + s * (4.77947733e-14f - s * 1.56192070e-16f)));
    const ds of_sine =
        r +
        r * r2 *
            (-1. / 6 + r2 * (1. / 120 + r2 * (-1. / 5040 + r2 * (1. / 362880 + r2 * sine_tail))));
    const ds of_cosine =
        1 +
        r2 * (-1. / 2 + r2 * (1. / 24 + r2 * (-1. / 720 + r2 * (1. / 40320 + r2 * cosine_tail))));
    const int32 k = static_cast<int32>(quarter) & 3;
    const ds sine = k & 1 ? of_cosine : of_sine, cosine = k & 1 ? of_sine : of_cosine;
    return {k & 2 ? -sine : sine, k == 1 || k == 2 ? -cosine : cosine};
}

GPU_FUNC void sin_cos(ds angle, ds& sine, ds& cosine) {
    const ds::SineCosine both = ds::sine_and_cosine(angle);
    sine = both.sine;
    cosine = both.cosine;
}

}  // namespace kernels
