// Coordinate operations through the coordinate API, forward and inverse: points in the device's
// memory beside a kernel that only copies the same bytes (the floor), and pinned arrays of the host
// beside copies alone. The device is that of GDAL_GPU_DEVICE:
//
//     GDAL_GPU_DEVICE=CUDA bin/bench_coordinates --benchmark_out=out.json
//     python3 tests/bench/coordinates_table.py out.json
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cpl_conv.h"
#include "gdal.h"
#include "gpu/cuda_driver.h"
#include "plugin/coordinates/coordinate_transform.h"
#include "plugin/coordinates/projections.h"
#include "plugin/runtime.h"

namespace {

using gdalgpu::CoordinateArrays;
using gdalgpu::CoordinateTransform;

// An operation, and the part of the world where its points are: degrees, or the operation's own
// units where `plane` is set.
struct Operation {
    std::string name;
    std::string pipeline;
    double west, south, east, north;
    bool plane = false;
};

// The 24 projections of vibeProj.
const std::vector<Operation>& Common() {
    static const std::vector<Operation> operations = {
        {"tmerc", "+proj=utm +zone=33 +ellps=WGS84", 12, 0, 18, 84},
        {"webmerc", "+proj=webmerc +ellps=WGS84", -180, -85, 180, 85},
        {"merc", "+proj=merc +ellps=WGS84", -180, -85, 180, 85},
        {"lcc", "+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +ellps=GRS80", -6, 41, 10, 52},
        {"aea", "+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +ellps=GRS80", -130, 20,
         -60, 55},
        {"stere", "+proj=stere +lat_0=-90 +lat_ts=-71 +ellps=WGS84", -180, -90, 180, -50},
        {"sterea", "+proj=sterea +lat_0=52.156 +lon_0=5.387 +k=0.9999079 +ellps=bessel", 3, 50, 8,
         54},
        {"laea", "+proj=laea +lat_0=52 +lon_0=10 +ellps=GRS80", -20, 30, 45, 75},
        {"eqc", "+proj=eqc +ellps=WGS84", -180, -90, 180, 90},
        {"sinu", "+proj=sinu +ellps=WGS84", -180, -90, 180, 90},
        {"eqearth", "+proj=eqearth +ellps=WGS84", -180, -90, 180, 90},
        {"cea", "+proj=cea +lat_ts=30 +ellps=WGS84", -180, -90, 180, 90},
        {"ortho", "+proj=ortho +lat_0=40 +lon_0=10 +ellps=WGS84", -40, 0, 60, 80},
        {"gnom", "+proj=gnom +lat_0=90 +R=6371000", -180, 30, 180, 90},
        {"moll", "+proj=moll +R=6371000", -180, -90, 180, 90},
        {"robin", "+proj=robin +R=6371000", -180, -90, 180, 90},
        {"wintri", "+proj=wintri +R=6371000", -180, -90, 180, 90},
        {"natearth", "+proj=natearth +R=6371000", -180, -90, 180, 90},
        {"aeqd", "+proj=aeqd +lat_0=52 +lon_0=10 +ellps=WGS84", -60, 0, 80, 85},
        {"geos", "+proj=geos +h=35785831 +lon_0=0 +sweep=y +ellps=WGS84", -60, -60, 60, 60},
        {"omerc",
         "+proj=omerc +lat_0=4 +lonc=102.25 +alpha=323.0257964666666 +k=0.99984 "
         "+gamma=323.1301023611111 +ellps=GRS80",
         98, 0, 120, 8},
        {"krovak",
         "+proj=krovak +lat_0=49.5 +lon_0=24.833333 +alpha=30.288139722 +k=0.9999 "
         "+ellps=bessel",
         12, 47, 23, 52},
        {"eck4", "+proj=eck4 +R=6371000", -180, -90, 180, 90},
        {"eck6", "+proj=eck6 +R=6371000", -180, -90, 180, 90}};
    return operations;
}

// Whole ways between two CRSs, and steps that aren't projections.
const std::vector<Operation>& Ways() {
    static const std::vector<Operation> operations = {
        {"4326 to 32633",
         "+proj=pipeline +step +proj=axisswap +order=2,1 +step +proj=unitconvert +xy_in=deg "
         "+xy_out=rad +step +proj=utm +zone=33 +ellps=WGS84",
         0, 12, 84, 18, true},
        {"32633 to 3857",
         "+proj=pipeline +step +inv +proj=utm +zone=33 +ellps=WGS84 +step +proj=webmerc "
         "+ellps=WGS84",
         200000, 0, 800000, 9300000, true},
        {"cart", "+proj=cart +ellps=WGS84", -180, -90, 180, 90},
        {"helmert between ellipsoids",
         "+proj=pipeline +step +proj=cart +ellps=WGS84 +step +inv +proj=helmert +x=446.448 "
         "+y=-125.157 +z=542.06 +rx=0.15 +ry=0.247 +rz=0.842 +s=-20.489 "
         "+convention=position_vector +step +inv +proj=cart +ellps=airy",
         -9, 49, 3, 62},
        {"molodensky",
         "+proj=molodensky +ellps=WGS84 +dx=84.87 +dy=96.49 +dz=116.95 +da=-251 +df=-1.41927e-05",
         5, 45, 15, 55},
        {"hgridshift BETA2007", "+proj=hgridshift +grids=BETA2007.gsb", 6, 48, 14, 54},
        {"hgridshift ntf_r93", "+proj=hgridshift +grids=ntf_r93.gsb", -4, 42, 8, 51}};
    return operations;
}

// What follows `key` in a PROJ string; 0 where it isn't there.
double Value(const std::string& text, const char* key) {
    const size_t at = text.find(key);
    return at == std::string::npos ? 0 : CPLAtof(text.c_str() + at + std::strlen(key));
}

// All projections of the registry, each by its first example: around its origin, or the Greenwich
// meridian.
std::vector<Operation> Registered() {
    std::vector<Operation> operations;
    for (const std::string& name : gdalgpu::ProjectionNames()) {
        const bool known = std::any_of(Common().begin(), Common().end(),
                                       [&](const Operation& o) { return o.name == name; });
        if (known) continue;
        const std::string example = gdalgpu::ProjectionExamples(name).front();
        const double lon = Value(example, "+lon_0="), lat = Value(example, "+lat_0=");
        const bool local = example.find("+lon_0=") != std::string::npos &&
                           example.find("+lat_0=") != std::string::npos;
        if (local)
            operations.push_back(
                {name, example, lon - 3, std::max(-90., lat - 3), lon + 3, std::min(90., lat + 3)});
        else
            operations.push_back({name, example, -40, -55, 40, 75});
    }
    return operations;
}

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

std::shared_ptr<gpu::Device> Device() {
    static const gdalgpu::Selection selection = gdalgpu::SelectDevice(UINT64_MAX);
    if (!selection.device) throw std::runtime_error(selection.reason);
    return selection.device;
}

std::unique_ptr<CoordinateTransform> Make(const Operation& operation, const char* precision) {
    CoordinateTransform::Options options;
    options.precision = precision;
    return CoordinateTransform::FromOperation(operation.pipeline, options);
}

// Seconds of one call, the mean of `repeat` in a row.
template <class Call>
double Time(gpu::Stream& stream, int repeat, Call call) {
    stream.synchronize();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeat; ++i) call();
    stream.synchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / repeat;
}

