// Coordinate operations on points in device memory, forward and inverse, beside a kernel that only
// copies the same bytes (the floor). The device is that of GDAL_GPU_DEVICE: GDAL_GPU_DEVICE=CUDA
// bin/bench_coordinates
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "gdal.h"
#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/runtime.h"

namespace {

using gdalgpu::CoordinateOperation;

// An operation from longitude and latitude in radians, and the part of the world it is meant for,
// in degrees.
struct Operation {
    const char* name;
    const char* pipeline;
    double west, south, east, north;
};

constexpr Operation kOperations[] = {
    {"utm", "+proj=utm +zone=33 +ellps=WGS84", 12, 0, 18, 84},
    {"tmerc_wide", "+proj=tmerc +lon_0=15 +ellps=WGS84", -45, -80, 75, 80},
    {"webmerc", "+proj=webmerc +ellps=WGS84", -180, -85, 180, 85},
    {"merc", "+proj=merc +ellps=WGS84", -180, -85, 180, 85},
    {"lcc", "+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +ellps=GRS80", -6, 41, 10, 52},
    {"aea", "+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +ellps=GRS80", -130, 20, -60,
     55},
    {"laea", "+proj=laea +lat_0=52 +lon_0=10 +ellps=GRS80", -20, 30, 45, 75},
    {"laea_polar", "+proj=laea +lat_0=90 +ellps=WGS84", -180, 40, 180, 90},
    {"stere_polar", "+proj=stere +lat_0=-90 +lat_ts=-71 +ellps=WGS84", -180, -90, 180, -50},
    {"stere_oblique", "+proj=stere +lat_0=52 +lon_0=5 +k=0.9999 +ellps=bessel", 3, 50, 8, 54},
    {"eqc", "+proj=eqc +ellps=WGS84", -180, -90, 180, 90},
    {"longlat", "+proj=longlat +ellps=WGS84", -180, -90, 180, 90},
    {"helmert",
     "+proj=pipeline +step +proj=cart +ellps=WGS84 +step +inv +proj=helmert +x=446.448 +y=-125.157 "
     "+z=542.06 +rx=0.15 "
     "+ry=0.247 +rz=0.842 +s=-20.489 +convention=position_vector +step +inv +proj=cart +ellps=airy",
     -9, 49, 3, 62},
    {"utm_to_webmerc",
     "+proj=pipeline +step +inv +proj=utm +zone=33 +ellps=WGS84 +step +proj=webmerc +ellps=WGS84",
     200000, 0, 800000, 9300000},
};

constexpr char kKernels[] = R"(
struct FillParams { double* x; double* y; long long count; double west, south, width, height; };
GPU_KERNEL(fill, FillParams, p) {
    GPU_FOR_1D(i, p.count) {
        // Weyl sequences: points spread evenly in no order that memory or branches could use.
        const double u = i * 0.6180339887498949, v = i * 0.7548776662466927;
        p.x[i] = p.west + p.width * (u - floor(u));
        p.y[i] = p.south + p.height * (v - floor(v));
    }
}
struct CopyParams { const double* x; const double* y; double* out_x; double* out_y; long long count; };
GPU_KERNEL(copy, CopyParams, p) {
    GPU_FOR_1D(i, p.count) {
        p.out_x[i] = p.x[i];
        p.out_y[i] = p.y[i];
    }
}
)";

std::string PointsKernel(const std::string& name) {
    return "struct Params_" + name +
           " { const double* x; const double* y; double* out_x; double* out_y; long long count; "
           "Operation_" +
           name + " operation; };\nGPU_KERNEL(" + name + ", Params_" + name +
           ", p) {\n    GPU_FOR_1D(i, p.count) {\n        double x = p.x[i], y = p.y[i], z = 0, t "
           "= 0;\n"
           "        const bool ok = p.operation.apply(x, y, z, t);\n"
           "        p.out_x[i] = ok ? x : 1e300;\n        p.out_y[i] = ok ? y : 1e300;\n    }\n}\n";
}

// Points on the device, and the kernels of one operation.
class Points {
  public:
    Points(std::shared_ptr<gpu::Device> device, int64_t count)
        : stream_(device->stream()), count_(count) {
        for (auto& memory : memory_) memory = stream_->allocate(count * sizeof(double));
    }

