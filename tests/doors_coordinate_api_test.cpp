#include <proj.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "plugin/doors/gdal_gpu.h"
#include "unfused_operation.h"

namespace {

using testing::AllOf;
using testing::Each;
using testing::EndsWith;
using testing::Gt;
using testing::HasSubstr;
using testing::Lt;
using testing::Pair;
using testing::StartsWith;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kDegree = 0.017453292519943295;

struct Points {
    std::vector<double> x, y, z, t;
    std::vector<int> success;

    explicit Points(size_t count = 0)
        : x(count), y(count), z(count), t(count, HUGE_VAL), success(count, 7) {}
    size_t size() const { return x.size(); }
    GIntBig count() const { return static_cast<GIntBig>(x.size()); }
};

Points Random(size_t count, double x0, double x1, double y0, double y1) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> x(x0, x1), y(y0, y1);
    Points points(count);
    for (size_t i = 0; i < count; ++i) {
        points.x[i] = x(random);
        points.y[i] = y(random);
        points.z[i] = static_cast<double>(i % 5);
    }
    return points;
}

// What PROJ makes of points: by proj_create_crs_to_crs(), or proj_create() with no target.
class Judge {
  public:
    Judge(const char* source, const char* target) : context_(proj_context_create()) {
        pj_ = target == nullptr ? proj_create(context_, source)
                                : proj_create_crs_to_crs(context_, source, target, nullptr);
    }
    ~Judge() {
        proj_destroy(pj_);
        proj_context_destroy(context_);
    }
    Judge(const Judge&) = delete;
    Judge& operator=(const Judge&) = delete;

    Points operator()(Points points, bool inverse) const {
        for (size_t i = 0; i < points.size(); ++i) {
            const PJ_COORD to =
                proj_trans(pj_, inverse ? PJ_INV : PJ_FWD,
                           proj_coord(points.x[i], points.y[i], points.z[i], points.t[i]));
            points.x[i] = to.v[0];
            points.y[i] = to.v[1];
            points.z[i] = to.v[2];
            points.t[i] = to.v[3];
            points.success[i] = to.v[0] != HUGE_VAL;
        }
        return points;
    }
    PJ* pj() const { return pj_; }
    PJ_CONTEXT* context() const { return context_; }

  private:
    PJ_CONTEXT* context_;
    PJ* pj_;
};

void ExpectSame(const Points& ours, const Points& theirs, double tolerance) {
    ASSERT_EQ(ours.size(), theirs.size());
    size_t succeeded = 0;
    for (size_t i = 0; i < ours.size(); ++i) {
        ASSERT_EQ(ours.success[i], theirs.success[i]) << "point " << i;
        if (!ours.success[i]) {
            EXPECT_EQ(ours.x[i], HUGE_VAL);
            EXPECT_EQ(ours.z[i], HUGE_VAL);
            continue;
        }
        ++succeeded;
        ASSERT_NEAR(ours.x[i], theirs.x[i], tolerance) << "point " << i;
        ASSERT_NEAR(ours.y[i], theirs.y[i], tolerance) << "point " << i;
        ASSERT_NEAR(ours.z[i], theirs.z[i], 1e-6) << "point " << i;
    }
    EXPECT_GT(succeeded, 0u);
}

struct Destroy {
    void operator()(GDALGPUCoordinateTransformHS* transform) const {
        GDALGPUDestroyCoordinateTransform(transform);
    }
};
using Transform = std::unique_ptr<GDALGPUCoordinateTransformHS, Destroy>;

Transform Between(const char* source, const char* target, const char* option = nullptr) {
    CPLStringList options;
    if (option != nullptr) options.AddString(option);
    return Transform(GDALGPUCreateCoordinateTransform(source, target, options.List()));
}

CPLErr Apply(const Transform& transform, Points& points, bool inverse = false) {
    return GDALGPUTransformCoordinates(transform.get(), inverse, points.count(), points.x.data(),
                                       points.y.data(), points.z.data(), points.t.data(),
                                       points.success.data());
}

