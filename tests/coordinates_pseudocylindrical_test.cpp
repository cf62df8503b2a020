// Pseudocylindrical projections against PROJ, forward and inverse, over their whole domain and
// beyond.
#include "tests/coordinates_judge.h"

namespace {

using judge::Batch;
using judge::Plane;
using judge::Point;
using judge::World;

// The outline of a projection: what it makes of the antimeridian, the poles and the equator, and
// points a little inside and outside.
std::vector<Point> Outline(const std::string& pipeline) {
    PJ_CONTEXT* context = proj_context_create();
    PJ* pj = proj_create(context, pipeline.c_str());
    std::vector<Point> points;
    for (int lat = -90; lat <= 90; lat += 5) {
        for (double lon : {-180., -179.999999, -40., 0., 60., 180.}) {
            const PJ_COORD c = proj_trans(
                pj, PJ_FWD, proj_coord(lon * judge::kDegree, lat * judge::kDegree, 0, 0));
            if (c.v[0] != HUGE_VAL) {
                for (double factor : {1., 1 - 1e-9, 1 + 1e-9, 1.01}) {
                    points.push_back({c.v[0] * factor, c.v[1], 0, 0});
                    points.push_back({c.v[0], c.v[1] * factor, 0, 0});
                }
            }
        }
    }
    proj_destroy(pj);
    proj_context_destroy(context);
    return points;
}

void AddBothWays(Batch& batch, const std::string& pipeline) {
    // PROJ stops the iteration of Winkel II's inverse at 1e-10, with derivatives from differences.
    const bool winkel = std::strstr(pipeline.c_str(), "wink2") != nullptr;
    const bool mcbryde = std::strstr(pipeline.c_str(), "mbt") != nullptr;
    const double metres = mcbryde ? 5e-8 : 1e-8, radians = winkel ? 1e-11 : 1e-14;
    // Next to a pole, where two or three roots of these projections' equations meet, a rounding
    // decides where PROJ's iteration stops. HOST has PROJ's roundings.
    const double polar_noise = judge::Device()->kind() == gpu::Device::Kind::Cuda ? 1e-7 : 0;
    std::vector<Point> plane = Plane(0, 0, 1.8e7, 2);
    for (const std::vector<Point>& more : {Plane(0, 0, 9e6, 3), Outline(pipeline)}) {
        plane.insert(plane.end(), more.begin(), more.end());
    }
    batch.Add({pipeline, false, World(), metres, radians, polar_noise});
    batch.Add({pipeline, true, plane, metres, radians});
}

TEST(Pseudocylindrical, AgreesWithProjOnSinusoidals) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=sinu +R=6371007.181", "+proj=sinu +ellps=WGS84",
          "+proj=sinu +lon_0=-100 +x_0=500000 +y_0=-1000 +a=6378137 +rf=30",
          "+proj=eck6 +ellps=WGS84", "+proj=eck6 +R=6371000 +lon_0=150 +x_0=100",
          "+proj=mbtfps +ellps=GRS80", "+proj=gn_sinu +m=0 +n=1 +ellps=WGS84",
          "+proj=gn_sinu +m=0 +n=0.8 +R=6371000", "+proj=gn_sinu +m=0 +n=1.2 +R=6371000",
          "+proj=gn_sinu +m=0.7 +n=1.5 +R=1", "+proj=gn_sinu +m=3 +n=0.1 +ellps=WGS84",
          "+proj=gn_sinu +m=20 +n=20 +ellps=WGS84"}) {
        AddBothWays(batch, pipeline);
    }
    batch.Run();
}

TEST(Pseudocylindrical, AgreesWithProjOnFamiliesOfWorldMaps) {
    Batch batch;
    for (const char* name :
         {"moll",    "wag4",   "wag5",   "robin",  "natearth", "natearth2", "eck4",   "eck1",
          "eck2",    "eck3",   "eck5",   "kav5",   "kav7",     "wag1",      "wag2",   "wag3",
          "wag6",    "wink1",  "putp1",  "putp2",  "putp3",    "putp3p",    "putp4p", "putp5",
          "putp5p",  "putp6",  "putp6p", "weren",  "qua_aut",  "fouc",      "mbt_s",  "collg",
          "crast",   "fahey",  "goode",  "hatano", "igh",      "igh_o",     "imoll",  "imoll_o",
          "mbt_fps", "mbtfpp", "mbtfpq", "nell",   "nell_h"}) {
        const std::string operation = std::string("+proj=") + name;
        AddBothWays(batch, operation + " +ellps=WGS84");
        AddBothWays(batch, operation + " +R=6371000 +lon_0=-70 +x_0=1000 +y_0=50");
    }
    batch.Run();
}