    void Fill(gpu::Module& module, const Operation& o) {
        const double unit = o.east > 360 ? 1 : 0.017453292519943295;
        struct {
            void *x, *y;
            long long count;
            double west, south, width, height;
        } p = {memory_[0]->address(),
               memory_[1]->address(),
               count_,
               o.west * unit,
               o.south * unit,
               (o.east - o.west) * unit,
               (o.north - o.south) * unit};
        stream_->launch(module.kernel("fill"), {count_, 1}, &p, sizeof(p));
    }

    // from: 0 for what Fill() made, 2 for what the forward run made; the result goes to the other
    // pair.
    void Launch(const gpu::Kernel& kernel, int from, const std::vector<std::byte>& parameters) {
        struct {
            void *x, *y, *out_x, *out_y;
            long long count;
        } p = {memory_[from]->address(), memory_[from + 1]->address(), memory_[2 - from]->address(),
               memory_[3 - from]->address(), count_};
        std::vector<std::byte> bytes(sizeof(p));
        std::memcpy(bytes.data(), &p, sizeof(p));
        bytes.insert(bytes.end(), parameters.begin(), parameters.end());
        stream_->launch(kernel, {count_, 1}, bytes.data(), bytes.size());
    }

    // Seconds of one launch, the mean of `repeat` in a row.
    double Time(const gpu::Kernel& kernel, int from, const std::vector<std::byte>& parameters,
                int repeat) {
        stream_->synchronize();
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < repeat; ++i) Launch(kernel, from, parameters);
        stream_->synchronize();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
               repeat;
    }

    gpu::Stream& stream() { return *stream_; }

  private:
    std::unique_ptr<gpu::Stream> stream_;
    std::unique_ptr<gpu::Memory> memory_[4];
    long long count_;
};

void Run(benchmark::State& state, const Operation& operation, bool inverse, int64_t count) {
    static const gdalgpu::Selection selection = gdalgpu::SelectDevice(UINT64_MAX);
    if (!selection.device) {
        state.SkipWithError(selection.reason.c_str());
        return;
    }
    gpu::Device& device = *selection.device;
    if (device.available_memory() < 5ull * sizeof(double) * count) {
        state.SkipWithError("not enough device memory");
        return;
    }
    try {
        const auto forward = CoordinateOperation::FromPipeline(operation.pipeline);
        const auto backward = CoordinateOperation::FromPipeline(operation.pipeline, true);
        gpu::Source source;
        source.include("core/core.h").append(kKernels);
        forward.Emit(source, "Operation_forward");
        source.append(PointsKernel("forward"));
        backward.Emit(source, "Operation_inverse");
        source.append(PointsKernel("inverse"));
        const auto module = device.compile(source);
        Points points(selection.device, count);
        points.Fill(*module, operation);
        const CoordinateOperation& timed = inverse ? backward : forward;
        const gpu::Kernel& kernel = module->kernel(inverse ? "inverse" : "forward");
        const int from = inverse ? 2 : 0;
        const int repeat = device.kind() == gpu::Device::Kind::Cuda ? 20 : 1;
        points.Launch(module->kernel("forward"), 0, forward.parameters());
        points.Time(kernel, from, timed.parameters(), 1);
        double best = 1e300, floor = 1e300;
        for (auto _ : state) {
            const double seconds = points.Time(kernel, from, timed.parameters(), repeat);
            state.SetIterationTime(seconds);
            best = std::min(best, seconds);
        }
        for (int i = 0; i < 5; ++i) {
            floor = std::min(floor, points.Time(module->kernel("copy"), from, {}, repeat));
        }
        state.counters["Mpoints/s"] = count / best / 1e6;
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
    for (const int64_t count : {int64_t{1000000}, int64_t{100000000}}) {
        for (const Operation& operation : kOperations) {
            for (const bool inverse : {false, true}) {
                const std::string name = std::string(operation.name) +
                                         (inverse ? "/inverse/" : "/forward/") +
                                         std::to_string(count / 1000000) + "M";
                benchmark::RegisterBenchmark(
                    name.c_str(),
                    [=](benchmark::State& state) { Run(state, operation, inverse, count); })
                    ->UseManualTime()
                    ->Unit(benchmark::kMillisecond)
                    ->MinTime(0.05);
            }
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