std::string Taken(char* text) {
    const std::string result = text != nullptr ? text : "NULL";
    CPLFree(text);
    return result;
}

std::string Path(const Transform& transform, bool inverse = false) {
    return Taken(GDALGPUCoordinateTransformPath(transform.get(), inverse));
}

class CoordinateApi : public testing::Test {
  protected:
    void SetUp() override {
        const char* device = std::getenv("GDAL_GPU_DEVICE");
        device_ = device == nullptr ? "HOST" : device;
        CPLSetConfigOption("GDAL_GPU_DEVICE", device_.c_str());
        CPLSetConfigOption("GDAL_GPU_MIN_PIXELS", "0");
        CPLPushErrorHandler(CPLQuietErrorHandler);
        CPLErrorReset();
    }
    void TearDown() override {
        CPLPopErrorHandler();
        CPLSetConfigOption("GDAL_GPU_FAULT", nullptr);
    }

    std::string device_;
};

TEST_F(CoordinateApi, AxesAreThoseOfTheCrssBothWays) {
    const Transform transform = Between("EPSG:4326", "EPSG:32633");
    ASSERT_NE(transform, nullptr);
    EXPECT_EQ(Path(transform), "none");
    const Judge judge("EPSG:4326", "EPSG:32633");
    const Points degrees = Random(5000, 40, 60, 10, 20);
    Points points = degrees;
    ASSERT_EQ(Apply(transform, points), CE_None);
    const Points expected = judge(degrees, false);
    ExpectSame(points, expected, 1e-6);
    EXPECT_THAT(Path(transform), StartsWith(device_ + ": "));
    EXPECT_THAT(Path(transform), HasSubstr("utm"));

    points = expected;
    ASSERT_EQ(Apply(transform, points, true), CE_None);
    ExpectSame(points, judge(expected, true), 1e-11);
    EXPECT_THAT(Path(transform, true), StartsWith(device_ + ": "));
}

TEST_F(CoordinateApi, TraditionalAxesHaveXFirstOnTheDeviceAndOnTheCpu) {
    // Northing, easting on the one side; latitude, longitude on the other.
    const Judge judge("EPSG:4326", "EPSG:2193");
    const Points degrees = Random(100, -45, -38, 170, 178);
    const Points expected = judge(degrees, false);
    Points turned = degrees, turned_expected = expected;
    std::swap(turned.x, turned.y);
    std::swap(turned_expected.x, turned_expected.y);
    turned.success.assign(turned.size(), TRUE);
    for (const char* device : {device_.c_str(), "NONE"}) {
        CPLSetConfigOption("GDAL_GPU_DEVICE", device);
        const Transform transform = Between("EPSG:4326", "EPSG:2193", "AXIS_ORDER=TRADITIONAL");
        ASSERT_NE(transform, nullptr);
        Points points = turned;
        ASSERT_EQ(Apply(transform, points), CE_None);
        ExpectSame(points, turned_expected, 1e-6);
        ASSERT_EQ(Apply(transform, points, true), CE_None);
        ExpectSame(points, turned, 1e-9);
        EXPECT_THAT(Path(transform),
                    StartsWith(std::string(device) == "NONE" ? "PROJ: " : device_ + ": "));
    }
    // One side alone is turned round.
    for (const char* device : {device_.c_str(), "NONE"}) {
        CPLSetConfigOption("GDAL_GPU_DEVICE", device);
        const Transform transform = Between("EPSG:4326", "EPSG:32760", "AXIS_ORDER=TRADITIONAL");
        Points points = turned;
        ASSERT_EQ(Apply(transform, points), CE_None);
        ExpectSame(points, Judge("EPSG:4326", "EPSG:32760")(degrees, false), 1e-6);
        ASSERT_EQ(Apply(transform, points, true), CE_None);
        ExpectSame(points, turned, 1e-9);
    }
}

