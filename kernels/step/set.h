// set: constants in place of coordinates.
#pragma once

namespace kernels {
namespace step {

struct Values {
    double v[4];
};

}  // namespace step
}  // namespace kernels
