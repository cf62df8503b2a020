#include "plugin/warp/warp_scale.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cpl_conv.h"
#include "cpl_string.h"

namespace gdalgpu {
namespace {

double AxisScale(int destination, int source, double extra) {
    if (source >= destination && source <= destination + extra) {
        return 1.0;
    }
    const double scale = static_cast<double>(destination) / (source - extra);
    if (!(scale < 1.0)) {
        return scale;
    }
    const double reciprocal = 1.0 / scale;
    const double rounded = std::floor(reciprocal + 0.5);
    return std::fabs(reciprocal - rounded) < 0.05 ? 1.0 / rounded : scale;
}

// The mean over a grid of at most 10 x 10 points of 1 / (the source columns that one destination
// pixel spans), without the points whose scale is below a tenth of the largest: those straddle a
// discontinuity. `fallback` where every point fails. The points are counted from 0, not from the
// window's origin, as GDAL's are.
double SampledXScale(int width, int height, GDALTransformerFunc transformer, void* argument,
                     double fallback) {
    const int columns = std::min(10, width);
    const int rows = std::min(10, height);
    std::vector<double> x, y;
    for (int row = 0; row < rows; ++row) {
        const double at_y = rows == 1 ? 0.0 : static_cast<double>(row) * height / (rows - 1);
        const double step_y = row == rows - 1 ? -1.0 : 1.0;
        for (int column = 0; column < columns; ++column) {
            const double at_x =
                columns == 1 ? 0.0 : static_cast<double>(column) * width / (columns - 1);
            const double step_x = column == columns - 1 ? -1.0 : 1.0;
            x.insert(x.end(), {at_x, at_x + step_x, at_x});
            y.insert(y.end(), {at_y, at_y, at_y + step_y});
        }
    }
    std::vector<double> z(x.size(), 0.0);
    std::vector<int> success(x.size(), FALSE);
    transformer(argument, TRUE, static_cast<int>(x.size()), x.data(), y.data(), z.data(),
                success.data());
    std::vector<double> scales;
    for (size_t i = 0; i < x.size(); i += 3) {
        if (success[i] && success[i + 1] && success[i + 2]) {
            scales.push_back(1.0 /
                             std::max(std::fabs(x[i + 1] - x[i]), std::fabs(x[i + 2] - x[i])));
        }
    }
    if (scales.empty()) {
        return fallback;
    }
    // Summed in increasing order, as GDAL does: the last bit of the mean decides on which side of a
    // limit it falls.
    std::sort(scales.begin(), scales.end());
    double sum = 0.0;
    int count = 0;
    for (const double scale : scales) {
        if (scale > scales.back() / 10) {
            sum += scale;
            ++count;
        }
    }
    return count > 0 ? sum / count : fallback;
}

}  // namespace

WarpScale ComputeWarpScale(int destination_width, int destination_height, int source_width,
                           int source_height, double source_x_extra, double source_y_extra,
                           char** warp_options, GDALTransformerFunc transformer, void* argument) {
    WarpScale scale{AxisScale(destination_width, source_width, source_x_extra),
                    AxisScale(destination_height, source_height, source_y_extra)};
    const char* x_option = CSLFetchNameValue(warp_options, "XSCALE");
    const bool sample = x_option != nullptr && EQUAL(x_option, "FROM_GRID_SAMPLING");
    if (x_option != nullptr && !sample) {
        scale.x = CPLAtof(x_option);
    }
    if (const char* y_option = CSLFetchNameValue(warp_options, "YSCALE")) {
        scale.y = CPLAtof(y_option);
    }
    if (sample || scale.y / scale.x > 100) {
        scale.x =
            SampledXScale(destination_width, destination_height, transformer, argument, scale.x);
    }
    return scale;
}

}  // namespace gdalgpu