// Points on the device, kept from one benchmark to the next: [0] as they are filled, [1] what
// comes out.
class Points {
  public:
    explicit Points(int64_t count) : stream_(Device()->stream()), count_(count) {
        gpu::Source source;
        source.include("core/core.h").append(kKernels);
        module_ = Device()->compile(source);
        for (auto& memory : memory_)
            memory = stream_->allocate(static_cast<size_t>(count) * sizeof(double));
    }

    void Fill(const Operation& o) {
        const double unit = o.plane ? 1 : 0.017453292519943295;
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
        stream_->launch(module_->kernel("fill"), {count_, 1}, &p, sizeof(p));
    }

    CoordinateArrays arrays(int which) const {
        return {static_cast<double*>(memory_[2 * which]->address()),
                static_cast<double*>(memory_[2 * which + 1]->address()), nullptr, nullptr};
    }

    void Run(CoordinateTransform& transform, bool inverse) {
        const int from = inverse ? 1 : 0;
        transform.TransformOnDevice(inverse, count_, arrays(from), arrays(1 - from), nullptr,
                                    stream_->native());
    }

    // Seconds of reading and writing each coordinate once.
    double Floor() {
        struct {
            void *x, *y, *out_x, *out_y;
            long long count;
        } p = {memory_[0]->address(), memory_[1]->address(), memory_[2]->address(),
               memory_[3]->address(), count_};
        double best = 1e300;
        for (int i = 0; i < 4; ++i)
            best =
                std::min(best, Time(*stream_, 10, [&] {
                             stream_->launch(module_->kernel("copy"), {count_, 1}, &p, sizeof(p));
                         }));
        return best;
    }

    gpu::Stream& stream() { return *stream_; }

  private:
    std::unique_ptr<gpu::Stream> stream_;
    std::shared_ptr<gpu::Module> module_;
    std::unique_ptr<gpu::Memory> memory_[4];
    int64_t count_;
};

void OnDevice(benchmark::State& state, const Operation& operation, bool inverse, int64_t count,
              const char* precision) {
    try {
        static std::unique_ptr<Points> points;
        static int64_t points_count = 0;
        static double floor = 0;
        if (points_count != count) {
            points.reset();
            points = std::make_unique<Points>(count);
            floor = points->Floor();
            points_count = count;
        }
        const auto transform = Make(operation, precision);
        for (const bool needed : {false, inverse}) {
            const std::string path = transform->WarmUp(needed);
            if (path.rfind(Device()->kind_name(), 0) != 0) {
                state.SkipWithError(path.c_str());
                return;
            }
        }
        points->Fill(operation);
        points->Run(*transform, false);
        points->Run(*transform, inverse);
        const std::string path = transform->path(inverse);
        if (path.rfind(Device()->kind_name(), 0) != 0) {
            state.SkipWithError(path.c_str());
            return;
        }
        const int repeat = count > 10000000 ? 4 : 20;
        double best = 1e300;
        for (auto _ : state) {
            const double seconds =
                Time(points->stream(), repeat, [&] { points->Run(*transform, inverse); });
            state.SetIterationTime(seconds);
            best = std::min(best, seconds);
        }
        state.counters["best_ms"] = best * 1e3;
        state.counters["floor_ms"] = floor * 1e3;
        state.counters["x_floor"] = best / floor;
        state.SetLabel(path);
    } catch (const std::exception& error) {
        state.SkipWithError(error.what());
    }
}

