// Warp chunks on the device that GDAL_GPU_DEVICE names: EPSG:32633 at 10 m to EPSG:3857, exact.
// Time is that of all of RunWarpChunk, copies included; the counters are the report's stages in
// milliseconds. gdal/...: the same chunk by GDAL's own PerformWarp on all cores.
//
//     GDAL_GPU_DEVICE=CUDA bench_warp --benchmark_filter=10980
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "cpl_conv.h"
#include "cpl_json.h"
#include "gdal_priv.h"
#include "ogr_spatialref.h"
#include "plugin/warp/gdal_warp_kernel.h"
#include "plugin/warp/run_chunk.h"

namespace {

struct Workload {
    const char* name;
    GDALDataType type;
    GDALResampleAlg resampling;
    int shrink;  // the destination's pixels are that much larger
    bool masked;
};

const Workload kWorkloads[] = {
    {"near_uint16", GDT_UInt16, GRA_NearestNeighbour, 1, false},
    {"bilinear_uint16", GDT_UInt16, GRA_Bilinear, 1, false},
    {"bilinear_uint16_masked", GDT_UInt16, GRA_Bilinear, 1, true},
    {"cubic_uint16", GDT_UInt16, GRA_Cubic, 1, false},
    {"cubic_uint16_masked", GDT_UInt16, GRA_Cubic, 1, true},
    {"bilinear_uint16_to_40m", GDT_UInt16, GRA_Bilinear, 4, false},
    {"cubic_uint16_to_40m", GDT_UInt16, GRA_Cubic, 4, false},
    {"bilinear_byte", GDT_Byte, GRA_Bilinear, 1, false},
    {"bilinear_float32", GDT_Float32, GRA_Bilinear, 1, false},
    {"bilinear_float64", GDT_Float64, GRA_Bilinear, 1, false},
    {"cubicspline_uint16", GDT_UInt16, GRA_CubicSpline, 1, false},
    {"lanczos_uint16", GDT_UInt16, GRA_Lanczos, 1, false},
    {"lanczos_uint16_to_30m", GDT_UInt16, GRA_Lanczos, 3, false},
    {"average_uint16_to_30m", GDT_UInt16, GRA_Average, 3, false},
    {"rms_uint16_to_30m", GDT_UInt16, GRA_RMS, 3, false},
    {"max_uint16_to_30m", GDT_UInt16, GRA_Max, 3, false},
    {"med_uint16_to_30m", GDT_UInt16, GRA_Med, 3, false},
    {"mode_uint16_to_30m", GDT_UInt16, GRA_Mode, 3, false},
    {"mode_byte_to_30m", GDT_Byte, GRA_Mode, 3, false},
    {"average_uint16_to_300m", GDT_UInt16, GRA_Average, 30, false},
    {"med_uint16_to_300m", GDT_UInt16, GRA_Med, 30, false},
    {"mode_byte_to_300m", GDT_Byte, GRA_Mode, 30, false},
};

constexpr int kBands = 4;

// The last line of the report.
CPLJSONObject LastReport(const std::string& path) {
    std::ifstream file(path);
    std::string last;
    for (std::string line; std::getline(file, line);) {
        last = line;
    }
    CPLJSONDocument document;
    return document.LoadMemory(last) ? document.GetRoot() : CPLJSONObject();
}

// A source of noise, and where it goes.
struct Input {
    GDALDatasetUniquePtr source;
    void* transformer = nullptr;
    double geotransform[6];  // of the destination
    int width = 0, height = 0;
    std::vector<uint8_t> pixels;
    std::vector<GByte*> bands;

