#include <cub/device/device_reduce.cuh>

#include "gpu/primitives/cub.cuh"

namespace gpu::primitives::on_cuda {

template <typename T>
void Reduce(Stream& stream, Reduction reduction, const T* in, Wide<T>* out, int64_t count) {
    const cudaStream_t native = Native(stream);
    WithTemporary(stream, "reduce", count, [&](void* temporary, size_t& bytes) {
        return cub::DeviceReduce::Reduce(temporary, bytes, in, out, count,
                                         Combine<Wide<T>>{reduction}, Identity<T>(reduction),
                                         native);
    });
}

template void Reduce(Stream&, Reduction, const int32_t*, int64_t*, int64_t);
template void Reduce(Stream&, Reduction, const uint32_t*, uint64_t*, int64_t);
template void Reduce(Stream&, Reduction, const int64_t*, int64_t*, int64_t);
template void Reduce(Stream&, Reduction, const uint64_t*, uint64_t*, int64_t);
template void Reduce(Stream&, Reduction, const float*, double*, int64_t);
template void Reduce(Stream&, Reduction, const double*, double*, int64_t);

}  // namespace gpu::primitives::on_cuda
