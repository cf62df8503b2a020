// The cubic B-spline, six times as high: weights are renormalized.
#pragma once

#include "warp/filter.h"

namespace kernels {
namespace warp {

// Where the radius in whole pixels reaches beyond t = 2, GDAL's goes on with -(t - 2)^3.
struct CubicSplineFilter {
    GPU_FUNC static double weight(double offset, double scale) {
        const double t = product(fabs(offset), scale);
        if (t >= 2.0) return offset < 0.0 ? 0.0 : -product(product(t - 2.0, t - 2.0), t - 2.0);
        const double a = 2.0 - t, b = 1.0 - t;
        const double outer = product(product(a, a), a);
        return t >= 1.0 ? outer : fma(product(product(-4.0, b), b), b, outer);
    }
};

template <typename Source>
using CubicSpline = Filtered<Source, CubicSplineFilter>;

}  // namespace warp
}  // namespace kernels
