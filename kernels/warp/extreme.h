// The largest and the smallest value of an area; of complex pixels the real part's.
#pragma once

#include "warp/area.h"

namespace kernels {
namespace warp {

template <typename Source, bool kLargest>
class Extreme : public AreaSampling<Source> {
  public:
    using Value = typename Source::Value;
    using AreaSampling<Source>::AreaSampling;

    GPU_FUNC Sampled<Value> sample(int64 band) const {
        const Source& source = this->source;
        // What NaN alone leaves.
        double extreme = kLargest ? -DBL_MAX : DBL_MAX;
        bool found = false;
        this->each(band, [&](Place place, int64, int64) {
            const double value = real_part(source.value(band, place));
            found = true;
            if (kLargest ? extreme < value : extreme > value) extreme = value;
            return true;
        });
        Sampled<Value> sampled{found ? 1.0 : 0.0, Value{}};
        set_real(sampled.value, extreme);
        return sampled;
    }
};

template <typename Source>
using Max = Extreme<Source, true>;
template <typename Source>
using Min = Extreme<Source, false>;

}  // namespace warp
}  // namespace kernels
