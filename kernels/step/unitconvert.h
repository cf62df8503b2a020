// unitconvert: horizontal and vertical units by a factor each; times are functions of time.h.
#pragma once

#include "step/time.h"

namespace kernels {
namespace step {

struct UnitConvert {
    double xy;
    double z;

    GPU_FUNC void apply(double& x, double& y, double& height) const {
        x *= xy;
        y *= xy;
        height *= z;
    }
};

}  // namespace step
}  // namespace kernels
