// Bipolar Oblique Conic Conformal of the Americas: Snyder (1987), "Map Projections: A Working
// Manual", eqs. 17-1 to 17-30. The sphere's constants are fixed.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct BipolarConic {
    parameter skewed;  // 0: +ns, north is up along the join of both cones

    static constexpr double kLonB = -.34894976726250681539;  // of the eastern pole
    static constexpr double kN = .63055844881274687180;
    static constexpr double kF0 = 1.89724742567461030582;
    static constexpr double kAzimuthAB = .81650043674686363166;
    static constexpr double kAzimuthBA = 1.82261843856185925133;
    static constexpr double kT = 1.27246578267089012270;
    static constexpr double kRadiusC = 1.20709121521568721927;
    static constexpr double kCosC = .69691523038678375519;
    static constexpr double kSinC = .71715351331143607555;
    static constexpr double kCos45 = .70710678118654752469;
    static constexpr double kSin45 = .70710678118654752410;
    static constexpr double kCos20 = .93969262078590838411;
    static constexpr double kSin20 = -.34202014332566873287;
    static constexpr double k110 = 1.91986217719376253360;
    static constexpr double k104 = 1.81514242207410275904;

    // Arc cosine as PROJ has it: a value beyond 1 by less than 1e-9 stands for the angle itself.
    GPU_FUNC static bool arc(real value, real& angle) {
        angle = fabs(value) > 1 ? value < 0 ? real(-1) : real(1) : real(acos(value));
        return !(fabs(value) > 1.000000001);
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(kLonB - lon, sin_lon, cos_lon);
        const bool at_pole = fabs(fabs(lat) - kHalfPi) < 1e-10;
        const real tangent = sine / cosine;
        real azimuth =
            at_pole ? real(lat < 0 ? kPi : 0) : real(atan2(sin_lon, kCos45 * (tangent - cos_lon)));
        const bool west = azimuth > kAzimuthBA;
        real cos_z = kSin45 * (sine + cosine * cos_lon);
        if (west) {
            sin_cos(lon + k110, sin_lon, cos_lon);
            cos_z = kSin20 * sine + kCos20 * cosine * cos_lon;
            if (!at_pole) {
                azimuth = atan2(sin_lon, kCos20 * tangent - kSin20 * cos_lon);
            }
        }
        real z, al;
        if (!arc(cos_z, z) || z < 0) {
            return false;
        }
        const real t = pow(tan(0.5 * z), kN);
        real radius = kF0 * t;
        const real rest = 0.5 * (k104 - z);
        if (rest < 0 || !arc((t + pow(rest, kN)) / kT, al)) {
            return false;
        }
        const real angle = kN * ((west ? kAzimuthAB : kAzimuthBA) - azimuth);
        if (fabs(angle) < al) {
            radius /= cos(al + (west ? angle : -angle));
        }
        real sin_angle, cos_angle;
        sin_cos(angle, sin_angle, cos_angle);
        x = radius * sin_angle;
        y = west ? kRadiusC - radius * cos_angle : radius * cos_angle - kRadiusC;
        if (skewed == 0) {
            const real t_x = x;
            x = -x * kCosC - y * kSinC;
            y = -y * kCosC + t_x * kSinC;
        }
        return true;
    }

    // False where ten steps don't reach 1e-10.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        if (skewed == 0) {
            const real t_x = x;
            x = -x * kCosC + y * kSinC;
            y = -y * kCosC - t_x * kSinC;
        }
        const bool west = x < 0;
        y = west ? kRadiusC - y : kRadiusC + y;
        const real s = west ? kSin20 : kSin45;
        const real c = west ? kCos20 : kCos45;
        const real start = sqrt(x * x + y * y);
        real radius = start, last = start;
        real azimuth = atan2(x, y);
        real z = 0;
        bool reached = false;
        for (int i = 0; i < 10 && !reached; ++i) {
            const real t = pow(radius / kF0, 1 / kN);
            z = 2 * atan(t);
            // tan(z / 2) to the power of n is radius / F again.
            const real al = acos((radius / kF0 + pow(tan(0.5 * (k104 - z)), kN)) / kT);
            if (fabs(azimuth) < al) {
                radius = start * cos(al + (west ? azimuth : -azimuth));
            }
            reached = fabs(last - radius) < tolerance(1e-10);
            last = radius;
        }
        if (!reached) {
            return false;
        }
        real sin_z, cos_z, sin_azimuth, cos_azimuth;
        sin_cos(z, sin_z, cos_z);
        azimuth = (west ? kAzimuthAB : kAzimuthBA) - azimuth / kN;
        sin_cos(azimuth, sin_azimuth, cos_azimuth);
        lat = asin(s * cos_z + c * sin_z * cos_azimuth);
        lon = atan2(sin_azimuth, c * cos_z / sin_z - s * cos_azimuth);
        lon = west ? lon - k110 : kLonB - lon;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static BipolarConic Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        return {p.flag("ns") ? 0. : 1.};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
