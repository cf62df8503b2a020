// The mean of an area, its pixels weighted by the part of them that it covers.
#pragma once

#include "warp/area.h"

namespace kernels {
namespace warp {

// Of: what is added up, and what is made of its mean; kRuns: whether GDAL's newer versions go on
// from mean to mean.
template <typename Source, typename Of>
class Mean : public AreaSampling<Source> {
  public:
    using Value = typename Source::Value;

    GPU_FUNC Mean(const Source& from, const Filter& f, const Area& at)
        : AreaSampling<Source>(from, f, at), means_are_running(f.means_are_running != 0) {}

    GPU_FUNC Sampled<Value> sample(int64 band) const {
        const Source& source = this->source;
        const Area& area = this->area;
        Value sum{};
        double weight = 0.0;
        const bool running = Of::kRuns && means_are_running;
        this->each(band, [&](Place place, int64 x, int64 y) {
            const double w = product(area.y_weight(y), area.x_weight(x));
            if (running && !(w > 0.0)) return true;
            weight += w;
            if (running) {
                run_on(sum, source.value(band, place), w / weight);
            } else {
                Of::add(sum, source.value(band, place), w);
            }
            return true;
        });
        if (!(weight > 0.0)) return {0.0, Value{}};
        return {1.0, running ? sum : Of::of_mean(divided(sum, weight))};
    }

  private:
    GPU_FUNC static void run_on(double& mean, double value, double share) {
        mean += share * (value - mean);
    }
    GPU_FUNC static void run_on(ComplexValue& mean, ComplexValue value, double share) {
        run_on(mean.real, value.real, share);
        run_on(mean.imaginary, value.imaginary, share);
    }

    const bool means_are_running;
};

struct Itself {
    static constexpr bool kRuns = true;
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
