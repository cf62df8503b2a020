// Steps other than projections and grids, against PROJ: datum shifts with and without time, times,
// polynomials, +towgs84 and +datum, and the operations that PROJ itself has for moving datums.
#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/coordinates_judge.h"

namespace {

using gdalgpu::CoordinateOperation;
using gdalgpu::NotFusable;
using judge::Batch;
using judge::Candidates;
using judge::kDegree;
using judge::kHuge;
using judge::kNan;
using judge::Plane;
using judge::Point;
using judge::World;

// Geocentric points near the Earth's surface, each at a time.
std::vector<Point> Space(const std::vector<double>& times, unsigned seed = 1, size_t count = 300) {
    std::vector<Point> points;
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    for (size_t i = 0; i < count; ++i) {
        double x = normal(random), y = normal(random), z = normal(random);
        const double r = 6.37e6 / std::sqrt(x * x + y * y + z * z);
        points.push_back({x * r, y * r, z * r, times[i % times.size()]});
    }
    for (double t : times) {
        points.push_back({0, 0, 0, t});
        points.push_back({6378137, 0, 0, t});
        points.push_back({0, 0, -6356752, t});
        points.push_back({kNan, 1, 2, t});
        points.push_back({1, kHuge, 2, t});
        points.push_back({1e9, -1e9, 1e9, t});
    }
    return points;
}

std::vector<Point> WithTimes(std::vector<Point> points, const std::vector<double>& times) {
    for (size_t i = 0; i < points.size(); ++i) points[i][3] = times[i % times.size()];
    return points;
}

const std::vector<double> kEpochs = {2010, 1994.25, 2020.5, 0, 1888, kHuge};

void AddBothWays(Batch& batch, const std::string& pipeline, const std::vector<Point>& points,
                 double metres = 1e-8) {
    for (bool inverse : {false, true}) batch.Add({pipeline, inverse, points, metres});
}

TEST(CoordinateSteps, HelmertAgreesWithProj) {
    Batch batch;
    const std::string still =
        "+proj=helmert +x=598.1 +y=73.7 +z=418.2 +rx=0.202 +ry=0.045 +rz=-2.455 +s=6.7 ";
    const std::string moving =
        "+proj=helmert +x=0.0127 +y=0.0065 +z=-0.0209 +s=0.00195 +rx=-39 +ry=80 +rz=-114 "
        "+dx=-0.0029 "
        "+dy=-0.0002 +dz=-0.0006 +ds=0.00001 +drx=-11 +dry=-19 +drz=7 +t_epoch=1988.0 ";
    for (const std::string& pipeline :
         {still + "+convention=position_vector", still + "+convention=coordinate_frame",
          still + "+convention=coordinate_frame +exact",
          still + "+convention=position_vector +exact +t_epoch=2000 +t_obs=2010",
          moving + "+convention=position_vector", moving + "+convention=coordinate_frame",
          moving + "+convention=position_vector +exact",
          moving + "+convention=coordinate_frame +exact",
          std::string("+proj=helmert +x=0.0016 +y=0.0019 +z=0.0024 +s=-0.00002 +dz=-0.0001 "
                      "+ds=0.00003 +t_epoch=2010.0 +convention=position_vector"),
          std::string("+proj=helmert +x=-1 +dx=0.5"), std::string("+proj=helmert +ds=2 +t_epoch=5"),
          std::string("+proj=helmert +drz=2 +convention=coordinate_frame"),
          std::string("+proj=helmert +s=-999999 +to_meter=2"),
          std::string("+proj=helmert +towgs84=-199.87,74.79,246.62"),
          std::string("+proj=helmert +towgs84=446,-125,542,0.15,0.24,0.84,-20 "
                      "+convention=position_vector +dx=1"),
          std::string("+proj=helmert +towgs84=1,2,3,4,5,6,7 +s=3 +convention=position_vector")}) {
        // Without rates the time is ignored here; PROJ lets a time that is NaN spoil the result.
        const bool moves = pipeline.find(" +d") != std::string::npos;
        std::vector<double> epochs = kEpochs;
        if (moves) epochs.push_back(kNan);
        AddBothWays(batch, pipeline, Space(epochs));
    }
    for (const char* pipeline :
         {"+proj=helmert +x=4000000 +y=-125 +s=0.99983 +theta=250.3",
          "+proj=helmert +theta=-9000 +x_0=7 +to_meter=0.3048 +z_0=3",
          "+proj=helmert +theta=3600 +dtheta=17 +ds=0.001 +s=3 +x=5 +dx=9 +t_epoch=2000",
          "+proj=helmert +theta=0 +s=-3"}) {
        AddBothWays(batch, pipeline, WithTimes(Plane(500000, 5e6, 1e6, 1, 300), kEpochs));
    }
    batch.Run();
}

TEST(CoordinateSteps, MolodenskyAgreesWithProj) {
    Batch batch;
    const std::string shift = "+dx=-134.73 +dy=-110.92 +dz=-292.66 +da=-108 +df=4.8e-7 ";
    for (const std::string& pipeline :
         {"+proj=molodensky +a=6378160 +rf=298.25 " + shift,
          "+proj=molodensky +a=6378160 +rf=298.25 +abridged " + shift,
          "+proj=molodensky +R=6371000 " + shift, "+proj=molodensky +R=6371000 +abridged " + shift,
          "+proj=molodensky +ellps=intl +lon_0=10 +pm=paris +geoc " + shift}) {
        AddBothWays(batch, pipeline, World(1, 500));
    }
    batch.Run();
}

TEST(CoordinateSteps, AffineTopocentricAndGeocentricAgreeWithProj) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=affine +xoff=1 +yoff=-2 +zoff=3 +toff=4 +s11=1.1 +s12=0.2 +s13=-0.3 +s21=0.4 "
          "+s22=0.5 +s23=-0.6 +s31=0.7 +s32=0.8 +s33=0.9 +tscale=2",
          "+proj=affine", "+proj=affine +s33=-1 +xoff=500", "+proj=affine +tscale=0.5 +ellps=intl",
          "+proj=topocentric +lon_0=5 +lat_0=55 +h_0=200 +ellps=WGS84",
          "+proj=topocentric +lon_0=-170.5 +lat_0=-90 +R=6371000",
          "+proj=topocentric +X_0=3652755.3058 +Y_0=319574.6799 +Z_0=5201547.3536 +ellps=intl",
          "+proj=pipeline +step +inv +proj=cart +ellps=WGS84 +step +proj=geocent +lon_0=20 "
          "+ellps=intl +to_meter=0.3"}) {
        AddBothWays(batch, pipeline, Space({2010, kHuge}));
    }
    for (const char* pipeline :
         {"+proj=geoc +ellps=GRS80", "+proj=geoc +R=6371000", "+proj=geoc +lon_0=30 +a=6e6 +rf=20",
          "+proj=geoc +geoc +ellps=GRS80", "+proj=geocent +ellps=GRS80",
          "+proj=pipeline +step +proj=cart +ellps=WGS84 +step +proj=topocentric +lon_0=5 +lat_0=55 "
          "+ellps=WGS84"}) {
        batch.Add({pipeline, false, World(1, 500)});
    }
    for (const char* pipeline : {"+proj=geoc +ellps=GRS80", "+proj=geoc +lon_0=30 +a=6e6 +rf=20"}) {
        batch.Add({pipeline, true, World(2, 500)});
    }
    batch.Add({"+proj=affine +s11=0", false, Space({1})});
    batch.Run();
}