    Input(const Workload& workload, int size) {
        auto* driver = GetGDALDriverManager()->GetDriverByName("VRT");
        source.reset(driver->Create("", size, size, 0, GDT_Byte, nullptr));
        OGRSpatialReference from, to;
        from.SetFromUserInput("EPSG:32633");
        to.SetFromUserInput("EPSG:3857");
        double from_pixels[6] = {399960, 10, 0, 5600040, 0, -10};
        source->SetGeoTransform(from_pixels);
        source->SetSpatialRef(&from);
        char* wkt = nullptr;
        to.exportToWkt(&wkt);
        transformer = GDALCreateGenImgProjTransformer(GDALDataset::ToHandle(source.get()), nullptr,
                                                      nullptr, wkt, FALSE, 0, 1);
        CPLFree(wkt);
        GDALSuggestedWarpOutput(GDALDataset::ToHandle(source.get()), GDALGenImgProjTransform,
                                transformer, geotransform, &width, &height);
        width /= workload.shrink;
        height /= workload.shrink;
        geotransform[1] *= workload.shrink;
        geotransform[5] *= workload.shrink;
        GDALSetGenImgProjTransformerDstGeoTransform(transformer, geotransform);

        const size_t bytes = static_cast<size_t>(GDALGetDataTypeSizeBytes(workload.type));
        const size_t band_pixels = static_cast<size_t>(size) * size + WARP_EXTRA_ELTS;
        pixels.resize(band_pixels * bytes * kBands);
        uint32_t random = 1;
        for (uint8_t& byte : pixels) {
            random = random * 1664525u + 1013904223u;
            byte = static_cast<uint8_t>(random >> 24) & 0x3F;  // finite as a float too
        }
        for (int band = 0; band < kBands; ++band) {
            bands.push_back(pixels.data() + band * band_pixels * bytes);
        }
    }
    ~Input() { GDALDestroyGenImgProjTransformer(transformer); }
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;
};

void Warp(benchmark::State& state, const Workload& workload, int size) {
    Input input(workload, size);
    const int width = input.width, height = input.height;
    const size_t bytes = static_cast<size_t>(GDALGetDataTypeSizeBytes(workload.type));
    const size_t pixels = static_cast<size_t>(width) * height;
    std::vector<uint8_t> destination_data(pixels * bytes * kBands);
    std::vector<GUInt32> valid((static_cast<size_t>(size) * size + WARP_EXTRA_ELTS + 31) / 32,
                               0xFFFFFFFFu);
    std::vector<GByte*> destination_bands;
    for (int band = 0; band < kBands; ++band) {
        destination_bands.push_back(destination_data.data() + band * pixels * bytes);
    }

    const std::string report = CPLGenerateTempFilename("bench_warp");
    CPLSetConfigOption("GDAL_GPU_REPORT", report.c_str());
    const gdalgpu::PixelWindow whole{0, 0, width, height};
    gdalgpu::WarpContext context("bench", whole,
                                 {{whole, 1.0 / workload.shrink, 1.0 / workload.shrink}});
    GDALWarpKernel kernel;
    kernel.eResample = workload.resampling;
    kernel.eWorkingDataType = workload.type;
    kernel.nBands = kBands;
    kernel.nSrcXSize = kernel.nSrcYSize = size;
    kernel.nDstXSize = width;
    kernel.nDstYSize = height;
    kernel.papabySrcImage = input.bands.data();
    kernel.papabyDstImage = destination_bands.data();
    kernel.pfnTransformer = GDALGenImgProjTransform;
    kernel.pTransformerArg = input.transformer;
    if (workload.masked) {
        kernel.panUnifiedSrcValid = valid.data();
    }
    gdalgpu::WarpChunk chunk = gdalgpu::ChunkOf(kernel);
    chunk.source_raster = {0, 0, size, size};
    for (auto _ : state) {
        state.PauseTiming();
        std::fill(destination_data.begin(), destination_data.end(), uint8_t{0});  // as INIT_DEST=0
        state.ResumeTiming();
        if (gdalgpu::RunWarpChunk(chunk, context, nullptr) != gdalgpu::WarpOutcome::Done) {
            state.SkipWithError(LastReport(report).GetString("reason").c_str());
            break;
        }
    }
    const CPLJSONObject last = LastReport(report);
    for (const char* stage : {"prepare", "plan", "compile", "upload", "kernel", "download"}) {
        state.counters[stage] = 1000 * last.GetObj("seconds").GetDouble(stage);
    }
    state.SetLabel(last.GetString("device") + " " + last.GetString("kernel"));
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(pixels));
    CPLSetConfigOption("GDAL_GPU_REPORT", nullptr);
    VSIUnlink(report.c_str());
}

