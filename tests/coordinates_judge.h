// Runs many coordinate operations on a device, all compiled from one text, and judges each point by
// proj_trans.
#pragma once

#include <gtest/gtest.h>
#include <proj.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "other_roundings.h"
#include "plugin/coordinates/coordinate_operation.h"

namespace judge {

using Point = std::array<double, 4>;

constexpr double kHuge = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kDegree = 0.017453292519943295;

struct Case {
    std::string pipeline;
    bool inverse = false;
    std::vector<Point> points;
    // Largest accepted distance from PROJ: metres, or radians on the sphere.
    double metres = 1e-8;
    double radians = 1e-14;
    // Added to the metres next to a pole: metres times radians. Equal-area formulas lose digits
    // there, PROJ's as ours.
    double polar_noise = 0;
    // Added too: PROJ's own roundings at an input, in the unit of the tolerance.
    std::function<double(const Point&)> noise = nullptr;
    // By how many units of the last place Sensitivity moves an input.
    double moves = 2;
    // At a pole the result for any longitude is right, and next to it that for one next to its
    // own: the map is cut there.
    bool any_longitude_at_poles = false;
};

// HOST, or CUDA where GDAL_GPU_DEVICE=CUDA asks for it.
inline std::shared_ptr<gpu::Device> HostDevice() {
    static const std::shared_ptr<gpu::Device> device = [] {
        gpu::Options options;
        options.threads = 2;
        return gpu::MakeHostDevice(options);
    }();
    return device;
}

inline std::shared_ptr<gpu::Device> Device() {
    static const std::shared_ptr<gpu::Device> device = [] {
        const char* wanted = std::getenv("GDAL_GPU_DEVICE");
        return wanted && std::string(wanted) == "CUDA" ? gpu::MakeCudaDevice({}) : HostDevice();
    }();
    return device;
}

// Distance of two results, in the unit of the tolerance; longitudes are weighed by the parallel's
// radius.
inline double Distance(const Point& a, const Point& b, double radians_per_unit) {
    const bool lost = std::isnan(a[0]) || std::isnan(a[1]);
    if (lost != (std::isnan(b[0]) || std::isnan(b[1]))) return kHuge;
    if (lost) return 0;
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        if (std::isnan(a[i]) != std::isnan(b[i])) return kHuge;
        if (std::isnan(a[i]) || a[i] == b[i]) continue;
        double d = std::fabs(a[i] - b[i]);
        if (radians_per_unit > 0 && i < 2) {
            d *= radians_per_unit;
            if (i == 0) {
                d = std::min(d, std::fabs(d - 2 * M_PI));
                d *= std::fabs(std::cos(a[1] * radians_per_unit));
            }
        } else if (radians_per_unit > 0) {
            d *= 1e-7;  // heights in metres, beside angles
        }
        sum = std::max(sum, d);
    }
    return sum;
}

// How much more than the tolerance a point may differ: coordinates of far beyond the Earth carry
// larger roundings.
inline double Scale(const Point& in, const Point& out, double radians_per_unit) {
    double scale = 1;
    for (int i = 0; i < 2; ++i) {
        const double plane = radians_per_unit > 0 ? in[i] : out[i];
        if (std::isfinite(plane)) scale = std::max(scale, plane / 2e7 * (plane / 2e7));
        const double turns = radians_per_unit > 0 ? out[i] * radians_per_unit : 0;
        if (std::isfinite(turns)) scale = std::max(scale, std::fabs(turns) / 10);
    }
    return scale;
}

// How far PROJ's own result moves when the input moves by `moves` units of the last place of a
// coordinate of usual size, or half as much: no other program's roundings can be expected to agree
// better.
inline double Sensitivity(PJ* pj, PJ_DIRECTION direction, const Point& in, const Point& out,
                          double radians_per_unit, double moves) {
    const bool angles = proj_angular_input(pj, direction) || proj_degree_input(pj, direction);
    const double units = proj_degree_input(pj, direction) ? 1 / kDegree : 1;
    double moved = 0;
    for (int i = 0; i < 2; ++i) {
        for (double move : {-moves, -0.5 * moves, 0.5 * moves, moves}) {
            Point near = in;
            const double size = std::isfinite(in[i]) ? std::fabs(in[i]) : 0;
            near[i] += move * 2.2e-16 * std::max(size, angles ? units : 6.4e6);
            proj_errno_reset(pj);
            const PJ_COORD c =
                proj_trans(pj, direction, proj_coord(near[0], near[1], near[2], near[3]));
            if (c.xyzt.x != HUGE_VAL) {
                const double d = Distance({c.v[0], c.v[1], c.v[2], c.v[3]}, out, radians_per_unit);
                moved = std::max(moved, std::isfinite(d) ? d : 0);
            }
        }
    }
    return moved;
}

