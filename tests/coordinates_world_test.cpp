// World and other projections against PROJ: forward and inverse, over the whole domain and beyond.
#include "plugin/coordinates/proj_rules.h"
#include "tests/coordinates_judge.h"

namespace {

using judge::Batch;
using judge::Plane;
using judge::Point;
using judge::World;

struct Tolerance {
    double metres = 1e-8;
    double radians = 1e-14;
    double polar_noise = 0;
    double moves = 2;
};

void AddForward(Batch& batch, const std::string& pipeline, Tolerance t = {}) {
    batch.Add({pipeline, false, World(), t.metres, t.radians, t.polar_noise});
}

void AddBothWays(Batch& batch, const std::string& pipeline, double radius, Tolerance t = {}) {
    AddForward(batch, pipeline, t);
    judge::Case inverse = {pipeline, true, Plane(0, 0, radius), t.metres, t.radians};
    inverse.moves = t.moves;
    batch.Add(inverse);
}

// Forward, and inverse at the points that the forward projection gives.
void AddRoundTrip(Batch& batch, const std::string& pipeline, Tolerance t = {},
                  const std::function<double(const Point&)>& noise = nullptr) {
    AddForward(batch, pipeline, t);
    PJ_CONTEXT* context = proj_context_create();
    proj_log_level(context, PJ_LOG_NONE);
    PJ* pj = proj_create(context, pipeline.c_str());
    ASSERT_NE(pj, nullptr) << pipeline;
    std::vector<Point> plane;
    for (const Point& p : World(2)) {
        const PJ_COORD c = proj_trans(pj, PJ_FWD, proj_coord(p[0], p[1], p[2], p[3]));
        if (std::isfinite(c.xyzt.x)) plane.push_back({c.v[0], c.v[1], c.v[2], c.v[3]});
    }
    proj_destroy(pj);
    proj_context_destroy(context);
    batch.Add({pipeline, true, plane, t.metres, t.radians, 0, noise});
}

// Radians: aitoff's closed inverse takes the latitude from its sine, also next to the poles.
double AitoffNoise(const Point& in) {
    if (!gdalgpu::RulesOfProj().aitoff_in_closed_form) return 0;
    const double x = in[0] / 2 / 6371000, y = in[1] / 6371000, arc = std::hypot(x, y);
    const double sine = std::min(1.0, std::fabs(y / arc * std::sin(arc)));
    return 4e-16 / std::max(1e-8, std::sqrt((1 - sine) * (1 + sine)));
}

TEST(WorldProjections, WithAnInverseAgreeWithProj) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=eqearth +ellps=WGS84", "+proj=eqearth +R=6371000 +lon_0=150 +x_0=7",
          "+proj=eqearth +a=6378137 +rf=30"}) {
        AddBothWays(batch, pipeline, 1.7e7, {1e-8, 1e-14, 1e-8});
    }
    for (const char* pipeline :
         {"+proj=aitoff +R=6371000", "+proj=wintri +ellps=WGS84",
          "+proj=wintri +lat_1=40 +lon_0=30 +R=6371000", "+proj=wintri +lat_1=-80 +R=6371000"}) {
        const bool aitoff = std::string(pipeline).find("aitoff") != std::string::npos;
        AddRoundTrip(batch, pipeline, {}, aitoff ? AitoffNoise : nullptr);
    }
    for (const char* pipeline :
         {"+proj=hammer +ellps=WGS84", "+proj=hammer +W=0.25 +R=6371000",
          "+proj=hammer +W=-0.7 +M=1.3 +R=6371000", "+proj=lagrng +R=6371000",
          "+proj=lagrng +W=1.4 +lat_1=30 +R=6371000", "+proj=lagrng +W=0.5 +lat_1=-70 +R=6371000",
          "+proj=vandg +R=6371000", "+proj=vandg +over +R=6371000 +lon_0=-30",
          "+proj=oea +n=1 +m=2 +theta=30 +lat_0=20 +R=6371000",
          "+proj=oea +n=1.5 +m=1 +theta=-60 +lat_0=-50 +lon_0=10 +R=6371000"}) {
        AddBothWays(batch, pipeline, 1.2e7);
    }
    batch.Run();
}