TEST(Pseudocylindrical, AgreesWithProjOnParameters) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=fouc_s +ellps=WGS84", "+proj=fouc_s +n=1 +ellps=WGS84",
          "+proj=fouc_s +n=0.4 +lon_0=10 +R=6371000", "+proj=loxim +ellps=WGS84",
          "+proj=loxim +lat_1=50 +lon_0=20 +R=6371000", "+proj=loxim +lat_1=-89 +ellps=WGS84",
          "+proj=urmfps +n=0.5 +ellps=WGS84", "+proj=urmfps +n=1 +R=6371000 +lon_0=100",
          "+proj=urmfps +n=0.01 +ellps=WGS84", "+proj=wag3 +lat_ts=30 +ellps=WGS84",
          "+proj=wag3 +lat_ts=-80 +ellps=WGS84", "+proj=wag3 +lat_ts=100 +R=6371000",
          "+proj=wink1 +lat_ts=50.4597762522 +ellps=WGS84", "+proj=wink1 +lat_ts=-90 +R=6371000",
          "+proj=wink2 +ellps=WGS84", "+proj=wink2 +lat_1=50.4597762522 +lon_0=-100 +R=6371000"}) {
        AddBothWays(batch, pipeline);
    }
    for (const char* pipeline :
         {"+proj=urm5 +n=0.9 +alpha=2 +q=4 +ellps=WGS84", "+proj=urm5 +n=0.5 +R=6371000 +lon_0=20",
          "+proj=urm5 +n=1 +alpha=-60 +q=-1 +ellps=WGS84"}) {
        batch.Add({pipeline, false, World()});
    }
    batch.Run();
}

std::string Reason(const std::string& pipeline, bool inverse = false) {
    try {
        gdalgpu::CoordinateOperation::FromPipeline(pipeline, inverse);
    } catch (const gdalgpu::NotFusable& e) {
        return e.what();
    }
    return "fused";
}

TEST(Pseudocylindrical, ParametersThatProjRefusesAreNotFused) {
    PJ_CONTEXT* context = proj_context_create();
    proj_log_level(context, PJ_LOG_NONE);
    for (const char* pipeline :
         {"+proj=gn_sinu +m=1", "+proj=gn_sinu +n=1", "+proj=gn_sinu +m=-1 +n=1",
          "+proj=gn_sinu +m=1 +n=0", "+proj=fouc_s +n=-0.1", "+proj=fouc_s +n=1.1",
          "+proj=loxim +lat_1=90", "+proj=loxim +lat_1=-90", "+proj=loxim +lat_1=120",
          "+proj=urmfps", "+proj=urmfps +n=0", "+proj=urmfps +n=1.5", "+proj=urm5",
          "+proj=urm5 +n=2", "+proj=urm5 +n=1 +alpha=90"}) {
        const std::string operation = std::string(pipeline) + " +R=6371000";
        PJ* pj = proj_create(context, operation.c_str());
        EXPECT_EQ(pj, nullptr) << operation;
        EXPECT_NE(Reason(operation), "fused") << operation;
        proj_destroy(pj);
    }
    proj_context_destroy(context);
    EXPECT_EQ(Reason("+proj=urm5 +n=0.9 +R=1"), "fused");
    EXPECT_EQ(Reason("+proj=urm5 +n=0.9 +R=1", true), "urm5: PROJ has no inverse of it");
}

TEST(Pseudocylindrical, AgreesWithProjOnRandomParameters) {
    Batch batch;
    std::mt19937_64 random(20);
    const auto with = [&](const char* name, double low, double high) {
        const double value = std::uniform_real_distribution<double>(low, high)(random);
        return std::string(" +") + name + "=" + std::to_string(value);
    };
    for (int i = 0; i < 6; ++i) {
        const std::string common = with("lon_0", -180, 180) + with("x_0", -1e6, 1e6) +
                                   with("a", 6e6, 7e6) + with("rf", 50, 300);
        for (const std::string& operation :
             {"+proj=sinu" + common, "+proj=moll" + common, "+proj=robin" + common,
              "+proj=gn_sinu" + with("m", 0.2, 2) + with("n", 0.5, 3) + common,
              "+proj=fouc_s" + with("n", 0.1, 1) + common,
              "+proj=loxim" + with("lat_1", -85, 85) + common,
              "+proj=urmfps" + with("n", 0.1, 1) + common,
              "+proj=wag3" + with("lat_ts", -80, 80) + common,
              "+proj=wink1" + with("lat_ts", -90, 90) + common,
              "+proj=wink2" + with("lat_1", -90, 90) + common}) {
            AddBothWays(batch, operation);
        }
        batch.Add(
            {"+proj=urm5" + with("n", 0.1, 1) + with("q", -2, 2) + with("alpha", -80, 80) + common,
             false, World()});
    }
    batch.Run();
}

}  // namespace