// Whether PROJ itself accepts one and refuses another of the points next to `in`, as far away as
// roundings of another order carry, also through an iteration that hardly ends: then a flag is
// chance.
inline bool AtTheEdge(PJ* pj, PJ_DIRECTION direction, const Point& in) {
    const bool angles = proj_angular_input(pj, direction) || proj_degree_input(pj, direction);
    const double units = proj_degree_input(pj, direction) ? 1 / kDegree : 1;
    size_t accepted = 0, refused = 0;
    for (int i = 0; i < 2; ++i) {
        for (int step : {-1000000, -30000, -1000, -32, -8, -2, 0, 2, 8, 32, 1000, 30000, 1000000}) {
            Point near = in;
            near[i] += step * 2.2e-16 * std::max(std::fabs(in[i]), angles ? units : 6.4e6);
            proj_errno_reset(pj);
            const PJ_COORD c =
                proj_trans(pj, direction, proj_coord(near[0], near[1], near[2], near[3]));
            ++(c.xyzt.x != HUGE_VAL ? accepted : refused);
        }
    }
    return accepted > 0 && refused > 0;
}

// Whether PROJ doesn't find the way back from its own result, to a metre or a millionth of a
// radian: beyond the map's edge, where what it gives is the chance of its last digits.
inline bool BeyondTheMap(PJ* pj, PJ_DIRECTION direction, const Point& in, const Point& out) {
    const PJ_DIRECTION back = direction == PJ_FWD ? PJ_INV : PJ_FWD;
    const bool angles = proj_angular_output(pj, back) || proj_degree_output(pj, back);
    if (!proj_pj_info(pj).has_inverse) return false;
    proj_errno_reset(pj);
    const PJ_COORD c = proj_trans(pj, back, proj_coord(out[0], out[1], out[2], out[3]));
    const double unit = proj_degree_output(pj, back) ? kDegree : angles ? 1 : 0;
    return !(Distance({c.v[0], c.v[1], c.v[2], c.v[3]}, in, unit) < (unit > 0 ? 1e-6 : 1));
}

// Whether the input is a pole, or next to one, and PROJ gives the result for another longitude.
inline bool IsRightForAnotherLongitude(PJ* pj, PJ_DIRECTION direction, const Point& in,
                                       const Point& result, double tolerance) {
    if (direction != PJ_FWD || !proj_angular_input(pj, direction) ||
        std::fabs(in[1]) < M_PI / 2 - 1e-8) {
        return false;
    }
    std::vector<double> longitudes = {in[0] - 1e-8, in[0] + 1e-8};
    for (int degrees = -180; degrees <= 180; degrees += 15) {
        if (std::fabs(in[1]) > M_PI / 2 - 1e-15) longitudes.push_back(degrees * kDegree);
    }
    for (const double longitude : longitudes) {
        proj_errno_reset(pj);
        const PJ_COORD c = proj_trans(pj, direction, proj_coord(longitude, in[1], in[2], in[3]));
        if (c.xyzt.x != HUGE_VAL &&
            Distance({c.v[0], c.v[1], c.v[2], c.v[3]}, result, 0) <= tolerance) {
            return true;
        }
    }
    return false;
}

class Batch {
  public:
    void Add(Case c) { cases_.push_back(std::move(c)); }

