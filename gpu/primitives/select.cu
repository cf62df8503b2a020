#include <cub/device/device_select.cuh>

#include "gpu/primitives/cub.cuh"

namespace gpu::primitives::on_cuda {

template <typename Bits>
void Select(Stream& stream, const Bits* in, const uint8_t* flags, Bits* out, int64_t* selected,
            int64_t count) {
    const cudaStream_t native = Native(stream);
    WithTemporary(stream, "select", count, [&](void* temporary, size_t& bytes) {
        return cub::DeviceSelect::Flagged(temporary, bytes, in, flags, out, selected, count,
                                          native);
    });
}

template void Select(Stream&, const uint32_t*, const uint8_t*, uint32_t*, int64_t*, int64_t);
template void Select(Stream&, const uint64_t*, const uint8_t*, uint64_t*, int64_t*, int64_t);

}  // namespace gpu::primitives::on_cuda
