// Sums, sorts, selections and counts over device memory, on both devices: CUB and Thrust on CUDA,
// the standard library on HOST.
//
// Pointers are device memory of the stream's device, aligned to their type; inputs and outputs must
// not overlap. Work is ordered with the stream's other work: results are there for what follows on
// it, and for download(). Counts are 64 bits. T is int32_t, uint32_t, int64_t, uint64_t, float or
// double unless said. Results are the same on both devices and from run to run, except for the last
// bits of sums of float and double.
//
// All throw Error: InvalidArgument for a negative count or a bad argument; OutOfMemory where there
// is no room for temporary storage; Unavailable on CUDA where the library was built without a CUDA
// toolkit, or with a newer one than the driver takes; Launch for other errors of CUDA.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "gpu/device.h"

namespace gpu {

// What sums of T are kept in: 64 bits.
template <typename T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, double,
                                std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

// out[i] = in[0] + ... + in[i - 1]; out[0] = 0. Integers alone: on CUDA a scan of floats isn't
// repeatable.
template <typename T>
void ExclusiveSum(Stream& stream, const T* in, Wide<T>* out, int64_t count);

enum class Reduction { Sum, Min, Max };

// What a reduction of nothing gives: 0, or the largest (Min) or lowest (Max) value of T, which for
// float and double is plus or minus infinity.
template <typename T>
Wide<T> Identity(Reduction reduction) {
    using Limits = std::numeric_limits<T>;
    switch (reduction) {
        case Reduction::Min:
            return Limits::has_infinity ? Limits::infinity() : Limits::max();
        case Reduction::Max:
            return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
        default:
            return 0;
    }
}

// *out = the sum, or the smallest or largest value. Min and Max skip NaN; a sum with NaN is NaN.
template <typename T>
void Reduce(Stream& stream, Reduction reduction, const T* in, Wide<T>* out, int64_t count);

// out[s] = the reduction of in[offsets[s]] ... in[offsets[s + 1] - 1], for `segments` segments;
// `offsets`, in device memory, has one more.
template <typename T>
void SegmentedReduce(Stream& stream, Reduction reduction, const T* in, Wide<T>* out,
                     int64_t segments, const int64_t* offsets);

// Sorts pairs by key, ascending; pairs of equal keys keep their order. Value is any type of T's
// list. Keys of float and double: -0 equals 0 and comes back as 0; NaNs are equal to each other,
// come last and come back as the quiet NaN.
template <typename Key, typename Value>
void SortPairs(Stream& stream, const Key* keys_in, Key* keys_out, const Value* values_in,
               Value* values_out, int64_t count);

// Copies in[i] where flags[i] isn't 0, in order, to the front of `out` (room for all that are
// selected), and their number to *selected.
template <typename T>
void Select(Stream& stream, const T* in, const uint8_t* flags, T* out, int64_t* selected,
            int64_t count);

// For each run of equal values, in order: the value, and its length; *runs = their number. `values`
// and `lengths` need room for every run (at most `count`). float and double as in SortPairs: all
// NaNs are equal, -0 equals 0.
template <typename T>
void RunLengthEncode(Stream& stream, const T* in, T* values, int64_t* lengths, int64_t* runs,
                     int64_t count);

// counts[b] = how many values v lie in bin b = floor((v - lower) * (bins / (upper - lower))),
// computed in double, for lower <= v < upper; the last bin takes what rounds up to `bins`. Other
// values, NaN among them, are not counted. lower and upper are finite, lower < upper; bins from 1
// to 2^24. int64_t and uint64_t are rounded to double.
template <typename T>
void Histogram(Stream& stream, const T* in, uint64_t* counts, int bins, double lower, double upper,
               int64_t count);

}  // namespace gpu
