// What pixels are summed up in: a double, or two for a complex pixel.
#pragma once

#include "core/pixel.h"

namespace kernels {

struct ComplexValue {
    double real, imaginary;
};

template <typename T>
struct WorkingValue {
    using Type = double;
};
template <typename T>
struct WorkingValue<Complex<T>> {
    using Type = ComplexValue;
};

template <typename T>
GPU_FUNC double working_value(T pixel) {
    return to_double(pixel);
}
template <typename T>
GPU_FUNC ComplexValue working_value(Complex<T> pixel) {
    return {to_double(pixel.real), to_double(pixel.imaginary)};
}

template <typename T>
GPU_FUNC T from_value(double value) {
    return from_double<T>(value);
}
template <typename T>
GPU_FUNC T from_value(ComplexValue value) {
    using Part = typename T::Part;
    return {from_double<Part>(value.real), from_double<Part>(value.imaginary)};
}

// value * weight, and sum + value * weight, in which the two are never separate roundings.
GPU_FUNC double weighted(double value, double weight) { return product(value, weight); }
GPU_FUNC ComplexValue weighted(ComplexValue value, double weight) {
    return {product(value.real, weight), product(value.imaginary, weight)};
}
GPU_FUNC double add_weighted(double sum, double value, double weight) {
    return fma(value, weight, sum);
}
GPU_FUNC ComplexValue add_weighted(ComplexValue sum, ComplexValue value, double weight) {
    return {fma(value.real, weight, sum.real), fma(value.imaginary, weight, sum.imaginary)};
}
GPU_FUNC double divided(double value, double by) { return value / by; }
GPU_FUNC ComplexValue divided(ComplexValue value, double by) {
    return {value.real / by, value.imaginary / by};
}

// Of a result that is real by its nature.
GPU_FUNC void set_real(double& value, double real) { value = real; }
GPU_FUNC void set_real(ComplexValue& value, double real) { value = {real, 0.0}; }
GPU_FUNC double real_part(double value) { return value; }
GPU_FUNC double real_part(ComplexValue value) { return value.real; }

}  // namespace kernels
