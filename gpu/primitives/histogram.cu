#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_histogram.cuh>

#include "gpu/primitives/cub.cuh"

namespace gpu::primitives::on_cuda {

template <typename T>
void Histogram(Stream& stream, const T* in, uint64_t* counts, const ToBin<T>& to_bin,
               int64_t count) {
    const cudaStream_t native = Native(stream);
    const auto bins = thrust::make_transform_iterator(in, to_bin);
    static_assert(sizeof(unsigned long long) == sizeof(uint64_t));
    const auto counters =
        reinterpret_cast<unsigned long long*>(counts);  // the type that atomicAdd takes
    WithTemporary(stream, "histogram", count, [&](void* temporary, size_t& bytes) {
        return cub::DeviceHistogram::HistogramEven(temporary, bytes, bins, counters,
                                                   to_bin.bins + 1, 0, to_bin.bins, count, native);
    });
}

template void Histogram(Stream&, const int32_t*, uint64_t*, const ToBin<int32_t>&, int64_t);
template void Histogram(Stream&, const uint32_t*, uint64_t*, const ToBin<uint32_t>&, int64_t);
template void Histogram(Stream&, const int64_t*, uint64_t*, const ToBin<int64_t>&, int64_t);
template void Histogram(Stream&, const uint64_t*, uint64_t*, const ToBin<uint64_t>&, int64_t);
template void Histogram(Stream&, const float*, uint64_t*, const ToBin<float>&, int64_t);
template void Histogram(Stream&, const double*, uint64_t*, const ToBin<double>&, int64_t);

}  // namespace gpu::primitives::on_cuda
