#include "plugin/coordinates/position_tiles.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cmath>
#include <limits>

namespace gdalgpu {
namespace {

using kernels::georef::Tile;
using Lease = ExactTransformer::Lease;

constexpr int kTerms = kernels::georef::tile_terms;
constexpr int64_t kCell = PositionTiles::kSmallest;
constexpr int kRootLog2 = 9;
constexpr int64_t kRoot = PositionTiles::kLargest;
static_assert(kRoot == int64_t{1} << kRootLog2);
constexpr int64_t kCells = kRoot / kCell;  // of a root, along a side
// Tiles of what may have small parts of its own are no larger, and nor are those without positions.
constexpr int64_t kFine = 64;
constexpr double kTolerance = 1e-8;    // source pixels
constexpr double kNegligible = 1e-11;  // terms left out, together; source pixels
constexpr size_t kKeptBytes = size_t{64} << 20;
// Of work on one thread, before others are asked: each needs a transformer of its own.
constexpr double kSecondsAlone = 0.015;

bool IsEmpty(const PixelWindow& window) { return window.width == 0 || window.height == 0; }

// Chebyshev's nodes and polynomials T_0 ... T_7.
struct Chebyshev {
    std::array<double, kTerms> node;
    std::array<std::array<double, kTerms>, kTerms> at_node{};    // [k][i]: T_k of node i
    std::array<std::array<double, kTerms>, kTerms> as_powers{};  // [k][p]: of u^p in T_k

    Chebyshev() {
        for (int i = 0; i < kTerms; ++i) {
            node[i] = std::cos(M_PI * (i + 0.5) / kTerms);
            for (int k = 0; k < kTerms; ++k) {
                at_node[k][i] = std::cos(M_PI * k * (i + 0.5) / kTerms);
            }
        }
        as_powers[0][0] = as_powers[1][1] = 1;
        for (int k = 2; k < kTerms; ++k) {
            for (int p = 0; p < kTerms; ++p) {
                as_powers[k][p] = (p > 0 ? 2 * as_powers[k - 1][p - 1] : 0) - as_powers[k - 2][p];
            }
        }
    }
};

const Chebyshev& TheChebyshev() {
    static const Chebyshev chebyshev;
    return chebyshev;
}

// [v's k][u's k]
using Coefficients = std::array<std::array<double, kTerms>, kTerms>;

// values: at the nodes, u's running fastest.
Coefficients Chebyshevs(const double* values) {
    const Chebyshev& c = TheChebyshev();
    Coefficients along_u{}, result{};
    for (int j = 0; j < kTerms; ++j) {
        for (int k = 0; k < kTerms; ++k) {
            double sum = 0;
            for (int i = 0; i < kTerms; ++i) sum += c.at_node[k][i] * values[j * kTerms + i];
            along_u[j][k] = sum * (k == 0 ? 1.0 : 2.0) / kTerms;
        }
    }
    for (int m = 0; m < kTerms; ++m) {
        for (int k = 0; k < kTerms; ++k) {
            double sum = 0;
            for (int j = 0; j < kTerms; ++j) sum += c.at_node[m][j] * along_u[j][k];
            result[m][k] = sum * (m == 0 ? 1.0 : 2.0) / kTerms;
        }
    }
    return result;
}

// The size of the terms from T_`from` on, in u or v.
double Tail(const Coefficients& coefficients, int from) {
    double sum = 0;
    for (int m = 0; m < kTerms; ++m) {
        for (int k = m < from ? from : 0; k < kTerms; ++k) sum += std::fabs(coefficients[m][k]);
    }
    return sum;
}

// The first `terms` of each axis as powers. [v's][u's]
Coefficients AsPowers(const Coefficients& coefficients, int terms) {
    const Chebyshev& c = TheChebyshev();
    Coefficients in_v{}, result{};
    for (int q = 0; q < terms; ++q) {
        for (int k = 0; k < terms; ++k) {
            for (int m = q; m < terms; ++m) in_v[q][k] += coefficients[m][k] * c.as_powers[m][q];
        }
    }
    for (int q = 0; q < terms; ++q) {
        for (int p = 0; p < terms; ++p) {
            for (int k = p; k < terms; ++k) result[q][p] += in_v[q][k] * c.as_powers[k][p];
        }
    }
    return result;
}

// Points of a tile, in -1 to 1, at which its polynomials are compared: along its edges, where the
// map's own edge, or its cut, may come in, and some within; densely, every 8 pixels.
std::vector<std::pair<double, double>> ComparedPoints(int64_t size, bool densely) {
    const int64_t steps = std::clamp<int64_t>(size / 32, 2, 16);
    std::vector<std::pair<double, double>> points;
    for (int64_t i = 0; i < steps; ++i) {
        const double at = 2 * static_cast<double>(i) / static_cast<double>(steps) - 1;
        points.insert(points.end(), {{at, -1}, {1, at}, {-at, 1}, {-1, -at}});
    }
    points.insert(points.end(), {{0.05, -0.07}, {-0.6, 0.3}, {0.4, 0.7}, {0.55, -0.5}});
    points.insert(points.end(), {{-0.3, -0.85}, {-0.87, -0.33}, {0.88, 0.13}});
    const int64_t cells = densely ? size / 8 : 0;
    const auto middle = [&](int64_t i) {
        return (2 * static_cast<double>(i) + 1) / static_cast<double>(cells) - 1;
    };
    for (int64_t i = 0; i < cells; ++i) {
        for (int64_t j = 0; j < cells; ++j) points.emplace_back(middle(i), middle(j));
    }
    return points;
}

// The largest second derivatives along u and v together, at most.
double Bend(const Coefficients& coefficients) {
    double sum = 0;
    for (int m = 0; m < kTerms; ++m) {
        for (int k = 0; k < kTerms; ++k) {
            sum +=
                std::fabs(coefficients[m][k]) * (m * m * (m * m - 1) + k * k * (k * k - 1)) / 3.0;
        }
    }
    return sum;
}

}  // namespace

// A tile of the largest size, or the smaller ones that it had to be cut into.
struct PositionTiles::Root {
    std::vector<Tile> tiles;
    std::vector<double> numbers;
    std::vector<double> bends;
    std::array<uint16_t, kCells * kCells> tile_of_cell{};

