// Azimuthal projections against PROJ: forward and inverse, over the whole domain and beyond.
#include "tests/coordinates_judge.h"

namespace {

using judge::Batch;
using judge::Plane;
using judge::Point;
using judge::World;

const char* const kShapes[] = {"+ellps=WGS84", "+R=6371000", "+a=6378137 +rf=30"};

void Add(Batch& batch, const std::string& pipeline, double radius, judge::Case tolerance = {}) {
    tolerance.pipeline = pipeline;
    tolerance.inverse = false;
    tolerance.points = World();
    batch.Add(tolerance);
    tolerance.inverse = true;
    tolerance.points = Plane(0, 0, radius);
    batch.Add(tolerance);
}

judge::Case Tolerance(double metres, double radians) {
    judge::Case c;
    c.metres = metres;
    c.radians = radians;
    return c;
}

TEST(AzimuthalProjections, AzimuthalEquidistantAgreesWithProj) {
    Batch batch;
    for (const char* shape : kShapes) {
        for (const char* origin : {"+lat_0=52 +lon_0=10", "+lat_0=90 +lon_0=-30", "+lat_0=-90",
                                   "+lat_0=0 +lon_0=-100", "+lat_0=-40.5", "+lat_0=89.9"}) {
            Add(batch, std::string("+proj=aeqd ") + origin + " " + shape, 2.1e7,
                Tolerance(1e-7, 1e-13));
        }
    }
    // The approximation of Guam, as far as the Earth reaches: PROJ's iteration fails by chance
    // beyond.
    for (const char* shape : kShapes) {
        const std::string pipeline =
            std::string("+proj=aeqd +guam +lat_0=13.5 +lon_0=144.7 ") + shape;
        std::vector<Point> plane = Plane(0, 0, 1e7);
        plane.erase(std::remove_if(plane.begin(), plane.end(),
                                   [](const Point& p) {
                                       return std::fabs(p[0]) > 1e7 || std::fabs(p[1]) > 1e7;
                                   }),
                    plane.end());
        batch.Add({pipeline, false, World()});
        batch.Add({pipeline, true, plane});
    }
    batch.Run();
}

TEST(AzimuthalProjections, PerspectivesAgreeWithProj) {
    Batch batch;
    for (const char* origin : {"+lat_0=52 +lon_0=10", "+lat_0=90 +lon_0=-30", "+lat_0=-90",
                               "+lat_0=0 +lon_0=-100", "+lat_0=-40.5"}) {
        for (const char* shape : kShapes) {
            Add(batch, std::string("+proj=ortho ") + origin + " " + shape, 6.5e6,
                Tolerance(1e-8, 1e-13));
        }
        const std::string sphere = std::string(" +R=6371000 ") + origin;
        Add(batch, "+proj=gnom +ellps=WGS84 " + std::string(origin), 2e7);
        Add(batch, "+proj=nsper +h=3000000" + sphere, 5e6);
        Add(batch, "+proj=nsper +h=1e12" + sphere, 6.5e6);
        Add(batch, "+proj=tpers +h=5500000 +tilt=20 +azi=70" + sphere, 5e6);
        Add(batch, "+proj=tpers +h=5500000 +tilt=-50 +azi=-170" + sphere, 5e6);
        for (const char* limit : {"", " +lat_b=40", " +lat_b=90", " +lat_b=-20 +no_cut"}) {
            batch.Add({"+proj=airy" + sphere + limit, false, World()});
        }
    }
    batch.Run();
}

TEST(AzimuthalProjections, GeostationaryViewAgreesWithProj) {
    Batch batch;
    for (const char* shape : kShapes) {
        for (const char* view : {"+h=35785831", "+h=35785831 +sweep=x +lon_0=-75",
                                 "+h=35785831 +sweep=y +lon_0=140", "+h=1000000"}) {
            Add(batch, std::string("+proj=geos ") + view + " " + shape, 5.5e6);
        }
    }
    batch.Run();
}

TEST(AzimuthalProjections, RefusesWhatProjRefuses) {
    for (const char* pipeline :
         {"+proj=geos +ellps=WGS84", "+proj=geos +h=-1 +ellps=WGS84",
          "+proj=geos +h=35785831 +sweep=z +ellps=WGS84", "+proj=geos +h=1e18 +ellps=WGS84",
          "+proj=nsper +R=6371000", "+proj=tpers +tilt=3 +R=6371000"}) {
        EXPECT_THROW(gdalgpu::CoordinateOperation::FromPipeline(pipeline, false),
                     gdalgpu::NotFusable)
            << pipeline;
        PJ_CONTEXT* context = proj_context_create();
        proj_log_level(context, PJ_LOG_NONE);
        EXPECT_EQ(proj_create(context, pipeline), nullptr) << pipeline;
        proj_context_destroy(context);
    }
    EXPECT_THROW(
        gdalgpu::CoordinateOperation::FromPipeline("+proj=airy +lat_0=30 +R=6371000", true),
        gdalgpu::NotFusable);
}

}  // namespace
