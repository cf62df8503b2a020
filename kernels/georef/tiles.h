// Source positions by a polynomial for each tile of the destination, which the CPU has made of the
// exact ones. The same bits on every device: the products and sums below are never fused.
#pragma once

#define GPU_UNFUSED

#include "georef/nodes.h"

namespace kernels {
namespace georef {

constexpr int tile_cell_log2 = 4;  // a cell: 16 pixels a side, counted from destination pixel 0
constexpr int tile_terms = 8;      // of a polynomial along an axis, at most

// A square of the destination: whole cells, and a power of 2.
struct Tile {
    int64 x, y;  // its first pixel
    int64 size;  // pixels a side
    // Of the polynomial along each axis; 0: a position for each pixel centre, or for each corner
    // between pixels and then for the middle of each pixel's first edge, row by row; -1: none at
    // all.
    int64 terms;
    // Of its first number. Polynomial: from the highest power of u down, and for each from the
    // highest power of v down, what it is multiplied by, for x and for y. Otherwise: x and y of
    // each; NaN where there is none.
    int64 first;

    // u or v, from -1 to 1 over the tile, of a place in a pixel, 0 to 1; exact.
    GPU_FUNC double along(int64 offset, double place) const {
        return ((double)offset + place) * (2.0 / (double)size) - 1.0;
    }
};

// The polynomial in u that a row of a tile has: `column` numbers for each power, the highest first.
GPU_FUNC void row_term(const double*& number, int64 terms, double v, double& x, double& y) {
    x = number[0];
    y = number[1];
    number += 2;
    for (int64 q = 1; q < terms; ++q, number += 2) {
        x = x * v + number[0];
        y = y * v + number[1];
    }
}

// The tiles that cover a window.
struct Tiles {
    int64 cell_x0, cell_y0;  // of the table's first cell, in cells
    int64 cells_across;
    const int32* tile_of_cell;
    const Tile* tiles;
    const double* numbers;
    int64 corners;  // 1: of the corners between pixels; 0: of pixel centres

    GPU_FUNC const Tile& tile_at(int64 column, int64 row) const {
        return tiles[tile_of_cell[((row >> tile_cell_log2) - cell_y0) * cells_across +
                                  (column >> tile_cell_log2) - cell_x0]];
    }

    GPU_FUNC bool to_source(long long column, long long row, double place_x, double place_y,
                            double& x, double& y) const {
        const Tile& tile = tile_at(column, row);
        const double* number = numbers + tile.first;
        if (tile.terms < 0) return false;
        if (tile.terms == 0) {
            number += 2 * node_at(column - tile.x, row - tile.y, tile.size, tile.size, corners,
                                  place_x, place_y);
            x = number[0];
            y = number[1];
            return x == x;
        }
        const double u = tile.along(column - tile.x, place_x),
                     v = tile.along(row - tile.y, place_y);
#if defined(__CUDACC__)
        if (by_warp(tile, number, u, v, x, y)) return true;
#endif
        row_term(number, tile.terms, v, x, y);
        for (int64 p = 1; p < tile.terms; ++p) {
            double term_x, term_y;
            row_term(number, tile.terms, v, term_x, term_y);
            x = x * u + term_x;
            y = y * u + term_y;
        }
        return true;
    }

#if defined(__CUDACC__)
    // Where a whole warp is in one row of one tile, each of its threads makes one term of the row's
    // polynomials (those along y by threads 8 to 15), which the others take over: the same
    // operations in the same order.
    GPU_FUNC static bool by_warp(const Tile& tile, const double* number, double u, double v,
                                 double& x, double& y) {
        constexpr unsigned all = 0xFFFFFFFFu;
        if (__activemask() != all) return false;
        const unsigned long long of_tile = (unsigned long long)number;
        if (!__all_sync(all,
                        __shfl_sync(all, of_tile, 0) == of_tile && __shfl_sync(all, v, 0) == v))
            return false;
        const int thread = (int)(threadIdx.x + blockDim.x * threadIdx.y) & 31;
        const int own = thread & (tile_terms - 1);
        double term = 0.0;
        if (own < tile.terms) {
            number += 2 * own * tile.terms + (thread & tile_terms ? 1 : 0);
            term = number[0];
            for (int64 q = 1; q < tile.terms; ++q) {
                number += 2;
                term = term * v + number[0];
            }
        }
        x = __shfl_sync(all, term, 0);
        y = __shfl_sync(all, term, tile_terms);
        for (int p = 1; p < (int)tile.terms; ++p) {
            x = x * u + __shfl_sync(all, term, p);
            y = y * u + __shfl_sync(all, term, tile_terms + p);
        }
        return true;
    }
#endif
};

}  // namespace georef
}  // namespace kernels
