// hgridshift: longitude and latitude by the shift of a grid, bilinear; back by fixed-point
// iteration. The search margin, the edges, the limit and the tolerance are PROJ's.
#pragma once

#include "step/grids.h"

namespace kernels {
namespace step {

constexpr double kGridMargin = 1e-5;  // in cells

// The shift at a point given by its distance from the grid's south-west corner. False outside.
GPU_FUNC bool interpolate_shift(const Subgrid* grids, const Subgrid& grid, double lon, double lat,
                                double& shift_lon, double& shift_lat) {
    // Node below and fraction; positions up to ten margins outside count as on the edge.
    const auto cell = [](double position, int64 size, int64& index, double& fraction) {
        index = position == position ? int64(floor(position)) : 0;
        fraction = position - double(index);
        if (index == -1 && fraction > 1 - 10 * kGridMargin) {
            index = 0;
            fraction = 0;
        } else if (index >= 1 && index + 1 == size && fraction < 10 * kGridMargin) {
            --index;
            fraction = 1;
        }
        return index >= 0 && index + 1 < size;
    };
    int64 column, row;
    double fx, fy;
    if (!cell(lon / grid.res_x, grid.width, column, fx) ||
        !cell(lat / grid.res_y, grid.height, row, fy)) {
        return false;
    }
    const float* v00 = node(grids, grid, column, row, 2);
    const float* v10 = v00 + 2;
    const float* v01 = node(grids, grid, column, row + 1, 2);
    const float* v11 = v01 + 2;
    const double m00 = (1 - fx) * (1 - fy);
    const double m10 = fx * (1 - fy);
    const double m01 = (1 - fx) * fy;
    const double m11 = fx * fy;
    shift_lon = m00 * v00[0] + m10 * v10[0] + m01 * v01[0] + m11 * v11[0];
    shift_lat = m00 * v00[1] + m10 * v10[1] + m01 * v01[1] + m11 * v11[1];
    return true;
}

// The distance from a grid's western edge, on the turn that is near the grid. `margin` in radians.
GPU_FUNC double from_west(const Subgrid& grid, double lon, double margin) {
    const double distance = lon - grid.west;
    return distance + margin < 0                       ? distance + proj::kTwoPi
           : distance - margin > grid.east - grid.west ? distance - proj::kTwoPi
                                                       : distance;
}

struct HorizontalGridShift {
    const Subgrid* grids;
    double epoch;  // years; where the step is restricted to points before it

    GPU_FUNC bool forward(double& lon, double& lat) const {
        const int64 found = find_subgrid(grids, lon, lat, kGridMargin);
        if (found == kNone) return false;
        const Subgrid& grid = grids[found];
        if (grid.flags & kNullGrid) return true;
        const double margin = (grid.res_x + grid.res_y) * kGridMargin;
        double shift_lon, shift_lat;
        if (!interpolate_shift(grids, grid, from_west(grid, lon, margin), lat - grid.south,
                               shift_lon, shift_lat)) {
            return false;
        }
        lon += shift_lon;
        lat += shift_lat;
        return true;
    }

    GPU_FUNC bool inverse(double& lon, double& lat) const {
        const int64 found = find_subgrid(grids, lon, lat, kGridMargin);
        if (found == kNone) return false;
        const Subgrid* grid = grids + found;
        if (grid->flags & kNullGrid) return true;
        const double margin = (grid->res_x + grid->res_y) * kGridMargin;
        // The point, and what is to become of it, from the grid's south-west corner.
        double to_x = from_west(*grid, lon, margin);
        double to_y = lat - grid->south;
        double shift_lon, shift_lat;
        if (!interpolate_shift(grids, *grid, to_x, to_y, shift_lon, shift_lat)) return false;
        double x = to_x - shift_lon;
        double y = to_y - shift_lat;
        for (int left = 9;; --left) {
            if (!interpolate_shift(grids, *grid, x, y, shift_lon, shift_lat)) {
                // Out of this grid: on in the one that holds the point now, if another does.
                const double away_lon = x + grid->west;
                const double away_lat = y + grid->south;
                const int64 other = find_subgrid(grids, away_lon, away_lat, kGridMargin);
                if (other == kNone || grids + other == grid || grids[other].flags & kNullGrid) {
                    break;
                }
                grid = grids + other;
                x = away_lon - grid->west;
                y = away_lat - grid->south;
                to_x = from_west(*grid, lon, margin);
                to_y = lat - grid->south;
                if (left == 0) return false;
                continue;
            }
            const double dx = x + shift_lon - to_x;
            const double dy = y + shift_lat - to_y;
            x -= dx;
            y -= dy;
            if (left == 0) return false;
            if (!(dx * dx + dy * dy > 1e-24)) break;
        }
        lon = proj::wrap_longitude(x + grid->west);
        lat = y + grid->south;
        return true;
    }
};

}  // namespace step
}  // namespace kernels
