// Grids of shifts: subgrids in one table, in the order in which PROJ searches them, and float
// values behind it. All angles in radians.
#pragma once

#include "proj/angles.h"

namespace kernels {
namespace step {

// No such subgrid.
constexpr int64 kNone = -1;

// One grid of a file. Its nodes stand from west to east, rows from south to north.
struct Subgrid {
    double west;  // of the outermost nodes
    double south;
    double east;
    double north;
    double res_x;
    double res_y;
    double inverse_x;  // 1 / res_x
    double inverse_y;
    int64 width;  // nodes
    int64 height;
    int64 values;  // where they begin: floats from the start of the table
    int64 child;   // first of the subgrids within this one, or kNone
    int64 next;    // searched where the point isn't in this one, or kNone
    int64 flags;
};

constexpr int64 kNullGrid = 1;    // holds every point, shifts none
constexpr int64 kWholeWorld = 2;  // goes all the way round

// Whether a point is in the subgrid, or within `margin` of it.
GPU_FUNC bool holds(const Subgrid& grid, double lon, double lat, double margin) {
    if (!(lat + margin >= grid.south && lat - margin <= grid.north)) return false;
    if (grid.flags & kWholeWorld) return true;
    if (lon + margin < grid.west) {
        lon += proj::kTwoPi;
    } else if (lon - margin > grid.east) {
        lon -= proj::kTwoPi;
    }
    return lon + margin >= grid.west && lon - margin <= grid.east;
}

// The deepest subgrid that holds the point, or kNone. Of several side by side the first counts.
// margin: in cells of each grid.
GPU_FUNC int64 find_subgrid(const Subgrid* grids, double lon, double lat, double margin) {
    int64 found = kNone;
    int64 at = grids == nullptr ? kNone : 0;
    while (at != kNone) {
        const Subgrid& grid = grids[at];
        if (grid.flags & kNullGrid) return at;
        if (holds(grid, lon, lat, (grid.res_x + grid.res_y) * margin)) {
            found = at;
            at = grid.child;
        } else {
            at = grid.next;
        }
    }
    return found;
}

// The values of a node, `count` floats each.
GPU_FUNC const float* node(const Subgrid* grids, const Subgrid& grid, int64 column, int64 row,
                           int count) {
    return reinterpret_cast<const float*>(grids) + grid.values +
           (row * grid.width + column) * count;
}

GPU_FUNC int64 clamp_index(int64 index, int64 size) {
    return index < 0 ? 0 : index >= size ? size - 1 : index;
}

// Three values of a point by bilinear interpolation, from nodes of three. False outside.
GPU_FUNC bool interpolate_three(const Subgrid* grids, double lon, double lat, double values[3]) {
    const int64 found = find_subgrid(grids, lon, lat, 0);
    if (found == kNone) return false;
    const Subgrid& grid = grids[found];
    if (grid.flags & kNullGrid) {
        values[0] = values[1] = values[2] = 0;
        return true;
    }
    if (lon < grid.west) {
        lon += proj::kTwoPi;
    } else if (lon > grid.east) {
        lon -= proj::kTwoPi;
    }
    const double x = (lon - grid.west) * grid.inverse_x;
    const double y = (lat - grid.south) * grid.inverse_y;
    const int64 column = clamp_index(x == x ? int64(x) : 0, grid.width);
    const int64 row = clamp_index(y == y ? int64(y) : 0, grid.height);
    const int64 right = clamp_index(column + 1, grid.width);
    const int64 upper = clamp_index(row + 1, grid.height);
    const float* v00 = node(grids, grid, column, row, 3);
    const float* v10 = node(grids, grid, right, row, 3);
    const float* v01 = node(grids, grid, column, upper, 3);
    const float* v11 = node(grids, grid, right, upper, 3);
    const double fx = x - double(column);
    const double fy = y - double(row);
    for (int i = 0; i < 3; ++i) {
        values[i] = (1 - fx) * (1 - fy) * v00[i] + fx * (1 - fy) * v10[i] + (1 - fx) * fy * v01[i] +
                    fx * fy * v11[i];
    }
    return true;
}

}  // namespace step
}  // namespace kernels
