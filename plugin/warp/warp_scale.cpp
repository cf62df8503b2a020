#include "plugin/warp/warp_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "plugin/gdal_rules.h"

namespace gdalgpu {
namespace {

// The next reciprocal of an integer, where the scale is close to it.
double RoundReciprocal(double scale) {
    if (!(scale < 1.0)) {
        return scale;
    }
    const double reciprocal = 1.0 / scale;
    const double rounded = std::floor(reciprocal + 0.5);
    return std::fabs(reciprocal - rounded) < 0.05 ? 1.0 / rounded : scale;
}

double AxisScale(int destination, int source, double extra) {
    if (source >= destination && source <= destination + extra) {
        return 1.0;
    }
    return RoundReciprocal(static_cast<double>(destination) / (source - extra));
}

// Up to 10 places over `size` destination pixels, from its first edge on.
std::vector<double> Places(int size) {
    const int count = std::min(10, size);
    std::vector<double> places;
    for (int i = 0; i < count; ++i) {
        places.push_back(count == 1 ? 0.0 : static_cast<double>(i) * size / (count - 1));
    }
    return places;
}

struct Corner {
    double x, y;
};

double SquaredDistance(const Corner& a, const Corner& b) {
    const double dx = b.x - a.x, dy = b.y - a.y;
    return dx * dx + dy * dy;
}

// Source positions of a destination pixel's corners: of the top left one, the top right, the
// bottom left and the bottom right.
using UnitSquare = std::array<Corner, 4>;

double Area(const UnitSquare& s) {
    return 0.5 * std::fabs(s[0].x * (s[1].y - s[2].y) + s[1].x * (s[3].y - s[0].y) +
                           s[3].x * (s[2].y - s[1].y) + s[2].x * (s[0].y - s[3].y));
}

// A pixel that comes out nearly as an upright rectangle has a scale along each axis, the geometric
// mean of two opposite sides; any other one scale, from its area. False where it has no size.
bool ScaleOfSquare(const UnitSquare& s, WarpScale& scale) {
    constexpr double kSteepest = 0.35;  // about 20 degrees
    constexpr double kMostUnequal = 0.1;
    constexpr double kLeastLength = 1e-10;
    const double top = SquaredDistance(s[0], s[1]), bottom = SquaredDistance(s[2], s[3]);
    const double left = SquaredDistance(s[0], s[2]), right = SquaredDistance(s[1], s[3]);
    if (std::fabs(s[1].y - s[0].y) < kSteepest * (s[1].x - s[0].x) &&
        std::fabs(s[3].y - s[2].y) < kSteepest * (s[3].x - s[2].x) &&
        std::fabs(top - bottom) < kMostUnequal * top &&
        std::fabs(left - right) < kMostUnequal * left) {
        const double x = std::sqrt(std::sqrt(top * bottom));
        const double y = std::sqrt(std::sqrt(left * right));
        scale = {1.0 / x, 1.0 / y};
        return x > kLeastLength && y > kLeastLength;
    }
    const double length = std::sqrt(Area(s));
    scale = {1.0 / length, 1.0 / length};
    return length > kLeastLength;
}

// The mean without those below a tenth of the largest, which straddle a discontinuity: running, in
// the order of x times y, as GDAL's. 1 where there is none.
WarpScale MeanWithoutOutliers(std::vector<WarpScale> scales) {
    std::sort(scales.begin(), scales.end(),
              [](const WarpScale& a, const WarpScale& b) { return a.x * a.y < b.x * b.y; });
    WarpScale largest{0, 0};
    for (const WarpScale& scale : scales) {
        largest = {std::max(largest.x, scale.x), std::max(largest.y, scale.y)};
    }
    WarpScale mean{0, 0};
    int count = 0;
    for (const WarpScale& scale : scales) {
        if (scale.x > 0.1 * largest.x && scale.y > 0.1 * largest.y) {
            const double share = 1.0 / ++count;
            mean.x += (scale.x - mean.x) * share;
            mean.y += (scale.y - mean.y) * share;
        }
    }
    return {mean.x > 0 ? mean.x : 1.0, mean.y > 0 ? mean.y : 1.0};
}

// The mean over unit squares of the destination at up to 10 x 10 places. They are counted from 0,
// not from the window's origin, as GDAL's are.
WarpScale ScaleByUnitSquares(int width, int height, GDALTransformerFunc transformer,
                             void* argument) {
    std::vector<double> columns = Places(width), rows = Places(height);
    for (std::vector<double>* places : {&columns, &rows}) {
        if (places->size() > 1) {
            places->back() -= 1.0;  // the last one ends with the window
        }
    }
    std::vector<double> x, y;
    for (const double row : rows) {
        for (const double column : columns) {
            x.insert(x.end(), {column, column + 1, column, column + 1});
            y.insert(y.end(), {row, row, row + 1, row + 1});
        }
    }
    std::vector<double> z(x.size(), 0.0);
    std::vector<int> success(x.size(), FALSE);
    transformer(argument, TRUE, static_cast<int>(x.size()), x.data(), y.data(), z.data(),
                success.data());
    std::vector<WarpScale> scales;
    for (size_t i = 0; i < x.size(); i += 4) {
        if (!(success[i] && success[i + 1] && success[i + 2] && success[i + 3])) continue;
        WarpScale scale;
        const UnitSquare square = {
            {{x[i], y[i]}, {x[i + 1], y[i + 1]}, {x[i + 2], y[i + 2]}, {x[i + 3], y[i + 3]}}};
        if (ScaleOfSquare(square, scale)) scales.push_back(scale);
    }
    const WarpScale mean = MeanWithoutOutliers(std::move(scales));
    return {RoundReciprocal(mean.x), RoundReciprocal(mean.y)};
}

// The mean over a grid of at most 10 x 10 points of 1 / (the source columns that one destination
// pixel spans), without the points whose scale is below a tenth of the largest: those straddle a
// discontinuity. `fallback` where every point fails. The points are counted from 0, not from the
// window's origin, as GDAL's are.
double SampledXScale(int width, int height, GDALTransformerFunc transformer, void* argument,
                     double fallback) {
    const std::vector<double> columns = Places(width), rows = Places(height);
    std::vector<double> x, y;
    for (const double& row : rows) {
        const double step_y = &row == &rows.back() ? -1.0 : 1.0;
        for (const double& column : columns) {
            const double step_x = &column == &columns.back() ? -1.0 : 1.0;
            x.insert(x.end(), {column, column + step_x, column});
            y.insert(y.end(), {row, row, row + step_y});
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

bool AsksForSampledScale(const char* option) {
    return EQUAL(option, "FROM_GRID_SAMPLING") && !LoadedGdalRules().scale_by_unit_squares;
}

WarpScale ComputeWarpScale(int destination_width, int destination_height, int source_width,
                           int source_height, double source_x_extra, double source_y_extra,
                           char** warp_options, GDALTransformerFunc transformer, void* argument) {
    const char* x_option = CSLFetchNameValue(warp_options, "XSCALE");
    const char* y_option = CSLFetchNameValue(warp_options, "YSCALE");
    if (LoadedGdalRules().scale_by_unit_squares) {
        WarpScale scale;
        if (x_option == nullptr || y_option == nullptr) {
            scale =
                ScaleByUnitSquares(destination_width, destination_height, transformer, argument);
        }
        return {x_option != nullptr ? CPLAtof(x_option) : scale.x,
                y_option != nullptr ? CPLAtof(y_option) : scale.y};
    }
    WarpScale scale{AxisScale(destination_width, source_width, source_x_extra),
                    AxisScale(destination_height, source_height, source_y_extra)};
    const bool sample = x_option != nullptr && AsksForSampledScale(x_option);
    if (x_option != nullptr && !sample) {
        scale.x = CPLAtof(x_option);
    }
    if (y_option != nullptr) {
        scale.y = CPLAtof(y_option);
    }
    if (sample || scale.y / scale.x > 100) {
        scale.x =
            SampledXScale(destination_width, destination_height, transformer, argument, scale.x);
    }
    return scale;
}

}  // namespace gdalgpu
