// The pieces in which host arrays go through a device, which HOST itself does without.
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "coordinates_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nvrtc_sweep.h"
#include "plugin/coordinates/coordinate_pieces.h"
#include "plugin/coordinates/coordinate_transform.h"

namespace {

using gdalgpu::CoordinateArrays;
using gdalgpu::FusedOperations;
using gdalgpu::Pieces;
using testing::Each;
using testing::HasSubstr;

constexpr int64_t kCount = 100003;

struct Arrays {
    std::vector<double> x, y, z;
    std::vector<int> success;
    Arrays() : x(kCount), y(kCount), z(kCount, 5.0), success(kCount, 7) {
        for (int64_t i = 0; i < kCount; ++i) {
            x[i] = 1e-5 * static_cast<double>(i) - 0.5;
            y[i] = 1.2 - 2e-5 * static_cast<double>(i);
        }
    }
    CoordinateArrays pointers() { return {x.data(), y.data(), z.data(), nullptr}; }
};

FusedOperations Mercator() {
    return FusedOperations(*gdalgpu::GivenOperation("+proj=merc +ellps=WGS84"), false, false,
                           false);
}

std::shared_ptr<gpu::Module> Compile(gpu::Device& device, const FusedOperations& fused) {
    gpu::Source source;
    fused.EmitKernel(source, "Transform");
    return device.compile(source);
}

std::vector<std::byte> Parameters(const FusedOperations& fused) {
    return fused.Bind(*gdalgpu::HostDevice().stream()).parameters;
}

TEST(CoordinatePieces, GiveTheResultsOfOneLaunchHoweverTheyAreCut) {
    gpu::Device& device = gdalgpu::HostDevice();
    const FusedOperations fused = Mercator();
    const auto module = Compile(device, fused);
    Arrays whole;
    const auto stream = device.stream();
    gdalgpu::LaunchCoordinates(*stream, module->kernel("transform_coordinates"), Parameters(fused),
                               kCount, whole.pointers(), whole.pointers(), whole.success.data());
    stream->synchronize();
    EXPECT_NEAR(whole.x[0], -0.5 * 6378137, 1e-6);
    for (const int64_t most : {int64_t{1000}, int64_t{33333}, kCount, int64_t{1} << 21}) {
        Arrays cut;
        const Pieces pieces = gdalgpu::TransformInPieces(device, *module, Parameters(fused), kCount,
                                                         cut.pointers(), cut.success.data(), most);
        EXPECT_EQ(pieces.problem, "");
        EXPECT_THAT(pieces.done, Each(1));
        EXPECT_EQ(static_cast<int64_t>(pieces.done.size()), (kCount - 1) / pieces.piece + 1);
        EXPECT_EQ(cut.x, whole.x);
        EXPECT_EQ(cut.y, whole.y);
        EXPECT_EQ(cut.z, whole.z);
        EXPECT_EQ(cut.success, whole.success);
    }
}

TEST(CoordinatePieces, AreSmallerWhereMemoryIsShortAndLeftWhereThereIsNone) {
    gpu::Options options;
    options.threads = 2;
    options.memory_limit = 2 << 20;
    const auto small = gpu::MakeHostDevice(options);
    const FusedOperations fused = Mercator();
    const auto module = Compile(*small, fused);
    Arrays arrays;
    const Pieces pieces =
        gdalgpu::TransformInPieces(*small, *module, Parameters(fused), kCount, arrays.pointers(),
                                   arrays.success.data(), int64_t{1} << 21);
    EXPECT_LT(pieces.piece, kCount);
    EXPECT_THAT(pieces.done, Each(1));
    EXPECT_THAT(arrays.success, Each(1));

    options.memory_limit = 1000;
    const auto tiny = gpu::MakeHostDevice(options);
    Arrays untouched;
    const Pieces none =
        gdalgpu::TransformInPieces(*tiny, *Compile(*tiny, fused), Parameters(fused), kCount,
                                   untouched.pointers(), nullptr, int64_t{1} << 21);
    EXPECT_THAT(none.problem, HasSubstr("GDAL_GPU_MEMORY_LIMIT"));
    EXPECT_THAT(none.done, Each(0));
    EXPECT_EQ(untouched.x, Arrays().x);
}

TEST(CoordinatePieces, ThatFailAreNamedAndUntouched) {
    gpu::Options options;
    options.threads = 2;
    options.fault = "launch";
    const auto device = gpu::MakeHostDevice(options);
    const FusedOperations fused = Mercator();
    Arrays arrays;
    const Pieces pieces =
        gdalgpu::TransformInPieces(*device, *Compile(*device, fused), Parameters(fused), kCount,
                                   arrays.pointers(), arrays.success.data(), 20000);
    EXPECT_NE(pieces.problem, "");
    EXPECT_THAT(pieces.done, testing::Contains(0));
    const Arrays before;
    for (size_t piece = 0; piece < pieces.done.size(); ++piece) {
        const size_t first = piece * static_cast<size_t>(pieces.piece);
        EXPECT_EQ(arrays.x[first] == before.x[first], !pieces.done[piece]) << piece;
    }
}

TEST(CoordinateTransform, OfOneOperationAndOfManyCompilesForEveryArchitecture) {
    GPU_NEED_NVRTC();
    // One operation; a few, in the kernel's parameters; many, in the device's memory.
    for (const auto& [from, to] :
         {std::pair("EPSG:4326", "EPSG:3857"), std::pair("EPSG:4230", "EPSG:25832"),
          std::pair("EPSG:4267", "EPSG:4326")}) {
        for (const bool inverse : {false, true}) {
            const FusedOperations fused(*gdalgpu::FindOperations(from, to, {}), inverse, true,
                                        false);
            gpu::Source source;
            fused.EmitKernel(source, "Transform");
            gpu::ExpectCompilesForEveryArchitecture(source, from);
        }
    }
}

TEST(CoordinateTransform, TakesHeightsAlong) {
    const auto transform = gdalgpu::CoordinateTransform::FromCrs("EPSG:4979", "EPSG:4978", {});
    std::vector<double> x = {52}, y = {13}, z = {100};
    std::vector<int> success(1);
    transform->Transform(false, 1, {x.data(), y.data(), z.data(), nullptr}, success.data());
    EXPECT_EQ(success[0], 1);
    EXPECT_NEAR(std::sqrt(x[0] * x[0] + y[0] * y[0] + z[0] * z[0]), 6364899, 2000);
    transform->Transform(true, 1, {x.data(), y.data(), z.data(), nullptr}, success.data());
    EXPECT_NEAR(x[0], 52, 1e-9);
    EXPECT_NEAR(z[0], 100, 1e-6);
}

}  // namespace