TEST_F(CoordinateApi, PointsThatFailAreFlaggedAndInfiniteAndTheOthersUnharmed) {
    const Transform transform = Between("EPSG:4326", "EPSG:3035");
    Points points(6);
    points.x = {52, 95, 50, HUGE_VAL, -HUGE_VAL, 48};
    points.y = {10, 10, HUGE_VAL, 10, 10, 9};
    const Points expected = Judge("EPSG:4326", "EPSG:3035")(points, false);
    ASSERT_EQ(Apply(transform, points), CE_None);
    EXPECT_EQ(points.success, expected.success);
    EXPECT_EQ(points.success[0], TRUE);
    EXPECT_EQ(points.success[1], FALSE);
    EXPECT_EQ(points.x[1], HUGE_VAL);
    EXPECT_EQ(points.success[5], TRUE);
    EXPECT_THAT(Path(transform), StartsWith(device_ + ": "));
}

TEST_F(CoordinateApi, NanStaysNan) {
    const Transform transform = Between("EPSG:4326", "EPSG:3857");
    Points points(2);
    points.x = {kNan, 52};
    points.y = {10, 10};
    ASSERT_EQ(Apply(transform, points), CE_None);
    EXPECT_TRUE(std::isnan(points.x[0]) || std::isnan(points.y[0]));
    EXPECT_NEAR(points.x[1], 1113194.907932, 1e-5);
    EXPECT_THAT(Path(transform), StartsWith(device_ + ": "));
}

TEST_F(CoordinateApi, HeightsTimesAndFlagsMayBeLeftOut) {
    const Transform transform = Between("EPSG:4326", "EPSG:32633");
    for (const char* device : {device_.c_str(), "NONE"}) {
        CPLSetConfigOption("GDAL_GPU_DEVICE", device);
        double x = 52, y = 13;
        ASSERT_EQ(GDALGPUTransformCoordinates(transform.get(), FALSE, 1, &x, &y, nullptr, nullptr,
                                              nullptr),
                  CE_None);
        EXPECT_NEAR(x, 362705.63410563039, 1e-6);
        EXPECT_NEAR(y, 5762926.812914039, 1e-6);
    }
    EXPECT_EQ(GDALGPUTransformCoordinates(transform.get(), FALSE, 0, nullptr, nullptr, nullptr,
                                          nullptr, nullptr),
              CE_None);
}

TEST_F(CoordinateApi, AnOperationOfTextTakesItsOwnUnits) {
    const char* text = "+proj=utm +zone=33 +ellps=GRS80";
    const Transform transform(GDALGPUCreateCoordinateTransformFromOperation(text, nullptr));
    ASSERT_NE(transform, nullptr);
    const Points radians = Random(500, 10 * kDegree, 20 * kDegree, -1, 1);
    Points points = radians;
    ASSERT_EQ(Apply(transform, points), CE_None);
    ExpectSame(points, Judge(text, nullptr)(radians, false), 1e-6);
    EXPECT_THAT(Path(transform), StartsWith(device_ + ": "));
}

TEST_F(CoordinateApi, AnOperationOfProjjsonIsRead) {
    const Judge judge("EPSG:4326", "EPSG:32633");
    PJ* operation = proj_create(judge.context(), "urn:ogc:def:coordinateOperation:EPSG::16033");
    ASSERT_NE(operation, nullptr);
    const char* json = proj_as_projjson(judge.context(), operation, nullptr);
    ASSERT_NE(json, nullptr);
    const Transform transform(GDALGPUCreateCoordinateTransformFromOperation(json, nullptr));
    ASSERT_NE(transform, nullptr) << CPLGetLastErrorMsg();
    const Judge same(json, nullptr);
    const Points in = Random(200, 10 * kDegree, 20 * kDegree, 0.7, 1);
    Points points = in;
    ASSERT_EQ(Apply(transform, points), CE_None);
    ExpectSame(points, same(in, false), 1e-6);
    EXPECT_THAT(Path(transform), StartsWith(device_ + ": "));
    proj_destroy(operation);
}