TEST(CoordinateSteps, TimesAgreeWithProj) {
    Batch batch;
    const std::map<std::string, std::vector<double>> times = {
        {"decimalyear",
         {2020.5, 2000, 1999.999999, 1900.25, 1901,    1858.5, 1859, 1859.99, 1860.1, 1600.3,
          100,    -5,   9999.5,      10000,   10000.5, -10001, 2100, 2400.9,  kNan,   kHuge}},
        {"mjd",
         {0, 44, 44.999, 45, 46, 409, 410, 51544, 51543.5, 58849.25, 59215, 1e6, -400.25, 88069}},
        {"gps_week", {0, 1, 2086.5, -100, -6300, 1042.857}},
        {"yyyymmdd",
         {20201231, 20200229, 20200230, 20210229, 19000229, 20001301, 20000001, 20000100, 18590101,
          18581231, 18600301, 20100615.75, 10101, 20209999}}};
    for (const auto& [from, values] : times) {
        for (const auto& [to, unused] : times) {
            std::vector<Point> points;
            for (double t : values) {
                // PROJ ends its search for a year by an accident, or not at all, for times that are
                // no numbers and for dates before day 0.
                const bool finite = std::isfinite(t) || from == "decimalyear";
                const bool early = (from == "mjd" && t < 0) || (from == "gps_week" && t < -6000) ||
                                   (from == "decimalyear" && !(t > 1858.9 && t < 1e4));
                if (finite && !(to == "yyyymmdd" && early)) points.push_back({1, 2, 3, t});
            }
            batch.Add({"+proj=unitconvert +t_in=" + from + " +t_out=" + to, false, points});
            batch.Add({"+proj=unitconvert +t_in=" + to + " +t_out=" + from, true, points});
        }
        std::vector<Point> points;
        for (double t : values) {
            if (std::isfinite(t)) points.push_back({1, 2, 3, t});
        }
        batch.Add({"+proj=unitconvert +xy_in=m +xy_out=ft +t_in=" + from, false, points});
        batch.Add({"+proj=unitconvert +t_out=" + from, true, points});
    }
    std::vector<Point> days;
    for (int day = 45; day < 100000; day += 1) days.push_back({0, 0, 0, day + 0.25});
    for (const char* unit : {"decimalyear", "yyyymmdd"}) {
        batch.Add({std::string("+proj=unitconvert +t_in=mjd +t_out=") + unit, false, days});
    }
    batch.compares_time = true;
    batch.Run();
}

