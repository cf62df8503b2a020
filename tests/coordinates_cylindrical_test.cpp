// Cylindrical, transverse, oblique and national projections against PROJ.
#include "tests/coordinates_judge.h"

namespace {

using judge::Batch;
using judge::kDegree;
using judge::Point;
using judge::World;

struct Tolerance {
    double metres = 1e-8;
    double radians = 1e-14;
    double polar_noise = 0;
};

// Where an inverse is tried: a square about the origin of the grid.
struct Square {
    double x = 0;
    double y = 0;
    double radius = 9e6;
};

void AddBothWays(Batch& batch, const std::string& pipeline, Tolerance t = {}, Square s = {}) {
    batch.Add({pipeline, false, World(), t.metres, t.radians, t.polar_noise});
    batch.Add(
        {pipeline, true, judge::Plane(s.x, s.y, s.radius), t.metres, t.radians, t.polar_noise});
}

// Without the neighbourhood of the equator, where PROJ's 1 - cos() in polyconic projections is
// rounded to what is some metres times 1e-10 divided by the latitude.
std::vector<Point> WorldWithoutEquator() {
    std::vector<Point> world;
    for (const Point& p : World()) {
        if (p[1] == 0 || !(std::fabs(p[1]) < 1e-3)) world.push_back(p);
    }
    return world;
}

// Parameters that PROJ refuses are refused here too.
void ExpectRefused(const std::string& pipeline) {
    PJ_CONTEXT* context = proj_context_create();
    proj_log_level(context, PJ_LOG_NONE);
    PJ* pj = proj_create(context, pipeline.c_str());
    EXPECT_EQ(pj, nullptr) << pipeline;
    EXPECT_THROW(gdalgpu::CoordinateOperation::FromPipeline(pipeline), gdalgpu::NotFusable)
        << pipeline;
    proj_destroy(pj);
    proj_context_destroy(context);
}

TEST(CylindricalProjections, AgreeWithProjOnNationalGrids) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=cass +lat_0=10.44166666666667 +lon_0=-61.33333333333334 +x_0=86501.46 "
          "+y_0=65379.01 +a=6378293.645208759 +b=6356617.987679838",
          "+proj=cass +hyperbolic +lat_0=-16.25 +lon_0=179.3333333333333 +x_0=251727.91 "
          "+y_0=334519.95 +a=6378306.3696 +b=6356571.996",
          "+proj=cass +lat_0=31.7 +lon_0=35.2 +R=6371000", "+proj=nzmg +ellps=intl",
          "+proj=gstmerc +lat_0=-21.11666666666667 +lon_0=55.53333333333333 +k_0=1 +x_0=160000 "
          "+y_0=50000 +ellps=intl",
          "+proj=labrd +lat_0=-18.9 +lon_0=46.43722916666667 +azi=18.9 +k=0.9995 +x_0=400000 "
          "+y_0=800000 +ellps=intl"}) {
        AddBothWays(batch, pipeline);
    }
    batch.Run();
}

