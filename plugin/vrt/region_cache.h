// Warped regions that are at hand: a program that reads one band after the other gets the other
// bands without another warp.
#pragma once

#include <cstddef>
#include <list>
#include <memory>

#include "cpl_vsi.h"
#include "plugin/coordinates/pixel_transform.h"

namespace gdalgpu {

class RegionCache {
  public:
    struct Region {
        PixelWindow window;
        void* data = nullptr;  // of the bytes asked for
    };

    // Regions beyond so many bytes in all go, the oldest first; the last one always stays.
    explicit RegionCache(size_t limit) : limit_(limit) {}

    // A region that holds the window; its data stays until the next Allocate(). nullptr: none.
    const Region* Find(const PixelWindow& window) const;

    // Memory for a region, which Find() doesn't give before Keep(). nullptr with a CPLError where
    // there is none.
    void* Allocate(size_t bytes);

    // The allocated memory holds this window now. With `transient`, nobody is expected to ask for
    // it again after the reads that follow: it goes with the next Allocate().
    void Keep(const PixelWindow& window, bool transient);

    void Clear();

  private:
    struct FreeMemory {
        void operator()(void* memory) const { VSIFree(memory); }
    };
    struct Entry {
        Region region;
        std::unique_ptr<void, FreeMemory> memory;
        size_t capacity = 0;
        bool transient = false;
        bool filled = false;
    };

    const size_t limit_;
    std::list<Entry> entries_;  // oldest first
};

}  // namespace gdalgpu
