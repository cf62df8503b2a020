#include <cub/device/device_scan.cuh>

#include "gpu/primitives/cub.cuh"

namespace gpu::primitives::on_cuda {

template <typename T>
void ExclusiveSum(Stream& stream, const T* in, Wide<T>* out, int64_t count) {
    const cudaStream_t native = Native(stream);
    WithTemporary(stream, "exclusive sum", count, [&](void* temporary, size_t& bytes) {
        return cub::DeviceScan::ExclusiveScan(
            temporary, bytes, in, out, Combine<Wide<T>>{Reduction::Sum}, Wide<T>(0), count, native);
    });
}

template void ExclusiveSum(Stream&, const int32_t*, int64_t*, int64_t);
template void ExclusiveSum(Stream&, const uint32_t*, uint64_t*, int64_t);
template void ExclusiveSum(Stream&, const uint64_t*, uint64_t*, int64_t);

}  // namespace gpu::primitives::on_cuda
