// Geotransforms.
#pragma once

#include "core/core.h"

namespace kernels {
namespace georef {

// a + b * c, the product rounded before the sum, as GDAL's compiled code does it: where grids are
// aligned, a pixel's position lies exactly on another pixel's edge, and one rounding fewer would
// put it on the other side.
GPU_FUNC double add_product(double a, double b, double c) {
#if defined(__CUDACC__)
    return __dadd_rn(a, __dmul_rn(b, c));
#else
    return a + b * c;
#endif
}

// x' = c[0] + x c[1] + y c[2];  y' = c[3] + x c[4] + y c[5], in GDAL's order of evaluation.
struct Affine {
    double c[6];

    GPU_FUNC void apply(double& x, double& y) const {
        const double new_x = add_product(add_product(c[0], x, c[1]), y, c[2]);
        const double new_y = add_product(add_product(c[3], x, c[4]), y, c[5]);
        x = new_x;
        y = new_y;
    }
};

}  // namespace georef
}  // namespace kernels
