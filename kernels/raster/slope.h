// Slope with gdaldem's meaning, options and values: the angle in degrees, or 100 times its tangent.
#pragma once

#include "raster/neighbourhood.h"

namespace kernels {

enum class SlopeFormat { Degree, Percent };

struct SlopeParams {
    NeighbourhoodParams window;
    double inverse_x;  // 1 / (the geotransform's pixel width * scale)
    double inverse_y;  // 1 / (its pixel height * scale)
    double z;          // 1 / the window's distance in pixels (8 or 2)
};

template <SlopeFormat format, Gradient gradient>
struct Slope {
    template <typename Value>
    static GPU_FUNC float of(const SlopeParams& p, const Value* w) {
        double x, y;
        Differences<gradient>::of(w, x, y);
        x *= p.inverse_x;
        y *= p.inverse_y;
        const double tangent = sqrt(x * x + y * y) * p.z;
        constexpr double kDegrees = 57.295779513082320877;
        return static_cast<float>(format == SlopeFormat::Degree ? atan(tangent) * kDegrees
                                                                : 100.0 * tangent);
    }

    // Output pixel (x, y).
    template <typename Pixel, typename Value>
    static GPU_FUNC void pixel(const SlopeParams& p, int64 x, int64 y) {
        Value w[9];
        const bool valid = Neighbourhood<Pixel, Value>::gather(p.window, x, y, w);
        static_cast<float*>(p.window.output)[y * p.window.width + x] =
            valid ? of(p, w) : static_cast<float>(p.window.output_nodata);
    }
};

}  // namespace kernels
