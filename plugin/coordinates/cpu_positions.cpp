#include "plugin/coordinates/cpu_positions.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <vector>

#include "plugin/coordinates/sample_grid.h"

namespace gdalgpu {
namespace {

using Lease = ExactTransformer::Lease;

class ExactPositions : public CpuPositions {
  public:
    explicit ExactPositions(std::shared_ptr<ExactTransformer> exact) : exact_(std::move(exact)) {}

    void Row(int64_t row, int64_t column, int64_t count, PixelPlace place, double* x,
             double* y) const override {
        for (int64_t i = 0; i < count; ++i) {
            x[i] = static_cast<double>(column + i) + place.x;
            y[i] = static_cast<double>(row) + place.y;
        }
        Lease(*exact_).ToSource(static_cast<size_t>(count), x, y);
    }

  private:
    const std::shared_ptr<ExactTransformer> exact_;
};

class GridPositions : public CpuPositions {
  public:
    GridPositions(ExactTransformer& exact, const PixelWindow& window, double threshold, bool smooth,
                  PixelPoints points)
        : grid_(SampleAdaptively(exact, window, threshold, smooth, points)) {
        sampled_ = {window.x,
                    window.y,
                    window.width,
                    window.height,
                    grid_.block_x0,
                    grid_.block_y0,
                    grid_.blocks_across,
                    grid_.blocks.data(),
                    grid_.nodes.data(),
                    PointsBeyond(points)};
    }

    void Row(int64_t row, int64_t column, int64_t count, PixelPlace place, double* x,
             double* y) const override {
        for (int64_t i = 0; i < count; ++i) {
            if (!sampled_.to_source(column + i, row, place.x, place.y, x[i], y[i])) {
                x[i] = y[i] = std::numeric_limits<double>::quiet_NaN();
            }
        }
    }

  private:
    const SampleGrid grid_;
    kernels::georef::Sampled sampled_;
};

// Wider instructions where the processor has them; the same bits, since nothing is fused.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define GDALGPU_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define GDALGPU_WIDE
#endif

// Tile::along() of the pixels of a tile that is so large.
const double* AlongTile(int64_t size, double place) {
    static const auto tables = [] {
        std::map<std::pair<int64_t, double>, std::vector<double>> all;
        for (int64_t of = PositionTiles::kSmallest; of <= PositionTiles::kLargest; of *= 2) {
            kernels::georef::Tile tile{};
            tile.size = of;
            for (const double at : {0.0, 0.5, 1.0}) {
                for (int64_t i = 0; i < of; ++i) all[{of, at}].push_back(tile.along(i, at));
            }
        }
        return all;
    }();
    return tables.at({size, place}).data();
}

// values = values * u + term.
GDALGPU_WIDE void AddTerm(const double* __restrict u, size_t count, double term,
                          double* __restrict values) {
    for (size_t i = 0; i < count; ++i) values[i] = values[i] * u[i] + term;
}

class TilePositions : public CpuPositions {
  public:
    explicit TilePositions(PositionTiles::Table table) : table_(std::move(table)) {}

    // As Tiles::to_source(), operation by operation; a row of a tile has one polynomial.
    void Row(int64_t row, int64_t column, int64_t count, PixelPlace place, double* x,
             double* y) const override {
        constexpr int terms = kernels::georef::tile_terms;
        const int64_t end = column + count;
        for (int64_t from = column; from < end;) {
            const kernels::georef::Tile& tile = table_.tiles.tile_at(from, row);
            const int64_t to = std::min<int64_t>(end, tile.x + tile.size);
            const double* number = table_.numbers.data() + tile.first;
            if (tile.terms < 0) {
                constexpr double nan = std::numeric_limits<double>::quiet_NaN();
                x = std::fill_n(x, to - from, nan);
                y = std::fill_n(y, to - from, nan);
                from = to;
                continue;
            }
            if (tile.terms == 0) {
                number +=
                    2 * kernels::georef::node_at(from - tile.x, row - tile.y, tile.size, tile.size,
                                                 table_.tiles.corners, place.x, place.y);
                for (; from < to; ++from, number += 2) {
                    *x++ = number[0];
                    *y++ = number[1];
                }
                continue;
            }
            std::array<double, terms> in_x{}, in_y{};
            const double v = tile.along(row - tile.y, place.y);
            for (int64_t p = 0; p < tile.terms; ++p) {
                kernels::georef::row_term(number, tile.terms, v, in_x[p], in_y[p]);
            }
            const auto pixels = static_cast<size_t>(to - from);
            const double* u = AlongTile(tile.size, place.x) + (from - tile.x);
            std::fill_n(x, pixels, in_x[0]);
            std::fill_n(y, pixels, in_y[0]);
            for (int64_t p = 1; p < tile.terms; ++p) {
                AddTerm(u, pixels, in_x[p], x);
                AddTerm(u, pixels, in_y[p], y);
            }
            x += pixels;
            y += pixels;
            from = to;
        }
    }

    bool Enclose(Bounds& bounds) const override {
        bounds = table_.Enclose();
        return true;
    }

  private:
    const PositionTiles::Table table_;
};

}  // namespace

std::unique_ptr<CpuPositions> MakeExactPositions(std::shared_ptr<ExactTransformer> exact) {
    return std::make_unique<ExactPositions>(std::move(exact));
}

std::unique_ptr<CpuPositions> MakeTilePositions(PositionTiles& tiles, const PixelWindow& window) {
    return std::make_unique<TilePositions>(tiles.Of(window));
}

std::unique_ptr<CpuPositions> MakeGridPositions(ExactTransformer& exact, const PixelWindow& window,
                                                double threshold, bool smooth, PixelPoints points) {
    return std::make_unique<GridPositions>(exact, window, threshold, smooth, points);
}

}  // namespace gdalgpu
