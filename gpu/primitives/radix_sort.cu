#include <thrust/execution_policy.h>
#include <thrust/transform.h>

#include <cub/device/device_radix_sort.cuh>

#include "gpu/primitives/cub.cuh"

namespace gpu::primitives::on_cuda {

template <typename KeyBits, typename ValueBits>
void SortPairs(Stream& stream, NumberKind kind, const KeyBits* keys_in, KeyBits* keys_out,
               const ValueBits* values_in, ValueBits* values_out, int64_t count) {
    const cudaStream_t native = Native(stream);
    const auto policy = thrust::cuda::par_nosync.on(native);
    std::unique_ptr<Memory> ordered;
    const KeyBits* keys = keys_in;
    if (kind != NumberKind::Unsigned) {
        ordered = stream.allocate(static_cast<size_t>(count) * sizeof(KeyBits));
        const auto begin = static_cast<KeyBits*>(ordered->address());
        thrust::transform(policy, keys_in, keys_in + count, begin, ToOrdered<KeyBits>{kind});
        keys = begin;
    }
    WithTemporary(stream, "radix sort", count, [&](void* temporary, size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, keys_out, values_in,
                                               values_out, count, 0,
                                               static_cast<int>(sizeof(KeyBits) * 8), native);
    });
    if (kind != NumberKind::Unsigned) {
        thrust::transform(policy, keys_out, keys_out + count, keys_out, FromOrdered<KeyBits>{kind});
    }
}

template void SortPairs(Stream&, NumberKind, const uint32_t*, uint32_t*, const uint32_t*, uint32_t*,
                        int64_t);
template void SortPairs(Stream&, NumberKind, const uint32_t*, uint32_t*, const uint64_t*, uint64_t*,
                        int64_t);
template void SortPairs(Stream&, NumberKind, const uint64_t*, uint64_t*, const uint32_t*, uint32_t*,
                        int64_t);
template void SortPairs(Stream&, NumberKind, const uint64_t*, uint64_t*, const uint64_t*, uint64_t*,
                        int64_t);

}  // namespace gpu::primitives::on_cuda
