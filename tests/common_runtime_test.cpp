#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "plugin/nearest_name.h"
#include "plugin/options.h"
#include "plugin/report.h"
#include "plugin/runtime.h"

namespace gdalgpu {
namespace {

// Sets a configuration option for a scope, in all threads.
class With {
  public:
    With(const char* name, const char* value) : name_(name) { CPLSetConfigOption(name, value); }
    ~With() { CPLSetConfigOption(name_, nullptr); }
    With(const With&) = delete;
    With& operator=(const With&) = delete;

  private:
    const char* name_;
};

// Collects CPLError's warnings.
class Warnings {
  public:
    Warnings() { CPLPushErrorHandlerEx(Handle, this); }
    ~Warnings() { CPLPopErrorHandler(); }
    const std::vector<std::string>& texts() const { return texts_; }

  private:
    static void CPL_STDCALL Handle(CPLErr kind, CPLErrorNum, const char* text) {
        if (kind == CE_Warning) {
            static_cast<Warnings*>(CPLGetErrorHandlerUserData())->texts_.push_back(text);
        }
    }
    std::vector<std::string> texts_;
};

bool HasCuda() {
    try {
        gpu::OpenCudaDriver();
        return true;
    } catch (const gpu::Error&) {
        return false;
    }
}

bool Contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(SelectDevice, NoneMeansGdal) {
    const With device("GDAL_GPU_DEVICE", "NONE");
    const Selection selection = SelectDevice(UINT64_MAX);
    EXPECT_EQ(selection.device, nullptr);
    EXPECT_EQ(selection.reason, "GDAL_GPU_DEVICE=NONE");
}

TEST(SelectDevice, HostIsTakenWhenAskedForHoweverSmallTheRequest) {
    const With device("GDAL_GPU_DEVICE", "host");
    const Selection selection = SelectDevice(1);
    ASSERT_NE(selection.device, nullptr) << selection.reason;
    EXPECT_STREQ(selection.device->kind_name(), "HOST");
    EXPECT_EQ(selection.reason, "");
    EXPECT_EQ(SelectDevice(1000000).device, selection.device) << "one device a process";
}

TEST(SelectDevice, AutoLeavesSmallRequestsToGdal) {
    const With device("GDAL_GPU_DEVICE", "AUTO");
    const With least("GDAL_GPU_MIN_PIXELS", "1000");
    const Selection selection = SelectDevice(999);
    EXPECT_EQ(selection.device, nullptr);
    EXPECT_TRUE(Contains(selection.reason, "999")) << selection.reason;
    EXPECT_TRUE(Contains(selection.reason, "GDAL_GPU_MIN_PIXELS")) << selection.reason;
    EXPECT_FALSE(Contains(SelectDevice(1000).reason, "GDAL_GPU_MIN_PIXELS"));
}

// Each in a process of its own, which did nothing without a device before.
TEST(SelectDevice, AutoStartsADeviceOnceTheWorkIsWorthIt) {
    const With mode("GDAL_GPU_DEVICE", "AUTO");
    const double start = kDeviceStartSeconds;
    EXPECT_EXIT(
        {
            const auto left = [](const Work& work) {
                return Contains(SelectDevice(work).reason, "isn't worth the start");
            };
            const bool right = left({1000000, 0.4 * start}) && left({1000000, 0.4 * start}) &&
                               !left({1000, 0.3 * start});
            std::_Exit(right ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
    EXPECT_EXIT(
        {
            // A small part of a large request.
            const Work part(1000, 0.001, 2 * start);
            std::_Exit(Contains(SelectDevice(part).reason, "isn't worth the start") ? 1 : 0);
        },
        testing::ExitedWithCode(0), "");
}

TEST(SelectDevice, WithoutADriverAutoAndCudaSaySo) {
    if (HasCuda()) {
        GTEST_SKIP() << "there is a driver";
    }
    for (const char* mode : {"AUTO", "CUDA"}) {
        const With device("GDAL_GPU_DEVICE", mode);
        const Selection selection = SelectDevice(UINT64_MAX);
        EXPECT_EQ(selection.device, nullptr);
        EXPECT_TRUE(Contains(selection.reason, "libcuda.so.1")) << selection.reason;
        EXPECT_EQ(WhyNoDevice(), selection.reason);
    }
}

TEST(WhyNoDevice, TellsWhatTheOptionLeaves) {
    const std::pair<const char*, const char*> cases[] = {{"NONE", "GDAL_GPU_DEVICE=NONE"},
                                                         {"HOST", ""}};
    for (const auto& [mode, reason] : cases) {
        const With device("GDAL_GPU_DEVICE", mode);
        EXPECT_EQ(WhyNoDevice(), reason);
    }
}

TEST(SelectDevice, WithoutNvrtcCudaSaysSo) {
    if (!HasCuda()) {
        GTEST_SKIP() << "there is no driver";
    }
    const With device("GDAL_GPU_DEVICE", "CUDA");
    const With nvrtc("GDAL_GPU_NVRTC", "/no/such/libnvrtc.so");
    const Selection selection = SelectDevice(UINT64_MAX);
    EXPECT_EQ(selection.device, nullptr);
    EXPECT_TRUE(Contains(selection.reason, "/no/such/libnvrtc.so")) << selection.reason;
}

TEST(SelectDevice, AWrongModeWarnsOnceAndCountsAsAuto) {
    const With device("GDAL_GPU_DEVICE", "FASTEST");
    const With least("GDAL_GPU_MIN_PIXELS", "1000");
    const Warnings warnings;
    EXPECT_TRUE(Contains(SelectDevice(1).reason, "GDAL_GPU_MIN_PIXELS"));
    SelectDevice(1);
    ASSERT_EQ(warnings.texts().size(), 1u);
    EXPECT_TRUE(Contains(warnings.texts()[0], "FASTEST"));
}

TEST(SelectDevice, AMissingCompilerIsAReason) {
    const With device("GDAL_GPU_DEVICE", "HOST");
    const With cxx("GDAL_GPU_CXX", "/no/such/compiler");
    const Selection selection = SelectDevice(1);
    EXPECT_EQ(selection.device, nullptr);
    EXPECT_TRUE(Contains(selection.reason, "/no/such/compiler")) << selection.reason;
}

// In processes of their own, where nothing has been said yet.
template <class Body>
void ExpectWarnings(const Body& body, const std::vector<std::string>& expected) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto run = [&] {
        std::string said;
        {
            const Warnings warnings;
            body();
            for (const std::string& text : warnings.texts()) said += text + "\n";
        }
        std::string wanted;
        for (const std::string& text : expected) wanted += text + "\n";
        if (said != wanted) std::fprintf(stderr, "said: %s", said.c_str());
        std::exit(said == wanted ? 0 : 1);
    };
    EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST(Warnings, OfACompilerThatIsMissingComeOnce) {
    ExpectWarnings(
        [] {
            const With device("GDAL_GPU_DEVICE", "HOST");
            const With cxx("GDAL_GPU_CXX", "/no/such/compiler");
            for (int i = 0; i < 2; ++i) {
                WhyNoDevice();
                SelectDevice(1);
                WarmUpDevice(1);
            }
        },
        {"GDAL_GPU_CXX=/no/such/compiler is no program that can be run; install a C++ compiler or "
         "name another"});
    ExpectWarnings(
        [] {
            setenv("PATH", "/nowhere", 1);
            const With device("GDAL_GPU_DEVICE", "HOST");
            SelectDevice(1);
            SelectDevice(1);
        },
        {"GDAL_GPU_DEVICE=HOST: no C++ compiler (c++, g++ or clang++) in PATH; install g++, or set "
         "GDAL_GPU_CXX; GDAL and PROJ do the work on the CPU"});
}

TEST(Warnings, OfADriverThatIsMissingComeOnceAndOnlyToThoseWhoAsked) {
    if (HasCuda()) {
        GTEST_SKIP() << "there is a driver";
    }
    const auto ask = [](const char* mode) {
        const With device("GDAL_GPU_DEVICE", mode);
        WhyNoDevice();
        SelectDevice(UINT64_MAX);
        WhyNoDevice();
    };
    ExpectWarnings(
        [&] { ask("CUDA"); },
        {"GDAL_GPU_DEVICE=CUDA: no NVIDIA driver: libcuda.so.1 can't be opened; GDAL and "
         "PROJ do the work on the CPU"});
    ExpectWarnings([&] { SelectDevice(UINT64_MAX), ask("AUTO"), ask("NONE"), ask("HOST"); }, {});
}

// Whatever is asked for first, and however the option is used later.
TEST(Warnings, OfEveryWrongValueComeOnce) {
    ExpectWarnings(
        [] {
            const With device("GDAL_GPU_DEVICE", "FASTEST");
            const With limit("GDAL_GPU_MEMORY_LIMIT", "much");
            const With least("GDAL_GPU_MIN_PIXELS", "1e6");
            const With precision("GDAL_GPU_PRECISION", "fp16");
            const With report("GDAL_GPU_REPORT", "/no/such/folder/report");
            const With readers("GDAL_GPU_READ_THREADS", "0");
            const With nvrtc("GDAL_GPU_NVRTC", "/no/such/libnvrtc.so");
            const With cxx("GDAL_GPU_CXX", "no-such-compiler");
            const With threads("GDAL_GPU_THREADS", "many");
            const With fault("GDAL_GPU_FAULT", "everything");
            const With mistaken("GDAL_GPU_DEVCE", "HOST");
            const With others("GDAL_GPU_OF_SOMEBODY", "1");
            WhyNoDevice();
            SelectDevice(UINT64_MAX);
            DeviceOptions();
            if (OptionChoice("GDAL_GPU_PRECISION", "ds") != "ds") std::exit(2);
            if (OptionNumber("GDAL_GPU_READ_THREADS", 7) != 7) std::exit(3);
        },
        {"GDAL_GPU_DEVICE=FASTEST is none of AUTO, CUDA, HOST and NONE; it counts as AUTO",
         ("GDAL_GPU_MEMORY_LIMIT=much is not a number of bytes, nor one with KB, MB, GB or TB; it "
          "counts as not set"),
         "GDAL_GPU_MIN_PIXELS=1e6 is not a whole number of at least 0; it counts as not set",
         "GDAL_GPU_PRECISION=fp16 is none of fp64, ds, fp32 and auto; it counts as fp64",
         "GDAL_GPU_REPORT=/no/such/folder/report can't be written: No such file or directory",
         "GDAL_GPU_READ_THREADS=0 is not a whole number of at least 1; it counts as not set",
         "GDAL_GPU_NVRTC=/no/such/libnvrtc.so can't be opened: No such file or directory",
         ("GDAL_GPU_CXX=no-such-compiler is no program in PATH; install a C++ compiler or name "
          "another"),
         "GDAL_GPU_THREADS=many is not a whole number of at least 1; it counts as not set",
         ("GDAL_GPU_FAULT=everything is none of allocate, launch, compile, copy and lose, perhaps "
          "with :N or =N"),
         "GDAL_GPU_DEVCE is not an option; is GDAL_GPU_DEVICE meant?"});
}

TEST(Warnings, OfAWrongValueComeWithARequestThatNeedsNoDevice) {
    ExpectWarnings(
        [] {
            const With device("GDAL_GPU_DEVICE", "FASTEST");
            for (int i = 0; i < 2; ++i) Report("preload", "warp").reason = "has no kernel";
        },
        {"GDAL_GPU_DEVICE=FASTEST is none of AUTO, CUDA, HOST and NONE; it counts as AUTO"});
}

TEST(Warnings, OfAWrongValueComeForEachValueThatIsTried) {
    ExpectWarnings(
        [] {
            for (const char* value : {"ten", "3", "ten", "eleven"}) {
                const With threads("GDAL_GPU_THREADS", value);
                WhyNoDevice();
            }
        },
        {"GDAL_GPU_THREADS=ten is not a whole number of at least 1; it counts as not set",
         "GDAL_GPU_THREADS=eleven is not a whole number of at least 1; it counts as not set"});
}

TEST(Warnings, ComeAtTheEndOfAScopeThatKeepsOtherMessages) {
    ExpectWarnings(
        [] {
            const With threads("GDAL_GPU_THREADS", "ten");
            CPLError(CE_Warning, CPLE_AppDefined, "before");
            {
                const QuietErrors quiet;
                {
                    const QuietErrors inner;
                    WhyNoDevice();
                    CPLError(CE_Warning, CPLE_AppDefined, "kept");
                }
                CPLError(CE_Warning, CPLE_AppDefined, "kept");
            }
            CPLError(CE_Warning, CPLE_AppDefined, "after");
        },
        {"before", "GDAL_GPU_THREADS=ten is not a whole number of at least 1; it counts as not set",
         "after"});
}

TEST(Warnings, OfACacheThatKeepsNothingComeOnceSomethingWasCompiled) {
    ExpectWarnings(
        [] {
            const With device("GDAL_GPU_DEVICE", "HOST");
            const With folder("GDAL_GPU_CACHE_DIR", "/dev/null/kernels");
            gpu::Source source;
            source.include("core/core.h")
                .append("struct P { double x; }; GPU_KERNEL(k, P, p) { GPU_FOR_1D(i, 1) {} }");
            SelectDevice(1).device->compile(source);
            SelectDevice(1).device->compile(source);
        },
        {"compiled kernels are not kept, so that each process compiles them again: "
         "/dev/null/kernels can't be made: Not a directory; set GDAL_GPU_CACHE_DIR to a folder of "
         "your own"});
}

TEST(SelectDevice, AWrongFaultIsAReason) {
    const With device("GDAL_GPU_DEVICE", "HOST");
    const With fault("GDAL_GPU_FAULT", "everything");
    EXPECT_TRUE(Contains(SelectDevice(1).reason, "everything"));
}

TEST(SelectDevice, EachSetOfOptionsHasItsDevice) {
    const With device("GDAL_GPU_DEVICE", "HOST");
    const std::shared_ptr<gpu::Device> before = SelectDevice(1).device;
    ASSERT_NE(before, nullptr);
    {
        const With limit("GDAL_GPU_MEMORY_LIMIT", "1MB");
        const std::shared_ptr<gpu::Device> limited = SelectDevice(1).device;
        ASSERT_NE(limited, nullptr);
        EXPECT_EQ(limited->available_memory(), uint64_t{1} << 20);
        EXPECT_EQ(SelectDevice(1).device, limited);
    }
    EXPECT_EQ(SelectDevice(1).device, before);
    EXPECT_GT(before->available_memory(), uint64_t{1} << 20);
}

TEST(SelectDevice, ALostDeviceIsAReasonFromThenOn) {
    const With device("GDAL_GPU_DEVICE", "HOST");
    const With fault("GDAL_GPU_FAULT", "lose");
    const std::shared_ptr<gpu::Device> lost = SelectDevice(1).device;
    ASSERT_NE(lost, nullptr);
    gpu::Source source;
    source.include("core/core.h")
        .append("struct P { double x; }; GPU_KERNEL(k, P, p) { GPU_FOR_1D(i, 1) {} }");
    const auto module = lost->compile(source);
    const double x = 0;
    EXPECT_THROW(lost->stream()->launch(module->kernel("k"), {1}, &x, 8), gpu::Error);
    for (int i = 0; i < 2; ++i) {
        const Selection selection = SelectDevice(1);
        EXPECT_EQ(selection.device, nullptr);
        EXPECT_TRUE(Contains(selection.reason, "lost")) << selection.reason;
    }
}

TEST(SelectDevice, ManyThreadsGetTheSameDevice) {
    const With device("GDAL_GPU_DEVICE", "HOST");
    const With threads_option("GDAL_GPU_THREADS", "3");
    std::vector<std::shared_ptr<gpu::Device>> devices(8);
    std::vector<std::thread> threads;
    threads.reserve(devices.size());
    for (auto& slot : devices) {
        threads.emplace_back([&slot] { slot = SelectDevice(1).device; });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    ASSERT_NE(devices[0], nullptr);
    EXPECT_EQ(std::set<std::shared_ptr<gpu::Device>>(devices.begin(), devices.end()).size(), 1u);
    EXPECT_TRUE(Contains(devices[0]->name(), "3 threads")) << devices[0]->name();
}

TEST(SelectDevice, AForkedChildHasADeviceOfItsOwn) {
    const With device("GDAL_GPU_DEVICE", "HOST");
    ASSERT_NE(SelectDevice(1).device, nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const Selection selection = SelectDevice(1);
        _exit(selection.device && selection.device->stream() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

std::string OpenLibraries() {
    std::ifstream maps("/proc/self/maps");
    return {std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>()};
}

// In a process of its own, where no other test has opened it.
TEST(SelectDevice, OpensNoDriverForRequestsThatAreNotForCuda) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto body = [] {
        {
            const With device("GDAL_GPU_DEVICE", "AUTO");
            SelectDevice(10);
            WarmUpDevice(10);
        }
        for (const char* mode : {"NONE", "HOST"}) {
            const With device("GDAL_GPU_DEVICE", mode);
            SelectDevice(UINT64_MAX);
            WarmUpDevice(UINT64_MAX);
        }
        const bool opened =
            Contains(OpenLibraries(), "libcuda") || Contains(OpenLibraries(), "libnvrtc");
        std::exit(opened ? 1 : 0);
    };
    EXPECT_EXIT(body(), testing::ExitedWithCode(0), "");
}

// In processes of their own: one warms up in its life.
TEST(WarmUpDevice, MakesTheDeviceInTheBackground) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const std::filesystem::path cxx =
        std::filesystem::temp_directory_path() / ("slow-cxx-" + std::to_string(getpid()));
    const auto body = [&] {
        std::ofstream(cxx) << "#!/bin/sh\nsleep 1\necho slow 1.0\n";
        std::filesystem::permissions(cxx, std::filesystem::perms::owner_all);
        const With device("GDAL_GPU_DEVICE", "HOST");
        const With slow("GDAL_GPU_CXX", cxx.c_str());
        const auto start = std::chrono::steady_clock::now();
        const auto seconds = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        };
        WarmUpDevice(1);
        WarmUpDevice(1);
        if (seconds() > 0.5) std::exit(1);
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        const Selection selection = SelectDevice(1);
        std::filesystem::remove(cxx);
        std::exit(selection.device && seconds() < 1.9 ? 0 : 2);
    };
    EXPECT_EXIT(body(), testing::ExitedWithCode(0), "");
}

TEST(WarmUpDevice, IsWaitedForAtExit) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto body = [] {
        const With device("GDAL_GPU_DEVICE", "HOST");
        WarmUpDevice(1);
        std::exit(0);
    };
    EXPECT_EXIT(body(), testing::ExitedWithCode(0), "");
}

TEST(DeviceOptions, ReadsTheMemoryLimitWithUnits) {
    for (const auto& [text, bytes] :
         std::vector<std::pair<const char*, uint64_t>>{{"4096", 4096},
                                                       {"1MB", 1048576},
                                                       {"2gb", uint64_t{2} << 30},
                                                       {"1.5 KB", 1536},
                                                       {"512K", 524288},
                                                       {"1TB", uint64_t{1} << 40},
                                                       {"10B", 10},
                                                       {"0", 0}}) {
        const With limit("GDAL_GPU_MEMORY_LIMIT", text);
        const Warnings warnings;
        EXPECT_EQ(DeviceOptions().memory_limit, bytes) << text;
        EXPECT_TRUE(warnings.texts().empty()) << text;
    }
}

TEST(DeviceOptions, AWrongValueWarnsOnceAndCountsAsNotSet) {
    for (const char* text : {"much", "-1", "1XB", "nan", "1e300", "MB", "1MB and more"}) {
        const With limit("GDAL_GPU_MEMORY_LIMIT", text);
        const Warnings warnings;
        EXPECT_EQ(DeviceOptions().memory_limit, 0u) << text;
        EXPECT_EQ(DeviceOptions().memory_limit, 0u) << text;
        ASSERT_EQ(warnings.texts().size(), 1u) << text;
        EXPECT_TRUE(Contains(warnings.texts()[0], text));
    }
    for (const char* text : {"zero", "0", "-4", "2.5", "99999999999999999999"}) {
        const With threads("GDAL_GPU_THREADS", text);
        const Warnings warnings;
        EXPECT_EQ(DeviceOptions().threads, 0) << text;
        EXPECT_EQ(warnings.texts().size(), 1u) << text;
    }
}

TEST(CacheDirectory, FollowsTheOptionThenTheEnvironment) {
    const char* home = std::getenv("HOME");
    const std::string kept_home = home != nullptr ? home : "/";
    setenv("HOME", "/somebody", 1);
    setenv("XDG_CACHE_HOME", "/cache", 1);
    {
        const With folder("GDAL_GPU_CACHE_DIR", "/chosen");
        EXPECT_EQ(CacheDirectory(), "/chosen");
    }
    unsetenv("GDAL_GPU_CACHE_DIR");
    EXPECT_EQ(CacheDirectory(), "/cache/gdal-gpu");
    setenv("XDG_CACHE_HOME", "not/absolute", 1);
    EXPECT_EQ(CacheDirectory(), "/somebody/.cache/gdal-gpu");
    unsetenv("XDG_CACHE_HOME");
    EXPECT_EQ(CacheDirectory(), "/somebody/.cache/gdal-gpu");
    unsetenv("HOME");
    EXPECT_EQ(CacheDirectory(), "");
    setenv("HOME", kept_home.c_str(), 1);
}

TEST(OptionProblem, IsNoneWhereTheDefaultOrARightValueIsSet) {
    for (const ConfigOption& option : ConfigOptions()) {
        EXPECT_EQ(OptionProblem(option, ""), "") << option.name;
        for (const char* choice : option.choices) EXPECT_EQ(OptionProblem(option, choice), "");
        if (option.type == ConfigOption::Type::WholeNumber) {
            EXPECT_EQ(OptionProblem(option, std::to_string(option.least)), "");
            EXPECT_NE(OptionProblem(option, std::to_string(option.least - 1)), "");
        }
    }
    const With device("GDAL_GPU_DEVICE", "host");
    EXPECT_EQ(OptionChoice("GDAL_GPU_DEVICE", "AUTO"), "HOST") << "as the table spells it";
}

TEST(NearestName, IsTheOneThatAWordOfAThirdOfItsLettersIsMeantFor) {
    const std::vector<std::string> names = {"hillshade", "slope", "gpu_expression"};
    for (const auto& [name, nearest] :
         std::vector<std::pair<const char*, const char*>>{{"hilshade", "hillshade"},
                                                          {"HILLSHADE", "hillshade"},
                                                          {"hlilshade", "hillshade"},
                                                          {"gpu_expressio", "gpu_expression"},
                                                          {"slop", "slope"},
                                                          {"slpoe", "slope"},
                                                          {"aspect", ""},
                                                          {"", ""},
                                                          {"sl", ""}}) {
        EXPECT_EQ(NearestName(name, names), nearest) << name;
    }
    EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
    EXPECT_EQ(SuggestionOr("slop", names, "."), "; is slope meant?");
    EXPECT_EQ(SuggestionOr("aspect", names, "."), ".");
}

TEST(ConfigOptions, AreNamedOnceAndExplained) {
    std::set<std::string> names;
    for (const ConfigOption& option : ConfigOptions()) {
        EXPECT_TRUE(names.insert(option.name).second) << option.name;
        EXPECT_EQ(std::string(option.name).substr(0, 9), "GDAL_GPU_");
        EXPECT_GT(std::string(option.help).size(), 10u);
        EXPECT_GT(std::string(option.default_value).size(), 0u);
    }
    for (const char* name : {"GDAL_GPU_DEVICE", "GDAL_GPU_MEMORY_LIMIT", "GDAL_GPU_MIN_PIXELS",
                             "GDAL_GPU_REPORT", "GDAL_GPU_CACHE_DIR"}) {
        EXPECT_EQ(names.count(name), 1u) << name;
    }
}

}  // namespace
}  // namespace gdalgpu