// What GDAL's hooks around a chunk's kernel see: the seconds between them.
struct Stopwatch {
    using Clock = std::chrono::steady_clock;
    Clock::time_point start;
    double seconds = 0;

    static CPLErr Start(void*, void* stopwatch) {
        static_cast<Stopwatch*>(stopwatch)->start = Clock::now();
        return CE_None;
    }
    static CPLErr Stop(void*, void* stopwatch) {
        auto& self = *static_cast<Stopwatch*>(stopwatch);
        self.seconds += std::chrono::duration<double>(Clock::now() - self.start).count();
        return CE_None;
    }
};

void WarpByGdal(benchmark::State& state, const Workload& workload, int size) {
    Input input(workload, size);
    auto* memory = GetGDALDriverManager()->GetDriverByName("MEM");
    const GDALDatasetUniquePtr source(
        memory->Create("", size, size, kBands, workload.type, nullptr));
    const GDALDatasetUniquePtr destination(
        memory->Create("", input.width, input.height, kBands, workload.type, nullptr));
    for (int band = 0; band < kBands; ++band) {
        if (source->GetRasterBand(band + 1)->RasterIO(GF_Write, 0, 0, size, size, input.bands[band],
                                                      size, size, workload.type, 0, 0,
                                                      nullptr) != CE_None) {
            state.SkipWithError("the source can't be written");
            return;
        }
    }
    if (workload.masked) source->GetRasterBand(1)->CreateMaskBand(GMF_PER_DATASET);
    Stopwatch stopwatch;
    const std::unique_ptr<GDALWarpOptions, void (*)(GDALWarpOptions*)> options(
        GDALCreateWarpOptions(), [](GDALWarpOptions* p) { GDALDestroyWarpOptions(p); });
    options->hSrcDS = GDALDataset::ToHandle(source.get());
    options->hDstDS = GDALDataset::ToHandle(destination.get());
    options->eResampleAlg = workload.resampling;
    options->eWorkingDataType = workload.type;
    options->dfWarpMemoryLimit = 64e9;
    options->papszWarpOptions =
        CSLSetNameValue(options->papszWarpOptions, "NUM_THREADS", "ALL_CPUS");
    options->papszWarpOptions = CSLSetNameValue(options->papszWarpOptions, "INIT_DEST", "0");
    GDALWarpInitDefaultBandMapping(options.get(), kBands);
    options->pfnTransformer = GDALGenImgProjTransform;
    options->pTransformerArg = input.transformer;
    options->pfnPreWarpChunkProcessor = Stopwatch::Start;
    options->pPreWarpProcessorArg = &stopwatch;
    options->pfnPostWarpChunkProcessor = Stopwatch::Stop;
    options->pPostWarpProcessorArg = &stopwatch;
    GDALWarpOperation operation;
    if (operation.Initialize(options.get()) != CE_None) {
        state.SkipWithError(CPLGetLastErrorMsg());
        return;
    }
    for (auto _ : state) {
        stopwatch.seconds = 0;
        operation.ChunkAndWarpImage(0, 0, input.width, input.height);
        state.SetIterationTime(stopwatch.seconds);
    }
    state.SetItemsProcessed(state.iterations() * int64_t{input.width} * input.height);
}

}  // namespace

int main(int argc, char** argv) {
    GDALAllRegister();
    for (const int size : {1024, 10980}) {
        for (const Workload& workload : kWorkloads) {
            benchmark::RegisterBenchmark(
                (std::string(workload.name) + "/" + std::to_string(size)).c_str(),
                [&workload, size](benchmark::State& state) { Warp(state, workload, size); })
                ->Unit(benchmark::kMillisecond)
                ->UseRealTime();
            benchmark::RegisterBenchmark(
                ("gdal/" + std::string(workload.name) + "/" + std::to_string(size)).c_str(),
                [&workload, size](benchmark::State& state) { WarpByGdal(state, workload, size); })
                ->Unit(benchmark::kMillisecond)
                ->UseManualTime();
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
