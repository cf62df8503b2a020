// Azimuthal projections against PROJ: forward and inverse, over the whole domain and beyond.
#include "tests/coordinates_judge.h"

namespace {

using judge::Batch;
using judge::kDegree;
using judge::Plane;
using judge::Point;
using judge::World;

const char* const kShapes[] = {"+ellps=WGS84", "+R=6371000", "+a=6378137 +rf=30"};

using Noise = std::function<double(const Point&)>;

void Add(Batch& batch, const std::string& pipeline, double radius, judge::Case tolerance = {},
         const Noise& forward_noise = nullptr, const Noise& inverse_noise = nullptr) {
    tolerance.pipeline = pipeline;
    tolerance.inverse = false;
    tolerance.points = World();
    tolerance.noise = forward_noise;
    batch.Add(tolerance);
    tolerance.inverse = true;
    tolerance.noise = inverse_noise;
    tolerance.points = Plane(0, 0, radius);
    batch.Add(tolerance);
}

judge::Case Tolerance(double metres, double radians) {
    judge::Case c;
    c.metres = metres;
    c.radians = radians;
    return c;
}

// PROJ's roundings on the Earth's sphere. Metres: it has the distance from the origin from its
// cosine.
Noise CosineNoise(double lat_0, double lon_0) {
    return [=](const Point& p) {
        const double lon = p[0] - lon_0, lat = p[1];
        const double across = std::cos(lat) * std::sin(lon);
        const double along =
            std::cos(lat_0) * std::sin(lat) - std::sin(lat_0) * std::cos(lat) * std::cos(lon);
        const double cosine =
            std::sin(lat_0) * std::sin(lat) + std::cos(lat_0) * std::cos(lat) * std::cos(lon);
        const double sine = std::hypot(across, along);
        return std::isnan(sine) ? 0 : 6.4e6 * 2.2e-16 * std::atan2(sine, cosine) / (sine * sine);
    };
}

// Radians: it has the latitude from its sine, and the longitude from differences of such.
Noise SineNoise(double lat_0) {
    return [=](const Point& p) {
        const double c = std::hypot(p[0], p[1]) / 6371000;
        const double sine =
            std::cos(c) * std::sin(lat_0) + p[1] / 6371000 * std::sin(c) * std::cos(lat_0) / c;
        const double cosine = std::sqrt(std::max(1e-16, 1 - sine * sine));
        return std::isnan(sine) ? 0 : 2.2e-16 * (1 / std::cos(lat_0) + 1 / cosine);
    };
}

TEST(AzimuthalProjections, AzimuthalEquidistantAgreesWithProj) {
    Batch batch;
    const struct {
        const char* text;
        double lat_0, lon_0;
    } origins[] = {{"+lat_0=52 +lon_0=10", 52, 10}, {"+lat_0=90 +lon_0=-30", 90, -30},
                   {"+lat_0=-90", -90, 0},          {"+lat_0=0 +lon_0=-100", 0, -100},
                   {"+lat_0=-40.5", -40.5, 0},      {"+lat_0=89.9", 89.9, 0}};
    for (const char* shape : kShapes) {
        for (const auto& origin : origins) {
            const bool oblique_sphere = shape[1] == 'R' && std::fabs(origin.lat_0) != 90;
            const double lat_0 = origin.lat_0 * kDegree, lon_0 = origin.lon_0 * kDegree;
            Add(batch, std::string("+proj=aeqd ") + origin.text + " " + shape, 2.1e7,
                Tolerance(1e-7, 1e-13), oblique_sphere ? CosineNoise(lat_0, lon_0) : nullptr,
                oblique_sphere ? SineNoise(lat_0) : nullptr);
        }
    }
    // The approximation of Guam, as far as the Earth reaches: PROJ's iteration fails by chance
    // beyond.
    for (const char* shape : kShapes) {
        const std::string pipeline =
            std::string("+proj=aeqd +guam +lat_0=13.5 +lon_0=144.7 ") + shape;
        batch.Add({pipeline, false, World()});
        batch.Add({pipeline, true, judge::Within(Plane(0, 0, 1e7), 1e7)});
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
            judge::Case c;
            c.moves = judge::GeostationaryMoves(std::atof(view + 3));
            Add(batch, std::string("+proj=geos ") + view + " " + shape, 5.5e6, c);
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
