// The most frequent value of an area; of several the one that is so first, row by row. Types other
// than those of at most 16 bits are compared as floats, complex pixels by the real part, as GDAL's.
#pragma once

#include "core/order.h"
#include "warp/area.h"

namespace kernels {
namespace warp {

template <typename T>
struct ModeValue {
    static constexpr bool is_small = PixelRange<T>::is_integer && sizeof(T) <= 2;
    GPU_FUNC static double of(T pixel) {
        if constexpr (is_small) {
            return to_double(pixel);
        } else {
            return static_cast<double>(static_cast<float>(to_double(pixel)));
        }
    }
};
template <typename T>
struct ModeValue<Complex<T>> {
    GPU_FUNC static double of(Complex<T> pixel) {
        return static_cast<double>(static_cast<float>(to_double(pixel.real)));
    }
};

template <typename Source>
class Mode : public AreaSampling<Source> {
  public:
    using Value = typename Source::Value;
    using AreaSampling<Source>::AreaSampling;

    GPU_FUNC Sampled<Value> sample(int64 band) const {
        const Area& area = this->area;
        const int64 pixels = (area.x_end - area.x_first) * (area.y_end - area.y_first);
        const Winner winner = pixels <= kFew ? by_pairs(band) : by_table(band, pixels);
        Sampled<Value> sampled{winner.count > 0 ? 1.0 : 0.0, Value{}};
        set_real(sampled.value, winner.value);
        return sampled;
    }

  private:
    static constexpr int64 kFew = 48;
    static constexpr int kTableSize = 64;

    // A value, how often it is there, and which of the pixels was the last of them.
    struct Winner {
        double value;
        int64 count, reached;

        GPU_FUNC void challenge(double by, int64 by_count, int64 by_reached) {
            if (by_count < count || (by_count == count && by_reached > reached)) return;
            value = by;
            count = by_count;
            reached = by_reached;
        }
    };

    GPU_FUNC double value(int64 band, Place place) const {
        return ModeValue<typename Source::Pixel>::of(this->source.pixel(band, place));
    }

    // Each pixel with those up to it.
    GPU_FUNC Winner by_pairs(int64 band) const {
        Winner winner{0.0, 0, 0};
        this->each(band, [&](Place place, int64 x, int64 y) {
            const double candidate = value(band, place);
            int64 count = 0;
            this->each(band, [&](Place other, int64 other_x, int64 other_y) {
                count += value(band, other) == candidate ? 1 : 0;
                return other_x != x || other_y != y;
            });
            if (count == 0) count = 1;  // a NaN equals none, not even itself
            if (count > winner.count) winner = {candidate, count, 0};
            return true;
        });
        return winner;
    }

    // A table of values and counts; where there are more values than it holds, in several passes,
    // each of which takes those with one remainder of their hash.
    GPU_FUNC Winner by_table(int64 band, int64 pixels) const {
        Winner winner{0.0, 0, pixels};
        for (uint32 passes = 1, pass = 0; pass < passes;) {
            if (count_pass(band, passes, pass, winner)) {
                ++pass;
            } else {
                // Of the remainder `pass` of `passes`; those before are done.
                passes *= 2;
                pass = 0;
                winner = {0.0, 0, pixels};
            }
        }
        return winner;
    }

    GPU_FUNC bool count_pass(int64 band, uint32 passes, uint32 pass, Winner& winner) const {
        double values[kTableSize];
        int32 counts[kTableSize] = {};
        int held = 0;
        int64 index = -1;
        this->each(band, [&](Place place, int64, int64) {
            ++index;
            const double candidate = value(band, place);
            const uint64 bits = bits_of(candidate == 0.0 ? 0.0 : candidate);
            const uint32 hash =
                static_cast<uint32>((bits ^ (bits >> 32)) * 0x9E3779B97F4A7C15ull >> 32);
            if (hash % passes != pass) return true;
            if (candidate != candidate) {
                winner.challenge(candidate, 1, index);
                return true;
            }
            int at = static_cast<int>((hash / passes) % kTableSize);
            while (counts[at] != 0 && values[at] != candidate) at = (at + 1) % kTableSize;
            if (counts[at] == 0) {
                if (++held > kTableSize * 3 / 4) return false;
                values[at] = candidate;
            }
            winner.challenge(candidate, ++counts[at], index);
            return true;
        });
        return held <= kTableSize * 3 / 4;
    }
};

}  // namespace warp
}  // namespace kernels
