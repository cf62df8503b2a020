// What the CUB calls share: temporary storage from the stream, and errors.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cub/version.cuh>
#include <string>

#include "gpu/primitives/cuda.h"

namespace gpu::primitives::cuda {

inline void Check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    cudaGetLastError();
    Error::Kind kind = Error::Kind::Launch;
    std::string advice;
    if (error == cudaErrorMemoryAllocation) kind = Error::Kind::OutOfMemory;
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoKernelImageForDevice ||
        error == cudaErrorUnsupportedPtxVersion) {
        kind = Error::Kind::Unavailable;
        advice =
            "; update the driver, or build with an older CUDA toolkit and with the GPU's "
            "architecture in "
            "CMAKE_CUDA_ARCHITECTURES";
    }
    throw Error(kind, std::string(what) + ": " + cudaGetErrorName(error) + ": " +
                          cudaGetErrorString(error) + advice);
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

// Makes the stream's context the thread's own, for the runtime API, and returns the stream.
inline cudaStream_t Native(Stream& stream) { return static_cast<cudaStream_t>(stream.native()); }

}  // namespace gpu::primitives::cuda
