// Positions of single points, in the order in which they are kept.
#pragma once

#include "core/core.h"

namespace kernels {
namespace georef {

// The number of the node of a pixel's place, among those of width x height pixels: of the centres
// (0.5, 0.5), row by row; or (corners = 1) of the corners (0 or 1 each), row by row, and after them
// of the middles of the first edges (0.5, 0).
GPU_FUNC int64 node_at(int64 column, int64 row, int64 width, int64 height, int64 corners,
                       double place_x, double place_y) {
    if (!corners) return row * width + column;
    if (place_x == 0.5) return (width + 1) * (height + 1) + row * width + column;
    return (row + (int64)place_y) * (width + 1) + column + (int64)place_x;
}

// How many those are.
GPU_FUNC int64 node_count(int64 width, int64 height, int64 corners) {
    return corners ? (width + 1) * (height + 1) + width * height : width * height;
}

}  // namespace georef
}  // namespace kernels
