// Where the pixels of a destination lie in the source, on the CPU: what a PixelTransform gives a
// kernel, for GDAL's own warp code. A pixel's position doesn't depend on the window that it is
// asked in.
#pragma once

#include <cstdint>
#include <memory>

#include "plugin/coordinates/exact_transformer.h"
#include "plugin/coordinates/pixel_transform.h"
#include "plugin/coordinates/position_tiles.h"

namespace gdalgpu {

class CpuPositions {
  public:
    virtual ~CpuPositions() = default;

    // The source positions of a point of `count` pixels of a destination row, from `column` on, all
    // in the window that this was made for; NaN where there is none. place: in the pixel, as
    // to_source() of PixelTransform::Emit() has it. From any thread.
    virtual void Row(int64_t row, int64_t column, int64_t count, PixelPlace place, double* x,
                     double* y) const = 0;

    // Positions that lie between all those of a window: false where that isn't known beforehand.
    using Bounds = PositionTiles::Table::Bounds;
    virtual bool Enclose(Bounds&) const { return false; }
};

// The exact transformer at each pixel.
std::unique_ptr<CpuPositions> MakeExactPositions(std::shared_ptr<ExactTransformer> exact);

// By the tiles' polynomials.
std::unique_ptr<CpuPositions> MakeTilePositions(PositionTiles& tiles, const PixelWindow& window);

// Interpolated on SampleAdaptively's grid.
std::unique_ptr<CpuPositions> MakeGridPositions(ExactTransformer& exact, const PixelWindow& window,
                                                double threshold, bool smooth, PixelPoints points);

}  // namespace gdalgpu