TEST_F(CoordinateApi, WhatCannotBeFusedIsDoneByProjOnAllCoresAndSaysWhy) {
    const gdalgpu::UnfusedOperation operation("+proj=merc +ellps=WGS84");
    const char* text = operation.pipeline().c_str();
    const Transform transform(GDALGPUCreateCoordinateTransformFromOperation(text, nullptr));
    ASSERT_NE(transform, nullptr);
    const Points in = Random(70000, 2e5, 8e5, 1e6, 5e6);
    Points points = in;
    ASSERT_EQ(Apply(transform, points), CE_None);
    ExpectSame(points, Judge(text, nullptr)(in, false), 0);
    EXPECT_THAT(Path(transform), StartsWith("PROJ: "));
    EXPECT_THAT(Path(transform), HasSubstr("tinshift"));
}

TEST_F(CoordinateApi, SeveralOperationsAreChosenPointByPointAsProjDoes) {
    for (const auto& [source, target] :
         {std::pair("EPSG:4267", "EPSG:4326"), std::pair("EPSG:4230", "EPSG:25832"),
          std::pair("EPSG:4314", "EPSG:4258")}) {
        const Judge judge(source, target);
        const bool america = std::string(source) == "EPSG:4267";
        const Points in =
            america ? Random(20000, 5, 85, -175, -40) : Random(20000, 30, 72, -12, 40);
        const Points expected = judge(in, false);
        const Transform transform = Between(source, target);
        ASSERT_NE(transform, nullptr);
        Points points = in;
        ASSERT_EQ(Apply(transform, points), CE_None);
        ExpectSame(points, expected, std::string(target) == "EPSG:25832" ? 1e-5 : 1e-10);
        Points back = expected;
        ASSERT_EQ(Apply(transform, back, true), CE_None);
        ExpectSame(back, judge(expected, true), 1e-10);
        EXPECT_THAT(Path(transform), AllOf(StartsWith(device_ + ": "), HasSubstr(" | ")));
        EXPECT_THAT(Path(transform, true), AllOf(StartsWith(device_ + ": "), HasSubstr(" | ")));
    }
}

TEST_F(CoordinateApi, AnAreaNarrowsTheOperations) {
    const Transform transform = Between("EPSG:4230", "EPSG:4326", "AREA=4,50,7,54");
    ASSERT_NE(transform, nullptr);
    PJ_AREA* area = proj_area_create();
    proj_area_set_bbox(area, 4, 50, 7, 54);
    PJ_CONTEXT* context = proj_context_create();
    PJ* pj = proj_create_crs_to_crs(context, "EPSG:4230", "EPSG:4326", area);
    const PJ_COORD to = proj_trans(pj, PJ_FWD, proj_coord(52, 5, 0, HUGE_VAL));
    Points points(1);
    points.x = {52};
    points.y = {5};
    ASSERT_EQ(Apply(transform, points), CE_None);
    EXPECT_NEAR(points.x[0], to.v[0], 1e-11);
    EXPECT_NEAR(points.y[0], to.v[1], 1e-11);
    proj_destroy(pj);
    proj_area_destroy(area);
    proj_context_destroy(context);
}

