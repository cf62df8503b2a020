// Read-only bytes that the streams of one device share in its memory: Stream::resident.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/device.h"

namespace gpu {

class ResidentData {
  public:
    // Uploads on first use, by a stream that make_stream gives; other threads wait until the bytes
    // are there.
    template <class MakeStream>
    const void* get(const std::shared_ptr<const std::vector<std::byte>>& bytes,
                    const MakeStream& make_stream) {
        std::lock_guard<std::mutex> lock(mutex_);
        for (auto entry = entries_.begin(); entry != entries_.end();) {
            entry = entry->second.bytes.expired() ? entries_.erase(entry) : std::next(entry);
        }
        const auto found = entries_.find(bytes.get());
        if (found != entries_.end()) {
            return found->second.memory->address();
        }
        const auto stream = make_stream();
        std::unique_ptr<Memory> memory = stream->allocate(bytes->size());
        stream->upload(memory->address(), bytes->data(), bytes->size());
        stream->synchronize();
        return entries_.emplace(bytes.get(), Entry{bytes, std::move(memory)})
            .first->second.memory->address();
    }

  private:
    struct Entry {
        std::weak_ptr<const std::vector<std::byte>> bytes;
        std::unique_ptr<Memory> memory;
    };
    std::mutex mutex_;
    std::map<const void*, Entry> entries_;
};

}  // namespace gpu
