// A warp done twice, by GDAL's own code and by the device, on datasets in memory, so that tests can
// compare the two.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "gdal_priv.h"
#include "gdalwarper.h"
#include "georef/sampled.h"
#include "ogr_spatialref.h"
#include "plugin/coordinates/cpu_positions.h"
#include "plugin/warp/gdal_warp_kernel.h"
#include "plugin/warp/run_chunk.h"
#include "plugin/warp/warp_scale.h"

namespace warp_judge {

using Dataset = std::unique_ptr<GDALDataset>;

// HOST, where the environment doesn't say otherwise.
class ChosenDevice : public testing::Environment {
  public:
    void SetUp() override {
        GDALAllRegister();
        if (CPLGetConfigOption("GDAL_GPU_DEVICE", nullptr) == nullptr) {
            CPLSetConfigOption("GDAL_GPU_DEVICE", "HOST");
        }
    }
};
inline testing::Environment* const kChosenDevice =
    testing::AddGlobalTestEnvironment(new ChosenDevice);

enum class Mask {
    None,
    NoData,         // per band, and pixels that are nodata in all bands
    NoDataPartial,  // UNIFIED_SRC_NODATA=PARTIAL
    NoDataUnified,  // UNIFIED_SRC_NODATA=YES
    NanNoData,
    PerDataset,  // a mask band of the source
    Alpha,       // the source's last band is alpha, values of 0 to 255
    DstNoData,
    DstNoDataAndNoData,
    DstAlpha,
    AlphaToAlpha,
    AlphaOnExisting,    // blended over what the destination holds
    AlphaOverDstNoData  // blended over a destination that is partly nodata
};

constexpr Mask kAllMasks[] = {Mask::None,
                              Mask::NoData,
                              Mask::NoDataPartial,
                              Mask::NoDataUnified,
                              Mask::NanNoData,
                              Mask::PerDataset,
                              Mask::Alpha,
                              Mask::DstNoData,
                              Mask::DstNoDataAndNoData,
                              Mask::DstAlpha,
                              Mask::AlphaToAlpha,
                              Mask::AlphaOnExisting,
                              Mask::AlphaOverDstNoData};

constexpr GDALDataType kTypes[] = {GDT_Byte,   GDT_UInt16,   GDT_Int16,   GDT_UInt32,  GDT_Int32,
                                   GDT_UInt64, GDT_Int64,    GDT_Float32, GDT_Float64, GDT_CInt16,
                                   GDT_CInt32, GDT_CFloat32, GDT_CFloat64};

struct Case {
    GDALDataType type = GDT_Byte;
    GDALResampleAlg resampling = GRA_NearestNeighbour;
    Mask mask = Mask::None;
    int source_width = 67, source_height = 53;
    int width = 67, height = 53;
    int bands = 2;  // without alpha
    bool reproject = true;
    CPLStringList options;
    std::function<void(std::vector<double>&)> change_source;  // of each band
};

inline bool IsFloat(GDALDataType type) { return GDALDataTypeIsFloating(type); }

inline uint32_t Noise(uint32_t& state) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

// A pixel value of the type: all of its range, so that saturation shows.
inline double RandomValue(GDALDataType type, uint32_t& state) {
    const double unit = Noise(state) / 16777216.0;
    switch (GDALGetNonComplexDataType(type)) {
        case GDT_Byte:
            return std::floor(unit * 256);
        case GDT_UInt16:
            return std::floor(unit * 65536);
        case GDT_Int16:
            return std::floor(unit * 65536) - 32768;
        case GDT_UInt32:
            return std::floor(unit * 4294967296.0);
        case GDT_Int32:
            return std::floor(unit * 4294967296.0) - 2147483648.0;
        // Not to their ends, where doubles round beyond them and GDAL's result isn't defined.
        case GDT_UInt64:
            return std::floor(unit * 18e18);
        case GDT_Int64:
            return std::floor((unit - 0.5) * 18e18);
        case GDT_Float32:
            return static_cast<float>((unit - 0.5) * 2e4);
        default:
            return (unit - 0.5) * 2e9;
    }
}

inline Dataset MakeDataset(int width, int height, int bands, GDALDataType type) {
    auto* driver = GetGDALDriverManager()->GetDriverByName("MEM");
    return Dataset(driver->Create("", width, height, bands, type, nullptr));
}

inline void Georeference(GDALDataset& dataset, const char* crs, const double (&geotransform)[6]) {
    OGRSpatialReference srs;
    srs.SetFromUserInput(crs);
    srs.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    dataset.SetSpatialRef(&srs);
    dataset.SetGeoTransform(const_cast<double*>(geotransform));
}

// Of a complex band the values are the real parts, the imaginary ones those of the row in reverse.
inline void WriteBand(GDALRasterBand* band, const std::vector<double>& values) {
    const int width = band->GetXSize(), height = band->GetYSize();
    std::vector<double> written = values;
    const bool is_complex = GDALDataTypeIsComplex(band->GetRasterDataType());
    if (is_complex) {
        written.clear();
        for (size_t i = 0; i < values.size(); ++i) {
            const size_t column = i % width;
            written.insert(written.end(), {values[i], values[i - column + width - 1 - column]});
        }
    }
    ASSERT_EQ(CE_None, band->RasterIO(GF_Write, 0, 0, width, height, written.data(), width, height,
                                      is_complex ? GDT_CFloat64 : GDT_Float64, 0, 0, nullptr));
}

// Of a complex band both parts of each pixel.
inline std::vector<double> ReadBand(GDALRasterBand* band) {
    const bool is_complex = GDALDataTypeIsComplex(band->GetRasterDataType());
    std::vector<double> values(static_cast<size_t>(band->GetXSize()) * band->GetYSize() *
                               (is_complex ? 2 : 1));
    EXPECT_EQ(CE_None, band->RasterIO(GF_Read, 0, 0, band->GetXSize(), band->GetYSize(),
                                      values.data(), band->GetXSize(), band->GetYSize(),
                                      is_complex ? GDT_CFloat64 : GDT_Float64, 0, 0, nullptr));
    return values;
}

inline bool HasSourceAlpha(Mask mask) {
    return mask == Mask::Alpha || mask == Mask::AlphaToAlpha || mask == Mask::AlphaOnExisting ||
           mask == Mask::AlphaOverDstNoData;
}
inline bool HasDestinationAlpha(Mask mask) {
    return mask == Mask::DstAlpha || mask == Mask::AlphaToAlpha || mask == Mask::AlphaOnExisting;
}
inline bool HasSourceNoData(Mask mask) {
    return mask == Mask::NoData || mask == Mask::NoDataPartial || mask == Mask::NoDataUnified ||
           mask == Mask::NanNoData || mask == Mask::DstNoDataAndNoData;
}
inline bool HasDestinationNoData(Mask mask) {
    return mask == Mask::DstNoData || mask == Mask::DstNoDataAndNoData ||
           mask == Mask::AlphaOverDstNoData;
}

constexpr double kSourceNoData = 17;
constexpr double kDestinationNoData = 100;

inline double SourceNoData(const Case& c) {
    return c.mask == Mask::NanNoData && IsFloat(c.type) ? std::numeric_limits<double>::quiet_NaN()
                                                        : kSourceNoData;
}

inline Dataset MakeSource(const Case& c) {
    const int alpha = HasSourceAlpha(c.mask) ? 1 : 0;
    Dataset dataset = MakeDataset(c.source_width, c.source_height, c.bands + alpha, c.type);
    Georeference(*dataset, "EPSG:32633", {500000, 30, 0, 5600000, 0, -30});
    uint32_t state = 42;
    const size_t count = static_cast<size_t>(c.source_width) * c.source_height;
    for (int band = 1; band <= c.bands; ++band) {
        std::vector<double> values(count);
        for (size_t i = 0; i < count; ++i) {
            const int x = static_cast<int>(i % c.source_width),
                      y = static_cast<int>(i / c.source_width);
            values[i] = RandomValue(c.type, state);
            // A plateau at the destination's nodata value, so that nodata avoidance has something
            // to avoid.
            if (x > 40 && y > 30) {
                values[i] = kDestinationNoData;
            }
            const bool hole = x / 9 % 3 == 1 && y / 7 % 3 == 1;
            const bool speck =
                Noise(state) % 11 == 0 && Noise(state) % 2 == static_cast<uint32_t>(band % 2);
            if (HasSourceNoData(c.mask) && (hole || speck)) {
                values[i] = SourceNoData(c);
            }
        }
        if (c.change_source) {
            c.change_source(values);
        }
        WriteBand(dataset->GetRasterBand(band), values);
        if (HasSourceNoData(c.mask)) {
            dataset->GetRasterBand(band)->SetNoDataValue(SourceNoData(c));
        }
    }
    if (alpha) {
        std::vector<double> values(count);
        for (size_t i = 0; i < count; ++i) {
            const uint32_t kind = Noise(state) % 4;
            values[i] = kind == 0 ? 0 : kind == 1 ? Noise(state) % 256 : 255;
        }
        WriteBand(dataset->GetRasterBand(c.bands + 1), values);
        dataset->GetRasterBand(c.bands + 1)->SetColorInterpretation(GCI_AlphaBand);
    }
    if (c.mask == Mask::PerDataset) {
        dataset->CreateMaskBand(GMF_PER_DATASET);
        std::vector<double> values(count);
        for (size_t i = 0; i < count; ++i) {
            values[i] = Noise(state) % 5 == 0 || (i % c.source_width) / 9 % 3 == 1 ? 0 : 255;
        }
        WriteBand(dataset->GetRasterBand(1)->GetMaskBand(), values);
    }
    return dataset;
}

// The source's extent and a little more, so that there are pixels beyond its edges.
inline Dataset MakeDestination(const Case& c) {
    const int alpha = HasDestinationAlpha(c.mask) ? 1 : 0;
    Dataset dataset = MakeDataset(c.width, c.height, c.bands + alpha, c.type);
    const double across = 30.0 * c.source_width, down = 30.0 * c.source_height;
    if (c.reproject) {
        OGRSpatialReference from, to;
        from.SetFromUserInput("EPSG:32633");
        to.SetFromUserInput("EPSG:3857");
        double x = 500000, y = 5600000;
        std::unique_ptr<OGRCoordinateTransformation> transformation(
            OGRCreateCoordinateTransformation(&from, &to));
        EXPECT_TRUE(transformation != nullptr && transformation->Transform(1, &x, &y));
        const double stretch = 1.57;  // Web Mercator's at latitude 50.5
        Georeference(*dataset, "EPSG:3857",
                     {x - across * 0.05, across * stretch * 1.06 / c.width, 0, y + down * 0.05, 0,
                      -down * stretch * 1.06 / c.height});
    } else {
        // Turned by 3 degrees.
        const double cosine = std::cos(0.05), sine = std::sin(0.05);
        const double dx = across * 1.05 / c.width, dy = down * 1.05 / c.height;
        Georeference(*dataset, "EPSG:32633",
                     {500000 - across * 0.03, dx * cosine, dy * sine, 5600000 + down * 0.03,
                      dx * sine, -dy * cosine});
    }
    uint32_t state = 7;
    const size_t count = static_cast<size_t>(c.width) * c.height;
    const bool holds_pixels = c.mask == Mask::AlphaOnExisting || c.mask == Mask::AlphaOverDstNoData;
    for (int band = 1; holds_pixels && band <= c.bands + alpha; ++band) {
        std::vector<double> values(count);
        for (double& value : values) {
            value = band > c.bands ? Noise(state) % 256 : RandomValue(c.type, state);
            if (HasDestinationNoData(c.mask) && Noise(state) % 3 == 0) {
                value = kDestinationNoData;
            }
        }
        WriteBand(dataset->GetRasterBand(band), values);
    }
    if (alpha) {
        dataset->GetRasterBand(c.bands + 1)->SetColorInterpretation(GCI_AlphaBand);
    }
    return dataset;
}

// GDAL's transformer, asked for every pixel, one at a time.
class EveryPosition : public gdalgpu::CpuPositions {
  public:
    EveryPosition(GDALTransformerFunc transformer, void* argument)
        : transformer_(transformer), argument_(argument) {}