// Where the grids are used: within five degrees of the origin.
TEST(CylindricalProjections, AgreeWithProjToNanometresInAreasOfUse) {
    const struct {
        const char* pipeline;
        double lon, lat;
    } grids[] = {
        {"+proj=sterea +lat_0=52.15616055555555 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 "
         "+y_0=463000 +ellps=bessel",
         5.4, 52.2},
        {"+proj=krovak +lat_0=49.5 +lon_0=24.83333333333333 +alpha=30.28813972222222 +k=0.9999 "
         "+ellps=bessel",
         16, 49.5},
        {"+proj=somerc +lat_0=46.95240555555556 +lon_0=7.439583333333333 +x_0=600000 +y_0=200000 "
         "+k_0=1 +ellps=bessel",
         7.4, 47},
        {"+proj=omerc +lat_0=4 +lonc=102.25 +alpha=323.0257964666666 +gamma=323.1301023611111 "
         "+k=0.99984 +no_uoff +x_0=804671 +ellps=evrstSS",
         102, 4},
        {"+proj=cass +lat_0=10.44166666666667 +lon_0=-61.33333333333334 +x_0=86501.46 "
         "+y_0=65379.01 +a=6378293.645208759 +b=6356617.987679838",
         -61, 10.5},
        {"+proj=gstmerc +lat_0=-21.11666666666667 +lon_0=55.53333333333333 +x_0=160000 +y_0=50000 "
         "+ellps=intl",
         55.5, -21},
        {"+proj=labrd +lat_0=-18.9 +lon_0=46.43722916666667 +azi=18.9 +k=0.9995 +x_0=400000 "
         "+y_0=800000 +ellps=intl",
         46.4, -19},
        {"+proj=nzmg +ellps=intl", 173, -41},
    };
    Batch batch;
    for (const auto& grid : grids) {
        std::vector<Point> angles, plane;
        PJ* pj = proj_create(PJ_DEFAULT_CTX, grid.pipeline);
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> within(-5, 5);
        for (int i = 0; i < 1000; ++i) {
            const double lon = grid.lon + within(random), lat = grid.lat + within(random);
            angles.push_back({lon * kDegree, lat * kDegree, 0, 0});
            const PJ_COORD c =
                proj_trans(pj, PJ_FWD, proj_coord(lon * kDegree, lat * kDegree, 0, 0));
            plane.push_back({c.v[0], c.v[1], 0, 0});
        }
        proj_destroy(pj);
        batch.Add({grid.pipeline, false, angles, 1e-8});
        batch.Add({grid.pipeline, true, plane, 1e-9, 2e-15});
    }
    batch.Run();
}

TEST(CylindricalProjections, AgreeWithProjOnConformalSpheres) {
    Batch batch;
    // PROJ takes arc sines of numbers near 1, far from where these grids are used.
    for (const char* pipeline :
         {"+proj=sterea +lat_0=52.15616055555555 +lon_0=5.38763888888889 +k=0.9999079 "
          "+x_0=155000 +y_0=463000 +ellps=bessel",
          "+proj=sterea +lat_0=46 +lon_0=25 +R=6371000 +k_0=0.99975",
          "+proj=krovak +lat_0=49.5 +lon_0=24.83333333333333 +alpha=30.28813972222222 +k=0.9999 "
          "+ellps=bessel",
          "+proj=krovak +czech +x_0=100 +ellps=WGS84",
          "+proj=somerc +lat_0=46.95240555555556 +lon_0=7.439583333333333 +x_0=600000 "
          "+y_0=200000 +k_0=1 +ellps=bessel",
          "+proj=somerc +lat_0=-31.3 +R=6371000 +k_0=0.999"}) {
        AddBothWays(batch, pipeline, {1e-6, 1e-12});
    }
    // Not near the antipode, where nothing but roundings is left of the denominator.
    std::vector<Point> south;
    for (const Point& p : World()) {
        if (!(p[1] > 1)) south.push_back(p);
    }
    const char* polar = "+proj=sterea +lat_0=-90 +lon_0=10 +ellps=WGS84";
    batch.Add({polar, false, south, 1e-6});
    batch.Add({polar, true, judge::Plane(0, 0, 9e6), 1e-6, 2e-8});
    batch.Run();
}

TEST(CylindricalProjections, AgreeWithProjOnObliqueMercator) {
    Batch batch;
    for (const char* parameters :
         {"+lat_0=4 +lonc=102.25 +alpha=323.0257964666666 +gamma=323.1301023611111 +k=0.99984 "
          "+no_uoff +x_0=804671 +ellps=evrstSS",
          "+lat_0=57 +lonc=-133.6666666666667 +alpha=323.1301023611111 +k=0.9999 +x_0=5000000 "
          "+y_0=-5000000 +ellps=GRS80",
          "+lat_0=-36 +lonc=147 +gamma=-30 +no_rot +ellps=WGS84", "+lonc=20 +alpha=40 +R=6371000",
          "+lat_0=40 +lat_1=50 +lon_1=-170 +lat_2=20 +lon_2=170 +ellps=clrk66",
          "+lat_0=-10 +lat_1=-30 +lon_1=20 +lat_2=25 +lon_2=40 +R=6371000"}) {
        AddBothWays(batch, std::string("+proj=omerc ") + parameters, {1e-7, 1e-14});
    }
    batch.Run();
}

