// The dialect that both devices compile: CUDA (NVRTC) and HOST (the system's C++ compiler). A kernel is written once:
//
//     GPU_KERNEL(scale, ScaleParams, p) {
//         GPU_FOR_2D(x, y, p.width, p.height) { p.out[y * p.width + x] = p.in[y * p.width + x] * p.factor; }
//     }
//
// Every kernel takes one parameter struct by value (standard layout, all members 8 bytes wide or padded to 8, so that
// structs can be put one after the other as bytes). On CUDA the loop is a grid-stride loop; on HOST it runs over the
// part of the rows (GPU_FOR_2D) or items (GPU_FOR_1D) that the calling worker was given.
// The library's own C++ includes these headers too, for the parameter structs and for set-up code.
#pragma once

#if defined(__CUDACC__)
#define GPU_FUNC __device__ __forceinline__
#define GPU_CONST __device__ const
#else
#include <cfloat>
#include <cmath>
#define GPU_FUNC inline
#define GPU_CONST static const
#endif

namespace kernels {

using int8 = signed char;
using uint8 = unsigned char;
using int16 = short;
using uint16 = unsigned short;
using int32 = int;
using uint32 = unsigned int;
using int64 = long long;
using uint64 = unsigned long long;

// Compute precision of coordinates; double unless the fused text was asked for another.
#if defined(GPU_REAL)
using real = GPU_REAL;
#else
using real = double;
#endif

struct WorkRange {
    int64 begin;
    int64 end;
};

}  // namespace kernels

#if defined(__CUDACC__)

#define GPU_KERNEL(name, Params, p) extern "C" __global__ void name(const __grid_constant__ Params p)

#define GPU_FOR_2D(x, y, width, height)                                                               \
    for (long long y = blockIdx.y * (long long)blockDim.y + threadIdx.y; y < (long long)(height);     \
         y += gridDim.y * (long long)blockDim.y)                                                      \
        for (long long x = blockIdx.x * (long long)blockDim.x + threadIdx.x; x < (long long)(width);  \
             x += gridDim.x * (long long)blockDim.x)

#define GPU_FOR_1D(i, count)                                                                          \
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < (long long)(count);      \
         i += gridDim.x * (long long)blockDim.x)

#else

#define GPU_KERNEL(name, Params, p)                                                                   \
    static void name##_body(const Params& p, kernels::WorkRange gpu_range);                           \
    extern "C" __attribute__((visibility("default"))) void name(const void* params, long long begin,  \
                                                                long long end) {                      \
        name##_body(*static_cast<const Params*>(params), kernels::WorkRange{begin, end});             \
    }                                                                                                 \
    static void name##_body(const Params& p, kernels::WorkRange gpu_range)

#define GPU_FOR_2D(x, y, width, height)                            \
    for (long long y = gpu_range.begin; y < gpu_range.end; ++y)    \
        for (long long x = 0; x < (long long)(width); ++x)

#define GPU_FOR_1D(i, count) for (long long i = gpu_range.begin; i < gpu_range.end; ++i)

#endif
