#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "gpu/device.h"
#include "gpu_test_devices.h"

namespace gpu {
namespace {

constexpr char kKernels[] = R"(
struct AddParams { double* out; double scale; long long width; long long height; };
GPU_KERNEL(add_2d, AddParams, p) {
    GPU_FOR_2D(x, y, p.width, p.height) { p.out[y * p.width + x] += p.scale * (y * p.width + x) + 1; }
}
GPU_KERNEL(add_1d, AddParams, p) {
    GPU_FOR_1D(i, p.width) { p.out[i] += p.scale * i + 1; }
}
// Marks every 2^29th item: as many items as you like without as much memory.
GPU_KERNEL(mark_1d, AddParams, p) {
    GPU_FOR_1D(i, p.width) { if (i % 536870912 == 0) p.out[i / 536870912] += 1; }
}
GPU_KERNEL(mark_2d, AddParams, p) {
    GPU_FOR_2D(x, y, p.width, p.height) { if (y % 536870912 == 0) p.out[y / 536870912] += 1; }
}
struct ManyParams { double* out; double values[200]; };
GPU_KERNEL(take_many, ManyParams, p) {
    GPU_FOR_1D(i, 200) { p.out[i] = p.values[i]; }
}
)";

struct AddParams {
    double* out;
    double scale;
    long long width;
    long long height;
};

Source Kernels() {
    Source source;
    source.include("core/core.h").append(kKernels);
    return source;
}

// A device-side array of doubles, zero at first.
class Array {
  public:
    Array(Stream& stream, size_t count)
        : stream_(stream), count_(count), memory_(stream.allocate(count * 8)) {
        stream.fill(memory_->address(), 0, count * 8);
    }
    double* data() const { return static_cast<double*>(memory_->address()); }
    std::vector<double> values() const {
        std::vector<double> values(count_);
        stream_.download(values.data(), data(), count_ * 8);
        stream_.synchronize();
        return values;
    }