TEST(CylindricalProjections, AgreeWithProjOnEqualAreaAndPolyconic) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=cea +lat_ts=30 +lon_0=10 +ellps=WGS84", "+proj=cea +k_0=0.9 +ellps=WGS84",
          "+proj=cea +lat_ts=-45 +R=6371000"}) {
        AddBothWays(batch, pipeline);
    }
    // Far out PROJ's iteration is chaotic, and beyond some hundred thousand kilometres whether it
    // ends at all is chance.
    for (const char* pipeline :
         {"+proj=poly +lat_0=0 +lon_0=-54 +ellps=GRS80", "+proj=poly +lat_0=-30 +ellps=clrk66",
          "+proj=poly +lat_0=40 +R=6371000"}) {
        batch.Add({pipeline, false, WorldWithoutEquator(), 1e-6});
        batch.Add({pipeline, true, judge::Within(judge::Plane(0, 0, 5e6), 2e8)});
    }
    batch.Run();
}

TEST(CylindricalProjections, AgreeWithProjOnTheSphere) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=mill +lon_0=20 +R=6371000", "+proj=gall +ellps=WGS84 +lon_0=-90",
          "+proj=cc +R=6371000", "+proj=times +ellps=WGS84", "+proj=comill +ellps=WGS84",
          "+proj=patterson +ellps=WGS84", "+proj=tcea +lat_0=20 +k_0=0.9 +R=6371000",
          "+proj=ocea +lat_0=30 +lonc=20 +alpha=40 +R=6371000",
          "+proj=ocea +lat_1=45 +lon_1=-90 +lat_2=-10 +lon_2=30 +k_0=0.9 +R=6371000",
          "+proj=ocea +lon_1=20 +lat_2=30 +ellps=WGS84"}) {
        AddBothWays(batch, pipeline, {}, {0, 0, 2e7});
    }
    // Beyond the pole the longitude is divided by a rounding error.
    for (const char* pipeline :
         {"+proj=tobmerc +R=6371000", "+proj=tobmerc +ellps=WGS84 +k_0=0.9"}) {
        batch.Add({pipeline, false, World()});
        batch.Add({pipeline, true, judge::Within(judge::Plane(0, 0, 2e7), 2e8)});
    }
    for (const char* pipeline :
         {"+proj=tpeqd +lat_1=60 +lon_1=0 +lat_2=40 +lon_2=-70 +R=6371000",
          "+proj=tpeqd +lat_1=-10 +lon_1=170 +lat_2=20 +lon_2=-150 +ellps=WGS84",
          "+proj=bipc +R=6371000", "+proj=bipc +ns +ellps=WGS84 +lon_0=10"}) {
        AddBothWays(batch, pipeline, {1e-7, 1e-12});
    }
    for (const char* pipeline : {"+proj=tcc +R=6371000 +lon_0=10", "+proj=rpoly +R=6371000",
                                 "+proj=rpoly +lat_ts=-40 +lat_0=20 +ellps=WGS84"}) {
        batch.Add({pipeline, false, WorldWithoutEquator(), 1e-6});
        EXPECT_THROW(gdalgpu::CoordinateOperation::FromPipeline(pipeline, true),
                     gdalgpu::NotFusable);
    }
    batch.Run();
}

