// Which windows were read before and not kept.
#pragma once

#include <cstdint>
#include <deque>

#include "plugin/vrt/read_request.h"

namespace gdalgpu {

// A large window that is read again is worth keeping; one that a program reads on its way through
// a raster isn't. What would have left the cache by now if it had been kept is forgotten.
class ReadHistory {
  public:
    // Whether the remembered windows cover at least half of this one.
    bool Covers(const PixelWindow& window) const {
        int64_t covered = 0;
        for (const Entry& entry : entries_) {
            const PixelWindow common = Intersection(entry.window, window);
            covered += common.width * common.height;
        }
        return covered * 2 >= window.width * window.height;
    }

    // Remembers a window of so many bytes, and forgets the oldest where all are more than `limit`.
    void Add(const PixelWindow& window, int64_t bytes, int64_t limit) {
        entries_.push_back({window, bytes});
        bytes_ += bytes;
        while (bytes_ > limit) {
            bytes_ -= entries_.front().bytes;
            entries_.pop_front();
        }
    }

    void Clear() {
        entries_.clear();
        bytes_ = 0;
    }

  private:
    struct Entry {
        PixelWindow window;
        int64_t bytes;
    };
    std::deque<Entry> entries_;
    int64_t bytes_ = 0;
};

}  // namespace gdalgpu
