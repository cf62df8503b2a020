#include "plugin/coordinates/cpu_positions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "plugin/coordinates/sample_grid.h"

namespace gdalgpu {
namespace {

using Lease = ExactTransformer::Lease;

class ExactPositions : public CpuPositions {
  public:
    explicit ExactPositions(std::shared_ptr<ExactTransformer> exact) : exact_(std::move(exact)) {}

    void Row(int64_t row, int64_t column, int64_t count, double* x, double* y) const override {
        for (int64_t i = 0; i < count; ++i) {
            x[i] = static_cast<double>(column + i) + 0.5;
            y[i] = static_cast<double>(row) + 0.5;
        }
        Lease(*exact_).ToSource(static_cast<size_t>(count), x, y);
    }

  private:
    const std::shared_ptr<ExactTransformer> exact_;
};

class GridPositions : public CpuPositions {
  public:
    GridPositions(ExactTransformer& exact, const PixelWindow& window, double threshold, bool smooth)
        : grid_(SampleAdaptively(exact, window, threshold, smooth)) {
        sampled_ = {window.x,          window.y,       window.width,        window.height,
                    grid_.block_x0,    grid_.block_y0, grid_.blocks_across, grid_.blocks.data(),
                    grid_.nodes.data()};
    }

    void Row(int64_t row, int64_t column, int64_t count, double* x, double* y) const override {
        for (int64_t i = 0; i < count; ++i) {
            if (!sampled_.to_source(column + i, row, x[i], y[i])) {
                x[i] = y[i] = std::numeric_limits<double>::quiet_NaN();
            }
        }
    }

  private:
    const SampleGrid grid_;
    kernels::georef::Sampled sampled_;
};

constexpr int kBlockLog2 = 6;
constexpr int64_t kBlock = 1 << kBlockLog2;  // pixels a side, counted from destination pixel 0
constexpr int kNodes = 8;                    // of the polynomial along an axis
constexpr double kTolerance = 1e-8;          // source pixels
constexpr double kNegligible = 1e-12;        // of a coefficient, in source pixels

// Chebyshev's nodes and polynomials T_0 ... T_7.
struct Chebyshev {
    std::array<double, kNodes> node;
    std::array<std::array<double, kNodes>, kNodes> at_node;  // [k][i]: T_k of node i
    std::array<std::array<double, kNodes>, kNodes>
        as_powers;  // [k][p]: T_k = sum of these times u^p
    std::array<std::array<double, kNodes>, kBlock> at_pixel;  // [pixel][k]
    std::array<double, kBlock> pixel;                         // a pixel's centre, in -1 to 1

