#include "gpu/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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
constexpr char kElsewhere[] = "gdal-gpu-compile-";  // the same in folders that are not ours alone
constexpr time_t kStale =
    3600;                     // seconds after which a process that can't be asked is taken for dead
constexpr int kAttempts = 5;  // at a temporary file that another process takes for a leftover
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

// Makes a folder and those above it. 0, or errno where it isn't there in the end.
int MakeFolders(const std::string& path) {
    for (size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
        const std::string part = path.substr(0, at);
        const int error = mkdir(part.c_str(), 0700) != 0 ? errno : 0;
        if (at != std::string::npos) {
            continue;  // one above it may be there, or not ours to make: the last one tells
        }
        struct stat status;
        if (stat(path.c_str(), &status) != 0) {
            return error != 0 ? error : errno;
        }
        return S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
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

std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

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

// 0, or errno.
int WriteAll(int file, const std::string& data) {
    for (size_t at = 0; at < data.size();) {
        const ssize_t written = write(file, data.data() + at, data.size() - at);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return written < 0 ? errno : ENOSPC;
        }
        at += static_cast<size_t>(written);
    }
    return 0;
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

void RemoveFolder(const std::string& folder) {
    for (const std::string& name : Names(folder)) {
        unlink(Join(folder, name).c_str());
    }
    rmdir(folder.c_str());
}

// Locks what this process has just made, for as long as it is open. False, with the file closed,
// where another process took it for a leftover before it was locked.
bool Keep(int file, const std::string& path) {
    struct stat opened, found;
    if (file >= 0 && (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
        fstat(file, &opened) == 0 && lstat(path.c_str(), &found) == 0 &&
        opened.st_dev == found.st_dev && opened.st_ino == found.st_ino) {
        return true;
    }
    if (file >= 0) {
        close(file);
    }
    return false;
}

// Removes what a process left half-made, unless that process lives: it holds the lock, or, where
// the file system has none, the work is young.
void RemoveIfLeft(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status;
    if (file < 0) {
        return;
    }
    const bool locked = flock(file, LOCK_EX | LOCK_NB) == 0;
    const bool held = !locked && errno == EWOULDBLOCK;
    if (!held && fstat(file, &status) == 0 && status.st_uid == geteuid() &&
        (locked || std::time(nullptr) - status.st_mtime > kStale)) {
        if (S_ISDIR(status.st_mode)) {
            RemoveFolder(path);
        } else {
            unlink(path.c_str());
        }
    }
    close(file);
}

void RemoveLeftovers(const std::string& folder, const std::vector<std::string>& starts) {
    for (const std::string& name : Names(folder)) {
        for (const std::string& start : starts) {
            if (StartsWith(name, start)) {
                RemoveIfLeft(Join(folder, name));
            }
        }
    }
}

bool HasRoom(const std::string& folder, uint64_t bytes) {
    struct statvfs status;
    return statvfs(folder.c_str(), &status) == 0 &&
           uint64_t{status.f_bavail} * status.f_frsize >= bytes;
}

}  // namespace

std::string WriteNewFile(const std::string& path, const std::string& data) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
        return std::strerror(errno);
    }
    int error = WriteAll(file, data);
    if (close(file) != 0 && error == 0) {
        error = errno;
    }
    return error == 0 ? "" : std::strerror(error);
}

PrivateFolder::PrivateFolder(const std::vector<std::string>& starts, uint64_t room) {
    for (const bool need_room : {true, false}) {
        for (const std::string& start : starts) {
            if (HasRoom(FolderOf(start), room) == need_room && make(start)) {
                return;
            }
        }
    }
}

PrivateFolder::~PrivateFolder() {
    if (!path_.empty()) {
        RemoveFolder(path_);
        close(lock_);
    }
}

bool PrivateFolder::make(const std::string& start) {
    const std::string root = FolderOf(start);
    RemoveLeftovers(root, {start.substr(root.size() + 1)});
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        std::string path = start + "XXXXXX";
        if (mkdtemp(path.data()) == nullptr) {
            problem_ = root + ": " + std::strerror(errno);
            return false;
        }
        lock_ = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (Keep(lock_, path)) {
            path_ = path;
            problem_.clear();
            return true;
        }
    }
    problem_ = root + ": a new folder doesn't stay";
    return false;
}

DiskCache::DiskCache(std::string directory, uint64_t limit)
    : directory_(std::move(directory)), limit_(limit) {
    if (directory_.empty()) {
        problem_ = "there is no folder for them; set GDAL_GPU_CACHE_DIR or HOME";
        return;
    }
    struct stat status;
    const std::string another = "; set GDAL_GPU_CACHE_DIR to a folder of your own";
    if (const int error = MakeFolders(directory_)) {
        problem_ = directory_ + " can't be made: " + std::strerror(error) + another;
    } else if (stat(directory_.c_str(), &status) != 0) {
        problem_ = directory_ + " can't be read: " + std::strerror(errno) + another;
    } else if (status.st_uid != geteuid() && status.st_uid != 0) {
        problem_ = directory_ + " belongs to another user" + another;
    } else if (!Trusted(status)) {
        problem_ = "others may write to " + directory_ + "; chmod go-w " + directory_;
    } else {
        RemoveLeftovers(directory_, {kTemporaryFile, kTemporaryFolder});
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

std::string DiskCache::write(const std::string& data, const std::string& path) const {
    int error = ENOENT;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        std::string temporary = directory_ + "/" + kTemporaryFile + "XXXXXX";
        const int file = mkostemp(temporary.data(), O_CLOEXEC);
        if (file < 0) {
            error = errno;
            break;
        }
        if (!Keep(file, temporary)) {
            continue;
        }
        error = WriteAll(file, data);
        // Renamed while it is locked: nobody takes it for a leftover.
        if (error == 0 && !path.empty() && rename(temporary.c_str(), path.c_str()) != 0) {
            error = errno;
        }
        if (error != 0 || path.empty()) {
            unlink(temporary.c_str());
        }
        if (close(file) != 0 && error == 0) {
            error = errno;
        }
        break;
    }
    return error == 0 ? "" : directory_ + " can't be written: " + std::strerror(error);
}

std::string DiskCache::store(const std::string& key, const std::string& binary) const {
    if (!problem_.empty()) {
        return problem_;
    }
    const std::string digest = Sha256(key);
    const std::string data = Header(digest, binary) + binary;
    if (data.size() > limit_) {
        return "a kernel of " + std::to_string(data.size()) + " bytes is larger than the cache";
    }
    std::string problem = write(data, directory_ + "/" + Hex(digest) + kSuffix);
    if (problem.empty()) {
        evict();
    }
    return problem;
}

std::string DiskCache::write_problem() const {
    constexpr size_t kKernelBytes = 65536;
    return problem_.empty() ? write(std::string(kKernelBytes, '\0'), "") : problem_;
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

std::vector<std::string> DiskCache::temporary_starts() const {
    std::vector<std::string> starts;
    if (problem_.empty()) {
        starts.push_back(Join(directory_, kTemporaryFolder));
    }
    const char* tmpdir = std::getenv("TMPDIR");
    if (tmpdir != nullptr && tmpdir[0] != '\0') {
        starts.push_back(Join(tmpdir, kElsewhere));
    }
    starts.push_back(Join("/tmp", kElsewhere));
    return starts;
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
    if (problem_.empty()) {
        RemoveLeftovers(directory_, {kTemporaryFile, kTemporaryFolder});
    }
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

}  // namespace gpu
