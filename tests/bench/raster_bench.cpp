// Hillshade, slope and an NDVI expression of Float32 rasters in device memory, beside a kernel that
// only reads the input and writes the output (the floor). The device is that of GDAL_GPU_DEVICE:
// GDAL_GPU_DEVICE=CUDA bin/bench_raster --benchmark_filter=12000
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "gdal.h"
#include "plugin/raster/algorithm.h"
#include "plugin/raster/expression_run.h"
#include "plugin/runtime.h"

namespace {

using namespace gdalgpu;

// Hills of some 300 m, and the floor's copy of as many bytes as the algorithms read and write.
constexpr char kKernels[] = R"(
struct FillParams { float* out; long long width; long long height; double phase; };
GPU_KERNEL(fill, FillParams, p) {
    GPU_FOR_2D(x, y, p.width, p.height)
        p.out[y * p.width + x] =
            (float)(500 + 300 * sin(x / 70.0 + p.phase) * cos(y / 50.0) + (x * 7919 + y * 104729) % 13);
}
struct CopyParams { const float* a; const float* b; void* out; long long count; };
GPU_KERNEL(copy_grey, CopyParams, p) {
    GPU_FOR_1D(i, p.count) ((unsigned char*)p.out)[i] = (unsigned char)p.a[i];
}
GPU_KERNEL(copy_float, CopyParams, p) {
    GPU_FOR_1D(i, p.count) ((float*)p.out)[i] = p.a[i];
}
GPU_KERNEL(copy_two, CopyParams, p) {
    GPU_FOR_1D(i, p.count) ((float*)p.out)[i] = p.a[i] + p.b[i];
}
)";

template <typename Params>
std::vector<std::byte> Bytes(const Params& params) {
    std::vector<std::byte> bytes(sizeof(params));
    std::memcpy(bytes.data(), &params, sizeof(params));
    return bytes;
}

// A kernel with its parameters, and the launch it takes.
struct Work {
    gpu::Source source;
    std::string entry;
    gpu::Extent extent;
    std::vector<std::byte> parameters;
    const char* floor;  // the kernel that moves the same bytes
};

struct Rasters {
    int64_t size;  // width and height
    void* first;
    void* second;
    void* output;
};

Work TerrainWork(const char* algorithm_name,
                 const std::vector<std::pair<std::string, std::string>>& arguments,
                 const Rasters& rasters) {
    const Algorithm& algorithm = FindAlgorithm(algorithm_name);
    SourceBand source;
    source.type = GDT_Float32;
    source.width = source.height = rasters.size;
    source.geotransform[1] = 30;
    source.geotransform[5] = -30;
    source.nodata = -9999;
    const auto operation = algorithm.make(ParseArguments(algorithm, arguments), source);
    kernels::NeighbourhoodParams part{};
    part.input = rasters.first;
    part.output = rasters.output;
    part.width = part.height = part.raster_width = part.raster_height = part.input_width =
        rasters.size;
    return {operation->source(),
            operation->entry(),
            {rasters.size, rasters.size},
            operation->parameters(part),
            operation->output_type == GDT_Byte ? "copy_grey" : "copy_float"};
}

Work NdviWork(const Rasters& rasters) {
    Expression::Names names;
    names.sources = 2;
    names.nodata = -9999;
    const Expression expression = Expression::Parse("(B2 - B1) / (B2 + B1)", names);
    // As ExpressionSource declares them.
    struct {
        void *first, *second, *output;
        long long count;
        double source_nodata, nodata, value;
    } params = {rasters.second,
                rasters.first,
                rasters.output,
                rasters.size * rasters.size,
                -9999,
                -9999,
                0};
    return {ExpressionSource(expression, GDT_Float32, GDT_Float32),
            "evaluate_expression",
            {rasters.size * rasters.size, 1},
            Bytes(params),
            "copy_two"};
}