// A polynomial of small terms beside the identity; with the degree, the numbers of its terms.
std::string Polynomial(int degree, bool complex, const std::string& prefix, double sign) {
    const int count = complex ? 2 * degree + 2 : (degree + 1) * (degree + 2) / 2;
    std::string u, v;
    double small = 1e-2;
    for (int k = 0; k < count; ++k) {
        const bool linear = complex ? k == 2 : k == 1;
        const double x = k < (complex ? 2 : 1) ? 100 : linear ? 1 : sign * small * std::cos(k);
        const double y = k < 1 ? -50 : linear ? 1 : sign * small * std::sin(2. * k);
        if (k >= (complex ? 3 : 2)) small *= complex ? 1e-3 : 1e-2;
        u += (k ? "," : "") + std::to_string(x);
        v += (k ? "," : "") + std::to_string(y);
    }
    return complex ? " +" + prefix + "_c=" + u
                   : " +" + prefix + "_u=" + u + " +" + prefix + "_v=" + v;
}

TEST(CoordinateSteps, HornerAgreesWithProj) {
    Batch batch;
    for (int degree : {1, 2, 5}) {
        const std::string n = std::to_string(degree);
        const std::string real = "+proj=horner +deg=" + n + " +fwd_origin=500000,6000000" +
                                 Polynomial(degree, false, "fwd", 1);
        const std::string complex = "+proj=horner +deg=" + n + " +fwd_origin=500000,6000000" +
                                    Polynomial(degree, true, "fwd", 1);
        const std::vector<std::string> pipelines = {
            real,
            real + " +inv_origin=100,-50" + Polynomial(degree, false, "inv", -1),
            real + " +range=30000 +inv_tolerance=1e-9 +to_meter=0.5 +x_0=3",
            complex,
            complex + " +uneg +range=1000 +inv_tolerance=1e-6",
            complex + " +uneg +vneg +inv_origin=100,-50" + Polynomial(degree, true, "inv", -1)};
        for (const std::string& pipeline : pipelines) {
            batch.Add({pipeline, false, Plane(500000, 6000000, 100, 1, 200), 1e-6});
            batch.Add({pipeline, false, Plane(500000, 6000000, 600000, 1, 200), 1e-6});
            batch.Add({pipeline, true, Plane(100, -50, 100, 1, 200), 1e-6});
            batch.Add({pipeline, true, Plane(100, -50, 600000, 1, 200), 1e-6});
        }
    }
    batch.Run();
}

