// vgridshift: heights by the value of a grid times a factor, bilinear. Nodes without a value are
// NaN; the others of a cell stand in for them.
#pragma once

#include "step/grids.h"

namespace kernels {
namespace step {

// The grids' value at a point times `multiplier`. False outside, and where a cell has no value at
// all. As in PROJ, NaN coordinates give infinity and no failure.
GPU_FUNC bool vertical_value(const Subgrid* grids, double lon, double lat, double multiplier,
                             double& value) {
    value = HUGE_VAL;
    if (lon != lon || lat != lat) return true;
    const int64 found = find_subgrid(grids, lon, lat, 0);
    if (found == kNone) return false;
    const Subgrid& grid = grids[found];
    if (grid.flags & kNullGrid) {
        value = 0;
        return true;
    }
    const bool whole_world = grid.flags & kWholeWorld;
    const double width = double(grid.width);
    double x = (lon - grid.west) * grid.inverse_x;
    if (lon < grid.west || lon > grid.east) {
        x = whole_world       ? fmod(fmod(x + width, width) + width, width)
            : lon < grid.west ? (lon + proj::kTwoPi - grid.west) * grid.inverse_x
                              : (lon - proj::kTwoPi - grid.west) * grid.inverse_x;
    }
    double y = (lat - grid.south) * grid.inverse_y;
    const int64 column = x == x ? int64(floor(x)) : 0;
    if (column < 0 || column >= grid.width) return false;
    const int64 row = clamp_index(int64(floor(y)), grid.height);
    x -= double(column);
    y -= double(row);
    const int64 right = column + 1 < grid.width ? column + 1 : whole_world ? 0 : grid.width - 1;
    const int64 upper = clamp_index(row + 1, grid.height);
    const float nodes[4] = {*node(grids, grid, column, row, 1), *node(grids, grid, right, row, 1),
                            *node(grids, grid, column, upper, 1),
                            *node(grids, grid, right, upper, 1)};
    const double xy = x * y;
    const double weights[4] = {1 - x - y + xy, x - xy, y - xy, xy};
    double sum = 0;
    double total = 0;
    int valid = 0;
    for (int i = 0; i < 4; ++i) {
        if (nodes[i] == nodes[i]) {
            sum += nodes[i] * weights[i];
            total += weights[i];
            ++valid;
        }
    }
    if (valid == 0) return false;
    value = (valid == 4 ? sum : sum / total) * multiplier;
    return true;
}

struct VerticalGridShift {
    const Subgrid* grids;
    double multiplier;
    double epoch;  // years; where the step is restricted to points before it

    GPU_FUNC bool forward(double lon, double lat, double& z) const {
        double value;
        const bool there = vertical_value(grids, lon, lat, multiplier, value);
        z += value;
        return there;
    }
    GPU_FUNC bool inverse(double lon, double lat, double& z) const {
        double value;
        const bool there = vertical_value(grids, lon, lat, multiplier, value);
        z -= value;
        return there;
    }
};

}  // namespace step
}  // namespace kernels
