// The dialect that both devices compile: CUDA (NVRTC) and HOST (the system's C++ compiler). A
// kernel is written once:
//
//     GPU_KERNEL(scale, ScaleParams, p) {
//         GPU_FOR_1D(i, p.count) { p.out[i] = p.in[i] * p.factor; }
//     }
//
// Every kernel takes one parameter struct by value (standard layout, all members 8 bytes wide or
// padded to 8, so that structs can be put one after the other as bytes). On CUDA the loop is a
// grid-stride loop; on HOST it runs over the part of the launch that the calling worker was given.
// The Extent of the launch is the size of the kernel's loops: {width, height} for GPU_FOR_2D,
// {count} for GPU_FOR_1D, which needs a height of 1. The library's own C++ includes these headers
// too, for the parameter structs and for set-up code; there a kernel is an inline function
// `name(params, range)`. Only a module's text makes entry points (GPU_MODULE is defined for it).
//
// CUDA fuses a product with the addition after it. A header whose formulas take small differences
// of products, which then differ from PROJ's far beyond the last digit, or whose results have to be
// the same bits on every device, says `#define GPU_UNFUSED`: a text with that line is compiled
// without.
#pragma once

#if defined(__CUDACC__)
#define GPU_FUNC __device__ __forceinline__
#define GPU_CONST __device__ const
#if defined(__CUDACC_RTC__)
// NVRTC comes without the standard headers: the constants of <cmath> and <cfloat>.
#define NAN __int_as_float(0x7fffffff)
#define INFINITY __int_as_float(0x7f800000)
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000LL)
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define FLT_MAX 3.402823466e+38F
#define FLT_EPSILON 1.1920928955078125e-7F
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#endif
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

// The part of a launch that one call of a HOST kernel does: rows [y_begin, y_end) and columns
// (items of GPU_FOR_1D) [x_begin, x_end), cut off at the loop's own size. The default is
// everything.
struct WorkRange {
    int64 x_begin = 0;
    int64 x_end = 0x7fffffffffffffffLL;
    int64 y_begin = 0;
    int64 y_end = 0x7fffffffffffffffLL;
};

}  // namespace kernels

#if defined(__CUDACC__)

#define GPU_KERNEL(name, Params, p) \
    extern "C" __global__ void name(const __grid_constant__ Params p)

#define GPU_FOR_2D(column, row, width, height)                                    \
    for (long long row = blockIdx.y * (long long)blockDim.y + threadIdx.y;        \
         row < (long long)(height); row += gridDim.y * (long long)blockDim.y)     \
        for (long long column = blockIdx.x * (long long)blockDim.x + threadIdx.x; \
             column < (long long)(width); column += gridDim.x * (long long)blockDim.x)

#define GPU_FOR_1D(i, count)                                                                     \
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < (long long)(count); \
         i += gridDim.x * (long long)blockDim.x)

#else

#if defined(GPU_MODULE)
#define GPU_KERNEL(name, Params, p)                                                \
    static void name##_body(const Params& p, kernels::WorkRange gpu_range);        \
    extern "C" __attribute__((visibility("default"))) void name(                   \
        const void* params, long long x_begin, long long x_end, long long y_begin, \
        long long y_end) {                                                         \
        name##_body(*static_cast<const Params*>(params),                           \
                    kernels::WorkRange{x_begin, x_end, y_begin, y_end});           \
    }                                                                              \
    static void name##_body(const Params& p, [[maybe_unused]] kernels::WorkRange gpu_range)
#else
#define GPU_KERNEL(name, Params, p)                    \
    inline void name([[maybe_unused]] const Params& p, \
                     [[maybe_unused]] kernels::WorkRange gpu_range)
#endif

#define GPU_RANGE_END(end, size) ((end) < (long long)(size) ? (end) : (long long)(size))

#define GPU_FOR_2D(x, y, width, height)                                                            \
    for (long long y = gpu_range.y_begin, gpu_end_##y = GPU_RANGE_END(gpu_range.y_end, height);    \
         y < gpu_end_##y; ++y)                                                                     \
        for (long long x = gpu_range.x_begin, gpu_end_##x = GPU_RANGE_END(gpu_range.x_end, width); \
             x < gpu_end_##x; ++x)

#define GPU_FOR_1D(i, count)                                                                   \
    for (long long i = gpu_range.x_begin, gpu_end_##i = GPU_RANGE_END(gpu_range.x_end, count); \
         i < gpu_end_##i; ++i)

#endif
