// unitconvert: horizontal and vertical units by a factor each.
#pragma once

#include "core/core.h"

namespace kernels {
namespace step {

struct UnitConvert {
    double xy;
    double z;

    GPU_FUNC void apply(real& x, real& y, real& height) const {
        x *= xy;
        y *= xy;
        height *= z;
    }
};

}  // namespace step
}  // namespace kernels
