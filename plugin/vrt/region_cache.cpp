#include "plugin/vrt/region_cache.h"

#include <utility>

namespace gdalgpu {

namespace {

bool Contains(const PixelWindow& outer, const PixelWindow& inner) {
    return inner.x >= outer.x && inner.y >= outer.y &&
           inner.x + inner.width <= outer.x + outer.width &&
           inner.y + inner.height <= outer.y + outer.height;
}

}  // namespace

const RegionCache::Region* RegionCache::Find(const PixelWindow& window) const {
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
        if (entry->filled && Contains(entry->region.window, window)) return &entry->region;
    }
    return nullptr;
}

void* RegionCache::Allocate(size_t bytes) {
    size_t used = bytes;
    for (const Entry& entry : entries_) used += entry.capacity;
    Entry fresh;
    for (auto entry = entries_.begin(); entry != entries_.end();) {
        if (!entry->transient && entry->filled && used <= limit_) {
            ++entry;
            continue;
        }
        used -= entry->capacity;
        // Memory that was used before needs no page faults.
        if (fresh.memory == nullptr && entry->capacity >= bytes && entry->capacity / 2 <= bytes) {
            fresh.memory = std::move(entry->memory);
            fresh.capacity = entry->capacity;
        }
        entry = entries_.erase(entry);
    }
    if (fresh.memory == nullptr) {
        fresh.memory.reset(VSI_MALLOC_VERBOSE(bytes));
        if (fresh.memory == nullptr) return nullptr;
        fresh.capacity = bytes;
    }
    fresh.region.data = fresh.memory.get();
    entries_.push_back(std::move(fresh));
    return entries_.back().region.data;
}

void RegionCache::Keep(const PixelWindow& window, bool transient) {
    Entry& entry = entries_.back();
    entry.region.window = window;
    entry.transient = transient;
    entry.filled = true;
}

void RegionCache::Clear() { entries_.clear(); }

}  // namespace gdalgpu