TEST(WorldProjections, WithoutAnInverseAgreeWithProj) {
    Batch batch;
    // A parallel's circle ever larger towards the central meridian, less nearly all of it.
    for (const char* name : {"apian", "bacon", "ortel"}) {
        judge::Case c;
        c.points = World();
        c.metres = 1e-7;
        for (const double lon_0 : {0., -77 * judge::kDegree}) {
            c.pipeline = std::string("+proj=") + name +
                         (lon_0 == 0 ? " +R=6371000" : " +ellps=WGS84 +lon_0=-77 +y_0=3");
            c.noise = [=](const Point& p) {
                const double lon = std::fabs(std::remainder(p[0] - lon_0, 2 * M_PI));
                return lon > 0 ? 6.4e6 * 2.2e-16 * (1.3 / lon + lon) : 0;
            };
            batch.Add(c);
        }
    }
    for (const char* name : {"august", "bertin1953", "boggs", "denoy", "gins8", "larr", "lask",
                             "nicol", "vandg2", "vandg3", "vandg4", "wag7"}) {
        AddForward(batch, std::string("+proj=") + name + " +R=6371000");
        AddForward(batch, std::string("+proj=") + name + " +ellps=WGS84 +lon_0=-77 +y_0=3");
    }
    for (const char* points : {"+lat_1=55 +lon_1=-10 +lat_2=10 +lon_2=-150 +lat_3=-5 +lon_3=-60",
                               "+lat_1=10 +lon_1=2 +lat_2=12 +lon_2=3 +lat_3=11 +lon_3=5 +lon_0=1",
                               "+lat_1=90 +lat_2=-90 +lon_3=90"}) {
        AddForward(batch, std::string("+proj=chamb +R=6371000 ") + points);
    }
    batch.Run();
    for (const char* name : {"apian", "bertin1953", "boggs", "vandg2", "wag7"}) {
        EXPECT_THROW(gdalgpu::CoordinateOperation::FromPipeline(
                         std::string("+proj=") + name + " +R=6371000", true),
                     gdalgpu::NotFusable)
            << name;
    }
}

TEST(WorldProjections, OnFacetsAgreeWithProj) {
    Batch batch;
    for (const char* shape : {"+ellps=WGS84", "+R=6371000", "+a=6378137 +rf=30"}) {
        // Next to a pole the facets' width is the root of a small difference.
        const Tolerance t = {1e-8, 1e-14, 3e-8};
        const std::string healpix = std::string("+proj=healpix ") + shape;
        AddBothWays(batch, healpix + " +lon_0=20", 2e7, t);
        AddBothWays(batch, healpix + " +rot_xy=30", 2e7, t);
        for (const char* squares :
             {"", " +north_square=1 +south_square=2", " +north_square=3 +south_square=0 +lon_0=5",
              " +north_square=2 +south_square=3"}) {
            AddBothWays(batch, std::string("+proj=rhealpix ") + shape + squares, 2e7, t);
        }
        for (const char* face : {"", "+lon_0=90", "+lon_0=180", "+lon_0=-90", "+lat_0=90",
                                 "+lat_0=-90", "+lat_0=30 +lon_0=-50"}) {
            // PROJ's way to the latitude loses half of the digits at the equator and at the poles.
            const Tolerance half = {1e-7, 5e-8};
            AddBothWays(batch, std::string("+proj=qsc ") + shape + " " + face, 6e6, half);
            batch.Add({std::string("+proj=s2 ") + shape + " " + face, false, World(), 1e-14});
            batch.Add({std::string("+proj=s2 ") + shape + " " + face, true, Plane(0.5, 0.5, 0.5),
                       1e-14, 5e-8});
        }
    }
    for (const char* warp : {"linear", "quadratic", "tangent", "none"}) {
        const std::string pipeline = std::string("+proj=s2 +x_0=3 +ellps=WGS84 +UVtoST=") + warp;
        batch.Add({pipeline, false, World(), 1e-14});
        batch.Add({pipeline, true, Plane(3.5, 0.5, 0.5), 1e-14, 5e-8});
    }
    batch.Run();
}

// Next to the corners, of which one may be a pole, and in latitudes there, PROJ has few digits.
TEST(WorldProjections, OnPolyhedraAgreeWithProj) {
    Batch batch;
    const gdalgpu::ProjRules& rules = gdalgpu::RulesOfProj();
    if (rules.isea_is_polyhedral) {
        for (const char* shape : {" +R=6371000", " +ellps=WGS84", " +a=6378137 +rf=30"}) {
            for (const char* form :
                 {"isea", "isea +orient=pole", "isea +azi=20", "isea +lon_0=10 +lat_0=40 +azi=-70",
                  "isea +orient_lat=30 +orient_lon=20", "ivea", "ivea +orient=pole +azi=20",
                  "dsea +net=flower +lat_0=10", "tsea", "tsea +net=triangle +azi=20"}) {
                const std::string pipeline = std::string("+proj=") + form + shape;
                judge::Case c = {pipeline, false, World(), 1e-6, 1e-10, 1e-8};
                c.any_longitude_at_poles = true;
                batch.Add(c);
                batch.Add({pipeline, true, Plane(0, 0, 2e7), 1e-6, 3e-10});
            }
        }
    } else if (!rules.isea_is_of_9_5) {
        for (const char* isea :
             {"", "+orient=pole", "+azi=20 +rescale", "+lon_0=10 +lat_0=40 +azi=-70",
              "+orient=isea +mode=plane +resolution=5 +aperture=4"}) {
            AddForward(batch, std::string("+proj=isea +R=6371000 ") + isea, {1e-7, 1e-14, 1e-8});
        }
    } else {
        GTEST_SKIP() << "PROJ " << proj_info().version << "'s isea has no kernel";
    }
    batch.Run();
}