    void Row(int64_t row, int64_t column, int64_t count, gdalgpu::PixelPlace place, double* x,
             double* y) const override {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (int64_t i = 0; i < count; ++i) {
            x[i] = static_cast<double>(column + i) + place.x;
            y[i] = static_cast<double>(row) + place.y;
            double z = 0;
            int success = 0;
            transformer_(argument_, TRUE, 1, &x[i], &y[i], &z, &success);
            if (!success) x[i] = std::numeric_limits<double>::quiet_NaN();
        }
    }

  private:
    GDALTransformerFunc transformer_;
    void* argument_;
    mutable std::mutex mutex_;
};

// The same positions as GDAL's own code has, to the last bit.
class EveryPixel : public gdalgpu::PixelTransform {
  public:
    EveryPixel(GDALTransformerFunc transformer, void* argument, gdalgpu::PixelPoints points)
        : transformer_(transformer), argument_(argument), points_(points) {}

    const char* path() const override { return "sampled"; }
    std::string description() const override { return "every pixel"; }

    void Emit(gpu::Source& source) const override {
        source.include("georef/sampled.h");
        source.append("struct PixelTransform : kernels::georef::Sampled {};\n");
    }

    Bound Bind(gpu::Stream& stream, const gdalgpu::PixelWindow& window) const override {
        std::vector<double> nodes;
        const auto add = [&](int64_t width, int64_t height, gdalgpu::PixelPlace place) {
            std::vector<double> x(width), y(width);
            for (int64_t row = 0; row < height; ++row) {
                EveryPosition(transformer_, argument_)
                    .Row(window.y + row, window.x, width, place, x.data(), y.data());
                for (int64_t column = 0; column < width; ++column) {
                    nodes.insert(nodes.end(), {x[column], y[column]});
                }
            }
        };
        const int64_t beyond = PointsBeyond(points_);
        add(window.width + beyond, window.height + beyond,
            {FirstPlace(points_), FirstPlace(points_)});
        if (beyond) add(window.width, window.height, {0.5, 0});
        Bound bound;
        bound.memory.push_back(stream.allocate(nodes.size() * sizeof(double)));
        stream.upload(bound.memory[0]->address(), nodes.data(), nodes.size() * sizeof(double));
        kernels::georef::Sampled sampled{};
        sampled.x0 = window.x;
        sampled.y0 = window.y;
        sampled.width = window.width;
        sampled.height = window.height;
        sampled.nodes = static_cast<const double*>(bound.memory[0]->address());
        sampled.corners = beyond;
        bound.parameters.resize(sizeof(sampled));
        std::memcpy(bound.parameters.data(), &sampled, sizeof(sampled));
        return bound;
    }

