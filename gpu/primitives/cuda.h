// The CUDA side of primitives.h, over values as bits where the operation allows it: fewer kernels
// to compile. Counts are at least 1, and the context is the thread's current one.
#pragma once

#include "gpu/primitives/number.h"

namespace gpu::primitives::on_cuda {

template <typename T>
void ExclusiveSum(Stream& stream, const T* in, Wide<T>* out, int64_t count);
template <typename T>
void Reduce(Stream& stream, Reduction reduction, const T* in, Wide<T>* out, int64_t count);
template <typename T>
void SegmentedReduce(Stream& stream, Reduction reduction, const T* in, Wide<T>* out,
                     int64_t segments, const int64_t* offsets);
template <typename KeyBits, typename ValueBits>
void SortPairs(Stream& stream, NumberKind kind, const KeyBits* keys_in, KeyBits* keys_out,
               const ValueBits* values_in, ValueBits* values_out, int64_t count);
template <typename Bits>
void Select(Stream& stream, const Bits* in, const uint8_t* flags, Bits* out, int64_t* selected,
            int64_t count);
template <typename Bits>
void RunLengthEncode(Stream& stream, NumberKind kind, const Bits* in, Bits* values,
                     int64_t* lengths, int64_t* runs, int64_t count);
template <typename T>
void Histogram(Stream& stream, const T* in, uint64_t* counts, const ToBin<T>& to_bin,
               int64_t count);

}  // namespace gpu::primitives::on_cuda