    // One compilation for all cases; then a failure a case that differs, with its worst point. On
    // CUDA, HOST's results are compared too.
    void Run() {
        // Apart: the kernels that CUDA compiles without fused multiplications.
        gpu::Source sources[2];
        for (gpu::Source& source : sources) source.include("core/core.h");
        std::vector<gdalgpu::CoordinateOperation> operations;
        std::vector<std::string> kernels;
        std::vector<size_t> source_of;
        std::map<std::string, std::string>
            kernel_of;  // operations that differ in parameters alone share a kernel
        for (const Case& c : cases_) {
            SCOPED_TRACE(c.pipeline);
            operations.push_back(gdalgpu::CoordinateOperation::FromPipeline(c.pipeline, c.inverse));
            gpu::Source alone;
            operations.back().Emit(alone, "Operation");
            source_of.push_back(alone.text().find("\n#define GPU_UNFUSED\n") == std::string::npos);
            gpu::Source& source = sources[source_of.back()];
            std::string& kernel = kernel_of[alone.text()];
            if (kernel.empty()) {
                const std::string n = std::to_string(kernel_of.size());
                kernel = "run" + n;
                operations.back().Emit(source, "Operation" + n);
                source.append(KernelText(n));
            }
            kernels.push_back(kernel);
        }
        texts = kernel_of.size();
        if (const char* path = std::getenv("GDALGPU_JUDGE_TEXT")) {
            std::ofstream(path) << sources[0].text() << sources[1].text();
        }
        const bool cuda = Device()->kind() == gpu::Device::Kind::Cuda;
        std::shared_ptr<gpu::Module> modules[2], host_modules[2];
        for (const size_t k : std::set<size_t>(source_of.begin(), source_of.end())) {
            modules[k] = Device()->compile(sources[k]);
            host_modules[k] = cuda ? HostDevice()->compile(sources[k]) : modules[k];
        }
        for (size_t i = 0; i < cases_.size(); ++i) {
            const auto run = [&](gpu::Device& device, gpu::Module& module) {
                return Launch(cases_[i], operations[i], device, module.kernel(kernels[i]));
            };
            const auto spread = [&] { return SpreadOf(cases_[i], operations[i]); };
            if (otherwise_rounded) {
                Judge(cases_[i], RoundedOtherwise(cases_[i], operations[i], {kRoundings + 1})[0],
                      run(*HostDevice(), *host_modules[source_of[i]]), spread, /*cuda=*/true,
                      compares_time);
                continue;
            }
            const Results results = run(*Device(), *modules[source_of[i]]);
            Judge(cases_[i], results,
                  cuda ? run(*HostDevice(), *host_modules[source_of[i]]) : results, spread, cuda,
                  compares_time);
        }
    }

    bool compares_time = false;  // t too, to fifteen digits

    // HOST with roundings of its own stands in for CUDA, and is judged as CUDA is.
    bool otherwise_rounded = false;

    // What other roundings make of the case on HOST.
    static Spread SpreadOf(const Case& c) {
        return SpreadOf(c, gdalgpu::CoordinateOperation::FromPipeline(c.pipeline, c.inverse));
    }

    size_t texts = 0;  // different kernels that the last Run() compiled

    // The largest distance of each case so far, for the curious: GDALGPU_JUDGE=1 prints them.
    static bool Talks() { return std::getenv("GDALGPU_JUDGE") != nullptr; }

  private:
    struct Results {
        std::vector<Point> points;
        std::vector<unsigned char> ok;
    };

    static std::string KernelText(const std::string& n, const std::string& first = "") {
        return "struct Params" + n +
               " { double* points; unsigned char* ok; long long count, seed; Operation" + n +
               " operation; };\nGPU_KERNEL(run" + n + ", Params" + n + ", p) {\n" + first +
               "    GPU_FOR_1D(i, p.count) {\n"
               "        double* q = p.points + 4 * i;\n"
               "        p.ok[i] = p.operation.apply(q[0], q[1], q[2], q[3]);\n    }\n}\n";
    }

    static std::vector<Results> RoundedOtherwise(const Case& c,
                                                 const gdalgpu::CoordinateOperation& operation,
                                                 const std::vector<long long>& seeds) {
        gpu::Source source;
        IncludeOtherRoundings(source);
        operation.Emit(source, "Operation");
        source.append(KernelText("", "    other_roundings::seed = p.seed;\n"));
        const std::shared_ptr<gpu::Module> module = HostDevice()->compile(source);
        std::vector<Results> all;
        for (const long long seed : seeds) {
            all.push_back(Launch(c, operation, *HostDevice(), module->kernel("run"), seed));
        }
        return all;
    }