TEST(CoordinateSteps, ShiftsToWgs84AgreeWithProj) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=longlat +datum=OSGB36", "+proj=longlat +datum=NAD83", "+proj=longlat +datum=WGS84",
          "+proj=longlat +ellps=WGS84 +towgs84=0,0,0", "+proj=longlat +ellps=GRS80 +towgs84=0,0,0",
          "+proj=longlat +datum=carthage +pm=paris +lon_0=20",
          "+proj=longlat +datum=ire65 +towgs84=0,0,0 +over",
          "+proj=longlat +datum=nzgd49 +geoc +lon_wrap=180",
          "+proj=longlat +R=6371000 +datum=GGRS87", "+proj=longlat +ellps=intl +datum=WGS84",
          "+proj=geoc +datum=GGRS87",
          "+proj=longlat +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7",
          "+proj=longlat +ellps=bessel +towgs84=598.1,73.7,418.2,0.202 +units=km"}) {
        AddBothWays(batch, pipeline, World(1, 500));
    }
    for (const char* pipeline :
         {"+proj=utm +zone=33 +datum=hermannskogel", "+proj=merc +datum=NAD83 +pm=rome +axis=wsu",
          "+proj=eqc +ellps=intl +towgs84=-87,-98,-121", "+proj=cart +datum=OSGB36"}) {
        batch.Add({pipeline, false, World(1, 500)});
        batch.Add({pipeline, true,
                   std::strstr(pipeline, "cart") ? Space({1}) : Plane(500000, 5e6, 4e6, 1, 500)});
    }
    AddBothWays(
        batch,
        "+proj=pipeline +step +inv +proj=utm +zone=33 +datum=hermannskogel +step +proj=merc "
        "+datum=GGRS87",
        Plane(500000, 5e6, 3e6, 1, 500));
    AddBothWays(batch, "+proj=topocentric +lon_0=5 +lat_0=55 +datum=OSGB36", Space({1}));
    batch.Run();
}

TEST(CoordinateSteps, StackAndOmittedStepsAgreeWithProj) {
    Batch batch;
    const std::string p = "+proj=pipeline ";
    for (
        const std::string& pipeline :
        {p + "+step +proj=push +v_4 +step +proj=set +v_4=2000 +step +proj=helmert +dx=5 +step "
             "+proj=pop +v_4",
         p + "+step +proj=push +v_1 +v_2 +v_3 +v_4 +step +proj=affine +xoff=4 +toff=1 +tscale=3 "
             "+step +proj=pop +v_4 +v_1",
         p + "+step +inv +proj=push +v_4 +step +proj=pop +v_4 +omit_inv +step +proj=affine +toff=1",
         p + "+step +proj=affine +xoff=1 +omit_fwd +step +proj=affine +yoff=1 +omit_inv +step +inv "
             "+proj=affine +zoff=3 +toff=2 +omit_fwd",
         p + "+inv +step +proj=affine +xoff=1 +step +inv +proj=affine +yoff=1",
         p + "+step +proj=affine +s11=0 +omit_inv +step +proj=affine +xoff=2",
         p + "+step +proj=unitconvert +t_in=yyyymmdd +t_out=decimalyear +step +proj=helmert +dz=1 "
             "+t_epoch=2000 +step +proj=unitconvert +t_in=decimalyear +t_out=mjd"}) {
        batch.Add({pipeline, false, Space({20100101, 20200615})});
        if (pipeline.find("yyyymmdd") == std::string::npos) {
            batch.Add({pipeline, true, Space({2010, 2020.5})});
        }
    }
    batch.compares_time = true;
    batch.Run();
}