TEST(CylindricalProjections, AgreeWithProjOnTheEllipsoid) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=bonne +lat_1=40 +lon_0=-8 +ellps=clrk66", "+proj=bonne +lat_1=90 +R=6371000",
          "+proj=bonne +lat_1=-30 +R=6371000",
          "+proj=col_urban +lat_0=4.680486 +lon_0=-74.14659 +x_0=92334.879 +h_0=2550 +ellps=GRS80",
          "+proj=lcca +lat_0=34.65 +lon_0=37.35 +x_0=300000 +y_0=300000 +k_0=0.9996 +ellps=clrk80",
          "+proj=lcca +lat_0=-50 +R=6371000", "+proj=rouss +lat_0=46 +lon_0=25 +ellps=clrk80",
          "+proj=rouss +lat_0=-20 +k_0=0.9 +a=6378137 +rf=30"}) {
        AddBothWays(batch, pipeline);
    }
    // Far from its sheet the inverse's iteration is chaotic.
    std::vector<Point> sheet;
    for (const Point& p : judge::Plane(0, 0, 1e6)) {
        if (!(std::isfinite(p[0] + p[1]) && std::hypot(p[0], p[1]) > 2e6)) sheet.push_back(p);
    }
    // PROJ's inverse refuses nearly all of the south.
    batch.Add({"+proj=bonne +lat_1=-60 +ellps=WGS84", false, World()});
    for (const char* pipeline : {"+proj=imw_p +lat_1=30 +lat_2=34 +lon_0=-100 +ellps=clrk66",
                                 "+proj=imw_p +lat_1=0 +lat_2=-4 +lon_1=3 +ellps=WGS84",
                                 "+proj=imw_p +lat_1=0 +lat_2=70 +R=6371000"}) {
        batch.Add({pipeline, false, WorldWithoutEquator(), 1e-6});
        batch.Add({pipeline, true, sheet, 1e-8, 1e-12});
    }
    for (const char* pipeline : {"+proj=calcofi +ellps=clrk66", "+proj=calcofi +R=6371000",
                                 "+proj=calcofi +ellps=clrk66 +lon_0=10 +x_0=100 +k_0=2"}) {
        AddBothWays(batch, pipeline, {}, {80, 60, 300});
    }
    batch.Run();
}

TEST(CylindricalProjections, AgreeWithProjOnSpaceObliqueMercator) {
    Batch batch;
    // Far from the path the inverse's iteration ends before it has converged.
    std::vector<Point> path;
    for (const Point& p : judge::Plane(0, 0, 9e6)) {
        if (!(std::isfinite(p[1]) && std::fabs(p[1]) > 9e6)) path.push_back(p);
    }
    for (const char* pipeline :
         {"+proj=lsat +lsat=5 +path=120 +ellps=WGS84", "+proj=lsat +lsat=2 +path=251 +ellps=clrk66",
          "+proj=lsat +lsat=1 +path=1 +R=6371000", "+proj=misrsom +path=1 +ellps=WGS84",
          "+proj=misrsom +path=233 +R=6371000"}) {
        batch.Add({pipeline, false, World(), 1e-7});
        batch.Add({pipeline, true, path, 1e-7, 1e-12});
    }
    batch.Run();
}

// ob_tran: rotated poles, and every kind of projection inside.
TEST(CylindricalProjections, AgreeWithProjOnTurnedSpheres) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=ob_tran +o_proj=longlat +o_lon_p=-162 +o_lat_p=39.25 +lon_0=180 +R=6371229",
          "+proj=ob_tran +o_proj=latlon +o_lon_p=0 +o_lat_p=0 +lon_0=10 +ellps=WGS84",
          "+proj=ob_tran +o_proj=moll +o_lon_p=20 +o_lat_p=45 +R=6371000 +x_0=100",
          "+proj=ob_tran +o_proj=merc +o_alpha=30 +o_lon_c=10 +o_lat_c=40 +ellps=WGS84",
          "+proj=ob_tran +o_proj=eqc +o_lon_1=10 +o_lat_1=50 +o_lon_2=60 +o_lat_2=20 +lat_ts=30",
          "+proj=ob_tran +o_proj=cea +o_lon_p=20 +o_lat_p=-30 +lat_ts=30 +k_0=2 +R=6371000",
          "+proj=ob_tran +o_proj=utm +zone=33 +o_lon_p=0 +o_lat_p=80 +ellps=WGS84",
          "+proj=ob_tran +o_proj=lcc +lat_1=40 +lat_2=50 +o_lon_p=100 +o_lat_p=60 +ellps=GRS80",
          "+proj=ob_tran +o_proj=nzmg +o_lon_p=100 +o_lat_p=60 +ellps=GRS80 +lon_0=20"}) {
        AddBothWays(batch, pipeline, {1e-6, 1e-12});
    }
    const char* one_way = "+proj=ob_tran +o_proj=tcc +o_lon_p=20 +o_lat_p=45 +R=6371000";
    batch.Add({one_way, false, World(), 1e-6});
    EXPECT_THROW(gdalgpu::CoordinateOperation::FromPipeline(one_way, true), gdalgpu::NotFusable);
    batch.Add(
        {"+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=ob_tran "
         "+o_proj=longlat +o_lon_p=-162 +o_lat_p=39.25 +lon_0=180 +R=6371229 +step "
         "+proj=unitconvert +xy_in=rad +xy_out=deg",
         false,
         {{10, 50, 0, 0}, {-170, -20, 0, 0}, {18, 39.25, 0, 0}, {0, 90, 0, 0}},
         1e-12});
    batch.Run();
}

