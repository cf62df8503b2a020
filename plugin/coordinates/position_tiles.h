// The exact positions of a warp as polynomials over tiles of the destination, within 1e-8 source
// pixels, and one by one where they aren't smooth: what devices and CPU share, so that their pixels
// are the same.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "georef/tiles.h"
#include "plugin/coordinates/exact_transformer.h"
#include "plugin/coordinates/pixel_transform.h"

namespace gdalgpu {

class PositionTiles {
  public:
    // Pixels a side of a tile.
    static constexpr int64_t kSmallest = int64_t{1} << kernels::georef::tile_cell_log2;
    static constexpr int64_t kLargest = 512;

    // whole: the window that will be asked for parts of; null: anywhere. piecewise: positions are
    // of several formulas or of grids, each with an area of its own, of which those of less than
    // 8 pixels across may not be seen.
    PositionTiles(std::shared_ptr<ExactTransformer> exact, const PixelWindow* whole, bool piecewise,
                  PixelPoints points = PixelPoints::Centres);
    ~PositionTiles();

    // Those that cover a window. `tiles` points into the rest.
    struct Table {
        kernels::georef::Tiles tiles{};
        std::vector<kernels::int32> tile_of_cell;
        std::vector<kernels::georef::Tile> list;
        std::vector<double> numbers;
        std::vector<double> bends;  // of each tile: how far its polynomials are from flat ones
        PixelWindow window;

        // What all positions of the window lie between; x_min > x_max where there are none.
        struct Bounds {
            double x_min, y_min, x_max, y_max;
        };
        Bounds Enclose() const;
    };
    // From any thread. A tile doesn't depend on the window, and is kept.
    Table Of(const PixelWindow& window);

  private:
    struct Root;
    using Key = std::pair<int64_t, int64_t>;  // row and column, in the largest tiles
    std::map<Key, std::shared_ptr<const Root>> Roots(const PixelWindow& window);

    const std::shared_ptr<ExactTransformer> exact_;
    const bool piecewise_;
    const PixelPoints points_;
    const PixelWindow whole_;
    std::mutex mutex_;
    std::map<Key, std::shared_ptr<const Root>> kept_;
    size_t kept_bytes_ = 0;
};

}  // namespace gdalgpu