    std::string Check(gpu::Module&, gpu::Stream&, const gdalgpu::PixelWindow&) const override {
        return "";
    }

    std::unique_ptr<gdalgpu::CpuPositions> OnCpu(const gdalgpu::PixelWindow&) const override {
        return std::make_unique<EveryPosition>(transformer_, argument_);
    }

  private:
    GDALTransformerFunc transformer_;
    void* argument_;
    const gdalgpu::PixelPoints points_;
};

inline std::vector<std::unique_ptr<gdalgpu::PixelTransform>> PlanEveryPixel(
    GDALTransformerFunc transformer, void* argument, std::vector<std::string>&,
    const gdalgpu::PixelWindow*, gdalgpu::PixelPoints points) {
    std::vector<std::unique_ptr<gdalgpu::PixelTransform>> plans;
    plans.push_back(std::make_unique<EveryPixel>(transformer, argument, points));
    return plans;
}

// What a run's chunks came to. `change`, where set, sees each kernel before it runs.
struct DeviceRun {
    std::unique_ptr<gdalgpu::WarpContext> context;
    gdalgpu::WarpContext::Planner planner = PlanEveryPixel;
    gdalgpu::PixelWindow whole;
    double x_scale = 0, y_scale = 0;  // 0: from the first chunk
    int source_width = 0, source_height = 0;
    std::vector<gdalgpu::WarpOutcome> outcomes;
    gdalgpu::SourceNeed need{};
    std::function<void(GDALWarpKernel&)> change;