    Chebyshev() : as_powers{} {
        for (int i = 0; i < kNodes; ++i) {
            node[i] = std::cos(M_PI * (i + 0.5) / kNodes);
            for (int k = 0; k < kNodes; ++k)
                at_node[k][i] = std::cos(M_PI * k * (i + 0.5) / kNodes);
        }
        as_powers[0][0] = as_powers[1][1] = 1;
        for (int k = 2; k < kNodes; ++k) {
            for (int p = 0; p < kNodes; ++p) {
                as_powers[k][p] = (p > 0 ? 2 * as_powers[k - 1][p - 1] : 0) - as_powers[k - 2][p];
            }
        }
        for (int64_t i = 0; i < kBlock; ++i) {
            const double u = (2 * static_cast<double>(i) + 1) / kBlock - 1;
            pixel[i] = u;
            at_pixel[i][0] = 1;
            at_pixel[i][1] = u;
            for (int k = 2; k < kNodes; ++k) {
                at_pixel[i][k] = 2 * u * at_pixel[i][k - 1] - at_pixel[i][k - 2];
            }
        }
    }
};

const Chebyshev& TheChebyshev() {
    static const Chebyshev chebyshev;
    return chebyshev;
}

// Pixels of a block, in -1 to 1, at which the polynomials are compared.
constexpr double kCompared[][2] = {{-1, -1},   {1, -1},       {-1, 1},
                                   {1, 1},     {0.05, -0.07}, {-0.6, 0.3},
                                   {0.4, 0.7}, {0.55, -0.5},  {-0.3, -0.85}};

using Coefficients = std::array<std::array<double, kNodes>, kNodes>;  // [row's k][column's k]

Coefficients Fit(const double* values) {
    const Chebyshev& c = TheChebyshev();
    Coefficients along_rows{}, result{};
    for (int j = 0; j < kNodes; ++j) {
        for (int k = 0; k < kNodes; ++k) {
            double sum = 0;
            for (int i = 0; i < kNodes; ++i) sum += c.at_node[k][i] * values[j * kNodes + i];
            along_rows[j][k] = sum * (k == 0 ? 1.0 : 2.0) / kNodes;
        }
    }
    for (int m = 0; m < kNodes; ++m) {
        for (int k = 0; k < kNodes; ++k) {
            double sum = 0;
            for (int j = 0; j < kNodes; ++j) sum += c.at_node[m][j] * along_rows[j][k];
            result[m][k] = sum * (m == 0 ? 1.0 : 2.0) / kNodes;
        }
    }
    return result;
}

double Value(const Coefficients& coefficients, double u, double v) {
    std::array<double, kNodes> in_u, in_v;
    in_u[0] = in_v[0] = 1;
    in_u[1] = u;
    in_v[1] = v;
    for (int k = 2; k < kNodes; ++k) {
        in_u[k] = 2 * u * in_u[k - 1] - in_u[k - 2];
        in_v[k] = 2 * v * in_v[k - 1] - in_v[k - 2];
    }
    double sum = 0;
    for (int m = 0; m < kNodes; ++m) {
        for (int k = 0; k < kNodes; ++k) sum += coefficients[m][k] * in_v[m] * in_u[k];
    }
    return sum;
}

// The part of what was left out that can be told from what is there.
double Tail(const Coefficients& coefficients) {
    double sum = 0;
    for (int m = 0; m < kNodes; ++m) {
        sum += std::fabs(coefficients[m][kNodes - 1]) + std::fabs(coefficients[kNodes - 1][m]);
    }
    return sum;
}

int Degree(const Coefficients& coefficients) {
    for (int k = kNodes - 1; k > 0; --k) {
        for (int m = 0; m < kNodes; ++m) {
            if (std::fabs(coefficients[m][k]) > kNegligible) return k;
        }
    }
    return 0;
}

class SmoothPositions : public CpuPositions {
  public:
    SmoothPositions(std::shared_ptr<ExactTransformer> exact, const PixelWindow& window)
        : exact_(std::move(exact)),
          first_x_(window.x >> kBlockLog2),
          first_y_(window.y >> kBlockLog2),
          across_(((window.x + window.width - 1) >> kBlockLog2) + 1 - first_x_) {
        const int64_t down = ((window.y + window.height - 1) >> kBlockLog2) + 1 - first_y_;
        blocks_.resize(static_cast<size_t>(across_ * down));
        // A row of blocks costs some hundred transformations at least: enough for a piece of work.
        exact_->Run(down, [&](Lease& lease, int64_t block_row) {
            for (int64_t i = 0; i < across_; ++i) {
                MakeBlock(lease, first_x_ + i, first_y_ + block_row,
                          blocks_[static_cast<size_t>(block_row * across_ + i)]);
            }
        });
    }

    void Row(int64_t row, int64_t column, int64_t count, double* x, double* y) const override {
        const int64_t end = column + count;
        for (int64_t from = column; from < end;) {
            const int64_t block_x = from >> kBlockLog2;
            const int64_t to = std::min(end, (block_x + 1) << kBlockLog2);
            const Block& block = blocks_[static_cast<size_t>(
                ((row >> kBlockLog2) - first_y_) * across_ + block_x - first_x_)];
            const auto in_row = static_cast<int>(row & (kBlock - 1));
            const auto in_column = static_cast<int>(from & (kBlock - 1));
            const auto pixels = static_cast<int>(to - from);
            if (block.each_pixel.empty()) {
                Evaluate(block.x, block.x_degree, in_row, in_column, pixels, x + (from - column));
                Evaluate(block.y, block.y_degree, in_row, in_column, pixels, y + (from - column));
            } else {
                const double* nodes = block.each_pixel.data() + 2 * (in_row * kBlock + in_column);
                for (int i = 0; i < pixels; ++i) {
                    x[from - column + i] = nodes[2 * i];
                    y[from - column + i] = nodes[2 * i + 1];
                }
            }
            from = to;
        }
    }

    bool Enclose(Bounds& bounds) const override {
        constexpr double huge = std::numeric_limits<double>::infinity();
        bounds = {huge, huge, -huge, -huge};
        for (const Block& block : blocks_) {
            bounds = {std::min(bounds.x_min, block.bounds.x_min),
                      std::min(bounds.y_min, block.bounds.y_min),
                      std::max(bounds.x_max, block.bounds.x_max),
                      std::max(bounds.y_max, block.bounds.y_max)};
        }
        return true;
    }

  private:
    struct Block {
        Coefficients x, y;
        int x_degree = 0, y_degree = 0;  // along a row
        std::vector<double> each_pixel;  // x and y of each, where polynomials don't do
        Bounds bounds;
    };

    static void Evaluate(const Coefficients& coefficients, int degree, int row, int column,
                         int count, double* values) {
        const Chebyshev& c = TheChebyshev();
        std::array<double, kNodes> powers{};  // of the row's polynomial
        for (int k = 0; k <= degree; ++k) {
            double sum = 0;
            for (int m = 0; m < kNodes; ++m) sum += coefficients[m][k] * c.at_pixel[row][m];
            for (int p = k & 1; p <= k; p += 2) powers[p] += sum * c.as_powers[k][p];
        }
        const double* u = c.pixel.data() + column;
        std::fill(values, values + count, powers[degree]);
        for (int p = degree - 1; p >= 0; --p) {
            for (int i = 0; i < count; ++i) values[i] = values[i] * u[i] + powers[p];
        }
    }

