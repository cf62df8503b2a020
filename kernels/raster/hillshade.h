// Shaded relief with gdaldem's meaning, options and values. x and y below are differences west -
// east and south - north over the window (Horn 1981; Zevenbergen & Thorne 1987), multiplied by the
// inverse pixel size.
#pragma once

#include "raster/neighbourhood.h"

namespace kernels {

enum class Shading {
    Lambert,   // the cosine of the angle between the light and the surface's normal
    Combined,  // that angle times the slope
    Igor,      // by Maperitive's author: slope times the aspect's closeness to the shadow side
    Multidirectional  // four lights, weighted by aspect: Mark (1992), USGS Open-File Report 92-422
};

struct HillshadeParams {
    NeighbourhoodParams window;
    double inverse_x;  // 1 / (the geotransform's pixel width * scale)
    double inverse_y;  // 1 / (its pixel height * scale)
    double z;          // vertical exaggeration / the window's distance in pixels (8 or 2)
    double altitude_sine;
    double altitude_cosine_z;  // cos(altitude) * z
    double azimuth_sine;
    double azimuth_cosine;
    double shadow_direction;  // Igor: the aspect that lies in full shadow, 0 to 2 pi
};

// A grey value, rounded and saturated as GDAL writes float to Byte; NaN gives 0.
GPU_FUNC uint8 GreyFromFloat(float v) {
    const float rounded = v + 0.5f;
    if (!(rounded > 0.0f)) return 0;
    return rounded >= 255.0f ? uint8(255) : static_cast<uint8>(rounded);
}

GPU_FUNC double InverseSqrt(double v) {
#if defined(__CUDACC__)
    return rsqrt(v);
#else
    return 1.0 / sqrt(v);
#endif
}

template <Shading shading, Gradient gradient>
struct Hillshade {
    static constexpr double kPi = 3.14159265358979323846;

    // The cosine of the angle between the light and the surface's normal.
    static GPU_FUNC double lambert(const HillshadeParams& p, double x, double y) {
        const double shade =
            p.altitude_sine - (y * p.azimuth_cosine - x * p.azimuth_sine) * p.altitude_cosine_z;
        return shade * InverseSqrt(1.0 + p.z * p.z * (x * x + y * y));
    }

    static GPU_FUNC float combined(const HillshadeParams& p, double x, double y) {
        const double cosine = lambert(p, x, y);
        const double incidence = acos(cosine > 1.0 ? 1.0 : cosine < -1.0 ? -1.0 : cosine);
        const double slope = atan(sqrt(p.z * p.z * (x * x + y * y)));
        const double shade = 1.0 - incidence * slope / (kPi * kPi / 4.0);
        return shade <= 0.0 ? 1.0f : static_cast<float>(1.0 + 254.0 * shade);
    }

    // west and south: x and y before the division by the pixel's size.
    static GPU_FUNC float igor(const HillshadeParams& p, double x, double y, double west,
                               double south) {
        const double steepness = atan(sqrt(x * x + y * y) * p.z) / (kPi / 2.0);
        double aspect = atan2(south, west);
        if (aspect < 0.0) aspect += 2.0 * kPi;
        double turn = fabs(aspect - p.shadow_direction);
        if (turn > kPi) turn = 2.0 * kPi - turn;
        return static_cast<float>(255.0 * (1.0 - steepness * (1.0 - turn / kPi)));
    }

    static GPU_FUNC double lit(double v) { return v <= 0.0 ? 0.0 : v; }

    static GPU_FUNC float multidirectional(const HillshadeParams& p, double x, double y) {
        const double square = x * x + y * y;
        if (square == 0.0) return static_cast<float>(1.0 + 254.0 * p.altitude_sine);
        constexpr double kDiagonal = -0.70710678118654752440;  // cos(225 degrees)
        const double light225 = lit(p.altitude_sine + (x - y) * kDiagonal * p.altitude_cosine_z);
        const double light270 = lit(p.altitude_sine - x * p.altitude_cosine_z);
        const double light315 = lit(p.altitude_sine + (x + y) * kDiagonal * p.altitude_cosine_z);
        const double light360 = lit(p.altitude_sine - y * p.altitude_cosine_z);
        const double weight225 = 0.5 * square - x * y;
        const double weight315 = square - weight225;
        const double sum =
            weight225 * light225 + x * x * light270 + weight315 * light315 + y * y * light360;
        return static_cast<float>(1.0 +
                                  127.0 * sum / square * InverseSqrt(1.0 + p.z * p.z * square));
    }

    template <typename Value>
    static GPU_FUNC float of(const HillshadeParams& p, const Value* w) {
        double west, south;
        Differences<gradient>::of(w, west, south);
        const double x = west * p.inverse_x;
        const double y = south * p.inverse_y;
        if (shading == Shading::Combined) return combined(p, x, y);
        if (shading == Shading::Igor) return igor(p, x, y, west, south);
        if (shading == Shading::Multidirectional) return multidirectional(p, x, y);
        const double shade = 254.0 * lambert(p, x, y);
        return shade <= 0.0 ? 1.0f : static_cast<float>(1.0 + shade);
    }

    // Output pixel (x, y).
    template <typename Pixel, typename Value>
    static GPU_FUNC void pixel(const HillshadeParams& p, int64 x, int64 y) {
        Value w[9];
        const bool valid = Neighbourhood<Pixel, Value>::gather(p.window, x, y, w);
        static_cast<uint8*>(p.window.output)[y * p.window.width + x] =
            valid ? GreyFromFloat(of(p, w)) : static_cast<uint8>(p.window.output_nodata);
    }
};

}  // namespace kernels
