// The most frequent value of an area; of several the one that is so first, row by row. GDAL until
// 3.10 counts pixels, and compares types other than those of at most 16 bits as floats; newer ones
// add up the parts of pixels that the area covers.
#pragma once

#include "core/order.h"
#include "warp/area.h"

namespace kernels {
namespace warp {

template <typename T>
struct IsShortInteger {
    static constexpr bool value = PixelRange<T>::is_integer && sizeof(T) <= 2;
};
template <typename T>
struct IsShortInteger<Complex<T>> {
    static constexpr bool value = false;
};

template <typename Source>
class Mode : public AreaSampling<Source> {
  public:
    using Value = typename Source::Value;

    GPU_FUNC Mode(const Source& from, const Filter& f, const Area& at)
        : AreaSampling<Source>(from, f, at),
          is_weighted(f.modes_are_weighted != 0),
          ties(f.mode_ties) {}

    GPU_FUNC Sampled<Value> sample(int64 band) const {
        const Area& area = this->area;
        const int64 pixels = (area.x_end - area.x_first) * (area.y_end - area.y_first);
        const Winner winner = pixels <= kFew ? by_pairs(band) : by_table(band);
        return {winner.amount > 0.0f ? 1.0 : 0.0, winner.value};
    }

  private:
    using Pixel = typename Source::Pixel;
    static constexpr bool kShort = IsShortInteger<Pixel>::value;
    static constexpr int64 kFew = 48;
    static constexpr int kTableSize = 64;

    // A value, how much of it there is, and by which of the pixels it has so much.
    struct Winner {
        Value value;
        float amount;
        int64 reached;
    };

    // With the amount that `value` has since pixel `reached`. is_new: it wasn't there before; then
    // GDAL's lists, which weighted values other than short integers are kept in, let it in without
    // a comparison.
    GPU_FUNC void challenge(Winner& winner, Value value, float amount, int64 reached,
                            bool is_new) const {
        if (is_weighted && !kShort && is_new && reached > 0) return;
        if (amount < winner.amount) return;
        if (amount == winner.amount) {
            const double more = real_part(value) - real_part(winner.value);
            if (is_weighted && ties != 0 ? !(more * static_cast<double>(ties) > 0.0)
                                         : reached >= winner.reached)
                return;
        }
        winner = {value, amount, reached};
    }

    GPU_FUNC Value value(int64 band, Place place) const {
        Value value = this->source.value(band, place);
        if (!is_weighted && !kShort) {
            set_real(value, static_cast<double>(static_cast<float>(real_part(value))));
        }
        return value;
    }
    GPU_FUNC bool equal(double a, double b) const {
        return a == b || (is_weighted && a != a && b != b);
    }
    GPU_FUNC bool equal(ComplexValue a, ComplexValue b) const {
        return equal(a.real, b.real) && equal(a.imaginary, b.imaginary);
    }
    GPU_FUNC float amount(int64 x, int64 y) const {
        if (!is_weighted) return 1.0f;
        return static_cast<float>(product(this->area.y_weight(y), this->area.x_weight(x)));
    }

    // Each pixel with those up to it.
    GPU_FUNC Winner by_pairs(int64 band) const {
        Winner winner{};
        int64 index = 0;
        this->each(band, [&](Place place, int64 x, int64 y) {
            const Value candidate = value(band, place);
            float sum = 0.0f;
            bool is_new = true;
            this->each(band, [&](Place other, int64 other_x, int64 other_y) {
                const bool is_last = other_x == x && other_y == y;
                if (is_last || equal(value(band, other), candidate)) {
                    sum += amount(other_x, other_y);
                    is_new = is_new && is_last;
                }
                return !is_last;
            });
            challenge(winner, candidate, sum, index++, is_new);
            return true;
        });
        return winner;
    }

    // A table of values and amounts; where there are more values than it holds, in several passes,
    // each of which takes those with one remainder of their hash.
    GPU_FUNC Winner by_table(int64 band) const {
        Winner winner{};
        for (uint32 passes = 1, pass = 0; pass < passes;) {
            if (table_pass(band, passes, pass, winner)) {
                ++pass;
            } else {
                passes *= 2;
                pass = 0;
                winner = Winner{};
            }
        }
        return winner;
    }

    GPU_FUNC static uint64 hash_bits(double value) {
        return bits_of(value == 0.0 ? 0.0 : value) * 0x9E3779B97F4A7C15ull;
    }
    GPU_FUNC static uint64 hash_bits(ComplexValue value) {
        return hash_bits(value.real) + 31 * hash_bits(value.imaginary);
    }
    GPU_FUNC static uint32 hash(Value value) {
        const uint64 bits = hash_bits(value);
        return static_cast<uint32>((bits ^ (bits >> 29)) >> 17);
    }

    GPU_FUNC bool table_pass(int64 band, uint32 passes, uint32 pass, Winner& winner) const {
        Value values[kTableSize];
        float amounts[kTableSize] = {};
        int held = 0;
        int64 index = -1;
        this->each(band, [&](Place place, int64 x, int64 y) {
            ++index;
            const Value candidate = value(band, place);
            const uint32 mixed = hash(candidate);
            if (mixed % passes != pass) return true;
            if (!equal(candidate, candidate)) {
                challenge(winner, candidate, amount(x, y), index, true);
                return true;
            }
            int at = static_cast<int>((mixed / passes) % kTableSize);
            while (amounts[at] != 0.0f && !equal(values[at], candidate)) at = (at + 1) % kTableSize;
            const bool is_new = amounts[at] == 0.0f;
            if (is_new) {
                if (++held > kTableSize * 3 / 4) return false;
                values[at] = candidate;
            }
            amounts[at] += amount(x, y);
            challenge(winner, candidate, amounts[at], index, is_new);
            return true;
        });
        return held <= kTableSize * 3 / 4;
    }

    const bool is_weighted;
    const int64 ties;
};

}  // namespace warp
}  // namespace kernels