    size_t bytes() const {
        return sizeof(*this) + tiles.size() * (sizeof(Tile) + sizeof(double)) +
               numbers.size() * sizeof(double);
    }

    Root(bool is_piecewise, PixelPoints of)
        : piecewise(is_piecewise), place(FirstPlace(of)), beyond(PointsBeyond(of)) {}

    void Make(Lease& lease, int64_t root_x, int64_t root_y, const PixelWindow& whole) {
        Divide(lease, whole, root_x * kRoot, root_y * kRoot, kRoot);
    }

  private:
    const bool piecewise;
    const double place;
    const int64_t beyond;

    void Divide(Lease& lease, const PixelWindow& whole, int64_t x, int64_t y, int64_t size) {
        if (IsEmpty(Intersection(whole, {x, y, size, size}))) {
            return;  // nobody asks for it
        }
        Tile tile{x, y, size, 0, static_cast<int64_t>(numbers.size())};
        double bend = 0;
        const Found found = piecewise && size > kFine ? Found::Unsmooth : Fit(lease, tile, bend);
        if (found == Found::Nothing && size > kCell && size <= kFine &&
            IsNowhere(lease, tile, whole)) {
            tile.terms = -1;
        } else if (found != Found::Polynomials) {
            if (size > kCell) {
                const int64_t half = size / 2;
                for (const int64_t down : {int64_t{0}, half}) {
                    for (const int64_t across : {int64_t{0}, half}) {
                        Divide(lease, whole, x + across, y + down, half);
                    }
                }
                return;
            }
            SamplePixels(lease, tile);
        }
        const int64_t cells = size / kCell;
        for (int64_t row = 0; row < cells; ++row) {
            const int64_t down = (y & (kRoot - 1)) / kCell, across = (x & (kRoot - 1)) / kCell;
            std::fill_n(&tile_of_cell[(down + row) * kCells + across], cells,
                        static_cast<uint16_t>(tiles.size()));
        }
        tiles.push_back(tile);
        bends.push_back(bend);
    }