    static Spread SpreadOf(const Case& c, const gdalgpu::CoordinateOperation& operation) {
        std::vector<long long> seeds(kRoundings + 1);
        std::iota(seeds.begin(), seeds.end(), 0);
        const std::vector<Results> all = RoundedOtherwise(c, operation, seeds);
        const double unit = Unit(c);
        Spread spread{std::vector<double>(c.points.size()), std::vector<bool>(c.points.size())};
        for (size_t i = 0; i < c.points.size(); ++i) {
            for (const Results& other : all) {
                if (other.ok[i] != all[0].ok[i]) {
                    spread.any_flags[i] = true;
                } else if (other.ok[i]) {
                    const double d = Distance(other.points[i], all[0].points[i], unit);
                    if (std::isfinite(d)) spread.moved[i] = std::max(spread.moved[i], d);
                }
            }
        }
        return spread;
    }

    // Radians a unit of the result; 0 where it is in metres.
    static double Unit(const Case& c) {
        PJ_CONTEXT* context = proj_context_create();
        proj_log_level(context, PJ_LOG_NONE);
        PJ* pj = proj_create(context, c.pipeline.c_str());
        const double unit = UnitOf(pj, c.inverse ? PJ_INV : PJ_FWD);
        proj_destroy(pj);
        proj_context_destroy(context);
        return unit;
    }
    static double UnitOf(PJ* pj, PJ_DIRECTION direction) {
        return proj_degree_output(pj, direction)    ? kDegree
               : proj_angular_output(pj, direction) ? 1
                                                    : 0;
    }

    static Results Launch(const Case& c, const gdalgpu::CoordinateOperation& operation,
                          gpu::Device& device, const gpu::Kernel& kernel, long long seed = 0) {
        Results results = {c.points, std::vector<unsigned char>(c.points.size(), 7)};
        const size_t points_bytes = c.points.size() * sizeof(Point);
        const auto stream = device.stream();
        const auto points = stream->allocate(points_bytes);
        const auto ok = stream->allocate(results.ok.size());
        stream->upload(points->address(), results.points.data(), points_bytes);
        stream->upload(ok->address(), results.ok.data(), results.ok.size());
        struct Params {
            void* points;
            void* ok;
            long long count, seed;
        } params = {points->address(), ok->address(), static_cast<long long>(c.points.size()),
                    seed};
        std::vector<std::byte> bytes(sizeof(params));
        std::memcpy(bytes.data(), &params, sizeof(params));
        const std::vector<std::byte> parameters =
            gdalgpu::WithAddresses(operation.parameters(), operation.data(), *stream);
        bytes.insert(bytes.end(), parameters.begin(), parameters.end());
        stream->launch(kernel, {params.count, 1}, bytes.data(), bytes.size());
        stream->download(results.points.data(), points->address(), points_bytes);
        stream->download(results.ok.data(), ok->address(), results.ok.size());
        stream->synchronize();
        return results;
    }