TEST_F(CoordinateApi, DeviceArraysAreTransformedWithoutACopyFromOneToTheOther) {
    if (device_ != "HOST") GTEST_SKIP() << "plain arrays are HOST's";
    const Transform transform = Between("EPSG:4326", "EPSG:32633");
    const Points in = Random(3000, 40, 60, 10, 20);
    Points from = in, to(in.size());
    const GDALGPUCoordinateArrays source = {from.x.data(), from.y.data(), from.z.data(), nullptr};
    const GDALGPUCoordinateArrays target = {to.x.data(), to.y.data(), to.z.data(), nullptr};
    ASSERT_EQ(GDALGPUTransformDeviceCoordinates(transform.get(), FALSE, in.count(), &source,
                                                &target, to.success.data(), nullptr),
              CE_None);
    ExpectSame(to, Judge("EPSG:4326", "EPSG:32633")(in, false), 1e-6);
    EXPECT_EQ(from.x, in.x);
    EXPECT_THAT(Path(transform), StartsWith("HOST: "));
    // In place, and by PROJ where nothing is fused.
    const gdalgpu::UnfusedOperation operation("+proj=merc +ellps=WGS84");
    const char* text = operation.pipeline().c_str();
    const Transform unfused(GDALGPUCreateCoordinateTransformFromOperation(text, nullptr));
    Points metres = Random(100, 2e5, 8e5, 1e6, 5e6);
    const Points expected = Judge(text, nullptr)(metres, false);
    const GDALGPUCoordinateArrays both = {metres.x.data(), metres.y.data(), nullptr, nullptr};
    ASSERT_EQ(GDALGPUTransformDeviceCoordinates(unfused.get(), FALSE, metres.count(), &both, &both,
                                                nullptr, nullptr),
              CE_None);
    EXPECT_EQ(metres.x, expected.x);
    EXPECT_THAT(Path(unfused), HasSubstr("tinshift"));
}

TEST_F(CoordinateApi, DeviceArraysWithoutADeviceAreAnError) {
    const Transform transform = Between("EPSG:4326", "EPSG:32633");
    CPLSetConfigOption("GDAL_GPU_DEVICE", "NONE");
    Points points = Random(10, 40, 60, 10, 20);
    const GDALGPUCoordinateArrays both = {points.x.data(), points.y.data(), nullptr, nullptr};
    EXPECT_EQ(GDALGPUTransformDeviceCoordinates(transform.get(), FALSE, 10, &both, &both, nullptr,
                                                nullptr),
              CE_Failure);
    EXPECT_THAT(CPLGetLastErrorMsg(), HasSubstr("GDAL_GPU_DEVICE=NONE"));
}

TEST_F(CoordinateApi, BoundsAreThoseOfProjTransBounds) {
    const Transform transform = Between("EPSG:4326", "EPSG:3035");
    const Judge judge("EPSG:4326", "EPSG:3035");
    double expected[4];
    ASSERT_TRUE(proj_trans_bounds(judge.context(), judge.pj(), PJ_FWD, 40, 0, 60, 20, &expected[0],
                                  &expected[1], &expected[2], &expected[3], 21));
    double bounds[] = {40, 0, 60, 20};
    ASSERT_EQ(GDALGPUTransformBounds(transform.get(), FALSE, bounds, 21, bounds), CE_None);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(bounds[i], expected[i]);
    // x first on both sides
    const Transform traditional = Between("EPSG:4326", "EPSG:3035", "AXIS_ORDER=TRADITIONAL");
    const double turned[] = {0, 40, 20, 60};
    ASSERT_EQ(GDALGPUTransformBounds(traditional.get(), FALSE, turned, 21, bounds), CE_None);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(bounds[i], expected[i ^ 1]);
    EXPECT_EQ(GDALGPUTransformBounds(transform.get(), FALSE, turned, -1, bounds), CE_Failure);
}

TEST_F(CoordinateApi, WarmUpTellsThePathAndLeavesNothingToCompile) {
    const std::string report =
        testing::TempDir() + "/coordinate_report_" + std::to_string(getpid()) + ".jsonl";
    const Transform transform = Between("EPSG:4326", "EPSG:32633");
    EXPECT_THAT(Taken(GDALGPUWarmUpCoordinateTransform(transform.get(), FALSE)),
                StartsWith(device_ + ": "));
    CPLSetConfigOption("GDAL_GPU_REPORT", report.c_str());
    Points points = Random(10, 40, 60, 10, 20);
    EXPECT_EQ(Apply(transform, points), CE_None);
    CPLSetConfigOption("GDAL_GPU_REPORT", nullptr);
    std::ifstream file(report);
    const std::string line((std::istreambuf_iterator<char>(file)), {});
    EXPECT_THAT(line, HasSubstr("\"coordinates\""));
    EXPECT_THAT(line, HasSubstr("\"fused\""));
    EXPECT_THAT(line, HasSubstr("\"compiled\":0"));
    std::remove(report.c_str());
}

