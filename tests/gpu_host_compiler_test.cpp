#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "gpu/disk_cache.h"
#include "gpu/host_compiler.h"
#include "gpu_test_devices.h"

namespace gpu {
namespace {

namespace fs = std::filesystem;

Source Kernel() {
    Source source;
    source.include("core/core.h")
        .append(
            "struct P { long long n; double* out; };\n"
            "GPU_KERNEL(k, P, p) { GPU_FOR_1D(i, p.n) { p.out[i] = sqrt((double)i); } }\n");
    return source;
}

// A compiler of our own making: answers --version, then does what `body` says.
std::string Script(const fs::path& path, const std::string& body) {
    std::ofstream(path) << "#!/bin/sh\nif [ \"$1\" = --version ]; then echo test 1.0; exit 0; fi\n"
                        << body << "\n";
    chmod(path.c_str(), 0755);
    return path.string();
}

Options With(const fs::path& cache, const std::string& cxx) {
    Options options;
    options.cache_directory = cache.string();
    options.cxx = cxx;
    return options;
}

// $TMPDIR for as long as it lives.
class TmpdirVariable {
  public:
    explicit TmpdirVariable(const fs::path& folder) {
        if (const char* before = std::getenv("TMPDIR")) {
            before_ = before;
        }
        setenv("TMPDIR", folder.c_str(), 1);
    }
    ~TmpdirVariable() {
        if (before_) {
            setenv("TMPDIR", before_->c_str(), 1);
        } else {
            unsetenv("TMPDIR");
        }
    }
    TmpdirVariable(const TmpdirVariable&) = delete;
    TmpdirVariable& operator=(const TmpdirVariable&) = delete;

  private:
    std::optional<std::string> before_;
};

// Whether kernel k gives the square roots.
void ExpectRoots(Device& device, Module& module) {
    const auto stream = device.stream();
    const auto memory = stream->allocate(8000);
    struct {
        long long n;
        void* out;
    } params{1000, memory->address()};
    stream->launch(module.kernel("k"), {1000}, &params, sizeof(params));
    std::vector<double> out(1000);
    stream->download(out.data(), memory->address(), 8000);
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(out[i], std::sqrt(static_cast<double>(i)));
    }
}

TEST(HostCompiler, ASecondDeviceCompilesNothing) {
    const TemporaryFolder folder;
    for (const int expected : {1, 0}) {
        const auto device = MakeHostDevice(With(folder.path(), ""));
        CompileInfo info;
        const auto module = device->compile(Kernel(), &info);
        EXPECT_EQ(info.compiled, expected);
        ExpectRoots(*device, *module);
    }
    EXPECT_EQ(CountFiles(folder.path(), "", ".kernel"), 1u);
    EXPECT_EQ(CountFiles(folder.path(), "", ""), 1u) << "nothing else is left";
}

TEST(HostCompiler, ADamagedFileIsNotLoaded) {
    const TemporaryFolder folder;
    MakeHostDevice(With(folder.path(), ""))->compile(Kernel());
    for (const auto& entry : fs::directory_iterator(folder.path())) {
        std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(5000);
        file << "damage";
    }
    const auto device = MakeHostDevice(With(folder.path(), ""));
    CompileInfo info;
    ExpectRoots(*device, *device->compile(Kernel(), &info));
    EXPECT_EQ(info.compiled, 1);
}

TEST(HostCompiler, ClangCompilesTheSameKernels) {
    std::shared_ptr<Device> device;
    try {
        device = MakeHostDevice(With("", "clang++"));
    } catch (const Error& error) {
        GTEST_SKIP() << error.what();
    }
    EXPECT_NE(device->compiler().find("clang"), std::string::npos);
    ExpectRoots(*device, *device->compile(Kernel()));
}

TEST(HostCompiler, AMissingCompilerIsNamed) {
    for (const char* cxx : {"no-such-compiler", "/no/such/compiler", "/tmp"}) {
        try {
            MakeHostDevice(With("", cxx));
            ADD_FAILURE() << cxx;
        } catch (const Error& error) {
            EXPECT_EQ(static_cast<int>(error.kind()),
                      static_cast<int>(Error::Kind::InvalidArgument));
            EXPECT_NE(std::string(error.what()).find(std::string("GDAL_GPU_CXX=") + cxx),
                      std::string::npos);
        }
        GPU_EXPECT_ERROR(CheckHostCompiler(cxx), Error::Kind::InvalidArgument);
    }
}

TEST(HostCompiler, AProgramThatIsNoCompilerIsAnError) {
    const TemporaryFolder folder;
    GPU_EXPECT_ERROR(MakeHostDevice(With("", "/bin/false")), Error::Kind::InvalidArgument);
    const auto broken =
        MakeHostDevice(With(folder.path(), Script(folder.path() / "cxx", "exit 0")));
    GPU_EXPECT_ERROR(broken->compile(Kernel()), Error::Kind::Compile);
    // What it writes isn't a library.
    const auto liar = MakeHostDevice(
        With(folder.path(), Script(folder.path() / "cxx2", "for o; do :; done; echo no > \"$o\"")));
    GPU_EXPECT_ERROR(liar->compile(Kernel()), Error::Kind::Compile);
    EXPECT_EQ(CountFiles(folder.path(), "compile-", ""), 0u);
    EXPECT_EQ(CountFiles(folder.path(), "", ".kernel"), 0u);
}

TEST(HostCompiler, ACompilerThatDiesLeavesNothing) {
    const TemporaryFolder folder;
    const auto device = MakeHostDevice(
        With(folder.path(), Script(folder.path() / "cxx", "echo its last words >&2; kill -9 $$")));
    try {
        device->compile(Kernel());
        ADD_FAILURE() << "compiled";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("signal 9"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("its last words"), std::string::npos);
    }
    EXPECT_EQ(CountFiles(folder.path(), "compile-", ""), 0u);
}

// What CompileForHost throws.
std::string WhyNotCompiled(const std::string& cxx, const DiskCache& folders) {
    try {
        CompileForHost({cxx, "test 1.0"}, Kernel().text(), folders);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::Compile);
        return error.what();
    }
    return "";
}

