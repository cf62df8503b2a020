#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>

#include "gpu/kernel_cache.h"
#include "gpu/sha256.h"
#include "gpu_test_devices.h"

namespace gpu {
namespace {

namespace fs = std::filesystem;

// A "compiler" that counts its calls: the binary of a text is the text with a mark.
class Cache {
  public:
    explicit Cache(const fs::path& folder, const std::string& identity = "compiler 1",
                   uint64_t limit = 1 << 20)
        : cache_(MakeOptions(folder, limit), identity) {}

    // The binary that was loaded.
    std::string get(const std::string& text) {
        info_ = {};
        std::string loaded;
        cache_.get(
            text, [&](const std::string& source) { return "binary of " + source; },
            [&](const std::string& binary) -> std::shared_ptr<Module> {
                if (binary.compare(0, 10, "binary of ") != 0) {
                    throw Error(Error::Kind::Compile, "not a binary");
                }
                loaded = binary;
                return std::make_shared<EmptyModule>();
            },
            &info_);
        return loaded;
    }
    int compiled() const { return info_.compiled; }
    const DiskCache& disk() const { return cache_.disk(); }

  private:
    struct EmptyModule : Module {
        const Kernel& kernel(const std::string&) override { std::abort(); }
    };
    static Options MakeOptions(const fs::path& folder, uint64_t limit) {
        Options options;
        options.cache_directory = folder.string();
        options.cache_limit = limit;
        return options;
    }

    KernelCache cache_;
    CompileInfo info_;
};

std::string ReadFile(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void WriteFile(const fs::path& path, const std::string& data) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << data;
}

std::vector<fs::path> KernelFiles(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".kernel") {
            files.push_back(entry.path());
        }
    }
    return files;
}

void SetAge(const fs::path& path, std::chrono::seconds age) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - age);
}