TEST(CoordinateSteps, InitFilesAndNestedPipelinesAgreeWithProj) {
    const std::string file = testing::TempDir() + "gdal_gpu_nested_" + std::to_string(getpid());
    std::ofstream(file) << "<metadata> +version=1\n"
                           "<shift> +proj=helmert +x=1 +dy=2 +t_epoch=2000\n"
                           "<both> +proj=pipeline +step +proj=push +v_1 +v_4 +step +proj=affine "
                           "+xoff=3 +toff=1 +step +inv +proj=affine +yoff=7 +omit_fwd +step "
                           "+proj=pop +v_4\n"
                           "<all> +proj=pipeline +step +proj=push +v_1 +v_4 +step +proj=affine "
                           "+xoff=3 +toff=1 +step +inv +proj=affine +yoff=7 +step +proj=pop +v_4\n"
                           "<deeper> +proj=pipeline +step +proj=affine +zoff=1 +step +inv +init="
                        << file << ":all\n"
                        << "<itself> +proj=pipeline +step +init=" << file << ":itself\n";
    const std::string p = "+proj=pipeline ", init = "+init=" + file + ":";
    Batch batch;
    for (const std::string& pipeline :
         {init + "shift", init + "shift +x=5", p + "+step " + init + "shift +x=5", init + "both",
          init + "all", p + "+step +inv " + init + "shift",
          p + "+step " + init + "all +omit_inv +step +proj=affine +yoff=1",
          p + "+step +inv " + init + "all +step +proj=push +v_1 +step " + init + "all",
          p + "+step " + init + "both +omit_inv +step +proj=affine +xoff=1",
          p + "+step +proj=push +v_1 +v_2 +step +inv " + init + "both +step +proj=pop +v_2 +v_1",
          p + "+inv +step " + init + "deeper +step +inv " + init + "both",
          p + "+step +inv " + init + "deeper +step " + init + "shift",
          std::string("+init=ITRF2014:ITRF2008"),
          p + "+step +init=ITRF2014:ITRF2008 +step +inv +init=ITRF2014:ITRF93"}) {
        AddBothWays(batch, pipeline, Space({1999, 2015.5}));
    }
    batch.compares_time = true;
    batch.Run();
    EXPECT_THROW(CoordinateOperation::FromPipeline(init + "missing"), NotFusable);
    EXPECT_THROW(CoordinateOperation::FromPipeline(init + "itself"), NotFusable);
    EXPECT_THROW(CoordinateOperation::FromPipeline("+init=epsg:4326"), NotFusable);
    std::remove(file.c_str());
}

TEST(CoordinateSteps, MovingDatumsAgreeWithProjWithinAMicrometre) {
    struct Pair {
        const char* from;
        const char* to;
        double lat, lon;  // about here
    };
    const std::vector<double> epochs = {1994, 2000.5, 2010, 2015.25, 2020, 2026.9, kHuge};
    Batch batch;
    for (const Pair& pair : std::initializer_list<Pair>{
             {"EPSG:7789", "EPSG:5332", 0, 0},      // ITRF2014 to ITRF2008, geocentric
             {"EPSG:7912", "EPSG:7911", 50, 10},    // the same, geographic 3D
             {"EPSG:9000", "EPSG:8999", -30, 140},  // the same, geographic 2D
             {"EPSG:7912", "EPSG:7931", 50, 10},    // ITRF2014 to ETRF2000
             {"EPSG:4283", "EPSG:7844", -30, 140},  // GDA94 to GDA2020
             {"EPSG:4939", "EPSG:7843", -30, 140},
             {"EPSG:9000", "EPSG:7844", -30, 140}}) {  // ITRF2014 to GDA2020, by the plate's motion
        std::vector<Point> points;
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> at(-20, 20), height(-100, 3000);
        for (size_t i = 0; i < 500; ++i) {
            points.push_back({pair.lat + at(random), pair.lon + at(random), height(random),
                              epochs[i % epochs.size()]});
        }
        if (std::strcmp(pair.from, "EPSG:7789") == 0) points = Space(epochs);
        size_t fused = 0;
        for (const std::string& text : Candidates(pair.from, pair.to)) {
            try {
                CoordinateOperation::FromPipeline(text);
            } catch (const NotFusable& reason) {
                EXPECT_THAT(text, testing::HasSubstr("grid")) << reason.what();
                continue;
            }
            ++fused;
            batch.Add({text, false, points, 1e-8});
            batch.Add({text, true, points, 1e-8});
        }
        EXPECT_GE(fused, 1u) << pair.from << " to " << pair.to;
    }
    batch.Run();
}