TEST(HostCompiler, SaysWhatFailedWhereTheCompilerSaysNothing) {
    const TemporaryFolder folder;
    const DiskCache disk(folder.path(), 1 << 20);
    const std::string silent = Script(folder.path() / "cxx", "exit 3");
    const std::string reason = WhyNotCompiled(silent, disk);
    EXPECT_EQ(reason.find(silent + " can't compile a kernel in " + folder.path().string()), 0u)
        << reason;
    EXPECT_NE(reason.find(" MB free): exit 3, no message"), std::string::npos) << reason;

    // The text itself can't be written: a limit on the size of files stands in for a full disk.
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = signal(SIGXFSZ, SIG_IGN);
    struct rlimit less = before;
    less.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &less);
    const std::string full = WhyNotCompiled(silent, disk);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    EXPECT_NE(full.find("its text can't be written to " + folder.path().string()),
              std::string::npos)
        << full;
    EXPECT_NE(full.find(std::strerror(EFBIG)), std::string::npos) << full;
    EXPECT_EQ(CountFiles(folder.path(), "compile-", ""), 0u);
}

TEST(HostCompiler, ItsWordsNeedNoDisk) {
    const TemporaryFolder folder;
    const std::string cxx = Script(folder.path() / "cxx",
                                   "rm -r \"$TMPDIR\"; echo No space left on device >&2; exit 1");
    EXPECT_NE(WhyNotCompiled(cxx, DiskCache(folder.path(), 1)).find("No space left on device"),
              std::string::npos);
}

TEST(HostCompiler, GetsNoFileOrPreloadedLibraryOfTheProcess) {
    const TemporaryFolder folder;
    const fs::path seen = folder.path() / "seen";
    const int file = open("/dev/null", O_RDONLY);  // without O_CLOEXEC, as others may
    setenv("LD_PRELOAD", "", 1);
    const auto device = MakeHostDevice(With(
        folder.path(), Script(folder.path() / "cxx", "{ ls /proc/$$/fd; env; } > " + seen.string() +
                                                         "; exec c++ \"$@\"")));
    const auto module = device->compile(Kernel());
    unsetenv("LD_PRELOAD");
    ExpectRoots(*device, *module);
    std::ifstream lines(seen);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_NE(line, std::to_string(file));
        EXPECT_EQ(line.find("LD_PRELOAD"), std::string::npos);
    }
    EXPECT_GT(fs::file_size(seen), 20u);
    close(file);
}

TEST(HostCompiler, EndsWithTheProcessThatStartedItAndTheCacheGoesOn) {
    const TemporaryFolder folder;
    const fs::path pid_file = folder.path() / "pid";
    const std::string cxx = Script(
        folder.path() / "cxx", "echo $$ > " + pid_file.string() + ".new; mv " + pid_file.string() +
                                   ".new " + pid_file.string() + "; exec sleep 60");
    const fs::path cache = folder.path() / "cache";
    const pid_t child = fork();
    if (child == 0) {
        try {
            MakeHostDevice(With(cache, cxx))->compile(Kernel());
        } catch (...) {
        }
        _exit(0);
    }
    for (int i = 0; i < 1000 && !fs::exists(pid_file); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    pid_t compiler = 0;
    std::ifstream(pid_file) >> compiler;
    ASSERT_GT(compiler, 0);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    // Gone, or a zombie that nobody has reaped yet.
    std::string state = "alive";
    for (int i = 0; i < 500 && state == "alive"; ++i) {
        std::ifstream stat_file("/proc/" + std::to_string(compiler) + "/stat");
        std::string text;
        std::getline(stat_file, text);
        if (text.empty() || text.find(") Z") != std::string::npos) {
            state = "gone";
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(state, "gone");

    const auto next = MakeHostDevice(With(cache, ""));
    CompileInfo info;
    ExpectRoots(*next, *next->compile(Kernel(), &info));
    EXPECT_EQ(info.compiled, 1);
    EXPECT_EQ(CountFiles(cache, "", ".kernel"), 1u);
}

TEST(HostCompiler, WorksWhereTheApplicationIgnoresItsChildren) {
    struct sigaction ignore = {};
    struct sigaction before;
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGCHLD, &ignore, &before);
    const auto device = MakeHostDevice({});
    const auto module = device->compile(Kernel());
    Source bad;
    bad.append("no code");
    GPU_EXPECT_ERROR(device->compile(bad), Error::Kind::Compile);
    sigaction(SIGCHLD, &before, nullptr);
    ExpectRoots(*device, *module);
}

TEST(HostCompiler, WorksWhereTheTemporaryFolderIsMissing) {
    const TmpdirVariable variable("/no/such/folder");
    const auto device = MakeHostDevice({});
    ExpectRoots(*device, *device->compile(Kernel()));
}

TEST(HostCompiler, LeavesNothingInTheTemporaryFolder) {
    const TemporaryFolder temporary;
    const TemporaryFolder cache;
    const TmpdirVariable variable(temporary.path());
    for (const fs::path& cache_folder : {cache.path(), cache.path(), fs::path()}) {
        const auto device = MakeHostDevice(With(cache_folder, ""));
        ExpectRoots(*device, *device->compile(Kernel()));  // compiled, from disk, without a cache
        EXPECT_EQ(CountFiles(temporary.path(), "", ""), 0u);
    }
}

}  // namespace
}  // namespace gpu