TEST(WorldProjections, ByEllipticIntegralsAgreeWithProj) {
    Batch batch;
    for (const char* name : {"guyou", "adams_hemi", "adams_ws1", "peirce_q +shape=nhemisphere",
                             "peirce_q +shape=shemisphere", "peirce_q +shape=horizontal",
                             "peirce_q +shape=horizontal +scrollx=0.3",
                             "peirce_q +shape=vertical +scrolly=-1", "peirce_q +shape=vertical"}) {
        AddForward(batch, std::string("+proj=") + name + " +R=6371000 +lon_0=12");
    }
    for (const char* name :
         {"adams_ws2", "peirce_q", "peirce_q +shape=diamond", "peirce_q +shape=square"}) {
        AddRoundTrip(batch, std::string("+proj=") + name + " +R=6371000");
    }
    batch.Run();
}

TEST(WorldProjections, SphericalCrossTrackHeightAgreesWithProj) {
    Batch batch;
    for (const char* peg :
         {"+plat_0=30 +plon_0=45 +phdg_0=-12 +ellps=WGS84",
          "+plat_0=-60 +plon_0=-145 +phdg_0=170 +h_0=1500 +lon_0=10 +a=6378137 +rf=30",
          "+plat_0=0 +plon_0=0 +phdg_0=0 +x_0=10 +R=6371000"}) {
        AddBothWays(batch, std::string("+proj=sch ") + peg, 9e6, {1e-7, 1e-13});
    }
    batch.Run();
    EXPECT_THROW(gdalgpu::CoordinateOperation::FromPipeline(
                     "+proj=sch +plat_0=30 +plon_0=45 +ellps=WGS84", false),
                 gdalgpu::NotFusable);
}

// Origins, parameters and points at random, always the same.
TEST(WorldProjections, OfRandomParametersAgreeWithProj) {
    std::mt19937_64 random(20261129);
    const auto number = [&random](double low, double high) {
        return std::to_string(std::uniform_real_distribution<double>(low, high)(random));
    };
    Batch batch;
    for (int i = 0; i < 12; ++i) {
        const std::string origin = " +lat_0=" + number(-85, 85) + " +lon_0=" + number(-180, 180);
        const std::string sphere = " +R=" + number(1e6, 9e6);
        const std::string ellipsoid = " +a=6378137 +rf=" + number(120, 400);
        std::string on_sphere = sphere, on_ellipsoid = ellipsoid;
        on_sphere += origin;
        on_ellipsoid += origin;
        const std::string height = number(1e5, 1e8);
        std::string geos = "+proj=geos +h=" + height;
        geos += on_ellipsoid;
        AddBothWays(batch, geos, 7e6,
                    {1e-7, 1e-12, 1e-8, judge::GeostationaryMoves(std::stod(height))});
        for (const std::string& pipeline :
             {"+proj=ortho" + on_ellipsoid,
              "+proj=tpers +h=" + number(1e5, 1e8) + " +tilt=" + number(-40, 40) +
                  " +azi=" + number(-180, 180) + on_sphere,
              "+proj=hammer +W=" + number(0.1, 1) + " +M=" + number(0.5, 2) + sphere,
              "+proj=lagrng +W=" + number(0.5, 3) + " +lat_1=" + number(-80, 80) + sphere,
              "+proj=oea +n=" + number(0.5, 2) + " +m=" + number(0.5, 2) +
                  " +theta=" + number(-90, 90) + on_sphere}) {
            AddBothWays(batch, pipeline, 7e6, {1e-7, 1e-12, 1e-8});
        }
        AddBothWays(batch, "+proj=aeqd" + on_ellipsoid, 1.9e7, {1e-7, 1e-13});
        AddRoundTrip(batch, "+proj=wintri +lat_1=" + number(0, 80) + sphere, {1e-8, 1e-12});
        AddForward(batch, "+proj=airy +lat_b=" + number(-90, 90) + on_sphere);
        if (!gdalgpu::RulesOfProj().isea_is_of_9_5) {
            AddForward(batch, "+proj=isea +azi=" + number(-180, 180) + on_sphere,
                       {1e-6, 1e-14, 1e-7});
        }
    }
    batch.Run();
}

TEST(WorldProjections, RefuseWhatProjRefuses) {
    for (const char* pipeline :
         {"+proj=rhealpix +north_square=4 +R=1", "+proj=rhealpix +south_square=-1 +R=1",
          "+proj=s2 +UVtoST=cubic +R=1", "+proj=isea +orient=west +R=1",
          "+proj=isea +mode=odd +R=1", "+proj=peirce_q +shape=round +R=1",
          "+proj=peirce_q +shape=vertical +scrolly=2 +R=1", "+proj=wintri +lat_1=foo +R=6371000",
          "+proj=hammer +W=0 +R=6371000", "+proj=hammer +M=0 +R=6371000",
          "+proj=lagrng +W=-1 +R=6371000", "+proj=lagrng +lat_1=90 +R=6371000",
          "+proj=oea +m=1 +R=6371000", "+proj=oea +n=1 +m=-1 +R=6371000", "+proj=chamb +R=6371000",
          "+proj=chamb +lat_1=10 +lat_2=10 +lat_3=20 +R=6371000"}) {
        EXPECT_THROW(gdalgpu::CoordinateOperation::FromPipeline(pipeline, false),
                     gdalgpu::NotFusable)
            << pipeline;
    }
}

}  // namespace
