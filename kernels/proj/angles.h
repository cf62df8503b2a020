// Angles and the small functions of them that projections share. Radians throughout.
#pragma once

#include "core/real.h"

namespace kernels {
namespace proj {

constexpr double kPi = 3.14159265358979323846;
constexpr double kTwoPi = 6.28318530717958647693;
constexpr double kHalfPi = 1.57079632679489661923;
constexpr double kQuarterPi = 0.78539816339744830962;
constexpr double kCosHalfPi = 6.123233995736766e-17;  // of the double nearest to pi / 2

// Latitudes beyond which roundings decide where Newton's method stops, so that PROJ's own are kept.
constexpr double kPolarLatitude = 1.2;

// True for +infinity alone, PROJ's mark of a refused coordinate; false for NaN.
GPU_FUNC bool is_refused(double value) { return value > 1.7976931348623157e308; }

GPU_FUNC void sin_cos(double angle, double& sine, double& cosine) {
#if defined(__CUDACC__)
    sincos(angle, &sine, &cosine);
#else
    sine = std::sin(angle);
    cosine = std::cos(angle);
#endif
}

GPU_FUNC double reciprocal_sqrt(double value) {
#if defined(__CUDACC__)
    return rsqrt(value);
#else
    return 1 / std::sqrt(value);
#endif
}

// Longitude to [-pi, pi]; it may overshoot by 1e-12, so that the date line keeps its sign.
template <typename T>
GPU_FUNC T wrap_longitude(T longitude) {
    if (fabs(longitude) < kPi + 1e-12) {
        return longitude;
    }
    const T turned = longitude + kPi;
    return (turned - kTwoPi * floor(turned / kTwoPi)) - kPi;
}

// Sine and cosine of an angle turned by `delta`, which is nearly always small: then by the series
// of sin and cos.
GPU_FUNC void rotate(real& sine, real& cosine, real delta) {
    real s, c;
    const real d2 = delta * delta;
    if (d2 < 0.04) {
        s = delta +
            delta * d2 * (-1. / 6 + d2 * (1. / 120 + d2 * (-1. / 5040 + d2 * (1. / 362880))));
        c = 1 + d2 * (-1. / 2 +
                      d2 * (1. / 24 + d2 * (-1. / 720 + d2 * (1. / 40320 - d2 * (1. / 3628800)))));
    } else {
        sin_cos(delta, s, c);
    }
    const real turned = sine * c + cosine * s;
    cosine = cosine * c - sine * s;
    sine = turned;
}

// asinh(tan(angle)) from the angle's sine and cosine (cosine >= 0): the isometric latitude of a
// sphere. Exact near 0.
GPU_FUNC real asinh_tan(real sine, real cosine) {
    const real s = fabs(sine);
    return copysign(log1p(s * (1 + cosine + s) / (cosine * (1 + cosine))), sine);
}

// A sine that rounding may have put beyond 1; NaN stays.
GPU_FUNC real clamp_sine(real sine) { return sine > 1 ? real(1) : sine < -1 ? real(-1) : sine; }

// asin(value) and that angle's cosine as PROJ takes them: a right angle for a value up to 1e-14
// beyond 1, false for one further out. NaN stays.
GPU_FUNC bool arc_sine(real value, real& angle, real& cosine) {
    const real size = fabs(value);
    if (size >= 1) {
        angle = value < 0 ? -kHalfPi : kHalfPi;
        cosine = kCosHalfPi;
        return size <= 1 + rounding(1e-14);
    }
    angle = asin(value);
    cosine = sqrt((1 - value) * (1 + value));
    return true;
}

GPU_FUNC bool arc_sine(real value, real& angle) {
    real cosine;
    return arc_sine(value, angle, cosine);
}

// acos(value) in the same way: 0 or pi for a value up to 1e-14 beyond 1.
GPU_FUNC bool arc_cosine(real value, real& angle) {
    const real size = fabs(value);
    angle = size >= 1 ? real(value < 0 ? kPi : 0) : real(acos(value));
    return !(size > 1 + rounding(1e-14));
}

// Longitude and latitude of a point of the sphere from its unit vector at a centre in longitude 0:
// cos_c towards the centre, east and north. sin_0, cos_0: of the centre's latitude.
GPU_FUNC void turn_from_centre(real cos_c, real east, real north, real sin_0, real cos_0, real& lon,
                               real& lat) {
    const real meridian = cos_c * cos_0 - north * sin_0;
    lon = atan2(east, meridian);
    lat = atan2(cos_c * sin_0 + north * cos_0, sqrt(east * east + meridian * meridian));
}

// Which pole a latitude is, to 1e-10: 1 for the north pole, -1 for the south pole, 0 for neither.
GPU_FUNC real pole_of(real latitude) {
    return fabs(fabs(latitude) - kHalfPi) < 1e-10 ? (latitude < 0 ? -1. : 1.) : 0.;
}

// Clenshaw's sum of c[k] sin(2 (k + 1) angle), k = 0..5, from sin and cos of twice the angle
// (Clenshaw 1955).
template <typename Number>
GPU_FUNC real sine_series(const Number (&c)[6], real sin2, real cos2) {
    const real r = 2 * cos2;
    const real b5 = c[4] + r * c[5];
    const real b4 = c[3] + r * b5 - c[5];
    const real b3 = c[2] + r * b4 - b5;
    const real b2 = c[1] + r * b3 - b4;
    return sin2 * (c[0] + r * b2 - b3);
}

}  // namespace proj
}  // namespace kernels
