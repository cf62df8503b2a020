// Coordinate operations against PROJ: each projection, forward and inverse, over its whole domain
// and beyond.
#include "tests/coordinates_judge.h"

namespace {

using judge::Batch;
using judge::Plane;
using judge::World;

struct Tolerance {
    double metres = 1e-8;
    double radians = 1e-14;
    double polar_noise = 0;
};

void AddBothWays(Batch& batch, const std::string& pipeline, const std::vector<judge::Point>& world,
                 const std::vector<judge::Point>& plane, Tolerance t = {}) {
    batch.Add({pipeline, false, world, t.metres, t.radians, t.polar_noise});
    batch.Add({pipeline, true, plane, t.metres, t.radians, t.polar_noise});
}

TEST(CoordinateOperation, AgreesWithProjOnCylindricalProjections) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=merc +ellps=WGS84", "+proj=merc +R=6371000 +lat_ts=30 +lon_0=20 +x_0=10",
          "+proj=merc +a=6378137 +rf=20 +k_0=0.9", "+proj=webmerc +ellps=WGS84",
          "+proj=eqc +ellps=WGS84", "+proj=eqc +lat_ts=45 +lat_0=-20 +lon_0=170 +ellps=GRS80"}) {
        AddBothWays(batch, pipeline, World(), Plane(0, 0, 2e7));
    }
    batch.Run();
}

TEST(CoordinateOperation, AgreesWithProjOnTransverseMercator) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=utm +zone=33 +ellps=WGS84", "+proj=utm +zone=1 +south +ellps=WGS84",
          "+proj=utm +lon_0=13 +ellps=intl",
          "+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy",
          "+proj=etmerc +a=6378137 +rf=25 +lon_0=9", "+proj=tmerc +ellps=GRS80 +approx +lon_0=9",
          "+proj=tmerc +ellps=GRS80 +algo=auto +lon_0=9",
          "+proj=tmerc +ellps=GRS80 +algo=auto +lat_0=10"}) {
        // Wide of the central meridian the short series is far from converging.
        const bool series = std::strstr(pipeline, "approx") || std::strstr(pipeline, "auto");
        AddBothWays(batch, pipeline, World(), Plane(400000, 0, 9e6),
                    {series ? 1e-7 : 1e-8, series ? 1e-12 : 1e-14});
    }
    // On the sphere PROJ has northings from their cosines, and latitudes from sines that are
    // differences: roundings become angles of their size by the angle's, at most their root.
    judge::Case sphere;
    sphere.pipeline = "+proj=tmerc +R=6371000 +lon_0=9 +lat_0=30 +k=0.99";
    sphere.points = World();
    sphere.noise = judge::EquatorNoise;
    batch.Add(sphere);
    sphere.inverse = true;
    sphere.points = Plane(400000, 0, 9e6);
    sphere.noise = [=](const judge::Point& p) {
        const double radius = 0.99 * 6371000;
        const double lat =
            std::asin(std::sin(30 * judge::kDegree + p[1] / radius) / std::cosh(p[0] / radius));
        const auto rounding = [](double size) { return 2.2e-16 / std::max(1.5e-8, size); };
        return std::isnan(lat) ? 0 : rounding(std::fabs(lat)) + rounding(std::cos(lat));
    };
    batch.Add(sphere);
    batch.Run();
}

TEST(CoordinateOperation, AgreesWithProjOnConicProjections) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +ellps=GRS80",
          "+proj=lcc +lat_1=-30 +lat_0=-30 +lon_0=140 +k_0=0.9998 +ellps=WGS84",
          "+proj=lcc +lat_1=20 +lat_2=60 +R=6371000", "+proj=lcc +lat_1=45 +ellps=clrk66",
          "+proj=lcc +lat_1=45 +lat_2=50 +lat_0=90 +a=6378137 +rf=30",
          "+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +ellps=GRS80",
          "+proj=aea +lat_0=-32 +lon_0=-60 +lat_1=-5 +lat_2=-42 +ellps=aust_SA",
          "+proj=aea +lat_1=30 +lat_2=50 +R=6371000",
          "+proj=aea +lat_1=40 +lat_2=40 +a=6378137 +rf=30", "+proj=leac +lat_1=40 +ellps=GRS80",
          "+proj=leac +lat_1=-40 +south +ellps=GRS80"}) {
        // The cone's constant is a difference of logarithms, each program's with its own roundings.
        const bool flat = std::strstr(pipeline, "rf=30") != nullptr;
        AddBothWays(
            batch, pipeline, World(), Plane(100000, 0, 9e6),
            {flat ? 1e-6 : 5e-8, flat ? 1e-13 : 2e-14, std::strstr(pipeline, "lcc") ? 0 : 6e-9});
    }
    batch.Run();
}

TEST(CoordinateOperation, AgreesWithProjOnLambertAzimuthalEqualArea) {
    Batch batch;
    for (const char* shape : {"+ellps=GRS80", "+R=6371000", "+a=6378137 +rf=30"}) {
        for (const char* origin : {"+lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000", "+lat_0=90",
                                   "+lat_0=-90 +lon_0=45", "+lat_0=0 +lon_0=-100", "+lat_0=-40"}) {
            AddBothWays(batch, std::string("+proj=laea ") + origin + " " + shape, World(),
                        Plane(100000, 0, 1.3e7), {3e-8, 1e-13, 2e-8});
        }
    }
    batch.Run();
}

TEST(CoordinateOperation, AgreesWithProjOnStereographic) {
    Batch batch;
    // PROJ stops its iteration for the latitude when a step is below 1e-10; the next would be about
    // 7e-13.
    const Tolerance tolerance = {2e-7, 2e-12};
    for (const char* shape : {"+ellps=WGS84", "+R=6371000", "+a=6378137 +rf=30"}) {
        for (const char* origin :
             {"+lat_0=90 +k=0.994 +x_0=2000000 +y_0=2000000", "+lat_0=90 +lat_ts=70 +lon_0=-45",
              "+lat_0=-90 +lat_ts=-71", "+lat_0=-90 +lon_0=100",
              "+lat_0=52 +lon_0=5 +k=0.9999079 +x_0=155000", "+lat_0=0 +lon_0=20",
              "+lat_0=-35 +lon_0=-170"}) {
            AddBothWays(batch, std::string("+proj=stere ") + origin + " " + shape, World(),
                        Plane(100000, 0, 9e6), tolerance);
        }
    }
    for (const char* pipeline : {"+proj=ups +ellps=WGS84", "+proj=ups +south +ellps=intl"}) {
        AddBothWays(batch, pipeline, World(), Plane(2000000, 2000000, 5e6), tolerance);
    }
    batch.Run();
}

}  // namespace
