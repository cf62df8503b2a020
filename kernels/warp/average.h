// The mean of an area, its pixels weighted by the part of them that it covers.
#pragma once

#include "warp/area.h"

namespace kernels {
namespace warp {

// The weighted mean of Of::before(value), through Of::after(mean).
template <typename Source, typename Of>
class Mean : public AreaSampling<Source> {
  public:
    using Value = typename Source::Value;
    using AreaSampling<Source>::AreaSampling;

    GPU_FUNC Sampled<Value> sample(int64 band) const {
        const Source& source = this->source;
        const Area& area = this->area;
        Value sum{};
        double weight = 0.0;
        this->each(band, [&](Place place, int64 x, int64 y) {
            const double w = product(area.y_weight(y), area.x_weight(x));
            weight += w;
            Of::add(sum, source.value(band, place), w);
            return true;
        });
        if (!(weight > 0.0)) return {0.0, Value{}};
        return {1.0, Of::of_mean(divided(sum, weight))};
    }
};

struct Itself {
    GPU_FUNC static void add(double& sum, double value, double weight) { sum += value * weight; }
    GPU_FUNC static void add(ComplexValue& sum, ComplexValue value, double weight) {
        add(sum.real, value.real, weight);
        add(sum.imaginary, value.imaginary, weight);
    }
    template <typename Value>
    GPU_FUNC static Value of_mean(Value mean) {
        return mean;
    }
};

template <typename Source>
using Average = Mean<Source, Itself>;

}  // namespace warp
}  // namespace kernels