    enum class Found {
        Polynomials,
        Unsmooth,  // no polynomials within the tolerance
        Nothing    // none of the points has a position
    };

    // Makes the tile's polynomials where there are some.
    Found Fit(Lease& lease, Tile& tile, double& bend) {
        const Chebyshev& c = TheChebyshev();
        std::vector<std::pair<double, double>> points;
        points.reserve(c.node.size() * c.node.size());
        for (const double v : c.node) {
            for (const double u : c.node) points.emplace_back(u, v);
        }
        const size_t nodes = points.size();
        const auto compared = ComparedPoints(tile.size, piecewise);
        points.insert(points.end(), compared.begin(), compared.end());
        std::vector<double> x, y;
        const double half = 0.5 * static_cast<double>(tile.size);
        for (const auto& [u, v] : points) {
            x.push_back(static_cast<double>(tile.x) + half * (u + 1));
            y.push_back(static_cast<double>(tile.y) + half * (v + 1));
        }
        lease.ToSource(x.size(), x.data(), y.data());
        const auto failed =
            std::count_if(x.begin(), x.end(), [](double v) { return std::isnan(v); });
        if (failed > 0) {
            return failed == static_cast<std::ptrdiff_t>(x.size()) ? Found::Nothing
                                                                   : Found::Unsmooth;
        }
        const Coefficients in_x = Chebyshevs(x.data()), in_y = Chebyshevs(y.data());
        if (!(Tail(in_x, kTerms - 1) <= kTolerance && Tail(in_y, kTerms - 1) <= kTolerance)) {
            return Found::Unsmooth;
        }
        tile.terms = kTerms;
        while (tile.terms > 1) {
            const int fewer = static_cast<int>(tile.terms) - 1;
            if (Tail(in_x, fewer) > kNegligible || Tail(in_y, fewer) > kNegligible) break;
            tile.terms = fewer;
        }
        const int terms = static_cast<int>(tile.terms);
        const Coefficients powers_x = AsPowers(in_x, terms), powers_y = AsPowers(in_y, terms);
        for (int p = terms - 1; p >= 0; --p) {
            for (int q = terms - 1; q >= 0; --q) {
                numbers.push_back(powers_x[q][p]);
                numbers.push_back(powers_y[q][p]);
            }
        }
        for (size_t i = nodes; i < points.size(); ++i) {
            const auto [found_x, found_y] = Value(tile, points[i].first, points[i].second);
            if (!(std::fabs(found_x - x[i]) <= kTolerance &&
                  std::fabs(found_y - y[i]) <= kTolerance)) {
                numbers.resize(static_cast<size_t>(tile.first));
                tile.terms = 0;
                return Found::Unsmooth;
            }
        }
        bend = std::max(Bend(in_x), Bend(in_y));
        return Found::Polynomials;
    }

    // Whether no pixel of the tile's part of `whole` has a position either: every other one is
    // asked, and those of the outline.
    bool IsNowhere(Lease& lease, const Tile& tile, const PixelWindow& whole) const {
        const PixelWindow part = Intersection(whole, {tile.x, tile.y, tile.size, tile.size});
        const int64_t left = part.x, top = part.y, right = part.x + part.width - 1 + beyond,
                      bottom = part.y + part.height - 1 + beyond;
        std::vector<double> x, y;
        for (int64_t row = top; row <= bottom; row += row + 1 == bottom ? 1 : 2) {
            x.clear();
            for (int64_t column = left; column <= right; column += column + 1 == right ? 1 : 2) {
                x.push_back(static_cast<double>(column) + place);
            }
            y.assign(x.size(), static_cast<double>(row) + place);
            lease.ToSource(x.size(), x.data(), y.data());
            for (const double value : x) {
                if (!std::isnan(value)) return false;
            }
        }
        return true;
    }