TEST_F(CoordinateApi, PrecisionIsTakenWhereItIsGoodEnough) {
    const Points in = Random(500, 40, 60, 10, 20);
    const Points exact = Judge("EPSG:4326", "EPSG:32633")(in, false);
    const auto worst = [&](const char* option) {
        const Transform transform = Between("EPSG:4326", "EPSG:32633", option);
        Points points = in;
        EXPECT_EQ(Apply(transform, points), CE_None) << option;
        double largest = 0;
        for (size_t i = 0; i < in.size(); ++i)
            largest = std::max(largest, std::fabs(points.x[i] - exact.x[i]));
        const std::string path = Taken(GDALGPUCoordinateTransformPath(transform.get(), FALSE));
        return std::make_pair(largest, path.substr(path.find_last_of(' ')));
    };
    EXPECT_THAT(worst("PRECISION=fp32"), Pair(AllOf(Gt(1e-3), Lt(60)), " fp32"));
    EXPECT_THAT(worst("PRECISION=ds"), Pair(AllOf(Gt(1e-9), Lt(1e-3)), " ds"));
    EXPECT_THAT(worst("PRECISION=auto"), Pair(Lt(1e-6), " utm"));
    EXPECT_THAT(worst("PRECISION=fp64"), Pair(Lt(1e-6), " utm"));
    CPLSetConfigOption("GDAL_GPU_PRECISION", "fp32");
    EXPECT_THAT(worst(nullptr), Pair(AllOf(Gt(1e-3), Lt(60)), " fp32"));
    EXPECT_THAT(worst("PRECISION=fp64"), Pair(Lt(1e-6), " utm"));
    CPLSetConfigOption("GDAL_GPU_PRECISION", nullptr);
}

TEST_F(CoordinateApi, APrecisionThatIsTooFarFromProjGivesWayToDouble) {
    CPLStringList options;
    options.AddString("PRECISION=fp32");
    const Transform transform(
        GDALGPUCreateCoordinateTransformFromOperation("+proj=vandg +R=6371000", options.List()));
    ASSERT_NE(transform, nullptr);
    const Points in = Random(200, 0.001, 0.05, 0.001, 0.05);
    Points points = in;
    ASSERT_EQ(Apply(transform, points), CE_None);
    ExpectSame(points, Judge("+proj=vandg +R=6371000", nullptr)(in, false), 1e-3);
    EXPECT_THAT(Taken(GDALGPUCoordinateTransformPath(transform.get(), FALSE)), EndsWith(": vandg"));
    EXPECT_EQ(Between("EPSG:4326", "EPSG:3857", "PRECISION=fp16"), nullptr);
    EXPECT_THAT(CPLGetLastErrorMsg(), HasSubstr("PRECISION=fp64|ds|fp32|auto"));
}

TEST_F(CoordinateApi, ADeviceThatFailsLeavesThePointsToProj) {
    for (const char* fault : {"compile", "launch"}) {
        CPLSetConfigOption("GDAL_GPU_FAULT", fault);
        const Transform transform = Between("EPSG:4326", "EPSG:32634");
        const Points in = Random(50, 40, 60, 16, 24);
        Points points = in;
        ASSERT_EQ(Apply(transform, points), CE_None) << fault;
        ExpectSame(points, Judge("EPSG:4326", "EPSG:32634")(in, false), 0);
        EXPECT_THAT(Path(transform), StartsWith("PROJ: ")) << fault;
    }
}

