// The root of an area's mean square; of a complex pixel's parts each.
#pragma once

#include "warp/average.h"

namespace kernels {
namespace warp {

struct Square {
    static constexpr bool kRuns = false;
    GPU_FUNC static void add(double& sum, double value, double weight) {
        sum += value * value * weight;
    }
    GPU_FUNC static void add(ComplexValue& sum, ComplexValue value, double weight) {
        add(sum.real, value.real, weight);
        add(sum.imaginary, value.imaginary, weight);
    }
    GPU_FUNC static double of_mean(double mean) { return sqrt(mean); }
    GPU_FUNC static ComplexValue of_mean(ComplexValue mean) {
        return {sqrt(mean.real), sqrt(mean.imaginary)};
    }
};

template <typename Source>
using Rms = Mean<Source, Square>;

}  // namespace warp
}  // namespace kernels
