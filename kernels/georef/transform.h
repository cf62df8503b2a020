// Bodies of the kernels that run a pixel or point transform by itself. Transform: a struct of
// generated text.
#pragma once

#include "core/core.h"

namespace kernels {
namespace georef {

template <typename Transform>
struct TransformPixelsParams {
    Transform transform;
    const int64* pixels;  // column and row of each
    double* positions;    // x and y of each
    int64* success;
    int64 count;
    double place;  // in the pixel, along each axis

    GPU_FUNC void run(long long i) const {
        double x = 0.0, y = 0.0;
        const bool ok = transform.to_source(pixels[2 * i], pixels[2 * i + 1], place, place, x, y);
        positions[2 * i] = x;
        positions[2 * i + 1] = y;
        success[i] = ok ? 1 : 0;
    }
};

template <typename Transform>
struct TransformPointsParams {
    Transform transform;
    double* x;
    double* y;
    double* z;
    int64* success;
    int64 count;

    GPU_FUNC void run(long long i) const {
        double px = x[i], py = y[i], pz = z[i];
        const bool ok = transform.apply(px, py, pz);
        x[i] = ok ? px : HUGE_VAL;
        y[i] = ok ? py : HUGE_VAL;
        z[i] = ok ? pz : HUGE_VAL;
        success[i] = ok ? 1 : 0;
    }
};

}  // namespace georef
}  // namespace kernels
