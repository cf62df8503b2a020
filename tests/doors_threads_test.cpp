// Transformers of every kind on many threads at once; tests/sanitize.sh runs this under sanitizers.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_string.h"
#include "gdal_priv.h"
#include "ogr_spatialref.h"
#include "plugin/doors/gdal_gpu.h"

namespace {

// CRSs, and where points of the source lie: one operation, a grid, several operations and a pole.
struct Pair {
    const char* source;
    const char* target;
    double x, y, size;
};
constexpr Pair kPairs[] = {{"EPSG:32633", "EPSG:3857", 400000, 5200000, 100000},
                           {"EPSG:31467", "EPSG:4258", 3400000, 5400000, 100000},
                           {"EPSG:4267", "EPSG:4269", -100, 35, 5},
                           {"EPSG:4326", "EPSG:3031", -60, -85, 20},
                           {"EPSG:27572", "EPSG:2154", 500000, 2100000, 200000}};
constexpr int kSide = 20;  // points along an axis

using Points = std::array<std::vector<double>, 2>;

Points Grid(double x, double y, double step) {
    Points points;
    for (int i = 0; i < kSide * kSide; ++i) {
        points[0].push_back(x + step * (i % kSide));
        points[1].push_back(y + step * (i / kSide));
    }
    return points;
}

Points ByCoordinateTransform(const Pair& pair) {
    CPLStringList options;
    options.SetNameValue("AXIS_ORDER", "TRADITIONAL");
    GDALGPUCoordinateTransformH transform =
        GDALGPUCreateCoordinateTransform(pair.source, pair.target, options.List());
    Points points = Grid(pair.x, pair.y, pair.size / kSide);
    if (transform == nullptr ||
        GDALGPUTransformCoordinates(transform, FALSE, kSide * kSide, points[0].data(),
                                    points[1].data(), nullptr, nullptr, nullptr) != CE_None) {
        points = {};
    }
    GDALGPUDestroyCoordinateTransform(transform);
    return points;
}

// From source pixels to the target CRS.
Points ByImageTransformer(const Pair& pair) {
    auto* driver = GetGDALDriverManager()->GetDriverByName("MEM");
    const std::unique_ptr<GDALDataset> source(
        driver->Create("", kSide, kSide, 1, GDT_Byte, nullptr));
    OGRSpatialReference crs;
    crs.SetFromUserInput(pair.source);
    crs.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    source->SetSpatialRef(&crs);
    std::array<double, 6> geotransform = {pair.x, pair.size / kSide, 0, pair.y,
                                          0,      pair.size / kSide};
    source->SetGeoTransform(geotransform.data());
    CPLStringList options;
    options.SetNameValue("DST_SRS", pair.target);
    void* transformer = GDALGPUCreateGenImgProjTransformer(GDALDataset::ToHandle(source.get()),
                                                           nullptr, options.List());
    Points points = Grid(0, 0, 1);
    std::vector<double> z(points[0].size());
    std::vector<int> success(z.size());
    if (transformer == nullptr ||
        !GDALGPUGenImgProjTransform(transformer, FALSE, kSide * kSide, points[0].data(),
                                    points[1].data(), z.data(), success.data())) {
        points = {};
    }
    if (transformer != nullptr) GDALDestroyTransformer(transformer);
    return points;
}

Points Transformed(int kind) {
    const Pair& pair = kPairs[kind / 2];
    return kind % 2 == 0 ? ByCoordinateTransform(pair) : ByImageTransformer(pair);
}

TEST(Threads, SixteenMakeAndDestroyTransformersAtRandom) {
    GDALAllRegister();
    GDALGPURegister();
    if (std::getenv("GDAL_GPU_DEVICE") == nullptr) CPLSetConfigOption("GDAL_GPU_DEVICE", "HOST");
    CPLSetConfigOption("GDAL_GPU_MIN_PIXELS", "0");
    constexpr int kKinds = 2 * static_cast<int>(std::size(kPairs));
    std::vector<Points> expected;
    for (int kind = 0; kind < kKinds; ++kind) {
        expected.push_back(Transformed(kind));
        ASSERT_EQ(expected.back()[0].size(), size_t{kSide * kSide}) << kind;
        ASSERT_TRUE(std::isfinite(expected.back()[0][0])) << kind;
    }
    std::atomic<int> same{0};
    std::vector<std::thread> threads;
    for (unsigned n = 0; n < 16; ++n) {
        threads.emplace_back([&, n] {
            std::mt19937 random(n);
            for (int round = 0; round < 12; ++round) {
                const int kind = static_cast<int>(random() % kKinds);
                same += Transformed(kind) == expected[static_cast<size_t>(kind)];
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(same, 16 * 12);
}

}  // namespace
