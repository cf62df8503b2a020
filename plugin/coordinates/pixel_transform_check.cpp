#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>

#include "cpl_string.h"
#include "plugin/coordinates/parameter_bytes.h"
#include "plugin/coordinates/pixel_transform_plans.h"

namespace gdalgpu {
namespace {

// Up to `count` pixels from first to last, evenly, both ends included.
std::vector<int64_t> Spread(int64_t first, int64_t size, int64_t count) {
    std::vector<int64_t> result;
    const int64_t steps = std::min(count, size) - 1;
    for (int64_t i = 0; i <= steps; ++i)
        result.push_back(first + (steps == 0 ? 0 : (size - 1) * i / steps));
    return result;
}

// Along an axis on which both positions lie before the raster's first pixel, or beyond the last
// that a raster can have, the pixel is outside whatever the distance: a warp skips it either way.
bool BothOutside(double a, double b) {
    constexpr double beyond = 2147483648.0;
    return (a < -1.0 && b < -1.0) || (a > beyond && b > beyond);
}

// Where the exact transformer takes a point of pixels, moved by whole pixels, in the source; NaN
// where it fails.
void ExactPositions(ExactTransformer& exact, const std::vector<int64_t>& pixels, double place,
                    int64_t right, int64_t down, std::vector<double>& x, std::vector<double>& y) {
    x.clear();
    y.clear();
    for (size_t i = 0; i < pixels.size(); i += 2) {
        x.push_back(static_cast<double>(pixels[i] + right) + place);
        y.push_back(static_cast<double>(pixels[i + 1] + down) + place);
    }
    exact.Run(1, [&](ExactTransformer::Lease& lease, int64_t) {
        lease.ToSource(x.size(), x.data(), y.data());
    });
}

// The size of the pixels in the source, at most 1. x and y: their exact positions.
std::vector<double> PixelSizes(ExactTransformer& exact, const std::vector<int64_t>& pixels,
                               double place, const std::vector<double>& x,
                               const std::vector<double>& y) {
    std::vector<double> sizes(x.size(), 1.0);
    for (const int64_t right : {0, 1}) {
        std::vector<double> next_x, next_y;
        ExactPositions(exact, pixels, place, right, 1 - right, next_x, next_y);
        for (size_t i = 0; i < sizes.size(); ++i) {
            const double size = std::hypot(next_x[i] - x[i], next_y[i] - y[i]);
            if (size < sizes[i]) sizes[i] = size;
        }
    }
    return sizes;
}

}  // namespace

std::vector<int64_t> CheckedPixels(const PixelWindow& window, bool densely) {
    const int64_t inside = densely ? 81 : 21, along_edge = densely ? 121 : 61;
    if (window.width <= 0 || window.height <= 0) return {};
    std::set<std::pair<int64_t, int64_t>> pixels;  // row, column: as in scanlines
    for (const int64_t y : Spread(window.y, window.height, inside))
        for (const int64_t x : Spread(window.x, window.width, inside)) pixels.emplace(y, x);
    for (const int64_t x : Spread(window.x, window.width, along_edge))
        for (const int64_t y : {window.y, window.y + window.height - 1}) pixels.emplace(y, x);
    for (const int64_t y : Spread(window.y, window.height, along_edge))
        for (const int64_t x : {window.x, window.x + window.width - 1}) pixels.emplace(y, x);
    std::vector<int64_t> result;
    for (const auto& [y, x] : pixels) result.insert(result.end(), {x, y});
    return result;
}

void EmitTransformPixels(gpu::Source& source) {
    source.include("georef/transform.h");
    source.append(
        "\nGPU_KERNEL(transform_pixels, kernels::georef::TransformPixelsParams<PixelTransform>, p) "
        "{\n"
        "    GPU_FOR_1D(i, p.count) { p.run(i); }\n}\n");
}

PixelWindow MiddleOf(const PixelWindow& window) {
    constexpr int64_t most = 64;
    const int64_t width = std::min(window.width, most), height = std::min(window.height, most);
    return {window.x + (window.width - width) / 2, window.y + (window.height - height) / 2, width,
            height};
}

std::string CompareWithExact(ExactTransformer& exact, gpu::Module& module, gpu::Stream& stream,
                             const PixelTransform::Bound& bound, const PixelWindow& window,
                             PixelPoints points, double tolerance, ToleranceUnit unit) {
    if (window.width <= 0 || window.height <= 0) return "";
    const std::vector<int64_t> pixels =
        CheckedPixels(window, /*densely=*/unit == ToleranceUnit::SmallerPixels);
    const auto count = static_cast<int64_t>(pixels.size() / 2);
    const auto device_pixels = stream.allocate(pixels.size() * sizeof(int64_t));
    const auto device_positions = stream.allocate(2 * count * sizeof(double));
    const auto device_success = stream.allocate(count * sizeof(int64_t));
    stream.upload(device_pixels->address(), pixels.data(), pixels.size() * sizeof(int64_t));
    std::vector<std::byte> parameters = bound.parameters;
    for (const auto* memory : {&device_pixels, &device_positions, &device_success})
        AppendBytes(parameters, (*memory)->address());
    AppendBytes(parameters, count);
    const double place = FirstPlace(points);
    AppendBytes(parameters, place);
    stream.launch(module.kernel("transform_pixels"), {count, 1}, parameters.data(),
                  parameters.size());
    std::vector<double> positions(2 * count);
    std::vector<int64_t> success(count);
    stream.download(positions.data(), device_positions->address(),
                    positions.size() * sizeof(double));
    stream.download(success.data(), device_success->address(), success.size() * sizeof(int64_t));
    stream.synchronize();

    std::vector<double> x, y;
    ExactPositions(exact, pixels, place, 0, 0, x, y);
    const std::vector<double> size = unit == ToleranceUnit::SmallerPixels
                                         ? PixelSizes(exact, pixels, place, x, y)
                                         : std::vector<double>(count, 1.0);

    int64_t flags = 0, far = 0, worst = -1;
    double largest = 0;
    std::string first_flag;
    for (int64_t i = 0; i < count; ++i) {
        const bool expected = !std::isnan(x[i]);
        if (expected != (success[i] != 0)) {
            if (flags++ == 0)
                first_flag =
                    CPLSPrintf("at pixel (%lld, %lld) GDAL %s and the device %s",
                               static_cast<long long>(pixels[2 * i]),
                               static_cast<long long>(pixels[2 * i + 1]),
                               expected ? "succeeds" : "fails", expected ? "fails" : "succeeds");
            continue;
        }
        if (!expected || BothOutside(x[i], positions[2 * i]) ||
            BothOutside(y[i], positions[2 * i + 1]))
            continue;
        const double error =
            std::max(std::fabs(positions[2 * i] - x[i]), std::fabs(positions[2 * i + 1] - y[i]));
        if (error <= tolerance * size[i]) continue;
        ++far;
        if (worst < 0 || !(error <= largest)) {
            largest = error;
            worst = i;
        }
    }
    std::string result;
    if (flags > 0)
        result =
            CPLSPrintf("success differs at %lld of %lld pixels: %s", static_cast<long long>(flags),
                       static_cast<long long>(count), first_flag.c_str());
    if (far > 0)
        result += CPLSPrintf(
            "%s%lld of %lld pixels differ from GDAL's transformer, by up to %.3g at pixel (%lld, "
            "%lld): (%.6f, %.6f) on the device, (%.6f, %.6f) by GDAL",
            result.empty() ? "" : "; ", static_cast<long long>(far), static_cast<long long>(count),
            largest, static_cast<long long>(pixels[2 * worst]),
            static_cast<long long>(pixels[2 * worst + 1]), positions[2 * worst],
            positions[2 * worst + 1], x[worst], y[worst]);
    return result;
}

}  // namespace gdalgpu
