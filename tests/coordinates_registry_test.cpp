// Every operation that PROJ lists is fused, or excused here by name; and what the registries name
// as examples gives PROJ's results. So an operation that a newer PROJ has, or one that is entered
// without being right, can't go unnoticed. The tests of the families go further: whole domains,
// shapes, odd and random parameters.
#include "plugin/coordinates/operation_step.h"
#include "plugin/coordinates/projections.h"
#include "tests/coordinates_judge.h"

namespace {

using gdalgpu::CoordinateOperation;
using gdalgpu::NotFusable;
using judge::Batch;
using judge::kDegree;
using judge::Point;
using judge::World;

// Left to GDAL's transformer, sampled, and why.
const std::map<std::string, std::string> kExcused = {
    {"airocean", "Fuller's map, tables of an icosahedron cut by hand"},
    {"defmodel", "a model of deformation in a JSON file of its own, with many grids"},
    {"gridshift", "grids of three offsets, of PROJ 9.2 and newer"},
    {"isea", "PROJ 9.5 to 9.8, where it has an inverse of its own"},
    {"tinshift", "a search in a mesh of triangles from a JSON file of its own"},
};

std::vector<std::string> Examples(const std::string& name) {
    if (name == "pipeline") return {"+proj=pipeline +step +proj=longlat +step +inv +proj=longlat"};
    const std::vector<std::string> steps = gdalgpu::StepNames();
    if (std::find(steps.begin(), steps.end(), name) != steps.end())
        return gdalgpu::StepExamples(name);
    return gdalgpu::HasProjection(name) ? gdalgpu::ProjectionExamples(name)
                                        : std::vector<std::string>();
}

bool IsFused(const std::string& pipeline, bool inverse = false) {
    try {
        CoordinateOperation::FromPipeline(pipeline, inverse);
        return true;
    } catch (const NotFusable&) {
        return false;
    }
}

TEST(OperationsOfProj, AreFusedOrExcusedByName) {
    EXPECT_LE(kExcused.size(), 5u);
    size_t listed = 0;
    for (const PJ_OPERATIONS* operation = proj_list_operations(); operation->id; ++operation) {
        SCOPED_TRACE(operation->id);
        ++listed;
        const std::vector<std::string> examples = Examples(operation->id);
        const bool excused = kExcused.count(operation->id) > 0;
        if (excused && examples.empty()) continue;
        EXPECT_TRUE(!excused || operation->id == std::string("isea"))
            << "is fused: no excuse is needed";
        EXPECT_FALSE(examples.empty()) << "has neither an example nor an excuse";
        for (const std::string& example : examples) EXPECT_TRUE(IsFused(example)) << example;
    }
    EXPECT_GE(listed, 170u);
}

// Forms of fused operations that are left to GDAL's transformer too: numbers of a grid's cells
// instead of coordinates, and a list of grids that stands behind a datum's name.
TEST(OperationsOfProj, ThatAreSampledInSomeFormsSayWhich) {
    for (const char* form : {"+proj=isea +mode=di +R=6371000", "+proj=isea +mode=dd +R=6371000",
                             "+proj=isea +mode=hex +R=6371000", "+proj=longlat +datum=NAD27"}) {
        PJ_CONTEXT* context = proj_context_create();
        PJ* pj = proj_create(context, form);
        EXPECT_NE(pj, nullptr) << form;
        EXPECT_FALSE(IsFused(form)) << form << ": no excuse is needed";
        proj_destroy(pj);
        proj_context_destroy(context);
    }
}

// Points for an operation's input: radians, or metres on a plane and in space. The world's grid,
// random points and odd ones, but not next to equator, central meridian and poles, where many of
// PROJ's formulas have few digits: the tests of the families have those.
std::vector<Point> Inputs(PJ* pj, PJ_DIRECTION direction) {
    std::vector<Point> points = World(5, 200);
    const auto odd = [](const Point& p) {
        const double lat = std::fabs(p[1]), colatitude = std::fabs(M_PI / 2 - lat);
        return (lat != 0 && lat < 1e-3) || (colatitude != 0 && colatitude < 1e-3) ||
               (p[0] != 0 && std::fabs(p[0]) < 1e-3) || std::isinf(p[0]) || std::isinf(p[1]);
    };
    points.erase(std::remove_if(points.begin(), points.end(), odd), points.end());
    if (proj_angular_input(pj, direction)) return points;
    for (Point& p : points) p = {p[0] * 6.4e6, p[1] * 6.4e6, p[2], 2015};
    return points;
}

// An example of a projection on a sphere where it is on an ellipsoid, and the other way round, with
// offsets and, where it names none, a central meridian at random.
std::string OnOtherShape(const std::string& example, std::mt19937_64& random) {
    std::istringstream words(example);
    std::string text;
    bool sphere = false, meridian = false;
    for (std::string word; words >> word;) {
        if (word.find("+R=") == 0) sphere = true;
        if (word.find("+lon_") == 0) meridian = true;
        if (word.find("+R=") != 0 && word.find("+ellps=") != 0) text += word + " ";
    }
    text += sphere ? "+ellps=bessel" : "+R=6371000";
    const auto with = [&](const char* name, double size) {
        std::uniform_real_distribution<double> value(-size, size);
        text += std::string(" +") + name + "=" + std::to_string(value(random));
    };
    with("x_0", 1e6);
    with("y_0", 1e6);
    if (!meridian) with("lon_0", 180);
    return text;
}

// Every example, forward, and inverse from where PROJ takes the points that are neither on the edge
// of a map nor on the equator or a pole, where roundings decide which way it goes.
void ExpectAgreement(const std::vector<std::string>& examples) {
    Batch batch;
    for (const std::string& example : examples) {
        PJ_CONTEXT* context = proj_context_create();
        proj_log_level(context, PJ_LOG_NONE);
        PJ* pj = proj_create(context, example.c_str());
        if (pj == nullptr) {
            EXPECT_FALSE(IsFused(example)) << example;
            proj_context_destroy(context);
            continue;
        }
        judge::Case c;
        c.pipeline = example;
        c.points = Inputs(pj, PJ_FWD);
        c.metres = 1e-6;
        c.radians = 1e-11;
        c.polar_noise = 1e-8;  // PROJ's healpix: a rounding's root at the poles
        for (const char* polyhedron : {"=isea ", "=ivea ", "=dsea ", "=tsea "}) {
            c.any_longitude_at_poles |= example.find(polyhedron) != std::string::npos;
        }
        batch.Add(c);
        c.inverse = true;
        c.points.clear();
        const double unit = proj_angular_input(pj, PJ_FWD) ? 1 : 6.4e6;
        for (const Point& p : Inputs(pj, PJ_FWD)) {
            const double lon = std::fabs(p[0]) / unit, lat = std::fabs(p[1]) / unit;
            const bool inside = lat > 1e-3 && lat < 1.57 && lon < 3.14 &&
                                std::fabs(std::remainder(lat / kDegree, 15)) > 1e-6;
            if (!inside) continue;
            const PJ_COORD out = proj_trans(pj, PJ_FWD, proj_coord(p[0], p[1], p[2], p[3]));
            if (out.xyzt.x != HUGE_VAL) c.points.push_back({out.v[0], out.v[1], out.v[2], 2015});
        }
        const bool has_inverse = proj_pj_info(pj).has_inverse != 0;
        EXPECT_EQ(IsFused(example, true), has_inverse) << example;
        if (has_inverse) batch.Add(c);
        proj_destroy(pj);
        proj_context_destroy(context);
    }
    batch.Run();
}

TEST(OperationsOfProj, StepsAgreeWithProjOnTheirExamples) {
    std::vector<std::string> examples;
    for (const std::string& name : gdalgpu::StepNames()) {
        for (const std::string& example : gdalgpu::StepExamples(name)) examples.push_back(example);
    }
    ExpectAgreement(examples);
}

TEST(OperationsOfProj, ProjectionsAgreeWithProjOnTheirExamples) {
    std::vector<std::string> examples;
    for (const std::string& name : gdalgpu::ProjectionNames()) {
        for (const std::string& example : gdalgpu::ProjectionExamples(name))
            examples.push_back(example);
    }
    ExpectAgreement(examples);
}

TEST(OperationsOfProj, ProjectionsAgreeWithProjOnOtherShapes) {
    std::mt19937_64 random(11);
    std::vector<std::string> examples;
    for (const std::string& name : gdalgpu::ProjectionNames()) {
        for (const std::string& example : gdalgpu::ProjectionExamples(name))
            examples.push_back(OnOtherShape(example, random));
    }
    ExpectAgreement(examples);
}

}  // namespace