    static void MakeBlock(Lease& lease, int64_t block_x, int64_t block_y, Block& block) {
        constexpr size_t nodes = kNodes * kNodes;
        constexpr size_t compared = std::size(kCompared);
        std::array<double, nodes + compared> x, y;
        const double half = 0.5 * kBlock;
        const double middle_x = static_cast<double>(block_x) * kBlock + half;
        const double middle_y = static_cast<double>(block_y) * kBlock + half;
        const Chebyshev& c = TheChebyshev();
        for (size_t i = 0; i < nodes; ++i) {
            x[i] = middle_x + half * c.node[i % kNodes];
            y[i] = middle_y + half * c.node[i / kNodes];
        }
        for (size_t i = 0; i < compared; ++i) {
            x[nodes + i] = middle_x + half * kCompared[i][0];
            y[nodes + i] = middle_y + half * kCompared[i][1];
        }
        lease.ToSource(x.size(), x.data(), y.data());
        if (Fits(x.data(), y.data(), block)) return;
        block.each_pixel.resize(2 * kBlock * kBlock);
        SamplePixels(lease, block_x * kBlock, block_y * kBlock, block);
    }

    // x, y: of the nodes, then of the points of comparison.
    static bool Fits(const double* x, const double* y, Block& block) {
        constexpr size_t nodes = kNodes * kNodes;
        constexpr size_t all = nodes + std::size(kCompared);
        for (size_t i = 0; i < all; ++i) {
            if (std::isnan(x[i])) return false;
        }
        block.x = Fit(x);
        block.y = Fit(y);
        if (!(Tail(block.x) <= kTolerance && Tail(block.y) <= kTolerance)) return false;
        for (size_t i = nodes; i < all; ++i) {
            const auto& [u, v] = kCompared[i - nodes];
            if (!(std::fabs(Value(block.x, u, v) - x[i]) <= kTolerance &&
                  std::fabs(Value(block.y, u, v) - y[i]) <= kTolerance)) {
                return false;
            }
        }
        block.x_degree = Degree(block.x);
        block.y_degree = Degree(block.y);
        // A polynomial that hardly bends stays near its values at the nodes and corners.
        const auto [x_min, x_max] = std::minmax_element(x, x + all);
        const auto [y_min, y_max] = std::minmax_element(y, y + all);
        const double x_room = 0.1 * (*x_max - *x_min), y_room = 0.1 * (*y_max - *y_min);
        block.bounds = {*x_min - x_room, *y_min - y_room, *x_max + x_room, *y_max + y_room};
        return true;
    }

    static void SamplePixels(Lease& lease, int64_t left, int64_t top, Block& block) {
        constexpr double huge = std::numeric_limits<double>::infinity();
        block.bounds = {huge, huge, -huge, -huge};
        std::array<double, kBlock> x, y;
        for (int64_t row = 0; row < kBlock; ++row) {
            for (int64_t i = 0; i < kBlock; ++i) {
                x[i] = static_cast<double>(left + i) + 0.5;
                y[i] = static_cast<double>(top + row) + 0.5;
            }
            lease.ToSource(kBlock, x.data(), y.data());
            double* to = block.each_pixel.data() + 2 * row * kBlock;
            for (int64_t i = 0; i < kBlock; ++i) {
                to[2 * i] = x[i];
                to[2 * i + 1] = y[i];
                if (std::isnan(x[i])) continue;
                block.bounds = {
                    std::min(block.bounds.x_min, x[i]), std::min(block.bounds.y_min, y[i]),
                    std::max(block.bounds.x_max, x[i]), std::max(block.bounds.y_max, y[i])};
            }
        }
    }

    const std::shared_ptr<ExactTransformer> exact_;
    const int64_t first_x_;  // of the blocks, in blocks
    const int64_t first_y_;
    const int64_t across_;
    std::vector<Block> blocks_;
};

}  // namespace

std::unique_ptr<CpuPositions> MakeExactPositions(std::shared_ptr<ExactTransformer> exact) {
    return std::make_unique<ExactPositions>(std::move(exact));
}

std::unique_ptr<CpuPositions> MakeSmoothPositions(std::shared_ptr<ExactTransformer> exact,
                                                  const PixelWindow& window) {
    return std::make_unique<SmoothPositions>(std::move(exact), window);
}

std::unique_ptr<CpuPositions> MakeGridPositions(ExactTransformer& exact, const PixelWindow& window,
                                                double threshold, bool smooth) {
    return std::make_unique<GridPositions>(exact, window, threshold, smooth);
}

}  // namespace gdalgpu
