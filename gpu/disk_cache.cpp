#include "gpu/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "gpu/sha256.h"

namespace gpu {

namespace {

constexpr char kMagic[] = "GDALGPUK";
constexpr char kSuffix[] = ".kernel";
constexpr char kTemporaryFile[] = "write-";
constexpr char kTemporaryFolder[] = "compile-";
constexpr time_t kStale = 3600;  // seconds after which a temporary file's process is taken for dead
constexpr uint32_t kVersion = 1;
constexpr size_t kKeyBytes = 32;
constexpr size_t kHeaderBytes = 8 + 4 + kKeyBytes + 8 + 32;

bool StartsWith(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

bool EndsWith(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool Trusted(const struct stat& status) {
    return (status.st_uid == geteuid() || status.st_uid == 0) &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool MakeFolders(const std::string& path) {
    for (size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
        const std::string part = path.substr(0, at);
        if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST && errno != EROFS &&
            errno != EACCES) {
            return false;
        }
        if (at == std::string::npos) {
            struct stat status;
            return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
        }
    }
}

std::string Hex(const std::string& bytes) {
    std::string text;
    for (unsigned char byte : bytes) {
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

template <class Integer>
void AppendInteger(std::string& text, Integer value) {
    for (size_t i = 0; i < sizeof(value); ++i) {
        text.push_back(static_cast<char>(value >> (8 * i)));
    }
}

std::string Header(const std::string& digest, const std::string& binary) {
    std::string header(kMagic, 8);
    AppendInteger(header, kVersion);
    header += digest;
    AppendInteger(header, uint64_t{binary.size()});
    header += Sha256(binary);
    return header;
}

std::string Join(const std::string& folder, const std::string& name) { return folder + "/" + name; }

std::vector<std::string> Names(const std::string& directory) {
    std::vector<std::string> names;
    if (DIR* folder = opendir(directory.c_str())) {
        while (const dirent* entry = readdir(folder)) {
            if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0) {
                names.push_back(entry->d_name);
            }
        }
        closedir(folder);
    }
    return names;
}

bool WriteAll(int file, const std::string& data) {
    for (size_t at = 0; at < data.size();) {
        const ssize_t written = write(file, data.data() + at, data.size() - at);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        at += static_cast<size_t>(written);
    }
    return true;
}

// The whole of an open file; empty on error.
std::string ReadAll(int file, size_t size) {
    std::string data(size, '\0');
    for (size_t at = 0; at < size;) {
        const ssize_t got = read(file, data.data() + at, size - at);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return "";
        }
        at += static_cast<size_t>(got);
    }
    return data;
}

// What a killed process left behind.
void RemoveStale(const std::string& directory) {
    for (const std::string& name : Names(directory)) {
        struct stat status;
        const std::string path = Join(directory, name);
        if ((StartsWith(name, kTemporaryFile) || StartsWith(name, kTemporaryFolder)) &&
            lstat(path.c_str(), &status) == 0 && std::time(nullptr) - status.st_mtime > kStale) {
            if (S_ISDIR(status.st_mode)) {
                RemoveFolder(path);
            } else {
                unlink(path.c_str());
            }
        }
    }
}

}  // namespace

DiskCache::DiskCache(std::string directory, uint64_t limit)
    : directory_(std::move(directory)), limit_(limit) {
    if (directory_.empty()) {
        problem_ = "no folder is set";
        return;
    }
    struct stat status;
    if (!MakeFolders(directory_) || stat(directory_.c_str(), &status) != 0) {
        problem_ = "the folder can't be made: " + std::string(std::strerror(errno));
    } else if (!Trusted(status)) {
        problem_ = "the folder belongs to somebody else, or others may write to it (chmod go-w)";
    } else {
        RemoveStale(directory_);
    }
}

std::optional<std::string> DiskCache::load(const std::string& key) const {
    if (!problem_.empty()) {
        return std::nullopt;
    }
    const std::string digest = Sha256(key);
    const int file =
        open((directory_ + "/" + Hex(digest) + kSuffix).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) {
        return std::nullopt;
    }
    std::optional<std::string> binary;
    struct stat status;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && Trusted(status) &&
        status.st_size > static_cast<off_t>(kHeaderBytes)) {
        const std::string data = ReadAll(file, static_cast<size_t>(status.st_size));
        if (data.size() > kHeaderBytes) {
            binary = data.substr(kHeaderBytes);
            if (Header(digest, *binary) != data.substr(0, kHeaderBytes)) {
                binary.reset();
            } else {
                futimens(file, nullptr);  // used now: the last to be evicted
            }
        }
    }
    close(file);
    return binary;
}

void DiskCache::store(const std::string& key, const std::string& binary) const {
    const std::string digest = Sha256(key);
    const std::string data = Header(digest, binary) + binary;
    if (!problem_.empty() || data.size() > limit_) {
        return;
    }
    std::string temporary = directory_ + "/" + kTemporaryFile + "XXXXXX";
    const int file = mkostemp(temporary.data(), O_CLOEXEC);
    if (file < 0) {
        return;
    }
    bool written = WriteAll(file, data);
    written = close(file) == 0 && written;
    if (!written ||
        rename(temporary.c_str(), (directory_ + "/" + Hex(digest) + kSuffix).c_str()) != 0) {
        unlink(temporary.c_str());
        return;
    }
    evict();
}

void DiskCache::evict() const {
    struct File {
        timespec used;
        uint64_t bytes;
        std::string path;
    };
    std::vector<File> files;
    uint64_t total = 0;
    for (const std::string& name : Names(directory_)) {
        struct stat status;
        const std::string path = Join(directory_, name);
        if (EndsWith(name, kSuffix) && lstat(path.c_str(), &status) == 0) {
            files.push_back({status.st_mtim, static_cast<uint64_t>(status.st_size), path});
            total += files.back().bytes;
        }
    }
    if (total <= limit_) {
        return;
    }
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) {
        return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec
                                              : a.used.tv_nsec < b.used.tv_nsec;
    });
    for (const File& file : files) {
        if (total <= limit_) {
            return;
        }
        unlink(file.path.c_str());
        total -= file.bytes;
    }
}

