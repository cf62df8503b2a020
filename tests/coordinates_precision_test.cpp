// Projections in pairs of floats and in single precision, beside double; and what the coordinates
// of a warp take of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "coordinates_fixture.h"
#include "coordinates_judge.h"
#include "cpl_conv.h"
#include "kernels/core/ds.h"
#include "kernels/core/fp32.h"
#include "nvrtc_sweep.h"
#include "plugin/coordinates/precision.h"
#include "plugin/coordinates/proj_rules.h"
#include "plugin/coordinates/projections.h"

namespace gdalgpu {
namespace {

using judge::Point;
using kernels::ds;

constexpr double kEarth = 6378137;

// How far a projection may be from double, where that is more than usual.
struct Limit {
    const char* name;
    bool inverse;
    double fp32;  // metres
    double ds;
    size_t refused;  // points that one of them refuses and the other doesn't
    const char* why;
};

constexpr double kUsualFp32 = 30;
constexpr double kUsualDs = 3e-5;

const Limit kLimits[] = {
    {"adams_hemi", false, 2000, 5e-5, 0, "an arc cosine near 1 in the elliptic integral"},
    {"adams_ws1", false, 600, 5e-5, 0, "as adams_hemi"},
    {"adams_ws2", false, 2000, 1e-4, 0, "as adams_hemi"},
    {"adams_ws2", true, 500, 1e-3, 100, "the inverse ends 1e-10 radii from the point, as PROJ's"},
    {"apian", false, 100, 3e-5, 0, "circles of large radius near the central meridian"},
    {"bacon", false, 100, 3e-5, 0, "as apian"},
    {"bertin1953", false, 150, 3e-5, 0, "a turned sphere near its poles"},
    {"bipc", true, 120, 3e-5, 0, "iteration over an arc cosine"},
    {"chamb", false, 1500, 1e-4, 0, "differences of distances from three points"},
    {"geos", true, 100, 3e-5, 0, "the horizon"},
    {"guyou", false, 1500, 1e-4, 0, "as adams_hemi"},
    {"imw_p", false, 600, 1e-4, 0, "circles of large radius near the equator"},
    {"imw_p", true, 300, 2e-3, 0, "the inverse ends 1e-10 radii from the point, as PROJ's"},
    {"interrupted", true, 3000, 3e-4, 4, "as poly"},
    {"isea", false, 300, 3e-5, 0, "an arc cosine near a face's centre"},
    {"loxim", false, 600, 5e-5, 0, "a quotient of small differences next to the parallel"},
    {"loxim", true, 600, 5e-5, 0, "as forward"},
    {"lsat", true, 120, 3e-5, 0, "an iteration that ends at 1e-7, as PROJ's"},
    {"misrsom", true, 120, 3e-5, 0, "as lsat"},
    {"nicol", false, 2000, 3e-4, 0, "as apian"},
    {"ortel", false, 100, 3e-5, 0, "as apian"},
    {"peirce_q", false, 400, 3e-5, 0, "as adams_hemi"},
    {"peirce_q", true, 300, 2e-3, 120, "as adams_ws2"},
    {"poly", true, 3000, 3e-4, 4, "Newton's method next to the equator"},
    {"putp2", false, 100, 3e-5, 0, "the pole, where the equation is flat"},
    {"putp6", false, 200, 3e-5, 0, "the pole, where the equation is flat"},
    {"spilhaus", false, 2e4, 1e-2, 0, "as adams_ws2"},
    {"spilhaus", true, 2000, 5e-3, 200, "as adams_ws2"},
    {"tmerc", false, 200, 3e-5, 0, "spherical: a logarithm near the singular points"},
    {"tpeqd", false, 2e4, 5e-4, 0, "differences of squares next to the line of the points"},
    {"tpeqd", true, 1e4, 5e-4, 0, "as forward"},
    {"vandg", false, 5e5, 0.1, 20, "a cubic equation's differences next to the axes"},
    {"vandg", true, 1000, 1e-4, 5, "as forward"},
    {"vandg2", false, 5e5, 0.1, 10, "as vandg"},
    {"vandg3", false, 200, 3e-5, 0, "as vandg"},
    {"vandg4", false, 1e5, 0.05, 5, "as vandg"},
    {"wink2", true, 30, 3e-3, 0, "as adams_ws2"},
};

struct Direction {
    std::string name;
    std::string pipeline;
    bool inverse;
};

// Every example of some projections in every direction it has: a forward one, and its inverse
// behind it.
std::vector<Direction> Directions(const std::vector<std::string>& projections) {
    std::vector<Direction> result;
    for (const std::string& name : projections) {
        for (const std::string& example : ProjectionExamples(name)) {
            result.push_back({name, example, false});
            try {
                CoordinateOperation::FromPipeline(example, true);
                result.push_back({name, example, true});
            } catch (const NotFusable&) {  // a projection without an inverse
            }
        }
    }
    return result;
}

// Operations of one precision in one text; each may have a kernel.
class Operations {
  public:
    Operations(const std::vector<Direction>& directions, Precision precision, bool kernels = true) {
        source.include("core/core.h");
        std::map<std::string, std::string> number_of;  // by text
        for (const Direction& direction : directions) {
            operations_.push_back(CoordinateOperation::FromPipeline(direction.pipeline,
                                                                    direction.inverse, precision));
            EXPECT_EQ(operations_.back().precision(), precision);
            gpu::Source alone;
            operations_.back().Emit(alone, "Operation");
            std::string& n = number_of[alone.text()];
            if (n.empty()) {
                n = std::to_string(number_of.size());
                operations_.back().Emit(source, "Operation" + n);
                if (kernels) EmitKernel(n);
            }
            kernels_.push_back("run" + n);
        }
    }

