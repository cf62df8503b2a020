// Rasters in memory, GDAL's transformers between them, and a plan's positions as the device
// computes them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cpl_string.h"
#include "gdal_alg.h"
#include "gdal_priv.h"
#include "gpu/device.h"
#include "ogr_spatialref.h"
#include "plugin/coordinates/pixel_transform.h"

namespace gdalgpu {

using GeoTransform = std::array<double, 6>;

inline GDALDatasetUniquePtr MakeRaster(int width, int height, const GeoTransform* geotransform,
                                       const std::string& srs) {
    GDALAllRegister();
    GDALDatasetUniquePtr dataset(GetGDALDriverManager()->GetDriverByName("MEM")->Create(
        "", width, height, 0, GDT_Byte, nullptr));
    if (geotransform != nullptr) {
        GeoTransform copy = *geotransform;
        dataset->SetGeoTransform(copy.data());
    }
    if (!srs.empty()) {
        OGRSpatialReference reference;
        EXPECT_EQ(reference.SetFromUserInput(srs.c_str()), OGRERR_NONE) << srs;
        reference.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
        dataset->SetSpatialRef(&reference);
    }
    return dataset;
}

// A GenImgProjTransformer, in an ApproxTransformer where threshold isn't negative.
class Transformer {
  public:
    Transformer(GDALDataset& source, GDALDataset* destination, CPLStringList options = {},
                double threshold = -1) {
        exact = GDALCreateGenImgProjTransformer2(&source, destination, options.List());
        if (exact != nullptr && threshold >= 0)
            approximate_ = GDALCreateApproxTransformer(GDALGenImgProjTransform, exact, threshold);
    }
    ~Transformer() {
        if (approximate_ != nullptr) GDALDestroyApproxTransformer(approximate_);
        if (exact != nullptr) GDALDestroyGenImgProjTransformer(exact);
    }
    Transformer(const Transformer&) = delete;
    Transformer& operator=(const Transformer&) = delete;

    GDALTransformerFunc function() const {
        return approximate_ ? GDALApproxTransform : GDALGenImgProjTransform;
    }
    void* argument() const { return approximate_ ? approximate_ : exact; }

    void* exact = nullptr;

  private:
    void* approximate_ = nullptr;
};

struct Positions {
    std::vector<double> x, y;
    std::vector<int> success;
};

// The exact transformer's positions, scanline by scanline.
inline Positions ByGdal(GDALTransformerFunc function, void* argument, const PixelWindow& window,
                        int64_t step = 1) {
    Positions result;
    for (int64_t row = window.y; row < window.y + window.height; row += step) {
        std::vector<double> x, y;
        for (int64_t column = window.x; column < window.x + window.width; column += step) {
            x.push_back(static_cast<double>(column) + 0.5);
            y.push_back(static_cast<double>(row) + 0.5);
        }
        std::vector<double> z(x.size());
        std::vector<int> success(x.size());
        function(argument, TRUE, static_cast<int>(x.size()), x.data(), y.data(), z.data(),
                 success.data());
        result.x.insert(result.x.end(), x.begin(), x.end());
        result.y.insert(result.y.end(), y.begin(), y.end());
        result.success.insert(result.success.end(), success.begin(), success.end());
    }
    return result;
}

inline gpu::Device& HostDevice() {
    static const std::shared_ptr<gpu::Device> device = [] {
        gpu::Options options;
        options.threads = 2;
        return gpu::MakeHostDevice(options);
    }();
    return *device;
}

inline std::shared_ptr<gpu::Module> Compile(const PixelTransform& plan) {
    gpu::Source source;
    source.include("core/core.h");
    plan.Emit(source);
    return HostDevice().compile(source);
}

// The plan's positions for every step-th pixel of the window, which it is bound to.
inline Positions ByDevice(const PixelTransform& plan, gpu::Module& module,
                          const PixelWindow& window, int64_t step = 1) {
    const auto stream = HostDevice().stream();
    const PixelTransform::Bound bound = plan.Bind(*stream, window);
    std::vector<int64_t> pixels;
    for (int64_t row = window.y; row < window.y + window.height; row += step)
        for (int64_t column = window.x; column < window.x + window.width; column += step)
            pixels.insert(pixels.end(), {column, row});
    const auto count = static_cast<int64_t>(pixels.size() / 2);
    const auto device_pixels = stream->allocate(16 * count),
               positions = stream->allocate(16 * count), flags = stream->allocate(8 * count);
    stream->upload(device_pixels->address(), pixels.data(), 16 * count);
    std::vector<std::byte> parameters = bound.parameters;
    const auto append = [&](const void* value) {
        const auto* first = static_cast<const std::byte*>(value);
        parameters.insert(parameters.end(), first, first + 8);
    };
    for (void* address : {device_pixels->address(), positions->address(), flags->address()})
        append(&address);
    append(&count);
    const double centre = 0.5;
    append(&centre);
    stream->launch(module.kernel("transform_pixels"), {count, 1}, parameters.data(),
                   parameters.size());
    std::vector<double> both(2 * count);
    std::vector<int64_t> success(count);
    stream->download(both.data(), positions->address(), 16 * count);
    stream->download(success.data(), flags->address(), 8 * count);
    stream->synchronize();
    Positions result;
    for (int64_t i = 0; i < count; ++i) {
        result.x.push_back(both[2 * i]);
        result.y.push_back(both[2 * i + 1]);
        result.success.push_back(success[i] != 0);
    }
    return result;
}

// The largest distance along an axis where both succeed, relative to `scale` pixels; fails the test
// where the flags differ, and where nothing succeeds at all.
inline double LargestError(const Positions& a, const Positions& b) {
    EXPECT_EQ(a.success.size(), b.success.size());
    double largest = 0;
    size_t differing = 0, valid = 0;
    for (size_t i = 0; i < a.success.size(); ++i) {
        if (!a.success[i] != !b.success[i]) {
            ++differing;
            continue;
        }
        if (!a.success[i]) continue;
        ++valid;
        largest = std::max({largest, std::fabs(a.x[i] - b.x[i]), std::fabs(a.y[i] - b.y[i])});
    }
    EXPECT_EQ(differing, 0u) << "points with differing success, of " << a.success.size();
    EXPECT_GT(valid, 0u);
    return largest;
}

}  // namespace gdalgpu
