// Relaxed atomics between all threads of a launch.
#pragma once

#include "core/core.h"

namespace kernels {

GPU_FUNC int32 atomic_load(const int32* address) {
#if defined(__CUDACC__)
    return *static_cast<const volatile int32*>(address);
#else
    return __atomic_load_n(address, __ATOMIC_RELAXED);
#endif
}

GPU_FUNC uint32 atomic_load(const uint32* address) {
#if defined(__CUDACC__)
    return *static_cast<const volatile uint32*>(address);
#else
    return __atomic_load_n(address, __ATOMIC_RELAXED);
#endif
}

GPU_FUNC void atomic_min(int32* address, int32 value) {
#if defined(__CUDACC__)
    atomicMin(address, value);
#else
    int32 old = __atomic_load_n(address, __ATOMIC_RELAXED);
    while (value < old && !__atomic_compare_exchange_n(address, &old, value, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
    }
#endif
}

GPU_FUNC void atomic_max(int32* address, int32 value) {
#if defined(__CUDACC__)
    atomicMax(address, value);
#else
    int32 old = __atomic_load_n(address, __ATOMIC_RELAXED);
    while (value > old && !__atomic_compare_exchange_n(address, &old, value, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
    }
#endif
}

GPU_FUNC void atomic_or(uint32* address, uint32 bits) {
#if defined(__CUDACC__)
    atomicOr(address, bits);
#else
    __atomic_fetch_or(address, bits, __ATOMIC_RELAXED);
#endif
}

}  // namespace kernels
