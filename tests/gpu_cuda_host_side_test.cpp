// What the CUDA device does on the host's side, on a driver that stands in for NVIDIA's. Each test
// is a process of its own, so that no other test has opened a driver.
#include <dlfcn.h>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

#include "gpu/device.h"
#include "gpu_test_devices.h"

namespace gpu {
namespace {

void* fake = nullptr;

template <class... Arguments>
int Fake(const char* function, Arguments... arguments) {
    return reinterpret_cast<int (*)(Arguments...)>(dlsym(fake, function))(arguments...);
}

// Loads the driver under the name libcuda.so.1, which a later dlopen of that name finds.
void LoadFake() {
    fake = dlopen(GDALGPU_FAKE_CUDA_DRIVER, RTLD_NOW | RTLD_LOCAL);
    if (fake == nullptr) {
        std::fprintf(stderr, "no fake driver: %s\n", dlerror());
        std::_Exit(3);
    }
}

#define CHECK_THAT(condition)                                                \
    if (!(condition)) {                                                      \
        std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
        std::_Exit(1);                                                       \
    }

template <class Work>
Error::Kind KindOf(Work work) {
    try {
        work();
    } catch (const Error& error) {
        std::fprintf(stderr, "as expected: %s\n", error.what());
        return error.kind();
    }
    std::fprintf(stderr, "no error\n");
    std::_Exit(1);
}

class CudaHostSide : public testing::Test {
  protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

