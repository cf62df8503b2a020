#include "plugin/warp/source_window.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "plugin/options.h"
#include "plugin/warp/resamplings.h"

namespace gdalgpu {
namespace {

// Source pixels around what GDAL's 21 samples an edge say, for edges that bend between the samples.
constexpr int kSamplingMargin = 4;
// More parts than this are not worth their launches.
constexpr size_t kMostParts = 4096;
using ComputeSourceWindowFunction = CPLErr (*)(GDALWarpOperation*, int, int, int, int, int*, int*,
                                               int*, int*, double*, double*, double*);

// GDALWarpOperation::ComputeSourceWindow is private; its symbol is exported where GDAL is built
// with default visibility. Null where it isn't.
ComputeSourceWindowFunction FindComputeSourceWindow() {
    static const ComputeSourceWindowFunction function = [] {
        void* symbol = nullptr;
        Dl_info info;
        if (dladdr(reinterpret_cast<void*>(&GDALVersionInfo), &info) != 0 && info.dli_fname) {
            if (void* gdal = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
                symbol = dlsym(
                    gdal, "_ZN17GDALWarpOperation19ComputeSourceWindowEiiiiPiS0_S0_S0_PdS1_S1_");
                dlclose(gdal);
            }
        }
        return reinterpret_cast<ComputeSourceWindowFunction>(symbol);
    }();
    return function;
}

}  // namespace

bool CanComputeSourceWindow() { return FindComputeSourceWindow() != nullptr; }

bool ComputeSourceWindow(GDALWarpOperation& operation, const PixelWindow& region,
                         SourceWindow& window, double& fill_ratio) {
    const ComputeSourceWindowFunction compute = FindComputeSourceWindow();
    if (compute == nullptr) {
        return false;
    }
    const QuietErrors quiet;
    const CPLErr error = compute(&operation, static_cast<int>(region.x), static_cast<int>(region.y),
                                 static_cast<int>(region.width), static_cast<int>(region.height),
                                 &window.x, &window.y, &window.width, &window.height,
                                 &window.x_extra, &window.y_extra, &fill_ratio);
    if (error != CE_None) {
        window = SourceWindow{};
    }
    return error == CE_None;
}

std::vector<ChunkPart> CutForFillRatio(GDALWarpOperation& operation, const PixelWindow& region) {
    const bool may_cut =
        CPLFetchBool(operation.GetOptions()->papszWarpOptions, "SRC_FILL_RATIO_HEURISTICS", true);
    std::vector<ChunkPart> parts;
    std::vector<PixelWindow> waiting = {region};
    while (!waiting.empty()) {
        const PixelWindow window = waiting.back();
        waiting.pop_back();
        ChunkPart part{window, {}};
        double fill_ratio = 0;
        const bool known = ComputeSourceWindow(operation, window, part.source, fill_ratio);
        if (!known && parts.empty() && waiting.empty()) {
            return {};
        }
        if (!may_cut || !known || fill_ratio <= 0 || fill_ratio >= 0.5 ||
            (window.width <= 100 && window.height <= 100) ||
            parts.size() + waiting.size() >= kMostParts) {
            parts.push_back(part);
            continue;
        }
        PixelWindow first = window;
        PixelWindow second = window;
        if (window.width > window.height) {
            first.width = window.width / 2;
            second.x += first.width;
            second.width -= first.width;
        } else {
            first.height = window.height / 2;
            second.y += first.height;
            second.height -= first.height;
        }
        waiting.push_back(second);
        waiting.push_back(first);
    }
    return parts;
}

int FilterReach(GDALResampleAlg resampling, double scale) {
    const Resampling* const row = FindResampling(resampling);
    constexpr int kWidest = 3;
    const int radius = row == nullptr                        ? kWidest
                       : row->points == PixelPoints::Corners ? 1
                                                             : row->radius;
    return scale < 1.0 ? static_cast<int>(std::ceil(radius / std::max(scale, 1e-3))) : radius;
}

int SourceMargin(GDALResampleAlg resampling, double scale) {
    return FilterReach(resampling, scale) + kSamplingMargin;
}

SourceWindow Enlarge(const SourceWindow& window, int x_min, int y_min, int x_max, int y_max,
                     int raster_width, int raster_height) {
    SourceWindow larger;
    larger.x = std::max(0, std::min(x_min, window.x));
    larger.y = std::max(0, std::min(y_min, window.y));
    larger.width = std::min(raster_width, std::max(x_max, window.x + window.width)) - larger.x;
    larger.height = std::min(raster_height, std::max(y_max, window.y + window.height)) - larger.y;
    larger.x_extra = window.x_extra + (larger.width - window.width);
    larger.y_extra = window.y_extra + (larger.height - window.height);
    return larger;
}

bool SamePixels(const SourceWindow& a, const SourceWindow& b) {
    return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

}  // namespace gdalgpu
