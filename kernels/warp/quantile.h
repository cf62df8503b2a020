// Median and quartiles of an area: the value at place ceil(q n - 1) of the n in order; of complex
// pixels the real part's.
#pragma once

#include "core/order.h"
#include "warp/area.h"

namespace kernels {
namespace warp {

template <typename Source, int kQuarters>
class Quantile : public AreaSampling<Source> {
  public:
    using Value = typename Source::Value;
    using AreaSampling<Source>::AreaSampling;

    GPU_FUNC Sampled<Value> sample(int64 band) const {
        const int64 count = count_valid(band);
        if (count == 0) return {0.0, Value{}};
        // In float, as GDAL.
        const int64 place = static_cast<int64>(
            ceilf(0.25f * static_cast<float>(kQuarters) * static_cast<float>(count) - 1.0f));
        Sampled<Value> sampled{1.0, Value{}};
        set_real(sampled.value,
                 Ordering::value(2 * count <= Ordering::bits ? by_rank(band, place)
                                                             : by_digits(band, place)));
        return sampled;
    }

  private:
    using Ordering = Order<typename Source::Pixel>;
    using Key = typename Ordering::Key;

    GPU_FUNC Key key(int64 band, Place place) const {
        return Ordering::key(this->source.pixel(band, place));
    }

    GPU_FUNC int64 count_valid(int64 band) const {
        const Area& area = this->area;
        if constexpr (!Source::kMasked) {
            return (area.x_end - area.x_first) * (area.y_end - area.y_first);
        }
        int64 count = 0;
        this->each(band, [&](Place, int64, int64) {
            ++count;
            return true;
        });
        return count;
    }

    // The first key that has at most `place` smaller ones, and more with those that equal it.
    GPU_FUNC Key by_rank(int64 band, int64 place) const {
        Key result = 0;
        this->each(band, [&](Place candidate, int64, int64) {
            const Key candidate_key = key(band, candidate);
            int64 smaller = 0, equal = 0;
            this->each(band, [&](Place other, int64, int64) {
                const Key other_key = key(band, other);
                smaller += other_key < candidate_key ? 1 : 0;
                equal += other_key == candidate_key ? 1 : 0;
                return true;
            });
            if (smaller > place || smaller + equal <= place) return true;
            result = candidate_key;
            return false;
        });
        return result;
    }

    // Two bits at a time, from the highest.
    GPU_FUNC Key by_digits(int64 band, int64 place) const {
        Key found = 0;
        for (int shift = Ordering::bits - 2; shift >= 0; shift -= 2) {
            int64 zeros = 0, ones = 0, twos = 0;
            this->each(band, [&](Place pixel, int64, int64) {
                const Key digits = key(band, pixel) >> shift;
                if ((digits ^ (found >> shift)) >> 2) return true;
                const int digit = static_cast<int>(digits & 3);
                zeros += digit == 0 ? 1 : 0;
                ones += digit == 1 ? 1 : 0;
                twos += digit == 2 ? 1 : 0;
                return true;
            });
            Key digit = 0;
            if (place >= zeros) {
                place -= zeros;
                digit = 1;
                if (place >= ones) {
                    place -= ones;
                    digit = 2;
                    if (place >= twos) {
                        place -= twos;
                        digit = 3;
                    }
                }
            }
            found |= digit << shift;
        }
        return found;
    }
};

template <typename Source>
using Q1 = Quantile<Source, 1>;
template <typename Source>
using Med = Quantile<Source, 2>;
template <typename Source>
using Q3 = Quantile<Source, 3>;

}  // namespace warp
}  // namespace kernels