// One parameter set in both directions, within 40 degrees of its central meridian.
void AddRandomPoints(Batch& batch, const std::string& pipeline, std::mt19937_64& random) {
    PJ_CONTEXT* context = proj_context_create();
    proj_log_level(context, PJ_LOG_NONE);
    PJ* pj = proj_create(context, pipeline.c_str());
    if (pj == nullptr) {
        EXPECT_THROW(gdalgpu::CoordinateOperation::FromPipeline(pipeline), gdalgpu::NotFusable)
            << pipeline;
    } else {
        std::uniform_real_distribution<double> lon(-40, 40), lat(-85, 85);
        std::vector<Point> angles, plane;
        for (int i = 0; i < 150; ++i) {
            const Point at = {lon(random) * kDegree, lat(random) * kDegree, 0, 0};
            const PJ_COORD c = proj_trans(pj, PJ_FWD, proj_coord(at[0], at[1], 0, 0));
            const bool refused = c.xyzt.x == HUGE_VAL;
            // Further out PROJ's own roundings are larger than the tolerance.
            const bool near = !refused && std::hypot(c.xyzt.x, c.xyzt.y) < 2e7;
            if (near || refused) angles.push_back(at);
            if (near) plane.push_back({c.v[0], c.v[1], 0, 0});
        }
        batch.Add({pipeline, false, angles, 1e-6});
        if (!plane.empty() && proj_pj_info(pj).has_inverse)
            batch.Add({pipeline, true, plane, 1e-6, 1e-11});
    }
    proj_destroy(pj);
    proj_context_destroy(context);
}

TEST(CylindricalProjections, AgreeWithProjOnRandomParameters) {
    // A name in angle brackets stands for a number of that range.
    const char* templates[] = {"cass +lat_0=<lat>",
                               "cass +hyperbolic +lat_0=<lat>",
                               "sterea +lat_0=<lat> +k=<k>",
                               "krovak +lat_0=<lat> +k=<k>",
                               "somerc +lat_0=<lat> +k=<k>",
                               "gstmerc +lat_0=<lat> +k=<k>",
                               "labrd +lat_0=<lat> +azi=<lon> +k=<k>",
                               "omerc +lat_0=<lat> +lonc=<20> +alpha=<lon> +k=<k>",
                               "omerc +lat_0=<lat> +lonc=<20> +gamma=<lat> +no_uoff",
                               "omerc +lat_1=<lat> +lat_2=<lat> +lon_1=<20> +lon_2=<20>",
                               "cea +lat_ts=<lon>",
                               "cea +k=<k>",
                               "tcea +lat_0=<lat> +k=<k>",
                               "ocea +lat_0=<lat> +lonc=<20> +alpha=<lon>",
                               "ocea +lat_1=<lat> +lat_2=<lat> +lon_1=<20> +lon_2=<lon>",
                               "bonne +lat_1=<north>",
                               "lcca +lat_0=<lat> +k=<k>",
                               "col_urban +lat_0=<lat> +h_0=<lat>",
                               "tpeqd +lat_1=<lat> +lat_2=<lat> +lon_1=<20> +lon_2=<20>",
                               "ob_tran +o_proj=eqc +o_lat_p=<lat> +o_lon_p=<lon> +lat_ts=<lat>",
                               "ob_tran +o_proj=cea +o_lat_c=<lat> +o_lon_c=<lon> +o_alpha=<lon>"};
    std::mt19937_64 random(20261129);
    const auto between = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    Batch batch;
    for (const char* shape : {"+ellps=bessel", "+R=6371007", "+a=6378137 +rf=150"}) {
        for (const char* text : templates) {
            std::ostringstream pipeline;
            pipeline.precision(10);
            pipeline << "+proj=";
            for (const char* c = text; *c != 0; ++c) {
                if (*c != '<') {
                    pipeline << *c;
                    continue;
                }
                const std::string range(c + 1, std::strchr(c, '>'));
                c = std::strchr(c, '>');
                pipeline << (range == "lat"     ? between(-80, 80)
                             : range == "north" ? between(5, 80)
                             : range == "lon"   ? between(-180, 180)
                             : range == "k"     ? between(0.9, 1.1)
                                                : between(-20, 20));
            }
            pipeline << " " << shape << " +x_0=" << between(-1e6, 1e6) << " +lon_0=0";
            AddRandomPoints(batch, pipeline.str(), random);
        }
    }
    batch.Run();
}

