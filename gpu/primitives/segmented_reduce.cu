#include <cub/device/device_segmented_reduce.cuh>

#include "gpu/primitives/cub.cuh"

namespace gpu::primitives::on_cuda {

template <typename T>
void SegmentedReduce(Stream& stream, Reduction reduction, const T* in, Wide<T>* out,
                     int64_t segments, const int64_t* offsets) {
    const cudaStream_t native = Native(stream);
    WithTemporary(stream, "segmented reduce", segments, [&](void* temporary, size_t& bytes) {
        return cub::DeviceSegmentedReduce::Reduce(temporary, bytes, in, out, segments, offsets,
                                                  offsets + 1, Combine<Wide<T>>{reduction},
                                                  Identity<T>(reduction), native);
    });
}

template void SegmentedReduce(Stream&, Reduction, const int32_t*, int64_t*, int64_t,
                              const int64_t*);
template void SegmentedReduce(Stream&, Reduction, const uint32_t*, uint64_t*, int64_t,
                              const int64_t*);
template void SegmentedReduce(Stream&, Reduction, const int64_t*, int64_t*, int64_t,
                              const int64_t*);
template void SegmentedReduce(Stream&, Reduction, const uint64_t*, uint64_t*, int64_t,
                              const int64_t*);
template void SegmentedReduce(Stream&, Reduction, const float*, double*, int64_t, const int64_t*);
template void SegmentedReduce(Stream&, Reduction, const double*, double*, int64_t, const int64_t*);

}  // namespace gpu::primitives::on_cuda
