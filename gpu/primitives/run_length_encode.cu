#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_reduce.cuh>

#include "gpu/primitives/cub.cuh"

namespace gpu::primitives::on_cuda {

// CUB's own run-length encoding counts in int; it is this reduction by key, of ones.
template <typename Bits>
void RunLengthEncode(Stream& stream, NumberKind kind, const Bits* in, Bits* values,
                     int64_t* lengths, int64_t* runs, int64_t count) {
    const cudaStream_t native = Native(stream);
    const auto canonical = thrust::make_transform_iterator(in, Canonical<Bits>{kind});
    const thrust::constant_iterator<int64_t> ones(1);
    WithTemporary(stream, "run-length encode", count, [&](void* temporary, size_t& bytes) {
        return cub::DeviceReduce::ReduceByKey(temporary, bytes, canonical, values, ones, lengths,
                                              runs, Combine<int64_t>{Reduction::Sum}, count,
                                              native);
    });
}

template void RunLengthEncode(Stream&, NumberKind, const uint32_t*, uint32_t*, int64_t*, int64_t*,
                              int64_t);
template void RunLengthEncode(Stream&, NumberKind, const uint64_t*, uint64_t*, int64_t*, int64_t*,
                              int64_t);

}  // namespace gpu::primitives::on_cuda