// As one asks for them: EPSG:9815-style operations by code, and PROJ's choice for the pair.
TEST(CoordinateSteps, EpochsAreThePointsOwn) {
    PJ_CONTEXT* context = proj_context_create();
    PJ* pj = proj_create_crs_to_crs(context, "EPSG:7789", "EPSG:5332", nullptr);
    ASSERT_NE(pj, nullptr);
    const char* text = proj_as_proj_string(context, pj, PJ_PROJ_5, nullptr);
    ASSERT_NE(text, nullptr);
    EXPECT_THAT(text, testing::HasSubstr("+t_epoch="));
    const PJ_COORD old_epoch = proj_trans(pj, PJ_FWD, proj_coord(4e6, 1e6, 4.8e6, 1990));
    const PJ_COORD new_epoch = proj_trans(pj, PJ_FWD, proj_coord(4e6, 1e6, 4.8e6, 2030));
    EXPECT_GT(std::fabs(old_epoch.xyz.z - new_epoch.xyz.z), 1e-3);
    Batch batch;
    batch.Add({text, false, Space({1990, 2030}), 1e-9});
    batch.Add({text, true, Space({1990, 2030}), 1e-9});
    batch.Run();
    proj_destroy(pj);
    proj_context_destroy(context);
}

std::string Reason(const std::string& pipeline, bool inverse = false) {
    try {
        CoordinateOperation::FromPipeline(pipeline, inverse);
    } catch (const NotFusable& e) {
        return e.what();
    }
    return "fused";
}

TEST(CoordinateSteps, WhatProjRefusesIsNotFused) {
    for (const char* pipeline :
         {"+proj=helmert +rx=1",
          "+proj=helmert +drx=1",
          "+proj=helmert +rx=1 +convention=other",
          "+proj=helmert +s=-1000000",
          "+proj=helmert +theta=1 +s=0",
          "+proj=helmert +towgs84=1,2,3,4,5,6,7 +convention=coordinate_frame",
          "+proj=molobadekas +x=1",
          "+proj=molodensky +dx=1 +dy=1 +dz=1 +da=1",
          "+proj=molodensky +ellps=moon +dx=1 +dy=1 +dz=1 +da=1 +df=1",
          "+proj=topocentric",
          "+proj=topocentric +X_0=1 +Y_0=2",
          "+proj=topocentric +lon_0=1",
          "+proj=topocentric +X_0=1 +Y_0=2 +Z_0=3 +lat_0=4",
          "+proj=horner",
          "+proj=horner +deg=1",
          "+proj=horner +deg=1 +fwd_origin=0,0 +fwd_u=0,1 +fwd_v=0,1,0",
          "+proj=horner +deg=1 +fwd_origin=0,0 +fwd_u=0,1,0 +fwd_v=0,1,0 +inv_origin=0,0",
          "+proj=horner +deg=-1 +fwd_origin=0,0",
          "+proj=unitconvert +t_in=fortnight",
          "+proj=unitconvert +t_out=fortnight",
          "+proj=longlat +datum=atlantis",
          "+proj=pipeline +step +proj=helmert +theta=1 +step +proj=cart"}) {
        EXPECT_NE(Reason(pipeline), "fused") << pipeline;
        PJ_CONTEXT* context = proj_context_create();
        proj_log_level(context, PJ_LOG_NONE);
        PJ* pj = proj_create(context, pipeline);
        EXPECT_EQ(pj, nullptr) << pipeline;
        proj_destroy(pj);
        proj_context_destroy(context);
    }
    EXPECT_THAT(Reason("+proj=affine +s11=0", true), testing::HasSubstr("no inverse"));
    EXPECT_THAT(Reason("+proj=affine +tscale=0", true), testing::HasSubstr("no inverse"));
    EXPECT_THAT(Reason("+proj=longlat +datum=NAD27"), testing::HasSubstr("grids"));
    EXPECT_THAT(Reason("+proj=longlat +towgs84=1,a"), testing::HasSubstr("numbers"));
    EXPECT_THAT(Reason("+proj=longlat +towgs84=1,2,3,4,5,6,7,8"), testing::HasSubstr("seven"));
    EXPECT_THAT(Reason("+proj=horner +deg=13"), testing::HasSubstr("deg"));
}

}  // namespace