// Seconds of one launch, the mean of `repeat` in a row.
double Time(gpu::Stream& stream, const gpu::Kernel& kernel, gpu::Extent extent,
            const std::vector<std::byte>& parameters, int repeat) {
    stream.synchronize();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeat; ++i)
        stream.launch(kernel, extent, parameters.data(), parameters.size());
    stream.synchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / repeat;
}

template <typename MakeWork>
void Run(benchmark::State& state, int64_t size, const MakeWork& make_work) {
    static const Selection selection = SelectDevice(UINT64_MAX);
    if (!selection.device) {
        state.SkipWithError(selection.reason.c_str());
        return;
    }
    gpu::Device& device = *selection.device;
    const size_t bytes = static_cast<size_t>(size) * size * sizeof(float);
    if (device.available_memory() < 4 * bytes) {
        state.SkipWithError("not enough device memory");
        return;
    }
    try {
        const auto stream = device.stream();
        const auto first = stream->allocate(bytes);
        const auto second = stream->allocate(bytes);
        const auto output = stream->allocate(bytes);
        const Rasters rasters{size, first->address(), second->address(), output->address()};
        gpu::Source source;
        source.include("core/core.h").append(kKernels);
        const auto common = device.compile(source);
        for (void* raster : {rasters.first, rasters.second}) {
            struct {
                void* out;
                long long width, height;
                double phase;
            } fill = {raster, size, size, raster == rasters.first ? 0.0 : 1.0};
            stream->launch(common->kernel("fill"), {size, size}, &fill, sizeof(fill));
        }
        const Work work = make_work(rasters);
        const auto module = device.compile(work.source);
        const gpu::Kernel& kernel = module->kernel(work.entry);
        const int repeat = device.kind() == gpu::Device::Kind::Cuda ? 20 : 1;
        Time(*stream, kernel, work.extent, work.parameters, 1);
        double best = 1e300, floor = 1e300;
        for (auto _ : state) {
            const double seconds = Time(*stream, kernel, work.extent, work.parameters, repeat);
            state.SetIterationTime(seconds);
            best = std::min(best, seconds);
        }
        struct {
            void *a, *b, *out;
            long long count;
        } copy = {rasters.first, rasters.second, rasters.output, size * size};
        for (int i = 0; i < 5; ++i)
            floor = std::min(floor, Time(*stream, common->kernel(work.floor), {size * size, 1},
                                         Bytes(copy), repeat));
        state.counters["Mpixels/s"] = static_cast<double>(size * size) / best / 1e6;
        state.counters["floor_ms"] = floor * 1e3;
        state.counters["x_floor"] = best / floor;
        state.SetLabel(device.kind_name());
    } catch (const std::exception& error) {
        state.SkipWithError(error.what());
    }
}

}  // namespace

int main(int argc, char** argv) {
    GDALAllRegister();
    using Arguments = std::vector<std::pair<std::string, std::string>>;
    struct Case {
        std::string name;
        const char* algorithm;
        Arguments arguments;
    };
    const Case cases[] = {
        {"hillshade", "hillshade", {}},
        {"hillshade_combined", "hillshade", {{"combined", ""}}},
        {"hillshade_igor", "hillshade", {{"igor", ""}}},
        {"hillshade_multidirectional", "hillshade", {{"multidirectional", ""}}},
        {"slope", "slope", {}},
        {"slope_percent", "slope", {{"format", "percent"}}},
        {"ndvi", nullptr, {}},
    };
    for (const int64_t size : {int64_t{2000}, int64_t{12000}}) {
        for (const Case& c : cases) {
            const std::string name = c.name + "/" + std::to_string(size);
            benchmark::RegisterBenchmark(
                name.c_str(),
                [=](benchmark::State& state) {
                    Run(state, size, [&](const Rasters& rasters) {
                        return c.algorithm ? TerrainWork(c.algorithm, c.arguments, rasters)
                                           : NdviWork(rasters);
                    });
                })
                ->UseManualTime()
                ->Unit(benchmark::kMillisecond);
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