    // Refused points get an infinite x.
    std::vector<Point> Run(size_t number, std::vector<Point> points) {
        if (module_ == nullptr) module_ = judge::Device()->compile(source);
        const auto stream = judge::Device()->stream();
        const auto on_device = stream->allocate(points.size() * sizeof(Point) + 8);
        stream->upload(on_device->address(), points.data(), points.size() * sizeof(Point));
        struct {
            void* points;
            long long count;
        } params = {on_device->address(), static_cast<long long>(points.size())};
        std::vector<std::byte> bytes(sizeof(params));
        std::memcpy(bytes.data(), &params, sizeof(params));
        const std::vector<std::byte>& own = operations_[number].parameters();
        bytes.insert(bytes.end(), own.begin(), own.end());
        stream->launch(module_->kernel(kernels_[number]), {params.count, 1}, bytes.data(),
                       bytes.size());
        stream->download(points.data(), on_device->address(), points.size() * sizeof(Point));
        stream->synchronize();
        return points;
    }

    gpu::Source source;

  private:
    void EmitKernel(const std::string& n) {
        source.append("struct Params" + n + " { double* points; long long count; Operation" + n +
                      " operation; };\nGPU_KERNEL(run" + n + ", Params" + n +
                      ", p) {\n    GPU_FOR_1D(i, p.count) {\n"
                      "        double* q = p.points + 4 * i;\n"
                      "        if (!p.operation.apply(q[0], q[1], q[2], q[3])) q[0] = HUGE_VAL;\n"
                      "    }\n}\n");
    }

