#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "gpu/error.h"

namespace gpu {

// Counts the device memory in use against Options::memory_limit.
class MemoryAccount {
  public:
    explicit MemoryAccount(uint64_t limit) : limit_(limit) {}

    // Throws Error (OutOfMemory) where the limit would be passed.
    void add(uint64_t bytes) {
        const uint64_t before = used_.fetch_add(bytes);
        if (limit_ != 0 && (bytes > limit_ || before > limit_ - bytes)) {
            used_ -= bytes;
            throw Error(Error::Kind::OutOfMemory,
                        std::to_string(bytes) +
                            " bytes of device memory are beyond GDAL_GPU_MEMORY_LIMIT (" +
                            std::to_string(limit_) + ", of which " + std::to_string(before) +
                            " are in use)");
        }
    }
    void remove(uint64_t bytes) { used_ -= bytes; }

    // Bytes left below the limit, and not more than `free`.
    uint64_t available(uint64_t free) const {
        if (limit_ == 0) {
            return free;
        }
        const uint64_t used = used_;
        const uint64_t left = used < limit_ ? limit_ - used : 0;
        return left < free ? left : free;
    }

  private:
    const uint64_t limit_;
    std::atomic<uint64_t> used_{0};
};

}  // namespace gpu
