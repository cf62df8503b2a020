// GDALWarpKernels on the device that GDAL_GPU_DEVICE names: EPSG:32633 at 10 m to EPSG:3857, exact.
// Time is that of all of RunWarpKernel, copies included; the counters are the report's stages in
// milliseconds.
//
//     GDAL_GPU_DEVICE=CUDA bench_warp --benchmark_filter=10980
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "cpl_conv.h"
#include "cpl_json.h"
#include "gdal_priv.h"
#include "gdal_utils.h"
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

void Warp(benchmark::State& state, const Workload& workload, int size) {
    auto* driver = GetGDALDriverManager()->GetDriverByName("VRT");
    std::unique_ptr<GDALDataset> source(driver->Create("", size, size, 0, GDT_Byte, nullptr));
    OGRSpatialReference from, to;
    from.SetFromUserInput("EPSG:32633");
    to.SetFromUserInput("EPSG:3857");
    double geotransform[6] = {399960, 10, 0, 5600040, 0, -10};
    source->SetGeoTransform(geotransform);
    source->SetSpatialRef(&from);
    char* wkt = nullptr;
    to.exportToWkt(&wkt);
    void* transformer = GDALCreateGenImgProjTransformer(GDALDataset::ToHandle(source.get()),
                                                        nullptr, nullptr, wkt, FALSE, 0, 1);
    CPLFree(wkt);
    double destination_geotransform[6];
    int width = 0, height = 0;
    GDALSuggestedWarpOutput(GDALDataset::ToHandle(source.get()), GDALGenImgProjTransform,
                            transformer, destination_geotransform, &width, &height);
    width /= workload.shrink;
    height /= workload.shrink;
    destination_geotransform[1] *= workload.shrink;
    destination_geotransform[5] *= workload.shrink;
    GDALSetGenImgProjTransformerDstGeoTransform(transformer, destination_geotransform);

    const size_t bytes = static_cast<size_t>(GDALGetDataTypeSizeBytes(workload.type));
    const size_t source_pixels = static_cast<size_t>(size) * size;
    const size_t pixels = static_cast<size_t>(width) * height;
    std::vector<uint8_t> source_data((source_pixels + WARP_EXTRA_ELTS) * bytes * kBands);
    uint32_t random = 1;
    for (uint8_t& byte : source_data) {
        random = random * 1664525u + 1013904223u;
        byte = static_cast<uint8_t>(random >> 24) & 0x3F;  // finite as a float too
    }
    std::vector<uint8_t> destination_data(pixels * bytes * kBands);
    std::vector<GUInt32> valid((source_pixels + WARP_EXTRA_ELTS + 31) / 32, 0xFFFFFFFFu);
    std::vector<GByte*> source_bands, destination_bands;
    for (int band = 0; band < kBands; ++band) {
        source_bands.push_back(source_data.data() +
                               band * (source_pixels + WARP_EXTRA_ELTS) * bytes);
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
    kernel.papabySrcImage = source_bands.data();
    kernel.papabyDstImage = destination_bands.data();
    kernel.pfnTransformer = GDALGenImgProjTransform;
    kernel.pTransformerArg = transformer;
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
    GDALDestroyGenImgProjTransformer(transformer);
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
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