    std::vector<CoordinateOperation> operations_;
    std::vector<std::string> kernels_;
    std::shared_ptr<gpu::Module> module_;
};

bool Valid(const Point& point) { return std::isfinite(point[0]) && std::isfinite(point[1]); }

// Metres between two results.
double Metres(const Point& a, const Point& b, bool angles) {
    if (!angles) return std::hypot(a[0] - b[0], a[1] - b[1]);
    double turn = std::fabs(a[0] - b[0]);
    turn = std::min(turn, std::fabs(turn - 2 * M_PI));
    return kEarth * std::hypot(turn * std::cos(a[1]), a[1] - b[1]);
}

// Of a projection's unit.
double MetresOfUnit(const std::string& name) {
    return name == "s2" ? kEarth : name == "calcofi" ? 12000 : 1;
}

// Longitudes and latitudes where the projection shrinks and stretches by a factor of 3 at most. Of
// cass, which is for a few degrees, the neighbourhood of its meridian.
std::vector<Point> OrdinaryPoints(Operations& fp64, size_t number, const std::string& name) {
    const double step = 1e-6;
    std::array<std::vector<Point>, 3> points;  // and the neighbours in the east and in the north
    for (int lon = name == "cass" ? -10 : -177; lon <= (name == "cass" ? 10 : 178); lon += 5) {
        for (int lat = -88; lat <= 88; lat += 3) {
            const double x = (lon + 0.123) * judge::kDegree, y = (lat + 0.217) * judge::kDegree;
            points[0].push_back({x, y, 0, 0});
            points[1].push_back({x + step, y, 0, 0});
            points[2].push_back({x, y + step, 0, 0});
        }
    }
    std::array<std::vector<Point>, 3> plane;
    for (int i = 0; i < 3; ++i) plane[i] = fp64.Run(number, points[i]);
    std::vector<Point> kept;
    for (size_t k = 0; k < points[0].size(); ++k) {
        const Point &p = plane[0][k], &east = plane[1][k], &north = plane[2][k];
        if (!Valid(p) || !Valid(east) || !Valid(north)) continue;
        // Singular values of the derivatives.
        const double unit = step * kEarth / MetresOfUnit(name),
                     parallel = unit * std::cos(points[0][k][1]);
        const double a = (east[0] - p[0]) / parallel, b = (north[0] - p[0]) / unit,
                     c = (east[1] - p[1]) / parallel, d = (north[1] - p[1]) / unit;
        const double sum = a * a + b * b + c * c + d * d, determinant = std::fabs(a * d - b * c);
        const double root = std::sqrt(std::max(0., sum * sum - 4 * determinant * determinant));
        const double most = std::sqrt((sum + root) / 2), least = determinant / most;
        if (most < 3 && least > 0.3 && std::hypot(p[0], p[1]) < 4e7) kept.push_back(points[0][k]);
    }
    return kept;
}

void ExpectWithin(Operations& tested, Operations& fp64, size_t number, const Direction& direction,
                  const std::vector<Point>& points, bool single) {
    double limit = single ? kUsualFp32 : kUsualDs;
    size_t most_refused = 0;
    for (const Limit& other : kLimits) {
        if (direction.name == other.name && direction.inverse == other.inverse) {
            limit = single ? other.fp32 : other.ds;
            most_refused = other.refused;
        }
    }
    const std::vector<Point> expected = fp64.Run(number, points), got = tested.Run(number, points);
    double worst = 0;
    size_t at = 0, refused = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        if (Valid(got[i]) != Valid(expected[i])) {
            ++refused;
        } else if (Valid(got[i])) {
            const double metres = Metres(expected[i], got[i], direction.inverse) *
                                  (direction.inverse ? 1 : MetresOfUnit(direction.name));
            if (!(metres <= worst)) worst = metres, at = i;
        }
    }
    const std::string what = direction.pipeline + (direction.inverse ? " (inverse)" : "") +
                             (single ? " in fp32" : " in ds");
    if (judge::Batch::Talks())
        std::printf("%-9.2e %zu refused of %zu: %s\n", worst, refused, points.size(), what.c_str());
    ASSERT_FALSE(points.empty()) << what;
    EXPECT_LE(worst, limit) << what << " at (" << points[at][0] << ", " << points[at][1] << ")";
    EXPECT_LE(refused, most_refused) << what;
    // A single precision that is as good as double isn't one.
    EXPECT_GT(worst, single ? 1e-3 : 1e-11) << what;
}

constexpr size_t kAtOnce = 25;  // projections in a text

class ProjectionsInPrecision : public testing::TestWithParam<size_t> {};

TEST_P(ProjectionsInPrecision, AgreeWithDouble) {
    const std::vector<std::string> names = ProjectionNames();
    const size_t first = GetParam() * kAtOnce, end = std::min(first + kAtOnce, names.size());
    ASSERT_LT(first, end);
    const std::vector<Direction> directions =
        Directions({names.begin() + first, names.begin() + end});
    Operations fp64(directions, Precision::Fp64), pairs(directions, Precision::Ds),
        fp32(directions, Precision::Fp32);
    std::vector<Point> points;
    for (size_t i = 0; i < directions.size(); ++i) {
        if (!directions[i].inverse) {
            points = OrdinaryPoints(fp64, i, directions[i].name);
        } else {
            // Those that the inverse brings back.
            const std::vector<Point> plane = fp64.Run(i - 1, points), back = fp64.Run(i, plane);
            std::vector<Point> kept;
            for (size_t k = 0; k < points.size(); ++k) {
                if (Valid(back[k]) && Metres(points[k], back[k], true) < 2e4)
                    kept.push_back(plane[k]);
            }
            points = kept;
        }
        ExpectWithin(pairs, fp64, i, directions[i], points, false);
        ExpectWithin(fp32, fp64, i, directions[i], points, true);
    }
}

INSTANTIATE_TEST_SUITE_P(All, ProjectionsInPrecision,
                         testing::Range(size_t{0},
                                        (ProjectionNames().size() + kAtOnce - 1) / kAtOnce));

TEST(Precision, LimitsAreOfProjectionsThatThereAre) {
    const std::vector<std::string> names = ProjectionNames();
    for (const Limit& limit : kLimits) {
        // Newer PROJs have more; and the isea of some of them has no kernel.
        if (!ProjHas(limit.name)) continue;
        if (limit.name == std::string("isea") && RulesOfProj().isea_is_of_9_5) continue;
        EXPECT_EQ(std::count(names.begin(), names.end(), limit.name), 1) << limit.name;
    }
}

class NvrtcPrecision : public testing::TestWithParam<Precision> {};

// The text of all is read and checked; for few is it turned into code.
TEST_P(NvrtcPrecision, ProjectionsCompile) {
    GPU_NEED_NVRTC();
    std::vector<Direction> all = Directions(ProjectionNames());
    all.push_back({"", "+proj=ob_tran +o_proj=laea +o_lon_p=20 +o_lat_p=45 +ellps=GRS80", false});
    const Operations text(all, GetParam(), /*kernels=*/false);
    const Operations code(
        {{"", "+proj=pipeline +step +inv +proj=merc +step +proj=utm +zone=32", false},
         {"", "+proj=ob_tran +o_proj=robin +o_lon_p=20 +o_lat_p=45", false}},
        GetParam());
    try {
        EXPECT_FALSE(gpu::CompileForArchitecture(text.source.text(), "sm_75").empty());
    } catch (const gpu::Error& error) {
        ADD_FAILURE() << error.what();
    }
    gpu::ExpectCompilesForEveryArchitecture(code.source, PrecisionName(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(All, NvrtcPrecision, testing::Values(Precision::Ds, Precision::Fp32));

double Exact(ds value) { return static_cast<double>(value); }

TEST(PairsOfFloats, ArithmeticIsGoodTo4e14) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> exponent(-20, 20);
    for (int i = 0; i < 20000; ++i) {
        const ds a = std::exp(exponent(random)) * (i % 2 ? 1 : -1), b = std::exp(exponent(random));
        const long double x = Exact(a), y = Exact(b);
        EXPECT_NEAR(Exact(a * b) / static_cast<double>(x * y), 1, 4e-14);
        EXPECT_NEAR(Exact(a / b) / static_cast<double>(x / y), 1, 4e-14);
        EXPECT_NEAR(Exact(a + b) / static_cast<double>(x + y), 1, 4e-14);
        EXPECT_NEAR(Exact(sqrt(b)) / static_cast<double>(std::sqrt(y)), 1, 4e-14);
        EXPECT_NEAR(Exact(hypot(a, b)) / static_cast<double>(std::hypot(x, y)), 1, 4e-14);
        EXPECT_NEAR(Exact(atan2(a, b)) / static_cast<double>(std::atan2(x, y)), 1, 4e-14);
        EXPECT_EQ(a < b, x < y);
        EXPECT_EQ(a >= b, x >= y);
    }
    // Nearly equal numbers are subtracted exactly.
    EXPECT_EQ(Exact(ds(1 + 1e-13) - ds(1)), Exact(ds(1 + 1e-13)) - 1);
    EXPECT_GT(Exact(ds(1 + 1e-13) - ds(1)), 0.9e-13);
}

TEST(PairsOfFloats, FunctionsAreGoodTo4e14) {
    struct Function {
        const char* name;
        double low, high;  // of the size of arguments
        bool negative;     // ones too
        std::function<ds(ds)> ours;
        double (*theirs)(double);
    };
    const Function functions[] = {
        {"sin", 1e-9, 3.1, true, [](ds x) { return sin(x); }, std::sin},
        {"cos", 1e-9, 1.5, true, [](ds x) { return cos(x); }, std::cos},
        {"tan", 1e-9, 1.5, true, [](ds x) { return tan(x); }, std::tan},
        {"asin", 1e-9, 0.999, true, [](ds x) { return asin(x); }, std::asin},
        {"acos", 1e-9, 0.99, true, [](ds x) { return acos(x); }, std::acos},
        {"atan", 1e-12, 1e12, true, [](ds x) { return atan(x); }, std::atan},
        {"exp", 1e-9, 40, true, [](ds x) { return exp(x); }, std::exp},
        {"expm1", 1e-9, 3, true, [](ds x) { return expm1(x); }, std::expm1},
        {"log", 1e-9, 1e9, false, [](ds x) { return log(x); }, std::log},
        {"log1p", 1e-9, 0.9, true, [](ds x) { return log1p(x); }, std::log1p},
        {"log1p", 1e-9, 1e9, false, [](ds x) { return log1p(x); }, std::log1p},
        {"sinh", 1e-9, 30, true, [](ds x) { return sinh(x); }, std::sinh},
        {"cosh", 1e-9, 30, true, [](ds x) { return cosh(x); }, std::cosh},
        {"tanh", 1e-9, 30, true, [](ds x) { return tanh(x); }, std::tanh},
        {"asinh", 1e-9, 1e9, true, [](ds x) { return asinh(x); }, std::asinh},
        {"atanh", 1e-9, 0.99, true, [](ds x) { return atanh(x); }, std::atanh},
        {"cbrt", 1e-9, 1e9, true, [](ds x) { return cbrt(x); }, std::cbrt},
        {"floor", 1e-3, 1e9, true, [](ds x) { return floor(x); }, std::floor},
    };
    std::mt19937_64 random(6);
    for (const Function& f : functions) {
        std::uniform_real_distribution<double> logarithm(std::log(f.low), std::log(f.high));
        for (int i = 0; i < 20000; ++i) {
            const ds x = std::exp(logarithm(random)) * (f.negative && i % 2 ? -1 : 1);
            const double expected = f.theirs(Exact(x));
            ASSERT_NEAR(Exact(f.ours(x)), expected, 4e-14 * std::fabs(expected))
                << f.name << " of " << Exact(x);
        }
    }
}

TEST(PairsOfFloats, InfinitiesStayAndNothingElseBecomesOne) {
    EXPECT_EQ(Exact(ds(1) / ds(0)), HUGE_VAL);
    EXPECT_EQ(Exact(ds(1e30) * ds(1e30)), HUGE_VAL);
    EXPECT_EQ(Exact(ds(HUGE_VAL) + ds(1)), HUGE_VAL);
    EXPECT_EQ(Exact(exp(ds(1000))), HUGE_VAL);
    EXPECT_EQ(Exact(exp(ds(-1000))), 0);
    EXPECT_EQ(Exact(log(ds(0))), -HUGE_VAL);
    EXPECT_NEAR(Exact(atan(ds(HUGE_VAL))), M_PI / 2, 1e-14);
    EXPECT_NEAR(Exact(asin(ds(1))), M_PI / 2, 1e-14);
    EXPECT_NEAR(Exact(acos(ds(-1))), M_PI, 1e-14);
    EXPECT_TRUE(std::isnan(Exact(asin(ds(1.1)))));
    EXPECT_TRUE(std::isnan(Exact(sin(ds(HUGE_VAL)))));
    EXPECT_TRUE(is_refused(ds(HUGE_VAL)));
    EXPECT_FALSE(is_refused(ds(-HUGE_VAL)));
    EXPECT_FALSE(is_refused(ds(NAN)));
}

TEST(EncodeParameters, DoublesBecomePairsAndIntegersStay) {
    struct Parameters {
        double pi = M_PI;
        int64_t flag = -1;
        double zero = 0;
        int64_t count = 1000;
        double tiny = -1e-30;
        double infinite = HUGE_VAL;
    };
    const Parameters original;
    std::vector<std::byte> bytes(sizeof original);
    std::memcpy(bytes.data(), &original, sizeof original);
    EXPECT_EQ(EncodeParameters(bytes, Precision::Fp64), bytes);
    for (const Precision precision : {Precision::Ds, Precision::Fp32}) {
        const std::vector<std::byte> encoded = EncodeParameters(bytes, precision);
        struct {
            ds pi;
            int64_t flag;
            ds zero;
            int64_t count;
            ds tiny, infinite;
        } read;
        ASSERT_EQ(encoded.size(), sizeof read);
        std::memcpy(&read, encoded.data(), sizeof read);
        EXPECT_NEAR(Exact(read.pi), M_PI, 1e-14);
        EXPECT_EQ(read.pi.high, static_cast<float>(M_PI));
        EXPECT_EQ(read.flag, -1);
        EXPECT_EQ(Exact(read.zero), 0);
        EXPECT_EQ(read.count, 1000);
        EXPECT_NEAR(Exact(read.tiny), -1e-30, 1e-44);
        EXPECT_EQ(Exact(read.infinite), HUGE_VAL);
    }
}

// The precision of the first plan that passes its check, as a warp takes it.
std::string Taken(const std::string& requested, double pixel) {
    const CPLConfigOptionSetter option("GDAL_GPU_PRECISION", requested.c_str(), false);
    // 3000 km of UTM from a raster of longitude and latitude.
    const int size = static_cast<int>(3e6 / pixel);
    const double degrees = pixel / 111000;
    const GeoTransform utm = {-1000000, pixel, 0, 6500000, 0, -pixel};
    const GeoTransform longlat = {-20, degrees, 0, 70, 0, -degrees};
    const auto source = MakeRaster(size * 2, size * 2, &longlat, "EPSG:4326");
    const auto destination = MakeRaster(size, size, &utm, "EPSG:32633");
    const Transformer transformer(*source, destination.get());
    std::vector<std::string> reasons;
    const PixelWindow whole{0, 0, size, size};
    for (const auto& plan :
         PlanPixelTransform(transformer.function(), transformer.argument(), reasons, &whole)) {
        const auto module = Compile(*plan);
        const auto stream = HostDevice().stream();
        if (plan->Check(*module, *stream, whole).empty()) {
            EXPECT_STREQ(plan->path(),
                         std::string(plan->precision()) == "fp64" ? "tiles" : "fused");
            // What passed is as exact as was asked for, also between the checked points.
            EXPECT_LT(
                LargestError(ByDevice(*plan, *module, whole, 37),
                             ByGdal(transformer.function(), transformer.argument(), whole, 37)),
                2e-3);
            return plan->precision();
        }
    }
    return "none";
}

TEST(PixelTransformPrecision, AutoTakesTheCheapestThatIsGoodEnough) {
    EXPECT_EQ(Taken("auto", 5000), "fp32");
    EXPECT_EQ(Taken("auto", 500), "ds");
    EXPECT_EQ(Taken("fp64", 5000), "fp64");
    EXPECT_EQ(Taken("", 5000), "fp64");
}

TEST(PixelTransformPrecision, OneThatIsNotGoodEnoughIsDropped) {
    EXPECT_EQ(Taken("fp32", 500), "fp64");
    EXPECT_EQ(Taken("fp32", 5000), "fp32");
    EXPECT_EQ(Taken("ds", 500), "ds");
}

TEST(PixelTransformPrecision, OperationsWithoutProjectionStayInDouble) {
    const CoordinateOperation cart =
        CoordinateOperation::FromPipeline("+proj=cart +ellps=GRS80", false, Precision::Fp32);
    EXPECT_EQ(cart.precision(), Precision::Fp64);
    gpu::Source source;
    cart.Emit(source, "Operation");
    EXPECT_EQ(source.text().find("GPU_REAL kernels::"), std::string::npos);
}

}  // namespace
}  // namespace gdalgpu
