#include "gpu/primitives/primitives.h"

#include <cmath>
#include <string>

#include "gpu/cuda_context.h"
#include "gpu/primitives/cuda.h"
#include "gpu/primitives/host.h"

namespace gpu {
namespace {

namespace on_cuda = primitives::on_cuda;
namespace on_host = primitives::on_host;
using primitives::BitsOf;
using primitives::kNumberKind;

#if defined(GDALGPU_WITH_CUB)
constexpr bool kWithCub = true;
#else
constexpr bool kWithCub = false;
#endif

void CheckCount(const char* what, int64_t count) {
    if (count < 0) {
        throw Error(Error::Kind::InvalidArgument,
                    std::string(what) + ": a count of " + std::to_string(count) + " is negative");
    }
}

// Whether to run on HOST; its memory is then up to date. Throws where CUDA has no primitives in
// this build.
bool OnHost(Stream& stream, const char* what) {
    if (stream.native() == nullptr) {
        stream.synchronize();
        return true;
    }
    if (!kWithCub) {
        throw Error(Error::Kind::Unavailable,
                    std::string(what) +
                        ": gdal-gpu was built without CUB; install the CUDA toolkit 12 or "
                        "newer and build again, or set GDAL_GPU_DEVICE=HOST");
    }
    return false;
}

// Makes the stream's context the thread's current one, for the CUDA runtime, while `call` runs.
template <typename Call>
void OnCuda(Call&& call) {
    const CudaContext::Scope scope(CudaContext::Get());
    call();
}

template <typename T>
const BitsOf<T>* AsBits(const T* device) {
    return reinterpret_cast<const BitsOf<T>*>(device);
}

template <typename T>
BitsOf<T>* AsBits(T* device) {
    return reinterpret_cast<BitsOf<T>*>(device);
}

}  // namespace

template <typename T>
void ExclusiveSum(Stream& stream, const T* in, Wide<T>* out, int64_t count) {
    CheckCount("exclusive sum", count);
    if (OnHost(stream, "exclusive sum")) {
        on_host::ExclusiveSum(in, out, count);
        return;
    }
    if constexpr (kWithCub) {
        if (count == 0) return;
        if constexpr (std::is_same_v<T, int64_t>) {  // the same bits as unsigned
            OnCuda([&] { on_cuda::ExclusiveSum(stream, AsBits(in), AsBits(out), count); });
        } else {
            OnCuda([&] { on_cuda::ExclusiveSum(stream, in, out, count); });
        }
    }
}

template <typename T>
void Reduce(Stream& stream, Reduction reduction, const T* in, Wide<T>* out, int64_t count) {
    CheckCount("reduce", count);
    if (OnHost(stream, "reduce")) {
        *out = on_host::Reduce(reduction, in, in + count);
        return;
    }
    if constexpr (kWithCub) {
        if (count > 0) {
            OnCuda([&] { on_cuda::Reduce(stream, reduction, in, out, count); });
        } else {
            const Wide<T> identity = Identity<T>(reduction);
            stream.upload(out, &identity, sizeof identity);
        }
    }
}

template <typename T>
void SegmentedReduce(Stream& stream, Reduction reduction, const T* in, Wide<T>* out,
                     int64_t segments, const int64_t* offsets) {
    CheckCount("segmented reduce", segments);
    if (OnHost(stream, "segmented reduce")) {
        for (int64_t s = 0; s < segments; ++s) {
            out[s] = on_host::Reduce(reduction, in + offsets[s], in + offsets[s + 1]);
        }
        return;
    }
    if constexpr (kWithCub) {
        if (segments > 0)
            OnCuda(
                [&] { on_cuda::SegmentedReduce(stream, reduction, in, out, segments, offsets); });
    }
}

template <typename Key, typename Value>
void SortPairs(Stream& stream, const Key* keys_in, Key* keys_out, const Value* values_in,
               Value* values_out, int64_t count) {
    CheckCount("radix sort", count);
    if (OnHost(stream, "radix sort")) {
        on_host::SortPairs(keys_in, keys_out, values_in, values_out, count);
        return;
    }
    if constexpr (kWithCub) {
        if (count == 0) return;
        OnCuda([&] {
            on_cuda::SortPairs(stream, kNumberKind<Key>, AsBits(keys_in), AsBits(keys_out),
                               AsBits(values_in), AsBits(values_out), count);
        });
    }
}

template <typename T>
void Select(Stream& stream, const T* in, const uint8_t* flags, T* out, int64_t* selected,
            int64_t count) {
    CheckCount("select", count);
    if (OnHost(stream, "select")) {
        *selected = on_host::Select(in, flags, out, count);
        return;
    }
    if constexpr (kWithCub) {
        if (count > 0) {
            OnCuda(
                [&] { on_cuda::Select(stream, AsBits(in), flags, AsBits(out), selected, count); });
        } else {
            stream.fill(selected, 0, sizeof *selected);
        }
    }
}

template <typename T>
void RunLengthEncode(Stream& stream, const T* in, T* values, int64_t* lengths, int64_t* runs,
                     int64_t count) {
    CheckCount("run-length encode", count);
    if (OnHost(stream, "run-length encode")) {
        *runs = on_host::RunLengthEncode(in, values, lengths, count);
        return;
    }
    if constexpr (kWithCub) {
        if (count > 0) {
            OnCuda([&] {
                on_cuda::RunLengthEncode(stream, kNumberKind<T>, AsBits(in), AsBits(values),
                                         lengths, runs, count);
            });
        } else {
            stream.fill(runs, 0, sizeof *runs);
        }
    }
}

template <typename T>
void Histogram(Stream& stream, const T* in, uint64_t* counts, int bins, double lower, double upper,
               int64_t count) {
    CheckCount("histogram", count);
    if (bins < 1 || bins > (1 << 24)) {
        throw Error(Error::Kind::InvalidArgument, "histogram: " + std::to_string(bins) +
                                                      " bins; from 1 to 16777216 are possible");
    }
    // The width of the range must be finite too.
    const double scale = bins / (upper - lower);
    if (!(lower < upper) || !std::isfinite(scale) || scale == 0) {
        throw Error(Error::Kind::InvalidArgument, "histogram: from " + std::to_string(lower) +
                                                      " to " + std::to_string(upper) +
                                                      " is not a range of finite width");
    }
    const primitives::ToBin<T> to_bin{lower, upper, scale, bins};
    if (OnHost(stream, "histogram")) {
        on_host::Histogram(in, counts, to_bin, count);
        return;
    }
    if constexpr (kWithCub) {
        if (count > 0) {
            OnCuda([&] { on_cuda::Histogram(stream, in, counts, to_bin, count); });
        } else {
            stream.fill(counts, 0, sizeof *counts * static_cast<size_t>(bins));
        }
    }
}

template void ExclusiveSum(Stream&, const int32_t*, int64_t*, int64_t);
template void ExclusiveSum(Stream&, const uint32_t*, uint64_t*, int64_t);
template void ExclusiveSum(Stream&, const int64_t*, int64_t*, int64_t);
template void ExclusiveSum(Stream&, const uint64_t*, uint64_t*, int64_t);

#define GPU_SORT(Key, Value) \
    template void SortPairs(Stream&, const Key*, Key*, const Value*, Value*, int64_t);

#define GPU_ALL(T)                                                                       \
    template void Reduce(Stream&, Reduction, const T*, Wide<T>*, int64_t);               \
    template void SegmentedReduce(Stream&, Reduction, const T*, Wide<T>*, int64_t,       \
                                  const int64_t*);                                       \
    template void Select(Stream&, const T*, const uint8_t*, T*, int64_t*, int64_t);      \
    template void RunLengthEncode(Stream&, const T*, T*, int64_t*, int64_t*, int64_t);   \
    template void Histogram(Stream&, const T*, uint64_t*, int, double, double, int64_t); \
    GPU_SORT(T, int32_t)                                                                 \
    GPU_SORT(T, uint32_t)                                                                \
    GPU_SORT(T, int64_t)                                                                 \
    GPU_SORT(T, uint64_t)                                                                \
    GPU_SORT(T, float)                                                                   \
    GPU_SORT(T, double)

GPU_ALL(int32_t)
GPU_ALL(uint32_t)
GPU_ALL(int64_t)
GPU_ALL(uint64_t)
GPU_ALL(float)
GPU_ALL(double)

#undef GPU_ALL
#undef GPU_SORT

}  // namespace gpu