  private:
    Stream& stream_;
    size_t count_;
    std::unique_ptr<Memory> memory_;
};

using OnDevice = EachDevice;

TEST_P(OnDevice, A2DKernelVisitsEveryItemOnce) {
    const auto module = device_->compile(Kernels());
    const auto stream = device_->stream();
    for (const Extent extent : {Extent{0, 0},
                                {0, 5},
                                {5, 0},
                                {1, 1},
                                {1000, 700},
                                {33, 9},
                                {1, 50},
                                {700001, 1},
                                {100003, 3},
                                {3, 200003}}) {
        const size_t count = extent.width * extent.height;
        const Array array(*stream, count);
        const AddParams params{array.data(), 2, extent.width, extent.height};
        stream->launch(module->kernel("add_2d"), extent, &params, sizeof(params));
        const std::vector<double> values = array.values();
        for (size_t i = 0; i < count; ++i) {
            ASSERT_EQ(values[i], 2.0 * i + 1)
                << i << " of " << extent.width << " x " << extent.height;
        }
    }
}

TEST_P(OnDevice, A1DKernelVisitsEveryItemOnce) {
    const auto module = device_->compile(Kernels());
    const auto stream = device_->stream();
    for (const long long count : {0LL, 1LL, 2LL, 31LL, 1000LL, 1000003LL}) {
        const Array array(*stream, count);
        const AddParams params{array.data(), 3, count, 1};
        stream->launch(module->kernel("add_1d"), {count}, &params, sizeof(params));
        const std::vector<double> values = array.values();
        for (long long i = 0; i < count; ++i) {
            ASSERT_EQ(values[i], 3.0 * i + 1) << i << " of " << count;
        }
    }
}

TEST_P(OnDevice, ExtentsPassTheRangeOf32Bits) {
    const auto module = device_->compile(Kernels());
    const auto stream = device_->stream();
    const long long count = (1LL << 31) + 5;
    for (const bool rows : {false, true}) {
        const Array array(*stream, 6);
        const Extent extent = rows ? Extent{1, count} : Extent{count};
        const AddParams params{array.data(), 0, extent.width, extent.height};
        stream->launch(module->kernel(rows ? "mark_2d" : "mark_1d"), extent, &params,
                       sizeof(params));
        EXPECT_EQ(array.values(), (std::vector<double>{1, 1, 1, 1, 1, 0})) << rows;
    }
}

TEST_P(OnDevice, ParametersAreCopiedWithTheLaunch) {
    struct ManyParams {
        double* out;
        double values[200];
    };
    const auto module = device_->compile(Kernels());
    const auto stream = device_->stream();
    const Array array(*stream, 200);
    // From an odd address: bytes that were put together need not be aligned.
    std::vector<char> bytes(sizeof(ManyParams) + 1);
    ManyParams params{};
    params.out = array.data();
    for (int i = 0; i < 200; ++i) {
        params.values[i] = i * 0.5;
    }
    std::memcpy(bytes.data() + 1, &params, sizeof(params));
    stream->launch(module->kernel("take_many"), {200}, bytes.data() + 1, sizeof(params));
    std::fill(bytes.begin(), bytes.end(), '\x55');
    const std::vector<double> values = array.values();
    for (int i = 0; i < 200; ++i) {
        ASSERT_EQ(values[i], i * 0.5);
    }
}

TEST_P(OnDevice, CopiesOfAnySizeKeepTheirBytes) {
    const auto stream = device_->stream();
    std::mt19937 random(1);
    for (const size_t bytes : {size_t{0}, size_t{1}, size_t{4096}, size_t{65536}, size_t{65537},
                               (size_t{4} << 20) - 1, (size_t{4} << 20) + 1, size_t{150000001}}) {
        std::vector<char> out(bytes + 2, 'x');
        std::vector<char> in(bytes + 1);
        for (size_t i = 0; i < bytes; i += 61) {
            in[i + 1] = static_cast<char>(random());
        }
        const std::vector<char> expected(in.begin() + 1, in.end());
        const auto memory = stream->allocate(bytes);
        ASSERT_EQ(memory->size(), bytes);
        EXPECT_EQ(memory->address() == nullptr, bytes == 0);
        stream->upload(memory->address(), in.data() + 1, bytes);
        std::fill(in.begin(), in.end(), 'z');
        stream->download(out.data() + 1, memory->address(), bytes);
        stream->synchronize();
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), out.begin() + 1)) << bytes;
        EXPECT_EQ(out.front(), 'x');
        EXPECT_EQ(out.back(), 'x');
    }
}

TEST_P(OnDevice, FillSetsEveryByte) {
    const auto stream = device_->stream();
    const size_t bytes = 9000001;
    const auto memory = stream->allocate(bytes);
    stream->fill(memory->address(), 0xab, bytes);
    std::vector<unsigned char> out(bytes);
    stream->download(out.data(), memory->address(), bytes);
    stream->synchronize();
    EXPECT_EQ(std::count(out.begin(), out.end(), 0xab), static_cast<long>(bytes));
}

TEST_P(OnDevice, ResidentBytesAreInOnePlaceForAllStreams) {
    auto bytes = std::make_shared<std::vector<std::byte>>(100000);
    for (size_t i = 0; i < bytes->size(); ++i) (*bytes)[i] = static_cast<std::byte>(i * 7);
    const auto first = device_->stream(), second = device_->stream();
    const void* address = first->resident(bytes);
    EXPECT_EQ(second->resident(bytes), address);
    std::vector<std::byte> back(bytes->size());
    second->download(back.data(), address, back.size());
    second->synchronize();
    EXPECT_EQ(back, *bytes);
}