    static CPLErr Hook(void* kernel_pointer, void* argument) {
        auto& kernel = *static_cast<GDALWarpKernel*>(kernel_pointer);
        auto& run = *static_cast<DeviceRun*>(argument);
        if (run.context == nullptr) {
            if (run.x_scale == 0) {
                const gdalgpu::WarpScale scale = gdalgpu::ComputeWarpScale(
                    kernel.nDstXSize, kernel.nDstYSize, kernel.nSrcXSize, kernel.nSrcYSize,
                    kernel.dfSrcXExtraSize, kernel.dfSrcYExtraSize, kernel.papszWarpOptions,
                    kernel.pfnTransformer, kernel.pTransformerArg);
                run.x_scale = scale.x;
                run.y_scale = scale.y;
            }
            run.context = std::make_unique<gdalgpu::WarpContext>(
                "test", run.whole,
                std::vector<gdalgpu::ScaledWindow>{{run.whole, run.x_scale, run.y_scale}},
                run.planner);
        }
        if (run.change) {
            run.change(kernel);
        }
        run.outcomes.push_back(run.Run(kernel));
        if (run.outcomes.back() == gdalgpu::WarpOutcome::Cancelled) {
            return CE_Failure;
        }
        if (run.outcomes.back() != gdalgpu::WarpOutcome::LeftToGdal) {
            kernel.nSrcXSize = 0;
        }
        return CE_None;
    }

