// Source positions that the CPU computed: at every pixel centre of a window, or every corner
// between its pixels, or on a grid to interpolate between.
#pragma once

#include "georef/nodes.h"

namespace kernels {
namespace georef {

constexpr int sample_block_log2 = 5;
constexpr int sample_block =
    1 << sample_block_log2;  // pixels across a block, counted from destination pixel 0

// A block of the destination. shift 0: nodes as node_at() has them. Otherwise cells of 1 << shift
// pixels a side, with a node at each of their corners
// ((sample_block >> shift) + 1 a row).
struct SampleBlock {
    int64 first;  // number of its first node
    int64 shift;
};

// nodes: x and y of the source position, one after the other; NaN where the transformer fails.
struct Sampled {
    int64 x0, y0, width, height;  // window of the destination
    int64 block_x0, block_y0;     // of the first block of the table
    int64 blocks_across;
    const SampleBlock* blocks;  // null: those of the window, as node_at() has them
    const double* nodes;
    int64 corners;  // 1: of the corners between pixels; 0: of pixel centres

    GPU_FUNC bool to_source(long long column, long long row, double place_x, double place_y,
                            double& x, double& y) const {
        if (column < x0 || row < y0 || column >= x0 + width || row >= y0 + height) return false;
        const double* node;
        if (blocks == nullptr) {
            node = nodes +
                   2 * node_at(column - x0, row - y0, width, height, corners, place_x, place_y);
            x = node[0];
            y = node[1];
            return x == x;
        }
        const SampleBlock block = blocks[((row >> sample_block_log2) - block_y0) * blocks_across +
                                         (column >> sample_block_log2) - block_x0];
        const int64 in_x = column & (sample_block - 1), in_y = row & (sample_block - 1);
        node = nodes + 2 * block.first;
        if (block.shift == 0) {
            node += 2 * node_at(in_x, in_y, sample_block, sample_block, corners, place_x, place_y);
            x = node[0];
            y = node[1];
            return x == x;
        }
        const int64 cell_x = in_x >> block.shift, cell_y = in_y >> block.shift;
        const int64 across = (sample_block >> block.shift) + 1;
        const double size = (double)(1 << block.shift);
        const double u = ((double)in_x + place_x) / size - (double)cell_x,
                     v = ((double)in_y + place_y) / size - (double)cell_y;
        const double* upper = node + 2 * (cell_y * across + cell_x);
        const double* lower = upper + 2 * across;
        x = (upper[0] * (1.0 - u) + upper[2] * u) * (1.0 - v) +
            (lower[0] * (1.0 - u) + lower[2] * u) * v;
        y = (upper[1] * (1.0 - u) + upper[3] * u) * (1.0 - v) +
            (lower[1] * (1.0 - u) + lower[3] * u) * v;
        return true;
    }
};

}  // namespace georef
}  // namespace kernels
