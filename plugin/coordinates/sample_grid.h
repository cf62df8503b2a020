// The exact transformer sampled over a window of the destination, for kernels::georef::Sampled.
#pragma once

#include <cstdint>
#include <vector>

#include "georef/sampled.h"
#include "plugin/coordinates/exact_transformer.h"
#include "plugin/coordinates/pixel_transform.h"

namespace gdalgpu {

struct SampleGrid {
    int64_t block_x0 = 0;  // first block, counted from destination pixel 0
    int64_t block_y0 = 0;
    int64_t blocks_across = 0;
    std::vector<kernels::georef::SampleBlock> blocks;
    std::vector<double> nodes;  // x and y of each
};

// A grid from which bilinear interpolation gives every source position in the window to within
// `threshold` pixels
// (|dx| + |dy|). Each block of destination pixels gets the widest cells with which its points of
// comparison (the middle of each cell, of its edges and of its quarters) differ by half of the
// threshold at most; where none do, or a point fails, and in the blocks next to such a one, the
// transformer is sampled at each pixel. A block doesn't depend on the window. smooth: cells of up
// to a block's size are tried; otherwise of 8 pixels.
SampleGrid SampleAdaptively(ExactTransformer& exact, const PixelWindow& window, double threshold,
                            bool smooth, PixelPoints points = PixelPoints::Centres);

// The source positions of a point of each pixel of some rows, x and y of each, NaN where they fail.
void SampleEachPoint(ExactTransformer& exact, const PixelWindow& rows, PixelPlace place,
                     double* nodes);

}  // namespace gdalgpu
