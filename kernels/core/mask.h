// Bit masks as GDAL packs them: pixel i is bit i % 32 of word i / 32, set where the pixel is valid.
#pragma once

#include "core/core.h"
#include "core/pixel.h"

namespace kernels {

GPU_FUNC bool test_bit(const uint32* words, int64 index) {
    return (load(words + (index >> 5)) >> (index & 31)) & 1u;
}

}  // namespace kernels