    static void Judge(const Case& c, const Results& ours, const Results& on_host,
                      const std::function<Spread()>& find_spread, bool cuda, bool compares_time) {
        const std::vector<Point>& results = ours.points;
        const std::vector<unsigned char>& ok = ours.ok;
        PJ_CONTEXT* context = proj_context_create();
        proj_log_level(context, PJ_LOG_NONE);
        PJ* pj = proj_create(context, c.pipeline.c_str());
        ASSERT_NE(pj, nullptr) << c.pipeline;
        const PJ_DIRECTION direction = c.inverse ? PJ_INV : PJ_FWD;
        const double unit = UnitOf(pj, direction);
        // CUDA fuses multiplications and additions, and its functions round in their own way: a
        // micrometre from PROJ, and from HOST 1e-11 of a coordinate's size.
        const double roundings = cuda ? 8 : 1;
        const double tolerance = unit > 0 ? std::max(roundings * c.radians, cuda ? 1e-11 : 0)
                                          : std::max(roundings * c.metres, cuda ? 1e-6 : 0);
        const double apart = std::max(tolerance, 1e-11 * (unit > 0 ? M_PI : 6.4e6));
        std::optional<Spread> spread;
        const auto by_roundings = [&]() -> const Spread& {
            return spread ? *spread : spread.emplace(find_spread());
        };
        size_t wrong_flags = 0, wrong = 0, valid = 0, unlike_host = 0;
        double worst = 0, worst_wrong = 0, worst_unlike = 0;
        std::ostringstream told;
        told.precision(17);
        for (size_t i = 0; i < c.points.size(); ++i) {
            const Point& in = c.points[i];
            proj_errno_reset(pj);
            const PJ_COORD out = proj_trans(pj, direction, proj_coord(in[0], in[1], in[2], in[3]));
            const bool expected = out.xyzt.x != HUGE_VAL;
            const Point theirs = {out.v[0], out.v[1], out.v[2], out.v[3]};
            double distance = 0;
            bool far = false;
            // What one accepts may be no place on the Earth: where an iteration ended by chance.
            const bool nowhere =
                unit > 0 && std::fabs((ok[i] ? results[i] : theirs)[1]) * unit > M_PI / 2 + 1e-9;
            const bool wrong_flag =
                ok[i] != expected &&
                !(cuda && (nowhere || AtTheEdge(pj, direction, in) || by_roundings().any_flags[i]));
            if (ok[i] != expected) {
                wrong_flags += wrong_flag;
            } else if (expected) {
                ++valid;
                double noise = c.noise ? roundings * c.noise(in) : 0;
                if (c.polar_noise > 0 && unit == 0) {
                    noise += roundings * c.polar_noise /
                             std::max(1e-8, std::fabs(M_PI / 2 - std::fabs(in[1])));
                }
                const double scale = Scale(in, theirs, unit);
                const double unlike = Distance(results[i], on_host.points[i], unit);
                distance = Distance(results[i], theirs, unit);
                const auto beyond = [&](double value, double limit) {
                    return value > limit * scale + noise &&
                           value > 4 * roundings *
                                       Sensitivity(pj, direction, in, theirs, unit, c.moves) &&
                           !(cuda && (BeyondTheMap(pj, direction, in, theirs) ||
                                      value <= 4 * by_roundings().moved[i]));
                };
                if (beyond(unlike, apart)) {
                    ++unlike_host;
                    worst_unlike = std::max(worst_unlike, unlike);
                }
                const double time_error = std::fabs(results[i][3] - theirs[3]);
                const bool wrong_time = compares_time && results[i][3] != theirs[3] &&
                                        (std::isnan(results[i][3]) != std::isnan(theirs[3]) ||
                                         time_error > 1e-15 * std::max(1e5, std::fabs(theirs[3])));
                far = wrong_time || (beyond(distance, tolerance) &&
                                     !(c.any_longitude_at_poles &&
                                       IsRightForAnotherLongitude(pj, direction, in, results[i],
                                                                  tolerance * scale + noise)));
                wrong += far;
            }
            if ((wrong_flag && wrong_flags <= 3) || (far && distance >= worst_wrong && wrong < 4)) {
                told << "\n  (" << in[0] << ", " << in[1] << ", " << in[2] << ", " << in[3]
                     << ") -> ours " << (ok[i] ? "" : "refused ") << results[i][0] << ", "
                     << results[i][1] << ", " << results[i][2] << "; PROJ "
                     << (expected ? "" : "refused ") << theirs[0] << ", " << theirs[1] << ", "
                     << theirs[2] << "; distance " << distance << "; t " << results[i][3] << ", "
                     << theirs[3];
            }
            worst = std::max(worst, distance);
            worst_wrong = std::max(worst_wrong, far ? distance : 0);
        }
        if (Talks()) {
            std::printf("%-9.2e %zu of %zu valid  %s%s\n", worst, valid, c.points.size(),
                        c.pipeline.c_str(), c.inverse ? " (inverse)" : "");
        }
        EXPECT_EQ(wrong_flags, 0u) << c.pipeline << (c.inverse ? " (inverse)" : "") << told.str();
        EXPECT_EQ(wrong, 0u) << c.pipeline << (c.inverse ? " (inverse)" : "") << told.str();
        EXPECT_EQ(unlike_host, 0u) << c.pipeline << (c.inverse ? " (inverse)" : "")
                                   << ": CUDA and HOST differ by up to " << worst_unlike;
        EXPECT_GT(valid, 0u) << c.pipeline << ": PROJ refuses all points: nothing was compared";
        proj_destroy(pj);
        proj_context_destroy(context);
    }

    std::vector<Case> cases_;
};

// Metres on the Earth's sphere: an arc from the equator that PROJ takes from its cosine.
inline double EquatorNoise(const Point& in) {
    return 6.4e6 * 2.2e-16 / std::max(1.5e-8, std::fabs(std::sin(in[1])));
}

// PROJ's inverse of the view from a height takes a difference of squares of the distance from the
// Earth's centre, in which an input's last digits are lost: how many (Case::moves).
inline double GeostationaryMoves(double height) { return std::pow(1 + height / 6.4e6, 2); }

