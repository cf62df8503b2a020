// Files of compiled kernels: a folder that many processes share without locks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpu {

// A folder (mode 0700) for the files of one piece of work; it goes with all that is in it when the
// object does. It is locked: DiskCache removes those of processes that are gone.
class PrivateFolder {
  public:
    // starts: paths that the new folder's may begin with ("/tmp/compile-"). The first whose file
    // system has `room` bytes free is taken, else the first where a folder can be made.
    PrivateFolder(const std::vector<std::string>& starts, uint64_t room);
    ~PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;

    // Empty where none could be made; problem() says why.
    const std::string& path() const { return path_; }
    const std::string& problem() const { return problem_; }
    std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    bool make(const std::string& start);

    std::string path_;
    std::string problem_;
    int lock_ = -1;
};

// Writes a new file. Why that failed ("No space left on device"); empty where it didn't.
std::string WriteNewFile(const std::string& path, const std::string& data);

// Binaries by key. Code is loaded from these files, so the folder (made with mode 0700) and the
// files must belong to the user or to root and be writable by nobody else; otherwise the cache is
// off, and problem() says why. A file has a header (magic, version, key, size, SHA-256 of the
// binary); one that isn't whole, or isn't ours, counts as missing and is replaced. Files are
// written under another name and renamed; beyond `limit` bytes those used longest ago go. What
// processes that are gone left half-made is removed by the next one. No function throws: what goes
// wrong here costs a compilation and nothing else.
class DiskCache {
  public:
    // Empty directory: off.
    DiskCache(std::string directory, uint64_t limit);

    std::optional<std::string> load(const std::string& key) const;
    // Why the binary isn't kept; empty where it is.
    std::string store(const std::string& key, const std::string& binary) const;

    // For a PrivateFolder of a compiler's files: in the cache's folder where there is one, $TMPDIR,
    // /tmp.
    std::vector<std::string> temporary_starts() const;

    struct Contents {
        uint64_t files = 0;
        uint64_t bytes = 0;
    };
    Contents contents() const;
    // Removes all kernels, and what processes that are gone left; returns the kernels there were.
    Contents clear() const;

    const std::string& directory() const { return directory_; }
    // Why the cache is off, and what to do; empty where it is on.
    const std::string& problem() const { return problem_; }
    // The same, or why nothing can be written to the folder, which is tried.
    std::string write_problem() const;

  private:
    std::string write(const std::string& data, const std::string& path) const;
    void evict() const;

    const std::string directory_;
    const uint64_t limit_;
    std::string problem_;
};

}  // namespace gpu