    std::pair<double, double> Value(const Tile& tile, double u, double v) const {
        const double* number = numbers.data() + tile.first;
        double x = 0, y = 0;
        for (int64_t p = 0; p < tile.terms; ++p) {
            double term_x, term_y;
            kernels::georef::row_term(number, tile.terms, v, term_x, term_y);
            x = x * u + term_x;
            y = y * u + term_y;
        }
        return {x, y};
    }

    void SamplePixels(Lease& lease, const Tile& tile) {
        std::vector<double> x, y;
        // By rows, as GDAL warps.
        const auto add = [&](int64_t rows, int64_t columns, PixelPlace at) {
            for (int64_t row = 0; row < rows; ++row) {
                const size_t first = x.size();
                for (int64_t column = 0; column < columns; ++column) {
                    x.push_back(static_cast<double>(tile.x + column) + at.x);
                    y.push_back(static_cast<double>(tile.y + row) + at.y);
                }
                lease.ToSource(static_cast<size_t>(columns), &x[first], &y[first]);
            }
        };
        add(tile.size + beyond, tile.size + beyond, {place, place});
        if (beyond) add(tile.size, tile.size, {0.5, 0});
        for (size_t i = 0; i < x.size(); ++i) {
            numbers.push_back(x[i]);
            numbers.push_back(y[i]);
        }
    }
};

PositionTiles::PositionTiles(std::shared_ptr<ExactTransformer> exact, const PixelWindow* whole,
                             bool piecewise, PixelPoints points)
    : exact_(std::move(exact)),
      piecewise_(piecewise),
      points_(points),
      whole_(whole != nullptr ? *whole
                              : PixelWindow{INT_MIN, INT_MIN, INT64_C(1) << 32, INT64_C(1) << 32}) {
}

PositionTiles::~PositionTiles() = default;

std::map<PositionTiles::Key, std::shared_ptr<const PositionTiles::Root>> PositionTiles::Roots(
    const PixelWindow& window) {
    std::map<Key, std::shared_ptr<const Root>> roots;
    std::vector<Key> missing;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (int64_t y = window.y >> kRootLog2; y <= (window.y + window.height - 1) >> kRootLog2;
             ++y) {
            for (int64_t x = window.x >> kRootLog2; x <= (window.x + window.width - 1) >> kRootLog2;
                 ++x) {
                const auto kept = kept_.find({y, x});
                if (kept != kept_.end()) {
                    roots.insert(*kept);
                } else {
                    missing.emplace_back(y, x);
                }
            }
        }
    }
    std::vector<std::shared_ptr<const Root>> made(missing.size());
    const auto make = [&](Lease& lease, size_t i) {
        auto root = std::make_shared<Root>(piecewise_, points_);
        root->Make(lease, missing[i].second, missing[i].first, whole_);
        made[i] = std::move(root);
    };
    size_t done = 0;
    if (!missing.empty()) {
        using Clock = std::chrono::steady_clock;
        const Clock::time_point start = Clock::now();
        Lease lease(*exact_);
        const auto spent = [&] {
            return std::chrono::duration<double>(Clock::now() - start).count();
        };
        while (done < missing.size() && spent() < kSecondsAlone) make(lease, done++);
    }
    exact_->Run(static_cast<int64_t>(missing.size() - done),
                [&](Lease& lease, int64_t i) { make(lease, done + static_cast<size_t>(i)); });
    const std::lock_guard<std::mutex> lock(mutex_);
    for (size_t i = 0; i < missing.size(); ++i) {
        roots.emplace(missing[i], made[i]);
        if (kept_bytes_ > kKeptBytes) {
            kept_.clear();
            kept_bytes_ = 0;
        }
        if (kept_.emplace(missing[i], made[i]).second) kept_bytes_ += made[i]->bytes();
    }
    return roots;
}