// Longitude and latitude in radians: the whole world on a grid, random points, and where
// projections break.
inline std::vector<Point> World(unsigned seed = 1, size_t count = 2000) {
    std::vector<Point> points;
    for (int lon = -180; lon <= 180; lon += 15) {
        for (int lat = -90; lat <= 90; lat += 15) {
            points.push_back({lon * kDegree, lat * kDegree, 0, 0});
        }
    }
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> lon(-M_PI, M_PI), lat(-M_PI / 2, M_PI / 2);
    for (size_t i = 0; i < count; ++i) {
        points.push_back({lon(random), lat(random), 10. * static_cast<double>(i % 7), 0});
    }
    const double half = M_PI / 2;
    for (double x : {0., 1e-12, -1e-12, 1e-6, M_PI, -M_PI, M_PI + 5e-13, M_PI + 1e-9, -M_PI - 1e-9,
                     4., -9.999, 9.999, 10.001, -10.001, kNan, kHuge, -kHuge}) {
        for (double y : {0., 1e-15, 1e-9, -1e-9, 0.5, half, -half, half - 1e-16, half - 1e-12,
                         half - 1e-9, -half + 1e-9, half - 1e-6, half + 5e-13, -half - 5e-13,
                         half + 1e-11, 2., kNan, kHuge, -kHuge}) {
            points.push_back({x, y, 0, 0});
        }
    }
    points.push_back({0.1, 0.2, kHuge, 0});
    points.push_back({0.1, 0.2, 5, kHuge});
    return points;
}

// Plane coordinates within `radius` of (x, y), some far outside, and odd ones.
inline std::vector<Point> Plane(double x, double y, double radius, unsigned seed = 1,
                                size_t count = 2000) {
    std::vector<Point> points;
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> at(-radius, radius);
    for (size_t i = 0; i < count; ++i) {
        points.push_back({x + at(random), y + at(random), 10. * static_cast<double>(i % 7), 0});
    }
    // Minus infinity isn't refused by PROJ, and what comes of it is an accident: left out.
    for (double dx : {0., 1e-9, 1e-3, -1e-3, radius, -radius, 1e8, -1e8, 1e12, kNan, kHuge}) {
        for (double dy : {0., 1e-9, -1e-3, radius, -radius, 1e8, -1e8, 1e12, kNan, kHuge}) {
            points.push_back({x + dx, y + dy, 0, 0});
        }
    }
    return points;
}

// Those of some points whose plane coordinates are within `limit`; odd ones stay.
inline std::vector<Point> Within(std::vector<Point> points, double limit) {
    points.erase(std::remove_if(points.begin(), points.end(),
                                [=](const Point& p) {
                                    const auto far = [=](double v) {
                                        return std::isfinite(v) && std::fabs(v) > limit;
                                    };
                                    return far(p[0]) || far(p[1]);
                                }),
                 points.end());
    return points;
}

// The pipelines of the operations that PROJ offers from one CRS to the other and whose grids are
// here, in the order in which it prefers them.
inline std::vector<std::string> Candidates(const char* from, const char* to) {
    std::vector<std::string> pipelines;
    PJ_CONTEXT* context = proj_context_create();
    PJ* source = proj_create(context, from);
    PJ* target = proj_create(context, to);
    PJ_OPERATION_FACTORY_CONTEXT* factory = proj_create_operation_factory_context(context, nullptr);
    proj_operation_factory_context_set_spatial_criterion(
        context, factory, PROJ_SPATIAL_CRITERION_PARTIAL_INTERSECTION);
    proj_operation_factory_context_set_grid_availability_use(
        context, factory, PROJ_GRID_AVAILABILITY_DISCARD_OPERATION_IF_MISSING_GRID);
    PJ_OBJ_LIST* list = proj_create_operations(context, source, target, factory);
    for (int i = 0; i < proj_list_get_count(list); ++i) {
        PJ* operation = proj_list_get(context, list, i);
        if (const char* text = proj_as_proj_string(context, operation, PJ_PROJ_5, nullptr)) {
            pipelines.push_back(text);
        }
        proj_destroy(operation);
    }
    proj_list_destroy(list);
    proj_operation_factory_context_destroy(factory);
    proj_destroy(source);
    proj_destroy(target);
    proj_context_destroy(context);
    return pipelines;
}

}  // namespace judge