TEST_P(OnDevice, ManyThreadsWorkAtOnce) {
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    threads.reserve(12);
    for (int t = 0; t < 12; ++t) {
        threads.emplace_back([&, t] {
            const auto module = device_->compile(Kernels());
            for (int round = 0; round < 8; ++round) {
                const auto stream = device_->stream();
                const long long count = 200000 + 1000 * t;
                std::vector<double> in(count, t);
                const auto memory = stream->allocate(count * 8);
                stream->upload(memory->address(), in.data(), count * 8);
                const AddParams params{static_cast<double*>(memory->address()), 0, count, 1};
                stream->launch(module->kernel("add_1d"), {count}, &params, sizeof(params));
                stream->download(in.data(), memory->address(), count * 8);
                stream->synchronize();
                right += std::count(in.begin(), in.end(), t + 1.0) == count;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(right, 12 * 8);
}

TEST_P(OnDevice, ThreadsThatAskForTheSameTextCompileItOnce) {
    std::atomic<int> compiled{0};
    std::vector<std::thread> threads;
    threads.reserve(6);
    for (int t = 0; t < 6; ++t) {
        threads.emplace_back([&] {
            CompileInfo info;
            device_->compile(Kernels(), &info);
            compiled += info.compiled;
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(compiled, 1);
}

TEST_P(OnDevice, MemoryModulesAndStreamsOutliveTheDevice) {
    auto module = device_->compile(Kernels());
    auto stream = device_->stream();
    device_.reset();
    const Array array(*stream, 1000);
    const AddParams params{array.data(), 0, 1000, 1};
    stream->launch(module->kernel("add_1d"), {1000}, &params, sizeof(params));
    EXPECT_EQ(array.values(), std::vector<double>(1000, 1.0));
}

TEST_P(OnDevice, TextThatDoesNotCompileGivesTheCompilersWords) {
    Source source;
    source.include("core/core.h").append("int first;\nint second = no_such_name;\n");
    for (int attempt = 0; attempt < 2; ++attempt) {
        try {
            device_->compile(source);
            FAIL() << "it compiles";
        } catch (const Error& error) {
            EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(Error::Kind::Compile));
            EXPECT_NE(std::string(error.what()).find("no_such_name"), std::string::npos);
            EXPECT_NE(std::string(error.what()).find("generated"), std::string::npos);
        }
    }
    EXPECT_FALSE(device_->lost());
}

TEST_P(OnDevice, UnknownKernelNamesAreRefused) {
    const auto module = device_->compile(Kernels());
    GPU_EXPECT_ERROR(module->kernel("no_such_kernel"), Error::Kind::InvalidArgument);
    module->kernel("add_1d");
}

TEST_P(OnDevice, TheMemoryLimitHolds) {
    Options options;
    options.memory_limit = 1 << 20;
    const auto device = MakeDevice(GetParam(), options);
    const auto stream = device->stream();
    EXPECT_EQ(device->available_memory(), uint64_t{1} << 20);
    auto most = stream->allocate(1 << 19);
    EXPECT_EQ(device->available_memory(), uint64_t{1} << 19);
    GPU_EXPECT_ERROR(stream->allocate((1 << 19) + 1), Error::Kind::OutOfMemory);
    GPU_EXPECT_ERROR(stream->allocate(SIZE_MAX), Error::Kind::OutOfMemory);
    const auto rest = stream->allocate(1 << 19);
    EXPECT_EQ(device->available_memory(), 0u);
    GPU_EXPECT_ERROR(stream->allocate(1), Error::Kind::OutOfMemory);
    most.reset();
    EXPECT_EQ(device->available_memory(), uint64_t{1} << 19);
    stream->allocate(1 << 19);
}

TEST_P(OnDevice, MemoryThatIsNotThereIsAnErrorAndNoMore) {
    const auto stream = device_->stream();
    GPU_EXPECT_ERROR(stream->allocate(SIZE_MAX / 2), Error::Kind::OutOfMemory);
    EXPECT_FALSE(device_->lost());
    EXPECT_GT(device_->available_memory(), uint64_t{1} << 20);
    const Array array(*stream, 10);
    EXPECT_EQ(array.values(), std::vector<double>(10, 0.0));
}

TEST_P(OnDevice, FaultsFailWhereTheyAreAskedTo) {
    using Kind = Error::Kind;
    for (const auto& [fault, kind] :
         std::vector<std::pair<std::string, Kind>>{{"allocate", Kind::OutOfMemory},
                                                   {"launch", Kind::Launch},
                                                   {"compile", Kind::Compile},
                                                   {"copy", Kind::Copy},
                                                   {"lose", Kind::Lost}}) {
        Options options;
        options.fault = fault;
        const auto device = MakeDevice(GetParam(), options);
        std::string failed;
        std::shared_ptr<Module> module;
        try {
            failed = "compile";
            const auto module = device->compile(Kernels());
            const auto stream = device->stream();
            failed = "allocate";
            const auto memory = stream->allocate(8);
            failed = "copy";
            double value = 1;
            stream->upload(memory->address(), &value, 8);
            failed = "launch";
            const AddParams params{static_cast<double*>(memory->address()), 0, 1, 1};
            stream->launch(module->kernel("add_1d"), {1}, &params, sizeof(params));
            failed = "nothing";
        } catch (const Error& error) {
            EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
        }
        EXPECT_EQ(failed, fault == "lose" ? "launch" : fault);
        EXPECT_EQ(device->lost(), fault == "lose");
    }
}

TEST_P(OnDevice, AFaultMayComeLater) {
    Options options;
    options.fault = "allocate:2";
    const auto device = MakeDevice(GetParam(), options);
    const auto stream = device->stream();
    stream->allocate(8);
    stream->allocate(8);
    GPU_EXPECT_ERROR(stream->allocate(8), Error::Kind::OutOfMemory);
    GPU_EXPECT_ERROR(stream->allocate(8), Error::Kind::OutOfMemory);
}

TEST_P(OnDevice, AFaultMayComeOnce) {
    Options options;
    options.fault = "allocate=2";
    const auto device = MakeDevice(GetParam(), options);
    const auto stream = device->stream();
    stream->allocate(8);
    GPU_EXPECT_ERROR(stream->allocate(8), Error::Kind::OutOfMemory);
    stream->allocate(8);
}

TEST_P(OnDevice, AnUnknownFaultIsRefused) {
    for (const char* fault :
         {"nonsense", "launch:", "launch:x", ":1", "launch:-1", "launch=0", "launch="}) {
        Options options;
        options.fault = fault;
        GPU_EXPECT_ERROR(MakeDevice(GetParam(), options), Error::Kind::InvalidArgument);
    }
}

TEST_P(OnDevice, ALostDeviceRefusesEverything) {
    Options options;
    options.fault = "lose";
    const auto device = MakeDevice(GetParam(), options);
    const auto module = device->compile(Kernels());
    const auto stream = device->stream();
    const auto memory = stream->allocate(8);
    const AddParams params{static_cast<double*>(memory->address()), 0, 1, 1};
    const auto launch = [&] {
        stream->launch(module->kernel("add_1d"), {1}, &params, sizeof(params));
    };
    double value = 0;
    GPU_EXPECT_ERROR(launch(), Error::Kind::Lost);
    GPU_EXPECT_ERROR(launch(), Error::Kind::Lost);
    GPU_EXPECT_ERROR(stream->allocate(8), Error::Kind::Lost);
    GPU_EXPECT_ERROR(stream->upload(memory->address(), &value, 8), Error::Kind::Lost);
    GPU_EXPECT_ERROR(stream->download(&value, memory->address(), 8), Error::Kind::Lost);
    GPU_EXPECT_ERROR(stream->fill(memory->address(), 0, 8), Error::Kind::Lost);
    GPU_EXPECT_ERROR(stream->synchronize(), Error::Kind::Lost);
    GPU_EXPECT_ERROR(device->compile(Kernels()), Error::Kind::Lost);
    GPU_EXPECT_ERROR(device->stream(), Error::Kind::Lost);
}

// Runs `work` in a forked child while other threads of the parent use the device; its exit status,
// or -1 where it had to be killed.
template <class Work>
int InBusyFork(Device& device, Work work) {
    std::atomic<bool> done{false};
    const auto module = device.compile(Kernels());
    std::vector<std::thread> busy;
    busy.reserve(3);
    for (int t = 0; t < 3; ++t) {
        busy.emplace_back([&] {
            const auto stream = device.stream();
            const Array array(*stream, 100000);
            const AddParams params{array.data(), 0, 100000, 1};
            while (!done) {
                stream->launch(module->kernel("add_1d"), {100000}, &params, sizeof(params));
                device.compile(Kernels());
            }
            stream->synchronize();
        });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const pid_t child = fork();
    if (child == 0) {
        int status = 9;
        try {
            status = work();
        } catch (...) {
            status = 8;
        }
        _exit(status);
    }
    int status = 0;
    pid_t ended = 0;
    for (int i = 0; i < 2000 && ended == 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        ended = waitpid(child, &status, WNOHANG);
    }
    if (ended == 0) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
    }
    done = true;
    for (std::thread& thread : busy) {
        thread.join();
    }
    return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_P(OnDevice, AForkedChildIsNotStuck) {
    Device* device = device_.get();
    const bool cuda = GetParam() == Device::Kind::Cuda;
    for (int round = 0; round < 3; ++round) {
        const int status = InBusyFork(*device_, [device, cuda] {
            if (cuda) {
                try {
                    device->stream();
                } catch (const Error& error) {
                    return error.kind() == Error::Kind::Lost && device->lost() ? 0 : 1;
                }
                return 2;
            }
            const auto module = device->compile(Kernels());
            const auto stream = device->stream();
            const Array array(*stream, 100000);
            const AddParams params{array.data(), 0, 100000, 1};
            stream->launch(module->kernel("add_1d"), {100000}, &params, sizeof(params));
            return array.values() == std::vector<double>(100000, 1.0) ? 0 : 3;
        });
        EXPECT_EQ(status, 0);
    }
}

GPU_INSTANTIATE_EACH_DEVICE(OnDevice);

TEST(HostDevice, RunsOnOneThreadToo) {
    Options options;
    options.threads = 1;
    const auto device = MakeHostDevice(options);
    const auto module = device->compile(Kernels());
    const auto stream = device->stream();
    const Array array(*stream, 1000);
    const AddParams params{array.data(), 0, 10, 100};
    stream->launch(module->kernel("add_2d"), {10, 100}, &params, sizeof(params));
    EXPECT_EQ(array.values(), std::vector<double>(1000, 1.0));
    EXPECT_NE(device->name().find("1 threads"), std::string::npos);
}

class OnCuda : public EachDevice {};

// In a process of its own, since the context is lost with it.
TEST_P(OnCuda, AnIllegalAddressLosesTheDevice) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto body = [this] {
        try {
            const auto module = device_->compile(Kernels());
            const auto stream = device_->stream();
            const AddParams params{reinterpret_cast<double*>(64), 0, 1000, 1};
            stream->launch(module->kernel("add_1d"), {1000}, &params, sizeof(params));
            stream->synchronize();
        } catch (const Error& error) {
            std::fprintf(stderr, "%s\n", error.what());
            const bool named = std::strstr(error.what(), "CUDA_ERROR_ILLEGAL_ADDRESS") != nullptr;
            std::exit(error.kind() == Error::Kind::Lost && named && device_->lost() ? 0 : 1);
        }
        std::exit(2);
    };
    EXPECT_EXIT(body(), testing::ExitedWithCode(0), "ILLEGAL_ADDRESS");
}

INSTANTIATE_TEST_SUITE_P(Devices, OnCuda, testing::Values(Device::Kind::Cuda),
                         [](const auto&) { return "CUDA"; });

}  // namespace
}  // namespace gpu
