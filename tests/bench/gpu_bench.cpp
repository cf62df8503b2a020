// Copies and launches of each device. GB/s are of 10^9 bytes.
#include <benchmark/benchmark.h>

#include <memory>
#include <thread>
#include <vector>

#include "gpu/device.h"

namespace gpu {
namespace {

struct Params {
    double* out;
    long long count;
};

Source Kernel() {
    Source source;
    source.include("core/core.h")
        .append(
            "struct Params { double* out; long long count; };\n"
            "GPU_KERNEL(one, Params, p) { GPU_FOR_1D(i, p.count) { p.out[i] = 1; } }\n");
    return source;
}

std::shared_ptr<Device> MakeDevice(bool cuda) {
    return cuda ? MakeCudaDevice({}) : MakeHostDevice({});
}

// Pageable memory that was touched before, as GDAL's warp buffers are.
void Upload(benchmark::State& state, std::shared_ptr<Device> device) {
    const size_t bytes = static_cast<size_t>(state.range(0));
    const auto stream = device->stream();
    const std::vector<char> host(bytes, 1);
    const auto memory = stream->allocate(bytes);
    for (auto _ : state) {
        stream->upload(memory->address(), host.data(), bytes);
        stream->synchronize();
    }
    state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
}

void Download(benchmark::State& state, std::shared_ptr<Device> device) {
    const size_t bytes = static_cast<size_t>(state.range(0));
    const auto stream = device->stream();
    std::vector<char> host(bytes, 1);
    const auto memory = stream->allocate(bytes);
    stream->fill(memory->address(), 0, bytes);
    for (auto _ : state) {
        stream->download(host.data(), memory->address(), bytes);
        stream->synchronize();
    }
    state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
}

// Into memory that nobody has touched yet: the pages are made on the way.
void DownloadToNewMemory(benchmark::State& state, std::shared_ptr<Device> device) {
    const size_t bytes = static_cast<size_t>(state.range(0));
    const auto stream = device->stream();
    const auto memory = stream->allocate(bytes);
    stream->fill(memory->address(), 0, bytes);
    for (auto _ : state) {
        const std::unique_ptr<void, decltype(&std::free)> host(std::malloc(bytes), std::free);
        stream->download(host.get(), memory->address(), bytes);
        stream->synchronize();
    }
    state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
}

// One thread uploads while another downloads.
void BothWays(benchmark::State& state, std::shared_ptr<Device> device) {
    const size_t bytes = static_cast<size_t>(state.range(0));
    const auto up = device->stream();
    const auto down = device->stream();
    std::vector<char> from(bytes, 1);
    std::vector<char> to(bytes, 1);
    const auto first = up->allocate(bytes);
    const auto second = down->allocate(bytes);
    down->fill(second->address(), 0, bytes);
    for (auto _ : state) {
        std::thread uploader([&] {
            up->upload(first->address(), from.data(), bytes);
            up->synchronize();
        });
        down->download(to.data(), second->address(), bytes);
        down->synchronize();
        uploader.join();
    }
    state.SetBytesProcessed(static_cast<int64_t>(2 * bytes) * state.iterations());
}

void Allocate(benchmark::State& state, std::shared_ptr<Device> device) {
    const size_t bytes = static_cast<size_t>(state.range(0));
    const auto stream = device->stream();
    for (auto _ : state) {
        benchmark::DoNotOptimize(stream->allocate(bytes)->address());
        stream->synchronize();
    }
}

void LaunchAndWait(benchmark::State& state, std::shared_ptr<Device> device) {
    const auto stream = device->stream();
    const auto module = device->compile(Kernel());
    const long long count = state.range(0);
    const auto memory = stream->allocate(static_cast<size_t>(count) * 8);
    const Params params{static_cast<double*>(memory->address()), count};
    for (auto _ : state) {
        stream->launch(module->kernel("one"), {count}, &params, sizeof(params));
        stream->synchronize();
    }
}

void CompiledBefore(benchmark::State& state, std::shared_ptr<Device> device) {
    const Source source = Kernel();
    device->compile(source);
    for (auto _ : state) {
        benchmark::DoNotOptimize(device->compile(source));
    }
}

void Register(bool cuda) {
    std::shared_ptr<Device> device;
    try {
        device = MakeDevice(cuda);
    } catch (const Error& error) {
        std::fprintf(stderr, "%s: %s\n", cuda ? "CUDA" : "HOST", error.what());
        return;
    }
    using Function = void (*)(benchmark::State&, std::shared_ptr<Device>);
    const auto add = [&](const char* name, Function function, std::vector<int64_t> sizes) {
        auto* registered =
            benchmark::RegisterBenchmark((std::string(device->kind_name()) + "/" + name).c_str(),
                                         [=](benchmark::State& state) { function(state, device); });
        for (const int64_t size : sizes) {
            registered->Arg(size);
        }
        registered->UseRealTime();
    };
    const std::vector<int64_t> sizes = {65536, 1 << 20, 16 << 20, 1 << 30};
    add("upload", Upload, sizes);
    add("download", Download, sizes);
    add("download_to_new_memory", DownloadToNewMemory, sizes);
    add("both_ways", BothWays, {1 << 30});
    add("allocate", Allocate, {1 << 20, 1 << 30});
    add("launch_and_wait", LaunchAndWait, {1, 1 << 20});
    add("compiled_before", CompiledBefore, {1});
}

}  // namespace
}  // namespace gpu

int main(int count, char** arguments) {
    benchmark::Initialize(&count, arguments);
    gpu::Register(false);
    gpu::Register(true);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