TEST(Sha256, GivesThePublishedDigests) {
    const auto hex = [](const std::string& data) {
        std::string text;
        for (unsigned char byte : Sha256(data)) {
            char digits[3];
            std::snprintf(digits, sizeof(digits), "%02x", byte);
            text += digits;
        }
        return text;
    };
    // FIPS 180-4's examples, and lengths around the padding's limits (by coreutils' sha256sum).
    EXPECT_EQ(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(hex(std::string(55, 'a')),
              "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    EXPECT_EQ(hex(std::string(1000000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(KernelCache, CompilesOnceInAProcess) {
    Cache cache("");
    EXPECT_EQ(cache.get("a"), "binary of a");
    EXPECT_EQ(cache.compiled(), 1);
    EXPECT_EQ(cache.get("a"), "");
    EXPECT_EQ(cache.compiled(), 0);
    EXPECT_EQ(cache.get("b"), "binary of b");
    EXPECT_EQ(cache.compiled(), 1);
}

TEST(KernelCache, TheNextProcessTakesItFromDisk) {
    const TemporaryFolder folder;
    Cache(folder.path() / "made" / "here").get("a");
    Cache next(folder.path() / "made" / "here");
    EXPECT_EQ(next.get("a"), "binary of a");
    EXPECT_EQ(next.compiled(), 0);
    struct stat status;
    ASSERT_EQ(stat((folder.path() / "made" / "here").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST(KernelCache, AnotherCompilerCompilesAnew) {
    const TemporaryFolder folder;
    Cache(folder.path(), "compiler 1").get("a");
    Cache other(folder.path(), "compiler 2");
    other.get("a");
    EXPECT_EQ(other.compiled(), 1);
    EXPECT_EQ(KernelFiles(folder.path()).size(), 2u);
}

TEST(KernelCache, ADamagedFileIsCompiledAnewAndReplaced) {
    const TemporaryFolder folder;
    Cache(folder.path()).get("a");
    Cache(folder.path()).get("another text");
    Cache(folder.path()).get("a");
    const fs::path file = [&] {
        for (const fs::path& path : KernelFiles(folder.path())) {
            if (ReadFile(path).find("binary of a") != std::string::npos &&
                ReadFile(path).find("another") == std::string::npos) {
                return path;
            }
        }
        return fs::path();
    }();
    const std::string good = ReadFile(file);
    ASSERT_FALSE(good.empty());
    std::vector<std::string> damaged = {"",
                                        "x",
                                        std::string(good.size(), '\0'),
                                        good.substr(0, good.size() - 1),
                                        good + "x",
                                        good.substr(0, 84)};
    for (size_t at = 0; at < good.size(); ++at) {
        damaged.push_back(good);
        damaged.back()[at] ^= 1;
    }
    for (const fs::path& path : KernelFiles(folder.path())) {
        if (path != file) {
            damaged.push_back(ReadFile(path));  // whole, but of another text
        }
    }
    ASSERT_EQ(damaged.size(), good.size() + 7);
    for (const std::string& data : damaged) {
        WriteFile(file, data);
        Cache cache(folder.path());
        EXPECT_EQ(cache.get("a"), "binary of a");
        EXPECT_EQ(cache.compiled(), 1);
        EXPECT_EQ(ReadFile(file), good);
    }
    Cache cache(folder.path());
    cache.get("a");
    EXPECT_EQ(cache.compiled(), 0);
}

TEST(KernelCache, ABinaryThatDoesNotLoadIsCompiledAnewAndReplaced) {
    const TemporaryFolder folder;
    const std::string key = std::string("compiler 1") + '\0' + "a";
    DiskCache(folder.path(), 1 << 20).store(key, "whole, but not code");
    Cache cache(folder.path());
    EXPECT_EQ(cache.get("a"), "binary of a");
    EXPECT_EQ(cache.compiled(), 1);
    EXPECT_EQ(DiskCache(folder.path(), 1 << 20).load(key), "binary of a");
}

TEST(KernelCache, AFolderThatCannotBeWrittenToCostsACompilationAndNoMore) {
    const TemporaryFolder folder;
    WriteFile(folder.path() / "file", "in the way");
    for (const char* path : {"file", "file/below"}) {
        Cache cache(folder.path() / path);
        EXPECT_EQ(cache.get("a"), "binary of a");
        EXPECT_EQ(cache.compiled(), 1);
        EXPECT_FALSE(cache.disk().problem().empty());
    }
    // A folder that goes away, and a name that a folder takes.
    Cache cache(folder.path() / "gone");
    fs::remove(folder.path() / "gone");
    EXPECT_EQ(cache.get("a"), "binary of a");
    Cache(folder.path() / "taken").get("a");
    const fs::path name = KernelFiles(folder.path() / "taken").at(0);
    fs::remove(name);
    fs::create_directory(name);
    Cache taken(folder.path() / "taken");
    EXPECT_EQ(taken.get("a"), "binary of a");
    EXPECT_EQ(CountFiles(folder.path() / "taken", "write-", ""), 0u);
}

TEST(KernelCache, AFolderOrFileThatOthersMayWriteToIsNotUsed) {
    const TemporaryFolder folder;
    Cache(folder.path()).get("a");
    for (const mode_t mode : {0777, 0770, 0702}) {
        chmod(folder.path().c_str(), mode);
        Cache cache(folder.path());
        cache.get("a");
        EXPECT_EQ(cache.compiled(), 1);
        EXPECT_NE(cache.disk().problem().find("others"), std::string::npos);
    }
    chmod(folder.path().c_str(), 0755);
    const fs::path file = KernelFiles(folder.path()).at(0);
    chmod(file.c_str(), 0666);
    Cache cache(folder.path());
    cache.get("a");
    EXPECT_EQ(cache.compiled(), 1);
    struct stat status;
    ASSERT_EQ(stat(file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0022, 0u) << "replaced";
    // A link is not followed.
    fs::rename(file, folder.path() / "elsewhere");
    fs::create_symlink(folder.path() / "elsewhere", file);
    Cache linked(folder.path());
    linked.get("a");
    EXPECT_EQ(linked.compiled(), 1);
}

TEST(KernelCache, TheOneUsedLongestAgoGoesFirst) {
    const TemporaryFolder folder;
    const std::string kilobyte(1000, 'k');
    const DiskCache disk(folder.path(), 3500);
    for (int i = 0; i < 3; ++i) {
        disk.store(std::to_string(i), kilobyte);
    }
    for (const fs::path& path : KernelFiles(folder.path())) {
        SetAge(path, std::chrono::hours(1));
    }
    EXPECT_TRUE(disk.load("0"));
    EXPECT_TRUE(disk.load("2"));
    disk.store("3", kilobyte);
    EXPECT_TRUE(disk.load("0"));
    EXPECT_FALSE(disk.load("1"));
    EXPECT_TRUE(disk.load("2"));
    EXPECT_TRUE(disk.load("3"));
    EXPECT_LE(disk.contents().bytes, 3500u);
    disk.store("larger than the limit", std::string(4000, 'x'));
    EXPECT_EQ(disk.contents().files, 3u);
}

TEST(KernelCache, CanBeCountedAndCleared) {
    const TemporaryFolder folder;
    Cache cache(folder.path());
    cache.get("a");
    cache.get("b");
    WriteFile(folder.path() / "somebody's file", "stays");
    const DiskCache::Contents contents = cache.disk().contents();
    EXPECT_EQ(contents.files, 2u);
    EXPECT_EQ(contents.bytes, 2 * (84 + std::string("binary of a").size()));
    EXPECT_EQ(cache.disk().clear().files, 2u);
    EXPECT_EQ(cache.disk().contents().files, 0u);
    EXPECT_TRUE(fs::exists(folder.path() / "somebody's file"));
}

// As long as it lives, a process has a folder of a compiler and a half-written file in `folder`.
class OtherProcess {
  public:
    explicit OtherProcess(const fs::path& folder) {
        int ends[2];
        EXPECT_EQ(pipe(ends), 0);
        child_ = fork();
        if (child_ == 0) {
            const PrivateFolder made({folder / "compile-"}, 0);
            WriteNewFile(made.file("kernel.cpp"), "text");
            const int file = open((folder / "write-half").c_str(), O_CREAT | O_RDWR, 0600);
            flock(file, LOCK_EX);
            EXPECT_EQ(write(ends[1], made.path().data(), made.path().size()),
                      static_cast<ssize_t>(made.path().size()));
            for (;;) pause();
        }
        char path[4096];
        path_ = std::string(path, read(ends[0], path, sizeof path));
        close(ends[0]);
        close(ends[1]);
    }
    ~OtherProcess() { Kill(); }
    void Kill() {
        if (child_ > 0) {
            kill(child_, SIGKILL);
            waitpid(child_, nullptr, 0);
        }
        child_ = 0;
    }
    const fs::path& path() const { return path_; }

  private:
    pid_t child_ = 0;
    fs::path path_;
};

TEST(KernelCache, WhatAProcessLeftGoesOnceTheProcessIsGone) {
    const TemporaryFolder folder;
    const DiskCache disk(folder.path(), 1 << 20);
    OtherProcess other(folder.path());
    EXPECT_EQ(other.path().parent_path(), folder.path());
    const auto left = [&] {
        return CountFiles(folder.path(), "compile-", "") + CountFiles(folder.path(), "write-", "");
    };
    disk.clear();
    const DiskCache beside(folder.path(), 1 << 20);
    EXPECT_EQ(left(), 2u) << "it lives";
    EXPECT_TRUE(fs::exists(other.path() / "kernel.cpp"));
    other.Kill();
    EXPECT_EQ(left(), 2u);
    disk.clear();
    EXPECT_EQ(left(), 0u) << "cleared";

    OtherProcess another(folder.path());
    another.Kill();
    WriteFile(folder.path() / "somebody's", "stays");
    const DiskCache next(folder.path(), 1 << 20);
    EXPECT_EQ(left(), 0u) << "the next process";
    EXPECT_TRUE(fs::exists(folder.path() / "somebody's"));
}

TEST(KernelCache, APrivateFolderIsMadeWhereThereIsRoom) {
    const TemporaryFolder folder;
    const std::string first = folder.path() / "first-";
    {
        const PrivateFolder made({"/no/such/folder/compile-", first}, 1);
        EXPECT_EQ(made.path().compare(0, first.size(), first), 0) << made.path();
        EXPECT_EQ(made.problem(), "");
        EXPECT_EQ(WriteNewFile(made.file("new"), "text"), "");
        EXPECT_EQ(WriteNewFile(made.file("new"), "text"), std::strerror(EEXIST));
    }
    EXPECT_EQ(CountFiles(folder.path(), "", ""), 0u);
    // Nowhere is as much: it is tried all the same.
    EXPECT_NE(PrivateFolder({first}, UINT64_MAX).path(), "");
    const PrivateFolder none({"/no/such/folder/compile-"}, 0);
    EXPECT_EQ(none.path(), "");
    EXPECT_EQ(none.problem(), std::string("/no/such/folder: ") + std::strerror(ENOENT));
}

// A limit on the size of files stands in for a disk that is full.
template <class Function>
void WithFilesOfAtMost(rlim_t bytes, const Function& function) {
    struct rlimit before;
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = signal(SIGXFSZ, SIG_IGN);
    struct rlimit less = before;
    less.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &less);
    function();
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
}

TEST(KernelCache, SaysWhyAKernelIsNotKept) {
    const TemporaryFolder folder;
    const DiskCache disk(folder.path(), 1 << 20);
    EXPECT_EQ(disk.write_problem(), "");
    EXPECT_EQ(disk.store("a", "binary"), "");
    std::string stored, tried;
    WithFilesOfAtMost(1000, [&] {
        stored = disk.store("b", std::string(5000, 'b'));
        tried = disk.write_problem();
    });
    EXPECT_EQ(stored, folder.path().string() + " can't be written: " + std::strerror(EFBIG));
    EXPECT_EQ(tried, stored);
    EXPECT_EQ(CountFiles(folder.path(), "", ""), 1u);
    EXPECT_NE(disk.store("c", std::string(2 << 20, 'c')).find("larger than the cache"),
              std::string::npos);

    chmod(folder.path().c_str(), 0777);
    const DiskCache open_to_others(folder.path(), 1 << 20);
    EXPECT_NE(open_to_others.store("d", "binary").find("chmod go-w " + folder.path().string()),
              std::string::npos);
    EXPECT_EQ(open_to_others.write_problem(), open_to_others.problem());
    EXPECT_NE(DiskCache("", 1).problem().find("GDAL_GPU_CACHE_DIR"), std::string::npos);
    WriteFile(folder.path() / "file", "in the way");
    EXPECT_NE(DiskCache(folder.path() / "file" / "below", 1).problem().find(std::strerror(ENOTDIR)),
              std::string::npos);
}

TEST(KernelCache, TellsWhoCompilesThatNothingIsKept) {
    const TemporaryFolder folder;
    WriteFile(folder.path() / "file", "in the way");
    std::vector<std::string> told;
    Options options;
    options.cache_directory = folder.path() / "file";
    options.warn = [&](const std::string& text) { told.push_back(text); };
    KernelCache cache(options, "compiler 1");
    const auto get = [&] {
        cache.get(
            "text", [](const std::string&) { return "binary"; },
            [](const std::string&) -> std::shared_ptr<Module> { return nullptr; }, nullptr);
    };
    EXPECT_TRUE(told.empty()) << "nothing was compiled yet";
    get();
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0], NotKept(cache.disk().problem()));
}

TEST(KernelCache, ManyProcessesShareAFolder) {
    const TemporaryFolder folder;
    std::vector<pid_t> children;
    for (int c = 0; c < 6; ++c) {
        const pid_t child = fork();
        if (child == 0) {
            bool right = true;
            for (int round = 0; round < 200; ++round) {
                const std::string text = "text " + std::to_string(round % 20);
                // A limit that keeps evicting what others have just written.
                Cache cache(folder.path(), "compiler 1", 1500);
                right = right && cache.get(text) == "binary of " + text;
            }
            _exit(right ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = -1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(CountFiles(folder.path(), "write-", ""), 0u);
    EXPECT_GT(KernelFiles(folder.path()).size(), 0u);
}

}  // namespace
}  // namespace gpu