TEST_F(CoordinateApi, WrongArgumentsAreErrorsAndNoCrash) {
    EXPECT_EQ(GDALGPUCreateCoordinateTransform(nullptr, "EPSG:4326", nullptr), nullptr);
    EXPECT_EQ(GDALGPUCreateCoordinateTransform("EPSG:4326", nullptr, nullptr), nullptr);
    EXPECT_EQ(Between("EPSG:4326", "no such CRS"), nullptr);
    EXPECT_THAT(CPLGetLastErrorMsg(), HasSubstr("no such CRS"));
    EXPECT_EQ(Between("", "EPSG:4326"), nullptr);
    EXPECT_EQ(Between("EPSG:4326", "EPSG:3857", "AXIS=XY"), nullptr);
    EXPECT_THAT(CPLGetLastErrorMsg(), HasSubstr("AXIS_ORDER"));
    for (const char* area :
         {"AREA=1,2,3", "AREA=a,b,c,d", "AREA=0,50,10,40", "AREA=0,0,10,nan", "AREA=0,0,500,10"})
        EXPECT_EQ(Between("EPSG:4326", "EPSG:3857", area), nullptr) << area;
    for (const char* text :
         {"", "  ", "+proj=nothing", "EPSG:4326", "{\"type\": \"Conv", "+proj=pipeline +step"})
        EXPECT_EQ(GDALGPUCreateCoordinateTransformFromOperation(text, nullptr), nullptr) << text;
    EXPECT_EQ(GDALGPUCreateCoordinateTransformFromOperation(nullptr, nullptr), nullptr);
    const Transform transform = Between("EPSG:4326", "EPSG:3857");
    ASSERT_NE(transform, nullptr);
    double value = 1;
    EXPECT_EQ(GDALGPUTransformCoordinates(transform.get(), FALSE, -1, &value, &value, nullptr,
                                          nullptr, nullptr),
              CE_Failure);
    EXPECT_EQ(GDALGPUTransformCoordinates(transform.get(), FALSE, 1, &value, nullptr, nullptr,
                                          nullptr, nullptr),
              CE_Failure);
    EXPECT_EQ(
        GDALGPUTransformCoordinates(nullptr, FALSE, 1, &value, &value, nullptr, nullptr, nullptr),
        CE_Failure);
    EXPECT_EQ(GDALGPUTransformDeviceCoordinates(transform.get(), FALSE, 1, nullptr, nullptr,
                                                nullptr, nullptr),
              CE_Failure);
    EXPECT_EQ(GDALGPUTransformBounds(transform.get(), FALSE, nullptr, 21, &value), CE_Failure);
    EXPECT_EQ(Taken(GDALGPUCoordinateTransformPath(nullptr, FALSE)), "NULL");
    EXPECT_EQ(Taken(GDALGPUWarmUpCoordinateTransform(nullptr, FALSE)), "NULL");
    GDALGPUDestroyCoordinateTransform(nullptr);
}

TEST_F(CoordinateApi, ManyThreadsShareATransformAndMakeTheirOwn) {
    const Transform shared = Between("EPSG:4326", "EPSG:32633");
    const Points in = Random(2000, 40, 60, 10, 20);
    const Points expected = Judge("EPSG:4326", "EPSG:32633")(in, false);
    std::vector<std::thread> threads;
    std::vector<int> good(16, 0);
    for (size_t n = 0; n < good.size(); ++n) {
        threads.emplace_back([&, n] {
            CPLPushErrorHandler(CPLQuietErrorHandler);
            for (int round = 0; round < 5; ++round) {
                const Transform own = n % 2 ? Between("EPSG:4326", "EPSG:32633") : nullptr;
                Points points = in;
                const bool ok = Apply(own ? own : shared, points) == CE_None &&
                                points.success == expected.success &&
                                std::fabs(points.x[n] - expected.x[n]) < 1e-6;
                good[n] += ok;
            }
            CPLPopErrorHandler();
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_THAT(good, Each(5));
}

}  // namespace
