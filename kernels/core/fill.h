// Memory filled with one value of 2, 4 or 8 bytes.
#pragma once

#include "core/core.h"

namespace kernels {

struct FillParams {
    void* out;
    int64 count;
    int64 bytes;
    uint64 value;
};

GPU_KERNEL(fill, FillParams, p) {
    GPU_FOR_1D(i, p.count) {
        if (p.bytes == 2) {
            static_cast<uint16*>(p.out)[i] = static_cast<uint16>(p.value);
        } else if (p.bytes == 4) {
            static_cast<uint32*>(p.out)[i] = static_cast<uint32>(p.value);
        } else {
            static_cast<uint64*>(p.out)[i] = p.value;
        }
    }
}

}  // namespace kernels