// Arrays of the host, pinned by the program that has them, until it ends.
class PinnedPoints {
  public:
    explicit PinnedPoints(int64_t count) : x(static_cast<size_t>(count), 0.2), y(x) {
        const auto& driver = gpu::cuda::LoadDriver();
        gpu::cuda::Context context = nullptr;
        gpu::cuda::Result result = driver.primary_context(&context, 0);
        if (result == 0) result = driver.push_context(context);
        for (std::vector<double>* values : {&x, &y})
            if (result == 0)
                result = driver.host_register(values->data(), values->size() * sizeof(double),
                                              gpu::cuda::kHostPortable);
        if (result != 0) throw std::runtime_error(gpu::cuda::ErrorName(driver, result));
    }

    std::vector<double> x, y;
};

void OnHostArrays(benchmark::State& state, const Operation& operation, int64_t count) {
    try {
        const std::shared_ptr<gpu::Device> device = Device();
        const auto stream = device->stream();
        PinnedPoints& points = *new PinnedPoints(count);
        const size_t bytes = points.x.size() * sizeof(double);
        double up = 1e300, down = 1e300, best = 1e300;
        {
            const auto memory = stream->allocate(bytes);
            for (int i = 0; i < 3; ++i) {
                up = std::min(up, Time(*stream, 2, [&] {
                                  stream->upload(memory->address(), points.x.data(), bytes);
                              }));
                down = std::min(down, Time(*stream, 2, [&] {
                                    stream->download(points.x.data(), memory->address(), bytes);
                                }));
            }
        }
        const auto transform = Make(operation, "fp64");
        for (auto _ : state) {
            std::fill(points.x.begin(), points.x.end(), 0.2);
            std::fill(points.y.begin(), points.y.end(), 0.9);
            const double seconds = Time(*stream, 1, [&] {
                transform->Transform(false, count, {points.x.data(), points.y.data()}, nullptr);
            });
            state.SetIterationTime(seconds);
            best = std::min(best, seconds);
        }
        state.counters["best_ms"] = best * 1e3;
        state.counters["up_ms"] = 2e3 * up;
        state.counters["down_ms"] = 2e3 * down;
        state.counters["x_slower_copy"] = best / (2 * std::max(up, down));
        state.SetLabel(transform->path(false));
    } catch (const std::exception& error) {
        state.SkipWithError(error.what());
    }
}

void Register(const Operation& operation, int64_t count, const char* precision) {
    for (const bool inverse : {false, true}) {
        const std::string name = operation.name + "/" + (inverse ? "inverse" : "forward") + "/" +
                                 std::to_string(count / 1000000) + "M/" + precision;
        benchmark::RegisterBenchmark(
            name.c_str(),
            [=](benchmark::State& state) { OnDevice(state, operation, inverse, count, precision); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond)
            ->MinTime(0.01);
    }
}

// Compiles what will be measured, on all cores, for the disk cache.
void Compile(const std::vector<Operation>& operations, const char* precision) {
    gdalgpu::HostThreads().run(static_cast<int64_t>(operations.size()), [&](int64_t i) {
        try {
            const auto transform = Make(operations[static_cast<size_t>(i)], precision);
            transform->WarmUp(false);
            transform->WarmUp(true);
        } catch (const std::exception&) {
            // Its benchmark tells.
        }
    });
}

}  // namespace

int main(int argc, char** argv) {
    GDALAllRegister();
    const std::vector<Operation> registered = Registered();
    for (const int64_t count : {int64_t{1000000}, int64_t{100000000}}) {
        for (const Operation& operation : Common())
            for (const char* precision : {"fp64", "ds", "fp32"})
                Register(operation, count, precision);
        for (const auto* operations : {&Ways(), &registered})
            for (const Operation& operation : *operations) Register(operation, count, "fp64");
    }
    benchmark::RegisterBenchmark(
        "tmerc/pinned/100M/fp64",
        [](benchmark::State& state) { OnHostArrays(state, Common().front(), 100000000); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(5);
    benchmark::Initialize(&argc, argv);
    if (benchmark::GetBenchmarkFilter().find_first_not_of(".") == std::string::npos) {
        for (const char* precision : {"fp64", "ds", "fp32"}) Compile(Common(), precision);
        Compile(Ways(), "fp64");
        Compile(registered, "fp64");
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
