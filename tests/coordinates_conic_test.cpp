// Conic and modified stereographic projections against PROJ, over their whole domain and beyond.
#include <gmock/gmock.h>

#include "tests/coordinates_judge.h"

namespace {

using gdalgpu::CoordinateOperation;
using gdalgpu::NotFusable;
using judge::Batch;
using judge::Plane;
using judge::Point;
using judge::World;

void AddBothWays(Batch& batch, const std::string& pipeline, double metres = 1e-8,
                 double radians = 1e-14) {
    batch.Add({pipeline, false, World(1, 1000), metres, radians});
    batch.Add({pipeline, true, Plane(100000, 0, 9e6, 1, 1000), metres, radians});
}

const std::vector<std::string> kSimpleConics = {"euler",  "murd1",  "murd2", "murd3",
                                                "pconic", "tissot", "vitk1"};

TEST(ConicProjections, EquidistantConicAgreesWithProj) {
    Batch batch;
    for (const char* pipeline :
         {"+proj=eqdc +lat_1=43 +lat_2=62 +lat_0=30 +lon_0=10 +ellps=intl",
          "+proj=eqdc +lat_1=-33 +lat_2=-5 +lat_0=-32 +lon_0=-60 +x_0=3 +ellps=aust_SA",
          "+proj=eqdc +lat_1=40 +lat_2=40 +ellps=GRS80", "+proj=eqdc +lat_1=45 +ellps=GRS80",
          "+proj=eqdc +lat_1=90 +lat_2=20 +lat_0=90 +ellps=WGS84",
          "+proj=eqdc +lat_1=30 +lat_2=60 +a=6378137 +rf=10 +units=us-ft",
          "+proj=eqdc +lat_1=20 +lat_2=60 +R=6371000 +lon_0=170",
          "+proj=eqdc +lat_1=-40 +lat_2=-40 +lat_0=10 +R=1"}) {
        // The cone's constant is a difference of nearly equal arcs.
        AddBothWays(batch, pipeline, 2e-8, 2e-14);
    }
    batch.Run();
}

TEST(ConicProjections, SimpleConicsAgreeWithProj) {
    Batch batch;
    for (const std::string& name : kSimpleConics) {
        for (const char* parameters :
             {"+lat_1=30 +lat_2=50 +R=6371000", "+lat_1=-20 +lat_2=-70 +lat_0=-30 +ellps=GRS80",
              "+lat_1=80 +lat_2=-10 +lat_0=40 +lon_0=100 +x_0=5e5 +geoc +ellps=intl",
              "+lat_1=100 +lat_2=20 +lat_0=20 +R=6e6"}) {
            AddBothWays(batch, "+proj=" + name + " " + parameters);
        }
    }
    for (const char* pipeline :
         {"+proj=ccon +lat_1=52 +lat_0=52 +lon_0=19 +x_0=330000 +y_0=-350000 +ellps=GRS80",
          "+proj=ccon +lat_1=-30 +R=6371000", "+proj=ccon +lat_1=90 +R=6371000",
          "+proj=ccon +lat_1=10 +geoc +ellps=clrk66"}) {
        AddBothWays(batch, pipeline);
    }
    batch.Run();
}

TEST(ConicProjections, ModifiedStereographicAgreesWithProj) {
    Batch batch;
    for (const char* name : {"mil_os", "lee_os", "gs48", "alsk", "gs50"}) {
        for (const char* parameters : {"+ellps=clrk66", "+R=6370997", "+ellps=GRS80 +x_0=1000",
                                       "+a=6378137 +rf=50 +lon_0=50 +lat_0=-80 +geoc"}) {
            const std::string pipeline = std::string("+proj=") + name + " " + parameters;
            // PROJ ends both of its iterations at steps of 1e-12.
            batch.Add({pipeline, false, World(1, 1000), 1e-8, 1e-14});
            batch.Add({pipeline, true, Plane(0, 0, 3e6, 1, 1000), 1e-8, 2e-13});
            batch.Add({pipeline, true, Plane(0, 0, 9e6, 2, 1000), 1e-8, 2e-12});
        }
    }
    batch.Run();
}

TEST(ConicProjections, RandomParametersAgreeWithProj) {
    Batch batch;
    std::mt19937_64 random(20);
    std::uniform_real_distribution<double> latitude(2, 85), longitude(-180, 180), offset(-1e6, 1e6),
        flattening(150, 400);
    for (int i = 0; i < 60; ++i) {
        const size_t kind = static_cast<size_t>(i) % (kSimpleConics.size() + 2);
        const std::string name = kind < kSimpleConics.size()    ? kSimpleConics[kind]
                                 : kind == kSimpleConics.size() ? "eqdc"
                                                                : "ccon";
        const char* sign = i % 3 ? "" : "-";  // a southern cone every third time
        std::ostringstream text;
        text << "+proj=" << name << " +lat_1=" << sign << latitude(random) << " +lat_0=" << sign
             << latitude(random) << " +lon_0=" << longitude(random) << " +x_0=" << offset(random)
             << " +y_0=" << offset(random);
        if (name != "ccon") text << " +lat_2=" << sign << latitude(random);
        (i % 2 ? text << " +a=6378137 +rf=" << flattening(random) : text << " +R=6371000");
        batch.Add({text.str(), false, World(i, 200), 5e-8, 5e-14});
        batch.Add({text.str(), true, Plane(0, 0, 9e6, i, 200), 5e-8, 5e-14});
    }
    batch.Run();
}

TEST(ConicProjections, WhatProjRefusesIsNotFused) {
    std::vector<std::string> refused = {"+proj=eqdc",
                                        "+proj=eqdc +lat_1=91 +lat_2=10",
                                        "+proj=eqdc +lat_1=10 +lat_2=-91",
                                        "+proj=eqdc +lat_1=10 +lat_2=-10",
                                        "+proj=eqdc +lat_1=10 +lat_2=-10 +R=1",
                                        "+proj=ccon",
                                        "+proj=ccon +lat_1=0",
                                        "+proj=pconic +lat_1=20 +lat_2=60 +lat_0=-60"};
    for (const std::string& name : kSimpleConics) {
        refused.push_back("+proj=" + name);
        refused.push_back("+proj=" + name + " +lat_1=20");
        refused.push_back("+proj=" + name + " +lat_2=20");
        refused.push_back("+proj=" + name + " +lat_1=20 +lat_2=20");
        refused.push_back("+proj=" + name + " +lat_1=20 +lat_2=-20");
    }
    for (const std::string& pipeline : refused) {
        EXPECT_THROW(CoordinateOperation::FromPipeline(pipeline), NotFusable) << pipeline;
        PJ_CONTEXT* context = proj_context_create();
        proj_log_level(context, PJ_LOG_NONE);
        PJ* pj = proj_create(context, pipeline.c_str());
        EXPECT_EQ(pj, nullptr) << pipeline;
        proj_destroy(pj);
        proj_context_destroy(context);
    }
}

}  // namespace