PositionTiles::Table PositionTiles::Of(const PixelWindow& window) {
    constexpr int log2 = kernels::georef::tile_cell_log2;
    Table table;
    const int64_t x0 = window.x >> log2, y0 = window.y >> log2;
    const int64_t across = ((window.x + window.width - 1) >> log2) + 1 - x0;
    const int64_t down = ((window.y + window.height - 1) >> log2) + 1 - y0;
    table.tile_of_cell.resize(static_cast<size_t>(across * down));
    table.window = window;
    for (const auto& [key, root] : Roots(window)) {
        const int64_t first = static_cast<int64_t>(table.list.size());
        const int64_t root_x = key.second * kCells, root_y = key.first * kCells;
        for (int64_t y = std::max(root_y, y0); y < std::min(root_y + kCells, y0 + down); ++y) {
            for (int64_t x = std::max(root_x, x0); x < std::min(root_x + kCells, x0 + across);
                 ++x) {
                table.tile_of_cell[static_cast<size_t>((y - y0) * across + x - x0)] =
                    static_cast<kernels::int32>(
                        first + root->tile_of_cell[(y - root_y) * kCells + x - root_x]);
            }
        }
        for (Tile tile : root->tiles) {
            tile.first += static_cast<int64_t>(table.numbers.size());
            table.list.push_back(tile);
        }
        table.numbers.insert(table.numbers.end(), root->numbers.begin(), root->numbers.end());
        table.bends.insert(table.bends.end(), root->bends.begin(), root->bends.end());
    }
    table.tiles = {x0,
                   y0,
                   across,
                   table.tile_of_cell.data(),
                   table.list.data(),
                   table.numbers.data(),
                   PointsBeyond(points_)};
    return table;
}

PositionTiles::Table::Bounds PositionTiles::Table::Enclose() const {
    constexpr int64_t kSteps = 8;  // of a tile's part of the window, along each axis
    constexpr double huge = std::numeric_limits<double>::infinity();
    Bounds bounds{huge, huge, -huge, -huge};
    for (size_t i = 0; i < list.size(); ++i) {
        const Tile& tile = list[i];
        const PixelWindow part = Intersection(window, {tile.x, tile.y, tile.size, tile.size});
        if (IsEmpty(part) || tile.terms < 0) continue;
        const int64_t left = part.x, top = part.y, right = part.x + part.width - 1,
                      bottom = part.y + part.height - 1;
        // Between points that are `step` apart (in u and v) a function is near a linear one.
        const int64_t x_step = tile.terms == 0 ? 1 : (right - left) / kSteps + 1,
                      y_step = tile.terms == 0 ? 1 : (bottom - top) / kSteps + 1;
        const double step =
            2.0 * static_cast<double>(std::max(x_step, y_step)) / static_cast<double>(tile.size);
        const double room = tile.terms == 0 ? 0 : bends[i] * step * step / 8;
        const auto extend = [&](int64_t x, int64_t y, double place) {
            double source_x, source_y;
            if (!tiles.to_source(x, y, place, place, source_x, source_y)) return;
            bounds = {
                std::min(bounds.x_min, source_x - room), std::min(bounds.y_min, source_y - room),
                std::max(bounds.x_max, source_x + room), std::max(bounds.y_max, source_y + room)};
        };
        for (int64_t y = top;; y = std::min(y + y_step, bottom)) {
            for (int64_t x = left;; x = std::min(x + x_step, right)) {
                extend(x, y, tiles.corners ? 0.0 : 0.5);
                if (tiles.corners) extend(x, y, 1.0);
                if (x == right) break;
            }
            if (y == bottom) break;
        }
    }
    return bounds;
}

}  // namespace gdalgpu
