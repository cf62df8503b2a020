// The CUDA driver, opened at run time: the few declarations that are used, so that no toolkit is
// needed to build.
#pragma once

#include <cstddef>

namespace gpu {
namespace cuda {

// As in cuda.h.
using Result = int;
using Device = int;
using Address = unsigned long long;
using Context = struct ContextObject*;
using Module = struct ModuleObject*;
using Function = struct FunctionObject*;
using Stream = struct StreamObject*;
using Event = struct EventObject*;
using MemoryPool = struct MemoryPoolObject*;

constexpr Result kSuccess = 0;
constexpr Result kOutOfMemory = 2;
constexpr int kComputeCapabilityMajor = 75;
constexpr int kComputeCapabilityMinor = 76;
constexpr int kMemoryPoolsSupported = 115;
constexpr unsigned kStreamNonBlocking = 1;
constexpr unsigned kEventBlockingSync = 1;
constexpr unsigned kEventDisableTiming = 2;
constexpr unsigned kHostPortable = 1;  // of cuMemHostAlloc and cuMemHostRegister
constexpr int kPointerMemoryType = 2;  // its value for pinned host memory: kMemoryTypeHost
constexpr unsigned kMemoryTypeHost = 1;
constexpr int kPoolReleaseThreshold = 4;
constexpr int kPoolReservedCurrent = 5;
constexpr int kPoolUsedCurrent = 7;

struct MemoryPoolProperties {
    int allocation_type = 1;  // CU_MEM_ALLOCATION_TYPE_PINNED
    int handle_types = 0;
    int location_type = 1;  // CU_MEM_LOCATION_TYPE_DEVICE
    int location_id = 0;
    void* security_attributes = nullptr;
    size_t max_size = 0;
    unsigned char reserved[56] = {};
};
static_assert(sizeof(MemoryPoolProperties) == 88, "CUmemPoolProps");

// member, exported name, parameters
#define GDALGPU_CUDA_FUNCTIONS(F)                                                              \
    F(init, cuInit, (unsigned))                                                                \
    F(driver_version, cuDriverGetVersion, (int*))                                              \
    F(error_name, cuGetErrorName, (Result, const char**))                                      \
    F(error_text, cuGetErrorString, (Result, const char**))                                    \
    F(device_count, cuDeviceGetCount, (int*))                                                  \
    F(device_get, cuDeviceGet, (Device*, int))                                                 \
    F(device_name, cuDeviceGetName, (char*, int, Device))                                      \
    F(device_attribute, cuDeviceGetAttribute, (int*, int, Device))                             \
    F(primary_context, cuDevicePrimaryCtxRetain, (Context*, Device))                           \
    F(push_context, cuCtxPushCurrent_v2, (Context))                                            \
    F(pop_context, cuCtxPopCurrent_v2, (Context*))                                             \
    F(synchronize_context, cuCtxSynchronize, ())                                               \
    F(memory_info, cuMemGetInfo_v2, (size_t*, size_t*))                                        \
    F(pointer_attributes, cuPointerGetAttributes, (unsigned, int*, void**, Address))           \
    F(allocate, cuMemAlloc_v2, (Address*, size_t))                                             \
    F(free, cuMemFree_v2, (Address))                                                           \
    F(pool_create, cuMemPoolCreate, (MemoryPool*, const MemoryPoolProperties*))                \
    F(pool_set, cuMemPoolSetAttribute, (MemoryPool, int, void*))                               \
    F(pool_get, cuMemPoolGetAttribute, (MemoryPool, int, void*))                               \
    F(pool_trim, cuMemPoolTrimTo, (MemoryPool, size_t))                                        \
    F(pool_allocate, cuMemAllocFromPoolAsync, (Address*, size_t, MemoryPool, Stream))          \
    F(pool_free, cuMemFreeAsync, (Address, Stream))                                            \
    F(host_allocate, cuMemHostAlloc, (void**, size_t, unsigned))                               \
    F(host_register, cuMemHostRegister_v2, (void*, size_t, unsigned))                          \
    F(copy_to_device, cuMemcpyHtoDAsync_v2, (Address, const void*, size_t, Stream))            \
    F(copy_to_host, cuMemcpyDtoHAsync_v2, (void*, Address, size_t, Stream))                    \
    F(fill, cuMemsetD8Async, (Address, unsigned char, size_t, Stream))                         \
    F(stream_create, cuStreamCreate, (Stream*, unsigned))                                      \
    F(stream_synchronize, cuStreamSynchronize, (Stream))                                       \
    F(event_create, cuEventCreate, (Event*, unsigned))                                         \
    F(event_record, cuEventRecord, (Event, Stream))                                            \
    F(event_synchronize, cuEventSynchronize, (Event))                                          \
    F(module_load, cuModuleLoadData, (Module*, const void*))                                   \
    F(module_unload, cuModuleUnload, (Module))                                                 \
    F(module_function, cuModuleGetFunction, (Function*, Module, const char*))                  \
    F(occupancy, cuOccupancyMaxPotentialBlockSize,                                             \
      (int*, int*, Function, size_t (*)(int), size_t, int))                                    \
    F(launch, cuLaunchKernel,                                                                  \
      (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, \
       void**, void**))

struct Driver {
#define GDALGPU_CUDA_MEMBER(member, name, parameters) Result(*member) parameters = nullptr;
    GDALGPU_CUDA_FUNCTIONS(GDALGPU_CUDA_MEMBER)
#undef GDALGPU_CUDA_MEMBER
    int version = 0;  // 12040 for 12.4: the newest CUDA that it serves
};

// Opens libcuda.so.1 once; makes no context. Throws Error (Unavailable) where there is none or it
// is too old.
const Driver& LoadDriver();

// "CUDA_ERROR_OUT_OF_MEMORY"; static storage.
const char* ErrorName(const Driver& driver, Result result);

}  // namespace cuda
}  // namespace gpu