    gdalgpu::WarpOutcome Run(GDALWarpKernel& kernel) {
        gdalgpu::WarpChunk chunk = gdalgpu::ChunkOf(kernel);
        chunk.source_raster = {0, 0, source_width, source_height};
        return gdalgpu::RunWarpChunk(chunk, *context, &need);
    }

    bool AllDone() const {
        return !outcomes.empty() &&
               std::all_of(outcomes.begin(), outcomes.end(), [](gdalgpu::WarpOutcome outcome) {
                   return outcome == gdalgpu::WarpOutcome::Done;
               });
    }
};

using Bands = std::vector<std::vector<double>>;

struct How {
    int chunk_rows = 0;                  // rows of the destination at once; 0: all
    gdalgpu::PixelWindow source_window;  // empty: as GDAL computes it
    GDALProgressFunc progress = nullptr;
    void* progress_argument = nullptr;
    CPLErr expected = CE_None;
};

// Warps; with `run`, on the device.
inline Bands Warp(const Case& c, DeviceRun* run = nullptr, const How& how = How()) {
    Dataset source = MakeSource(c), destination = MakeDestination(c);
    void* transformer = GDALCreateGenImgProjTransformer2(
        GDALDataset::ToHandle(source.get()), GDALDataset::ToHandle(destination.get()), nullptr);
    EXPECT_NE(transformer, nullptr);
    GDALWarpOptions* options = GDALCreateWarpOptions();
    options->hSrcDS = GDALDataset::ToHandle(source.get());
    options->hDstDS = GDALDataset::ToHandle(destination.get());
    options->eResampleAlg = c.resampling;
    options->eWorkingDataType = c.type;
    options->dfWarpMemoryLimit = 1e9;
    GDALWarpInitDefaultBandMapping(options, c.bands);
    options->pfnTransformer = GDALGenImgProjTransform;
    options->pTransformerArg = transformer;
    if (how.progress != nullptr) {
        options->pfnProgress = how.progress;
        options->pProgressArg = how.progress_argument;
    }
    options->papszWarpOptions = CSLDuplicate(const_cast<CPLStringList&>(c.options).List());
    const bool holds_pixels = c.mask == Mask::AlphaOnExisting || c.mask == Mask::AlphaOverDstNoData;
    if (!holds_pixels) {
        options->papszWarpOptions = CSLSetNameValue(options->papszWarpOptions, "INIT_DEST",
                                                    HasDestinationNoData(c.mask) ? "NO_DATA" : "0");
    }
    if (c.mask == Mask::NoDataPartial || c.mask == Mask::NoDataUnified) {
        options->papszWarpOptions =
            CSLSetNameValue(options->papszWarpOptions, "UNIFIED_SRC_NODATA",
                            c.mask == Mask::NoDataPartial ? "PARTIAL" : "YES");
    }
    if (HasSourceAlpha(c.mask)) {
        options->nSrcAlphaBand = c.bands + 1;
        options->papszWarpOptions =
            CSLSetNameValue(options->papszWarpOptions, "SRC_ALPHA_MAX", "255");
    }
    if (HasDestinationAlpha(c.mask)) {
        options->nDstAlphaBand = c.bands + 1;
        options->papszWarpOptions =
            CSLSetNameValue(options->papszWarpOptions, "DST_ALPHA_MAX", "255");
    }
    if (HasSourceNoData(c.mask)) {
        GDALWarpInitSrcNoDataReal(options, SourceNoData(c));
    }
    if (HasDestinationNoData(c.mask)) {
        GDALWarpInitDstNoDataReal(options, kDestinationNoData);
    }
    if (run != nullptr) {
        run->whole = {0, 0, c.width, c.height};
        run->source_width = c.source_width;
        run->source_height = c.source_height;
        options->pfnPreWarpChunkProcessor = DeviceRun::Hook;
        options->pPreWarpProcessorArg = run;
    }
    {
        GDALWarpOperation operation;
        EXPECT_EQ(CE_None, operation.Initialize(options));
        const int rows = how.chunk_rows > 0 ? how.chunk_rows : c.height;
        for (int y = 0; y < c.height; y += rows) {
            const int height = std::min(rows, c.height - y);
            const gdalgpu::PixelWindow& window = how.source_window;
            EXPECT_EQ(how.expected,
                      window.width == 0
                          ? operation.ChunkAndWarpImage(0, y, c.width, height)
                          : operation.WarpRegion(0, y, c.width, height, static_cast<int>(window.x),
                                                 static_cast<int>(window.y),
                                                 static_cast<int>(window.width),
                                                 static_cast<int>(window.height)));
        }
    }
    if (run != nullptr) {
        run->context.reset();
    }
    GDALDestroyWarpOptions(options);
    GDALDestroyGenImgProjTransformer(transformer);
    Bands bands;
    for (int band = 1; band <= destination->GetRasterCount(); ++band) {
        bands.push_back(ReadBand(destination->GetRasterBand(band)));
    }
    return bands;
}

struct Difference {
    size_t pixels = 0;     // compared
    size_t differing = 0;  // at all
    size_t beyond = 0;  // integers by more than one, floats by more than 1e-5 of the value's size
    double worst = 0;
    std::string first;
};

inline Difference Compare(const Case& c, const Bands& expected, const Bands& actual) {
    Difference difference;
    EXPECT_EQ(expected.size(), actual.size());
    for (size_t band = 0; band < std::min(expected.size(), actual.size()); ++band) {
        for (size_t i = 0; i < expected[band].size(); ++i) {
            const double a = expected[band][i], b = actual[band][i];
            ++difference.pixels;
            if (a == b || (std::isnan(a) && std::isnan(b))) {
                continue;
            }
            ++difference.differing;
            // Integers of 64 bits are summed up in doubles, of which some last digits differ.
            const bool is_long = c.type == GDT_Int64 || c.type == GDT_UInt64;
            const double tolerance = IsFloat(c.type) ? 1e-5 * std::fabs(a) : is_long ? 1e7 : 1.0;
            if (!(std::fabs(a - b) <= tolerance)) {
                ++difference.beyond;
                if (difference.first.empty()) {
                    const size_t pixel = GDALDataTypeIsComplex(c.type) ? i / 2 : i;
                    difference.first = "band " + std::to_string(band + 1) + " column " +
                                       std::to_string(pixel % c.width) + " row " +
                                       std::to_string(pixel / c.width) + ": GDAL " +
                                       std::to_string(a) + ", device " + std::to_string(b);
                }
            }
            difference.worst = std::max(difference.worst, std::fabs(a - b));
        }
    }
    return difference;
}

inline const char* Name(Mask mask) {
    static const char* const names[] = {
        "None",         "NoData",          "NoDataPartial",     "NoDataUnified",      "NanNoData",
        "PerDataset",   "Alpha",           "DstNoData",         "DstNoDataAndNoData", "DstAlpha",
        "AlphaToAlpha", "AlphaOnExisting", "AlphaOverDstNoData"};
    return names[static_cast<int>(mask)];
}

}  // namespace warp_judge
