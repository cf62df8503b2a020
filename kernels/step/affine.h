// Helmert shifts and other affine maps of space, their matrices made at set-up: out = matrix (in -
// before) + after.
#pragma once

#include "core/core.h"

namespace kernels {
namespace step {

struct Translation {
    double x;
    double y;
    double z;

    GPU_FUNC void apply(double& px, double& py, double& pz) const {
        px += x;
        py += y;
        pz += z;
    }
};

struct Affine {
    double before[3];
    double matrix[9];  // by rows
    double after[3];

    GPU_FUNC void apply(double& x, double& y, double& z) const {
        const double u = x - before[0];
        const double v = y - before[1];
        const double w = z - before[2];
        x = matrix[0] * u + matrix[1] * v + matrix[2] * w + after[0];
        y = matrix[3] * u + matrix[4] * v + matrix[5] * w + after[1];
        z = matrix[6] * u + matrix[7] * v + matrix[8] * w + after[2];
    }
};

struct ScaledTime {
    double before;
    double scale;
    double after;
};

struct AffineWithTime {
    Affine space;
    ScaledTime time;

    GPU_FUNC void apply(double& x, double& y, double& z, double& t) const {
        space.apply(x, y, z);
        t = time.scale * (t - time.before) + time.after;
    }
};

}  // namespace step
}  // namespace kernels