// The pole under two longitudes: newer PROJs find a distance between them.
TEST(CylindricalProjections, TakeOnePointForTwoAsProjDoes) {
    const std::string pipeline = "+proj=tpeqd +lat_1=90 +lat_2=90 +lon_1=20";
    PJ_CONTEXT* context = proj_context_create();
    proj_log_level(context, PJ_LOG_NONE);
    PJ* pj = proj_create(context, pipeline.c_str());
    if (pj == nullptr) {
        ExpectRefused(pipeline);
    } else {
        EXPECT_NO_THROW(gdalgpu::CoordinateOperation::FromPipeline(pipeline));
    }
    proj_destroy(pj);
    proj_context_destroy(context);
}

TEST(CylindricalProjections, RefuseWhatProjRefuses) {
    for (const char* pipeline : {"+proj=omerc +lat_0=90 +alpha=10 +ellps=GRS80",
                                 "+proj=omerc +lat_1=90 +lat_2=10",
                                 "+proj=omerc +lat_1=10 +lat_2=90",
                                 "+proj=omerc +lat_1=10 +lat_2=10",
                                 "+proj=omerc +lat_2=10",
                                 "+proj=omerc +lat_0=60 +gamma=80",
                                 "+proj=krovak +lat_0=-90 +ellps=bessel",
                                 "+proj=labrd +lat_0=0 +azi=10",
                                 "+proj=cea +lat_ts=100",
                                 "+proj=bonne",
                                 "+proj=lcca",
                                 "+proj=imw_p +lat_1=30",
                                 "+proj=imw_p +lat_2=30",
                                 "+proj=imw_p +lat_1=30 +lat_2=-30",
                                 "+proj=imw_p +lat_1=30 +lat_2=30",
                                 "+proj=lsat +path=1",
                                 "+proj=lsat +lsat=6 +path=1",
                                 "+proj=lsat +lsat=4 +path=234",
                                 "+proj=misrsom",
                                 "+proj=misrsom +path=234",
                                 "+proj=ob_tran",
                                 "+proj=ob_tran +o_proj=ob_tran",
                                 "+proj=ob_tran +o_proj=merc",
                                 "+proj=ob_tran +o_proj=none +o_lat_p=20",
                                 "+proj=ob_tran +o_proj=merc +o_alpha=10 +o_lat_c=90",
                                 "+proj=ob_tran +o_proj=merc +o_lat_1=90 +o_lat_2=10",
                                 "+proj=ob_tran +o_proj=merc +o_lat_1=10 +o_lat_2=10",
                                 "+proj=ob_tran +o_proj=bonne +o_lat_p=20",
                                 "+proj=tpeqd +lat_1=10 +lat_2=10"}) {
        ExpectRefused(pipeline);
    }
}

}  // namespace