    // Runs `body` on a device in a process of its own, which has to end as every process does.
    template <class Body>
    static void Run(Body body, Options options = {}) {
        const auto all = [&] {
            LoadFake();
            options.nvrtc_library = GDALGPU_FAKE_CUDA_DRIVER;
            body(MakeCudaDevice(options));
            CHECK_THAT(Fake("fake_contexts") == 0);
            std::exit(0);
        };
        EXPECT_EXIT(all(), testing::ExitedWithCode(0), "");
    }
};

Source Empty() {
    Source source;
    source.include("core/core.h")
        .append("struct P { double x; }; GPU_KERNEL(k, P, p) { GPU_FOR_1D(i, 1) {} }");
    return source;
}

void CheckCopies(Device& device, size_t bytes, unsigned seed) {
    const auto stream = device.stream();
    std::vector<unsigned char> in(bytes);
    std::mt19937 random(seed);
    for (size_t i = 0; i < bytes; i += 997) {
        in[i] = static_cast<unsigned char>(random());
    }
    const std::vector<unsigned char> expected = in;
    const auto memory = stream->allocate(bytes);
    stream->upload(memory->address(), in.data(), bytes);
    std::fill(in.begin(), in.end(), 0x77);  // allowed at once
    std::vector<unsigned char> out(bytes);
    stream->download(out.data(), memory->address(), bytes);
    stream->synchronize();
    CHECK_THAT(out == expected);
}

TEST_F(CudaHostSide, CopiesOfAnySizeKeepTheirBytes) {
    Run([](const std::shared_ptr<Device>& device) {
        CHECK_THAT(device->name() == "Fake GPU" && device->architecture() == "sm_90");
        for (const size_t bytes :
             {size_t{0}, size_t{1}, size_t{65536}, size_t{65537}, (size_t{4} << 20) - 1,
              size_t{4} << 20, (size_t{4} << 20) + 1, size_t{300000007}}) {
            CheckCopies(*device, bytes, 1);
        }
    });
}

TEST_F(CudaHostSide, WorksWithoutPoolsAndWithoutRegisteredMemory) {
    setenv("FAKE_WITHOUT_POOLS", "1", 1);
    setenv("FAKE_WITHOUT_REGISTER", "1", 1);
    Run([](const std::shared_ptr<Device>& device) {
        CheckCopies(*device, 50000000, 2);
        CHECK_THAT(Fake("fake_in_use") == 0);
    });
    unsetenv("FAKE_WITHOUT_POOLS");
    unsetenv("FAKE_WITHOUT_REGISTER");
}

TEST_F(CudaHostSide, ManyThreadsShareTheStagingBuffers) {
    Run([](const std::shared_ptr<Device>& device) {
        std::vector<std::thread> threads;
        for (unsigned t = 0; t < 8; ++t) {
            threads.emplace_back([&, t] {
                for (unsigned round = 0; round < 4; ++round) {
                    CheckCopies(*device, t % 2 == 0 ? 30000000 + t : 100000 + t, t + 10 * round);
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        CHECK_THAT(Fake("fake_streams") <= 8);
    });
}

TEST_F(CudaHostSide, MemoryGoesBackInStreamOrder) {
    Run([](const std::shared_ptr<Device>& device) {
        const auto stream = device->stream();
        std::vector<double> out(1000);
        {
            const auto memory = stream->allocate(8000);
            stream->fill(memory->address(), 0, 8000);
            stream->download(out.data(), memory->address(), 8000);
        }
        stream->synchronize();
        CHECK_THAT(Fake("fake_in_use") == 0);
    });
}

TEST_F(CudaHostSide, OutOfMemoryIsTriedAgainThenReported) {
    Run([](const std::shared_ptr<Device>& device) {
        const auto stream = device->stream();
        const auto kind = KindOf([&] { stream->allocate(size_t{2} << 30); });
        CHECK_THAT(kind == Error::Kind::OutOfMemory);
        CHECK_THAT(Fake("fake_trimmed") == 1);
        CHECK_THAT(!device->lost());
        CHECK_THAT(device->available_memory() == (size_t{1} << 30) - (size_t{256} << 20));
        CheckCopies(*device, 1000000, 3);
    });
}

TEST_F(CudaHostSide, AStickyErrorLosesEveryDeviceOfTheProcess) {
    Run([](const std::shared_ptr<Device>& device) {
        const auto stream = device->stream();
        auto memory = stream->allocate(100000);
        auto module = device->compile(Empty());
        Fake("fake_set_synchronize_error", 700);
        CHECK_THAT(KindOf([&] { stream->synchronize(); }) == Error::Kind::Lost);
        CHECK_THAT(device->lost());
        std::vector<char> host(100000);
        CHECK_THAT(KindOf([&] { stream->upload(memory->address(), host.data(), 100000); }) ==
                   Error::Kind::Lost);
        CHECK_THAT(KindOf([&] { device->stream(); }) == Error::Kind::Lost);
        CHECK_THAT(KindOf([&] { MakeCudaDevice({}); }) == Error::Kind::Lost);
        memory.reset();
        module.reset();
    });
}

TEST_F(CudaHostSide, AnErrorThatIsNotStickyLosesNothing) {
    Run([](const std::shared_ptr<Device>& device) {
        Fake("fake_set_synchronize_error", 701);
        const auto stream = device->stream();
        CHECK_THAT(KindOf([&] { stream->synchronize(); }) == Error::Kind::Launch);
        Fake("fake_set_synchronize_error", 0);
        CHECK_THAT(!device->lost());
        CheckCopies(*device, 1000000, 4);
    });
}

TEST_F(CudaHostSide, LaunchesCoverTheExtentWithinTheGridsLimits) {
    Run([](const std::shared_ptr<Device>& device) {
        const auto stream = device->stream();
        const auto module = device->compile(Empty());
        CHECK_THAT(KindOf([&] { module->kernel("none"); }) == Error::Kind::InvalidArgument);
        const Kernel& kernel = module->kernel("k");
        const double params[] = {1.5, 2.5};
        for (const Extent extent : {Extent{1, 1},
                                    {1000, 1},
                                    {1000, 700},
                                    {1, 50},
                                    {31, 9},
                                    {int64_t{1} << 40, 1},
                                    {5, int64_t{1} << 40}}) {
            stream->launch(kernel, extent, params, sizeof(params));
            unsigned shape[6];
            double seen[2];
            size_t size = 0;
            Fake("fake_launched", &shape[0], static_cast<void*>(seen), &size);
            CHECK_THAT(size == sizeof(params) && seen[0] == 1.5 && seen[1] == 2.5);
            CHECK_THAT(shape[0] >= 1 && shape[0] <= 0x7fffffff && shape[1] >= 1 &&
                       shape[1] <= 65535);
            CHECK_THAT(shape[3] * shape[4] == 256 && shape[2] == 1 && shape[5] == 1);
            CHECK_THAT(extent.height == 1 ? shape[4] == 1 && shape[1] == 1 : shape[3] == 32);
            const bool covers_x = int64_t{shape[0]} * shape[3] >= extent.width;
            const bool covers_y = int64_t{shape[1]} * shape[4] >= extent.height;
            CHECK_THAT(covers_x || shape[0] == 0x7fffffff);
            CHECK_THAT(covers_y || shape[1] == 65535);
        }
    });
}

TEST_F(CudaHostSide, AKernelOfAnotherDeviceIsRefused) {
    Run([](const std::shared_ptr<Device>& cuda) {
        const std::shared_ptr<Device> host = MakeHostDevice({});
        const auto of_cuda = cuda->compile(Empty());
        const auto of_host = host->compile(Empty());
        const double params[] = {1.5, 2.5};
        const auto launch = [&](Device& device, Module& module) {
            device.stream()->launch(module.kernel("k"), {100, 1}, params, sizeof(params));
        };
        CHECK_THAT(KindOf([&] { launch(*cuda, *of_host); }) == Error::Kind::InvalidArgument);
        CHECK_THAT(KindOf([&] { launch(*host, *of_cuda); }) == Error::Kind::InvalidArgument);
        launch(*cuda, *of_cuda);
        launch(*host, *of_host);
    });
}

TEST_F(CudaHostSide, TheMemoryLimitAndFaultsHold) {
    Options options;
    options.memory_limit = 1000000;
    options.fault = "copy:1";
    Run(
        [](const std::shared_ptr<Device>& device) {
            const auto stream = device->stream();
            const auto memory = stream->allocate(900000);
            CHECK_THAT(device->available_memory() == 100000);
            CHECK_THAT(KindOf([&] { stream->allocate(100001); }) == Error::Kind::OutOfMemory);
            std::vector<char> host(900000);
            stream->upload(memory->address(), host.data(), host.size());
            CHECK_THAT(KindOf([&] {
                           stream->download(host.data(), memory->address(), host.size());
                       }) == Error::Kind::Copy);
        },
        options);
}

TEST_F(CudaHostSide, ResidentBytesTakeMemoryOnceAndWhileSomebodyHoldsThem) {
    Options options;
    options.memory_limit = 1000000;
    Run(
        [](const std::shared_ptr<Device>& device) {
            auto bytes = std::make_shared<std::vector<std::byte>>(400000);
            const auto others = std::make_shared<std::vector<std::byte>>(1000);
            const auto stream = device->stream();
            const void* address = stream->resident(bytes);
            CHECK_THAT(device->stream()->resident(bytes) == address);
            CHECK_THAT(device->available_memory() == 600000);
            bytes.reset();
            stream->resident(others);
            CHECK_THAT(device->available_memory() == 999000);
            const auto large = std::make_shared<std::vector<std::byte>>(1000000);
            CHECK_THAT(KindOf([&] { stream->resident(large); }) == Error::Kind::OutOfMemory);
        },
        options);
}

TEST_F(CudaHostSide, ASecondDeviceTakesKernelsFromDisk) {
    const TemporaryFolder folder;
    Options options;
    options.cache_directory = folder.path();
    options.nvrtc_library = GDALGPU_FAKE_CUDA_DRIVER;
    Run(
        [&](const std::shared_ptr<Device>& device) {
            CompileInfo info;
            device->compile(Empty(), &info);
            CHECK_THAT(info.compiled == 1);
            MakeCudaDevice(options)->compile(Empty(), &info);
            CHECK_THAT(info.compiled == 0);
        },
        options);
}

TEST_F(CudaHostSide, TextThatDoesNotCompileGivesTheCompilersWords) {
    Run([](const std::shared_ptr<Device>& device) {
        Source bad;
        bad.append("no code");
        try {
            device->compile(bad);
            std::_Exit(1);
        } catch (const Error& error) {
            CHECK_THAT(error.kind() == Error::Kind::Compile);
            CHECK_THAT(std::string(error.what()).find("a log") != std::string::npos);
        }
    });
}

}  // namespace
}  // namespace gpu
