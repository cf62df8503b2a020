// Pipelines against PROJ: steps other than projections, parameters common to all, and what PROJ
// chooses for real pairs.
#include <gmock/gmock.h>

#include "tests/coordinates_judge.h"

namespace {

using gdalgpu::CoordinateOperation;
using gdalgpu::NotFusable;
using judge::Batch;
using judge::Candidates;
using judge::kDegree;
using judge::Plane;
using judge::Point;
using judge::World;

// The world's points in degrees, latitude first where asked for.
std::vector<Point> Degrees(bool latitude_first) {
    std::vector<Point> points = World();
    for (Point& p : points) {
        p[0] /= kDegree;
        p[1] /= kDegree;
        if (latitude_first) std::swap(p[0], p[1]);
    }
    return points;
}

std::vector<Point> Box(double west, double south, double east, double north,
                       bool latitude_first = true) {
    std::vector<Point> points;
    for (int i = 0; i <= 40; ++i) {
        for (int j = 0; j <= 40; ++j) {
            const double lon = west + (east - west) * i / 40,
                         lat = south + (north - south) * j / 40;
            latitude_first ? points.push_back({lat, lon, 0, 0})
                           : points.push_back({lon, lat, 0, 0});
        }
    }
    return points;
}

// What PROJ makes of the points in its own way, as input for the other direction.
std::vector<Point> Through(const std::string& pipeline, PJ_DIRECTION direction,
                           std::vector<Point> points) {
    PJ_CONTEXT* context = proj_context_create();
    proj_log_level(context, PJ_LOG_NONE);
    PJ* pj = proj_create(context, pipeline.c_str());
    for (Point& p : points) {
        proj_errno_reset(pj);
        const PJ_COORD c = proj_trans(pj, direction, proj_coord(p[0], p[1], p[2], p[3]));
        p = {c.v[0], c.v[1], c.v[2], c.v[3]};
    }
    proj_destroy(pj);
    proj_context_destroy(context);
    return points;
}

TEST(CoordinateOperation, AgreesWithProjOnCommonParameters) {
    Batch batch;
    const std::string utm = "+proj=utm +zone=33 +ellps=WGS84 ";
    const std::string merc = "+proj=merc +ellps=GRS80 +lon_0=170 +x_0=1000 +y_0=-500 ";
    for (const std::string& pipeline :
         {merc + "+pm=paris",
          merc + "+pm=-17.5",
          merc + "+pm=12d30'10\"E",
          merc + "+over",
          merc + "+geoc",
          merc + "+units=us-ft",
          merc + "+to_meter=1/3",
          merc + "+to_meter=0.3 +vto_meter=2 +z_0=7",
          merc + "+vunits=ft",
          merc + "+axis=wsu",
          merc + "+axis=neu",
          merc + "+axis=nwd",
          merc + "+axis=enu",
          utm + "+datum=WGS84 +no_defs",
          merc + "+R_A",
          merc + "+R_V",
          merc + "+R_a",
          merc + "+R_g",
          merc + "+R_h",
          merc + "+R_lat_a=45",
          merc + "+R_lat_g=30d30",
          merc + "+a=6378000 +f=0.003",
          merc + "+es=0.006",
          merc + "+e=0.08",
          merc + "+b=6356000",
          merc + "+R=6000000 +b=1 +R_A +R_lat_g=10",
          std::string("+proj=merc +ellps=clrk66 +a=6000000"),
          std::string("+proj=eqc +geoc +ellps=WGS84"),
          std::string("+proj=tmerc +lon_0=1.5r +ellps=WGS84 +k_0=0.99 +k=2"),
          std::string("proj=tmerc lat_0=10dS lon_0=20dW ellps=intl")}) {
        batch.Add({pipeline, false, World(1, 500)});
        batch.Add({pipeline, true, Plane(100000, 0, 8e6, 1, 500)});
    }
    for (const char* pipeline :
         {"+proj=longlat +ellps=WGS84", "+proj=longlat +lon_0=20 +pm=oslo", "+proj=latlong +over",
          "+proj=longlat +lon_wrap=180", "+proj=lonlat +geoc +lon_wrap=-90 +to_meter=2",
          "+proj=latlon +axis=neu"}) {
        batch.Add({pipeline, false, World(1, 500)});
        batch.Add({pipeline, true, World(2, 500)});
    }
    batch.Run();
}

TEST(CoordinateOperation, AgreesWithProjOnSteps) {
    Batch batch;
    const std::string p = "+proj=pipeline ";
    const std::string cart = p + "+step +proj=cart +ellps=bessel ";
    const std::vector<std::string> angular = {
        "+proj=cart +ellps=GRS80",
        "+proj=cart +R=6371000",
        "+proj=cart +ellps=clrk66 +to_meter=0.3048",
        cart + "+step +proj=helmert +x=598.1 +y=73.7 +z=418.2 +step +inv +proj=cart +ellps=WGS84",
        cart +
            "+step +proj=helmert +x=598.1 +y=73.7 +z=418.2 +rx=0.202 +ry=0.045 +rz=-2.455 +s=6.7 "
            "+convention=position_vector +step +inv +proj=cart +ellps=WGS84",
        cart +
            "+step +inv +proj=helmert +x=598.1 +y=73.7 +z=418.2 +rx=0.202 +ry=0.045 +rz=-2.455 "
            "+s=6.7 "
            "+convention=coordinate_frame +exact +step +inv +proj=cart +ellps=WGS84",
        cart + "+step +proj=helmert +s=3 +step +inv +proj=cart +ellps=WGS84",
        cart +
            "+step +proj=molobadekas +x=-270.933 +y=115.599 +z=-360.226 +rx=-5.266 +ry=-1.238 "
            "+rz=2.381 +s=-5.109 "
            "+px=2464351.59 +py=-5783466.61 +pz=974809.81 +convention=coordinate_frame +step +inv "
            "+proj=cart",
        "+proj=geogoffset +dlon=10 +dlat=-20 +dh=3",
        p + "+step +proj=push +v_3 +step +proj=cart +step +inv +proj=cart +ellps=airy +step "
            "+proj=pop +v_3",
        p + "+step +proj=push +v_1 +v_2 +step +proj=geogoffset +dlon=100 +step +proj=pop +v_1",
        p + "+step +proj=push +v_2 +step +proj=push +v_2 +step +proj=merc +step +proj=pop +v_2 "
            "+v_3",
        p + "+step +proj=noop +step +proj=utm +zone=5 +step +proj=noop",
        p + "+ellps=intl +step +proj=merc +step +inv +proj=merc +lon_0=10 +ellps=WGS84",
        p + "+step +proj=utm +zone=33 +step +proj=unitconvert +xy_in=m +xy_out=us-ft +z_in=m "
            "+z_out=ft",
        p + "+step +proj=merc +omit_inv +step +proj=axisswap +order=2,-1",
        p + "+step +proj=unitconvert +xy_in=rad +xy_out=deg +step +proj=axisswap +order=-2,1,-3",
        p + "+step +proj=set +v_3=17 +v_4=2 +step +proj=cart",
        p + "+step +proj=unitconvert +xy_in=rad +xy_out=grad +step +proj=unitconvert +xy_in=grad "
            "+xy_out=2.5",
        p + "+step +proj=axisswap +order=4,3,2,1",
        p + "+inv +step +inv +proj=utm +zone=7",
        p + "+step +proj=pop +v_1 +step +proj=longlat +lon_wrap=200",
        "+proj=noop",
        "+proj=axisswap +order=1,-2",
        "+proj=axisswap +axis=wsu",
    };
    for (const std::string& pipeline : angular) {
        batch.Add({pipeline, false, World(3, 500)});
        if (pipeline.find("omit_inv") == std::string::npos) {
            batch.Add({pipeline, true, Through(pipeline, PJ_FWD, World(4, 500))});
        }
    }
    batch.Run();
}

TEST(CoordinateOperation, AgreesWithProjOnSingleInverseStep) {
    Batch batch;
    batch.Add({"+proj=utm +zone=32 +inv +ellps=GRS80", false, Plane(500000, 5e6, 4e6)});
    batch.Add({"+proj=utm +zone=32 +inv +ellps=GRS80", true, World()});
    batch.Run();
}

TEST(CoordinateOperation, AgreesWithProjOnRealPairs) {
    struct Pair {
        const char* from;
        const char* to;
        std::vector<Point> points;  // in the source CRS
        size_t fused;               // operations that must be fusable, at least
    };
    const auto utm = [](double west, double south, double east, double north, const char* zone) {
        return Through(
            std::string("+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step ") +
                zone,
            PJ_FWD, Box(west, south, east, north, false));
    };
    const std::vector<Pair> pairs = {
        {"EPSG:32633", "EPSG:3857", utm(5, 0, 25, 84, "+proj=utm +zone=33 +ellps=WGS84"), 1},
        {"EPSG:32601", "EPSG:3857", utm(-183, 0, -170, 84, "+proj=utm +zone=1 +ellps=WGS84"), 1},
        {"EPSG:32761", "EPSG:4326", Plane(2e6, 2e6, 2e6), 1},
        {"EPSG:5041", "EPSG:3413", Plane(2e6, 2e6, 3e6), 1},
        {"EPSG:4326", "EPSG:3035", Box(-20, 30, 45, 75), 1},
        {"EPSG:4326", "EPSG:3031", Box(-180, -90, 180, -50), 1},
        {"EPSG:4326", "EPSG:3995", Box(-180, 50, 180, 90), 1},
        {"EPSG:4326", "EPSG:3413", Box(-180, 50, 180, 90), 1},
        {"EPSG:4326", "EPSG:5070", Box(-135, 20, -60, 55), 1},
        {"EPSG:4326", "EPSG:2154", Box(-6, 41, 10, 52), 1},
        {"EPSG:4326", "EPSG:27700", Box(-9, 49, 3, 62), 1},
        {"EPSG:4326", "EPSG:3857", Degrees(true), 1},
        {"EPSG:4326", "EPSG:2193", Box(160, -50, 180, -30), 1},
        {"EPSG:4326", "EPSG:2263", Box(-75, 39, -71, 42), 1},
        {"EPSG:4326", "EPSG:28992", Box(3, 50, 8, 54), 0},
        {"EPSG:25832", "EPSG:31467", utm(5, 46, 13, 56, "+proj=utm +zone=32 +ellps=GRS80"), 1},
        {"EPSG:32633", "EPSG:5514", utm(12, 47, 23, 52, "+proj=utm +zone=33 +ellps=WGS84"), 0},
        {"OGC:CRS84", "EPSG:32632", Box(0, -80, 18, 84, false), 1},
    };
    Batch batch;
    for (const Pair& pair : pairs) {
        size_t fused = 0;
        for (const std::string& text : Candidates(pair.from, pair.to)) {
            try {
                CoordinateOperation::FromPipeline(text);
            } catch (const NotFusable& reason) {
                EXPECT_THAT(reason.what(), testing::ContainsRegex("no kernel|isn't supported"))
                    << text;
                continue;
            }
            ++fused;
            // PROJ's stere stops its iteration for the latitude up to 7e-13, or 4.5e-6 m, short of
            // it.
            const bool stere = text.find("stere") != std::string::npos;
            batch.Add({text, false, pair.points, stere ? 1e-5 : 2e-8, stere ? 2e-12 : 1e-14,
                       text.find("laea") != std::string::npos ? 2e-8 : 0});
            batch.Add({text, true, Through(text, PJ_FWD, pair.points), stere ? 1e-5 : 2e-8,
                       stere ? 2e-12 : 1e-14});
        }
        EXPECT_GE(fused, pair.fused) << pair.from << " to " << pair.to;
    }
    batch.Run();
}

TEST(CoordinateOperation, OneKernelServesAllZonesAndOrigins) {
    Batch batch;
    for (int zone = 1; zone <= 60; zone += 7) {
        batch.Add({"+proj=pipeline +step +inv +proj=utm +zone=" + std::to_string(zone) +
                       (zone % 2 ? " +ellps=WGS84" : " +south +ellps=intl") +
                       " +step +proj=webmerc +ellps=WGS84",
                   false, Plane(500000, zone % 2 ? 5e6 : 4e6, 4e5, zone, 100)});
    }
    batch.Run();
    EXPECT_EQ(batch.texts, 1u);
}

std::string Reason(const std::string& pipeline) {
    try {
        CoordinateOperation::FromPipeline(pipeline);
    } catch (const NotFusable& e) {
        return e.what();
    }
    return "fused";
}

TEST(CoordinateOperation, NamesTheStepAndParameterThatCannotBeFused) {
    const std::string p = "+proj=pipeline +step +proj=merc +step ";
    EXPECT_EQ(Reason("+proj=tinshift +file=x"), "tinshift: no kernel for this operation");
    EXPECT_EQ(Reason(p + "+inv +proj=tinshift +file=x"),
              "step 2 (tinshift): no kernel for this operation");
    EXPECT_EQ(
        Reason(p + "+proj=hgridshift +grids=x.gsb"),
        "step 2 (hgridshift): +grids=x.gsb needs the grid x.gsb, which isn't on this machine");
    EXPECT_EQ(Reason("+proj=cart +ellps=GRS80 +nadgrids=@null"),
              "cart: +nadgrids=@null isn't supported");
    EXPECT_EQ(Reason("+proj=merc +geoidgrids=x.gtx"),
              "vgridshift: +grids=x.gtx needs the grid x.gtx, which isn't on this machine");
    EXPECT_THAT(Reason("+proj=merc +datum=NAD27"), testing::HasSubstr("+datum=NAD27"));
    EXPECT_THAT(Reason("+proj=utm +zone=61"), testing::HasSubstr("+zone=61 should be 1 to 60"));
    EXPECT_THAT(Reason("+proj=utm +zone=33 +R=6371000"), testing::HasSubstr("utm: +ellps"));
    EXPECT_THAT(Reason("+proj=lcc +lat_1=30 +lat_2=-30"), testing::HasSubstr("lcc: +lat_1=30"));
    EXPECT_THAT(Reason("+proj=aea +lat_1=91 +lat_2=20"), testing::HasSubstr("aea: +lat_1=91"));
    EXPECT_THAT(Reason("+proj=merc +lat_ts=90"), testing::HasSubstr("merc: +lat_ts=90"));
    EXPECT_THAT(Reason("+proj=merc +lat_0=abc"), testing::HasSubstr("+lat_0=abc isn't an angle"));
    EXPECT_THAT(Reason("+proj=merc +x_0=1e400"), testing::HasSubstr("+x_0=1e400 isn't a number"));
    EXPECT_THAT(Reason("+proj=merc +k_0=0"), testing::HasSubstr("+k_0=0 should be greater than 0"));
    EXPECT_THAT(Reason("+proj=merc +ellps=moon"),
                testing::HasSubstr("+ellps=moon names no ellipsoid"));
    EXPECT_THAT(Reason("+proj=merc +units=parsec"),
                testing::HasSubstr("+units=parsec names no linear unit"));
    EXPECT_THAT(Reason("+proj=merc +to_meter=1/0"), testing::HasSubstr("+to_meter=1/0"));
    EXPECT_THAT(Reason("+proj=merc +pm=atlantis"), testing::HasSubstr("+pm=atlantis"));
    EXPECT_THAT(Reason("+proj=merc +axis=xyz"), testing::HasSubstr("+axis=xyz"));
    EXPECT_THAT(Reason("+proj=merc +type=crs"), testing::HasSubstr("type"));
    EXPECT_THAT(Reason("+proj=axisswap +order=1,1"), testing::HasSubstr("+order=1,1"));
    EXPECT_THAT(Reason("+proj=axisswap +order=3,1"), testing::HasSubstr("+order=3,1"));
    EXPECT_THAT(Reason("+proj=unitconvert +xy_in=m +xy_out=deg"), testing::HasSubstr("+xy_in=m"));
    EXPECT_THAT(Reason("+proj=merc +no_defs"), testing::HasSubstr("+a is missing"));
    EXPECT_THAT(Reason("+proj=helmert +rx=1"), testing::HasSubstr("+convention"));
    EXPECT_THAT(Reason("+proj=pipeline +step +proj=merc +step +proj=merc"),
                testing::HasSubstr("units"));
    EXPECT_THAT(Reason("+proj=pipeline"), testing::HasSubstr("no +step"));
    EXPECT_THAT(Reason("+proj=pipeline +step +proj=pipeline +step +proj=merc"),
                testing::HasSubstr("pipelines inside pipelines"));
    EXPECT_THAT(Reason("+init=epsg:4326"), testing::HasSubstr("init"));
    EXPECT_THAT(Reason(""), testing::HasSubstr("+proj is missing"));
    EXPECT_THAT(Reason("EPSG:4326"), testing::HasSubstr("+proj is missing"));
    EXPECT_EQ(Reason("+proj=merc +wktext +no_defs +ellps=GRS80 +title=a"), "fused");
}

TEST(CoordinateOperation, DropsStepsThatDoNothing) {
    const auto description = [](const char* text, bool inverse = false) {
        return CoordinateOperation::FromPipeline(text, inverse).description();
    };
    EXPECT_EQ(
        description(
            "+proj=pipeline +step +inv +proj=utm +zone=3 +step +proj=unitconvert +xy_in=rad "
            "+xy_out=deg "
            "+step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=noop +step +proj=merc"),
        "utm^-1 merc");
    EXPECT_EQ(description("+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step "
                          "+proj=utm +zone=3"),
              "unitconvert utm");
    EXPECT_EQ(
        description(
            "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=utm +zone=3",
            true),
        "utm^-1 unitconvert^-1");
    EXPECT_EQ(description("+proj=noop"), "noop");
}

}  // namespace
