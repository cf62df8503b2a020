// Files of compiled kernels: a folder that many processes share without locks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gpu {

// Binaries by key. Code is loaded from these files, so the folder (made with mode 0700) and the
// files must belong to the user or to root and be writable by nobody else; otherwise the cache is
// off, and problem() says why. A file has a header (magic, version, key, size, SHA-256 of the
// binary); one that isn't whole, or isn't ours, counts as missing and is replaced. Files are
// written under another name and renamed; beyond `limit` bytes those used longest ago go. No
// function throws: what goes wrong here costs a compilation and nothing else.
class DiskCache {
  public:
    // Empty directory: off.
    DiskCache(std::string directory, uint64_t limit);

    std::optional<std::string> load(const std::string& key) const;
    void store(const std::string& key, const std::string& binary) const;

    // A new private folder (mode 0700) for a compiler's files, in the cache's folder where there is
    // one, else in $TMPDIR or /tmp. One left behind by a killed process is removed when it is an
    // hour old. Empty where none can be made.
    std::string temporary_folder() const;

    struct Contents {
        uint64_t files = 0;
        uint64_t bytes = 0;
    };
    Contents contents() const;
    // Removes all kernels; returns what was there.
    Contents clear() const;

    const std::string& directory() const { return directory_; }
    // Why the cache is off; empty where it is on.
    const std::string& problem() const { return problem_; }

  private:
    void evict() const;

    const std::string directory_;
    const uint64_t limit_;
    std::string problem_;
};

// Removes a folder and the files in it, one level deep.
void RemoveFolder(const std::string& folder);

}  // namespace gpu
