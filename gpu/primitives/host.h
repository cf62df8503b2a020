// The HOST side of primitives.h, of the standard library, on the calling thread.
#pragma once

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "gpu/primitives/number.h"

namespace gpu::primitives::on_host {

template <typename T>
BitsOf<T> Bits(const T& value) {
    BitsOf<T> bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

template <typename T>
T FromBits(BitsOf<T> bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename T>
void ExclusiveSum(const T* in, Wide<T>* out, int64_t count) {
    std::exclusive_scan(in, in + count, out, Wide<T>(0));
}

template <typename T>
Wide<T> Reduce(Reduction reduction, const T* begin, const T* end) {
    return std::accumulate(begin, end, Identity<T>(reduction), Combine<Wide<T>>{reduction});
}

template <typename Key, typename Value>
void SortPairs(const Key* keys_in, Key* keys_out, const Value* values_in, Value* values_out,
               int64_t count) {
    const ToOrdered<BitsOf<Key>> to_ordered{kNumberKind<Key>};
    const FromOrdered<BitsOf<Key>> from_ordered{kNumberKind<Key>};
    std::vector<std::pair<BitsOf<Key>, int64_t>> order(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) order[i] = {to_ordered(Bits(keys_in[i])), i};
    std::sort(order.begin(), order.end());  // stable: the second members differ
    for (int64_t i = 0; i < count; ++i) {
        keys_out[i] = FromBits<Key>(from_ordered(order[i].first));
        values_out[i] = values_in[order[i].second];
    }
}

template <typename T>
int64_t Select(const T* in, const uint8_t* flags, T* out, int64_t count) {
    int64_t selected = 0;
    for (int64_t i = 0; i < count; ++i) {
        if (flags[i]) out[selected++] = in[i];
    }
    return selected;
}

template <typename T>
int64_t RunLengthEncode(const T* in, T* values, int64_t* lengths, int64_t count) {
    const Canonical<BitsOf<T>> canonical{kNumberKind<T>};
    int64_t runs = 0;
    for (int64_t i = 0; i < count; ++i) {
        const BitsOf<T> bits = canonical(Bits(in[i]));
        if (runs > 0 && bits == Bits(values[runs - 1])) {
            ++lengths[runs - 1];
        } else {
            values[runs] = FromBits<T>(bits);
            lengths[runs++] = 1;
        }
    }
    return runs;
}

template <typename T>
void Histogram(const T* in, uint64_t* counts, const ToBin<T>& to_bin, int64_t count) {
    std::fill_n(counts, to_bin.bins, uint64_t(0));
    for (int64_t i = 0; i < count; ++i) {
        const int bin = to_bin(in[i]);
        if (bin >= 0) ++counts[bin];
    }
}

}  // namespace gpu::primitives::on_host
