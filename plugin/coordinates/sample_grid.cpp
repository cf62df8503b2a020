#include "plugin/coordinates/sample_grid.h"

#include <algorithm>
#include <cmath>

namespace gdalgpu {
namespace {

using kernels::georef::node_at;
using kernels::georef::node_count;
using kernels::georef::sample_block;
using kernels::georef::sample_block_log2;
using kernels::georef::SampleBlock;
using Lease = ExactTransformer::Lease;

constexpr int finest_shift =
    3;  // with smaller cells, the nodes and points of comparison are as many as the pixels

struct Points {
    std::vector<double> x, y;

    void clear() {
        x.clear();
        y.clear();
    }
    void add(double px, double py) {
        x.push_back(px);
        y.push_back(py);
    }
    void add_pixel(int64_t column, int64_t row, PixelPlace place) {
        add(static_cast<double>(column) + place.x, static_cast<double>(row) + place.y);
    }
    size_t size() const { return x.size(); }
    void transform(Lease& lease) { lease.ToSource(x.size(), x.data(), y.data()); }
};

// The blocks that cover the window, and one more on every side.
struct BlockRange {
    int64_t x0, y0, width, height;

    explicit BlockRange(const PixelWindow& window)
        : x0((window.x >> sample_block_log2) - 1),
          y0((window.y >> sample_block_log2) - 1),
          width(((window.x + window.width - 1) >> sample_block_log2) + 2 - x0),
          height(((window.y + window.height - 1) >> sample_block_log2) + 2 - y0) {}
};

// The points of one block for cells of 1 << shift pixels: its nodes, row by row, then for each cell
// the middles of its upper, left, lower and right edge, its own, and those of its quarters.
constexpr double comparisons[9][2] = {{0.5, 0},     {0, 0.5},     {0.5, 1},
                                      {1, 0.5},     {0.5, 0.5},   {0.25, 0.25},
                                      {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}};

void AddBlock(Points& points, int64_t block_x, int64_t block_y, int shift) {
    const int cells = sample_block >> shift;
    const double size = 1 << shift;
    const double left = static_cast<double>(block_x) * sample_block,
                 top = static_cast<double>(block_y) * sample_block;
    for (int j = 0; j <= cells; ++j)
        for (int i = 0; i <= cells; ++i) points.add(left + i * size, top + j * size);
    for (int j = 0; j < cells; ++j)
        for (int i = 0; i < cells; ++i)
            for (const auto& [u, v] : comparisons)
                points.add(left + (i + u) * size, top + (j + v) * size);
}

int64_t NodesOf(int shift) {
    const int64_t across = (sample_block >> shift) + 1;
    return across * across;
}

// Whether the transformed points of a block (from `first` on) lie where interpolation puts them.
bool Interpolates(const Points& points, size_t first, int shift, double tolerance) {
    const int cells = sample_block >> shift;
    const double* x = points.x.data() + first;
    const double* y = points.y.data() + first;
    size_t compared = NodesOf(shift);
    for (int j = 0; j < cells; ++j) {
        for (int i = 0; i < cells; ++i) {
            const size_t upper = j * (cells + 1) + i, lower = upper + cells + 1;
            const auto between = [&](const double* value, double u, double v) {
                return (value[upper] * (1 - u) + value[upper + 1] * u) * (1 - v) +
                       (value[lower] * (1 - u) + value[lower + 1] * u) * v;
            };
            for (const auto& [u, v] : comparisons) {
                const double error = std::fabs(between(x, u, v) - x[compared]) +
                                     std::fabs(between(y, u, v) - y[compared]);
                if (!(error <= tolerance)) return false;  // NaN too
                ++compared;
            }
        }
    }
    return true;
}

// The result for the blocks of one row of them: the shift of each (0: each pixel) and its nodes.
struct BlockRow {
    std::vector<int> shifts;
    std::vector<std::vector<double>> nodes;
};

BlockRow ClassifyRow(Lease& lease, const BlockRange& range, int64_t row, double tolerance,
                     int widest_shift) {
    BlockRow result;
    result.shifts.assign(range.width, 0);
    result.nodes.resize(range.width);
    std::vector<int64_t> open(range.width);
    for (int64_t i = 0; i < range.width; ++i) open[i] = i;
    Points points;
    for (int shift = widest_shift; shift >= finest_shift && !open.empty(); --shift) {
        points.clear();
        for (const int64_t i : open) AddBlock(points, range.x0 + i, range.y0 + row, shift);
        points.transform(lease);
        const size_t per_block = points.size() / open.size();
        std::vector<int64_t> refused;
        for (size_t k = 0; k < open.size(); ++k) {
            const size_t first = k * per_block;
            if (!Interpolates(points, first, shift, tolerance)) {
                refused.push_back(open[k]);
                continue;
            }
            result.shifts[open[k]] = shift;
            std::vector<double>& nodes = result.nodes[open[k]];
            for (int64_t n = 0; n < NodesOf(shift); ++n) {
                nodes.push_back(points.x[first + n]);
                nodes.push_back(points.y[first + n]);
            }
        }
        open = std::move(refused);
    }
    return result;
}

}  // namespace

SampleGrid SampleAdaptively(ExactTransformer& exact, const PixelWindow& window, double threshold,
                            bool smooth, PixelPoints pixel_points) {
    SampleGrid grid;
    if (window.width <= 0 || window.height <= 0) return grid;
    const BlockRange range(window);
    const int64_t beyond = PointsBeyond(pixel_points);
    std::vector<BlockRow> rows(range.height);
    exact.Run(range.height, [&](Lease& lease, int64_t row) {
        rows[row] = ClassifyRow(lease, range, row, 0.5 * threshold,
                                smooth ? sample_block_log2 : finest_shift);
    });

    grid.block_x0 = range.x0 + 1;
    grid.block_y0 = range.y0 + 1;
    grid.blocks_across = range.width - 2;
    const int64_t blocks_down = range.height - 2;
    grid.blocks.reserve(grid.blocks_across * blocks_down);
    int64_t nodes = 0;
    for (int64_t j = 1; j <= blocks_down; ++j) {
        for (int64_t i = 1; i <= grid.blocks_across; ++i) {
            // A fold or the end of the domain may reach into a block between its points of
            // comparison.
            bool each_pixel = false;
            for (int64_t nj = j - 1; nj <= j + 1; ++nj)
                for (int64_t ni = i - 1; ni <= i + 1; ++ni)
                    each_pixel = each_pixel || rows[nj].shifts[ni] == 0;
            const int shift = each_pixel ? 0 : rows[j].shifts[i];
            grid.blocks.push_back(SampleBlock{nodes, shift});
            nodes += shift == 0 ? node_count(sample_block, sample_block, beyond) : NodesOf(shift);
        }
    }
    grid.nodes.resize(2 * nodes);

    exact.Run(blocks_down, [&](Lease& lease, int64_t j) {
        const SampleBlock* blocks = grid.blocks.data() + j * grid.blocks_across;
        for (int64_t i = 0; i < grid.blocks_across; ++i) {
            if (blocks[i].shift == 0) continue;
            const std::vector<double>& from = rows[j + 1].nodes[i + 1];
            std::copy(from.begin(), from.end(), grid.nodes.begin() + 2 * blocks[i].first);
        }
        const int64_t top = (grid.block_y0 + j) * sample_block;
        Points points;
        // One point of each pixel; `more`: of the row and the column behind them too.
        const auto sample = [&](PixelPlace place, int64_t more) {
            const int64_t y_end = std::min(window.y + window.height, top + sample_block) + more;
            for (int64_t y = std::max(window.y, top); y < y_end; ++y) {
                const auto columns_of = [&](int64_t i) {
                    const int64_t left = (grid.block_x0 + i) * sample_block;
                    return std::pair(std::max(window.x, left),
                                     std::min(window.x + window.width, left + sample_block) + more);
                };
                for (int64_t i = 0; i < grid.blocks_across;) {
                    int64_t end = i;
                    points.clear();
                    for (; end < grid.blocks_across && blocks[end].shift == 0; ++end) {
                        const auto [x_begin, x_end] = columns_of(end);
                        for (int64_t x = x_begin; x < x_end; ++x) points.add_pixel(x, y, place);
                    }
                    if (end == i) {
                        ++i;
                        continue;
                    }
                    points.transform(lease);
                    size_t next = 0;
                    for (; i < end; ++i) {
                        const auto [x_begin, x_end] = columns_of(i);
                        const int64_t left = (grid.block_x0 + i) * sample_block;
                        for (int64_t x = x_begin; x < x_end; ++x, ++next) {
                            double* node = grid.nodes.data() +
                                           2 * (blocks[i].first +
                                                node_at(x - left, y - top, sample_block,
                                                        sample_block, beyond, place.x, place.y));
                            node[0] = points.x[next];
                            node[1] = points.y[next];
                        }
                    }
                }
            }
        };
        sample({FirstPlace(pixel_points), FirstPlace(pixel_points)}, beyond);
        if (beyond) sample({0.5, 0}, 0);
    });
    return grid;
}

void SampleEachPoint(ExactTransformer& exact, const PixelWindow& rows, PixelPlace place,
                     double* nodes) {
    exact.Run(rows.height, [&](Lease& lease, int64_t row) {
        Points points;
        for (int64_t i = 0; i < rows.width; ++i) points.add_pixel(rows.x + i, rows.y + row, place);
        points.transform(lease);
        double* node = nodes + 2 * row * rows.width;
        for (int64_t i = 0; i < rows.width; ++i) {
            node[2 * i] = points.x[i];
            node[2 * i + 1] = points.y[i];
        }
    });
}

}  // namespace gdalgpu
