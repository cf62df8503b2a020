// What the CUB calls share: temporary storage from the stream, and errors.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cub/version.cuh>
#include <string>

#include "gpu/cuda_context.h"
#include "gpu/primitives/cuda.h"

namespace gpu::primitives::on_cuda {

// Throws for any error; a sticky one marks the context as lost.
inline void Check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    cudaGetLastError();
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoKernelImageForDevice ||
        error == cudaErrorUnsupportedPtxVersion) {
        throw Error(Error::Kind::Unavailable,
                    std::string(what) + ": " + cudaGetErrorString(error) +
                        "; update the driver, or build with an older CUDA toolkit and with this "
                        "GPU's architecture in "
                        "CMAKE_CUDA_ARCHITECTURES");
    }
    // The runtime's numbers of errors are the driver's.
    CudaContext::Get().check(static_cast<cuda::Result>(error), Error::Kind::Launch, what);
}

// call(temporary, bytes): a CUB function, called once for the bytes that it needs and once to run.
template <typename Call>
void WithTemporary(Stream& stream, const char* what, int64_t count, Call&& call) {
#if CUB_VERSION < 300000
    // Some algorithms of older versions count in int.
    if (count > std::numeric_limits<int>::max()) {
        throw Error(Error::Kind::InvalidArgument,
                    std::string(what) + ": " + std::to_string(count) +
                        " items need a build with CUDA toolkit 13 or newer");
    }
#else
    (void)count;
#endif
    size_t bytes = 0;
    Check(call(nullptr, bytes), what);
    const auto temporary = stream.allocate(std::max<size_t>(bytes, 1));
    Check(call(temporary->address(), bytes), what);
}

inline cudaStream_t Native(Stream& stream) { return static_cast<cudaStream_t>(stream.native()); }

}  // namespace gpu::primitives::on_cuda