std::string DiskCache::temporary_folder() const {
    const char* tmpdir = std::getenv("TMPDIR");
    std::vector<std::string> roots;
    if (problem_.empty()) {
        roots.push_back(directory_);
    }
    if (tmpdir != nullptr && tmpdir[0] != '\0') {
        roots.push_back(tmpdir);
    }
    roots.push_back("/tmp");
    for (const std::string& root : roots) {
        std::string folder = root + "/" + kTemporaryFolder + "XXXXXX";
        if (mkdtemp(folder.data()) != nullptr) {
            return folder;
        }
    }
    return "";
}

DiskCache::Contents DiskCache::contents() const {
    Contents contents;
    for (const std::string& name : Names(directory_)) {
        struct stat status;
        if (EndsWith(name, kSuffix) && lstat(Join(directory_, name).c_str(), &status) == 0) {
            ++contents.files;
            contents.bytes += static_cast<uint64_t>(status.st_size);
        }
    }
    return contents;
}

DiskCache::Contents DiskCache::clear() const {
    Contents removed;
    for (const std::string& name : Names(directory_)) {
        struct stat status;
        const std::string path = Join(directory_, name);
        if (EndsWith(name, kSuffix) && lstat(path.c_str(), &status) == 0 &&
            unlink(path.c_str()) == 0) {
            ++removed.files;
            removed.bytes += static_cast<uint64_t>(status.st_size);
        }
    }
    return removed;
}

void RemoveFolder(const std::string& folder) {
    for (const std::string& name : Names(folder)) {
        unlink(Join(folder, name).c_str());
    }
    rmdir(folder.c_str());
}

}  // namespace gpu
