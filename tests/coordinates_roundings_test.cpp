// How far roundings of the C library's functions carry a projection's results, by which the judge
// accepts CUDA's.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "coordinates_fixture.h"
#include "coordinates_judge.h"

namespace gdalgpu {
namespace {

using judge::Batch;
using judge::World;

// Control points at both poles: the three sides of each spherical triangle lie on one arc, so that
// each angle is the arc cosine of 1 and a rounding. PROJ's own results are chance to 0.1 m.
constexpr char kOnOneArc[] = "+proj=chamb +R=6371000 +lat_1=90 +lat_2=-90 +lon_3=90";
// Elliptic integrals that take the root of a rounding where the map is cut and on its axes.
const char* const kRoots[] = {"+proj=adams_hemi +R=6371000", "+proj=adams_ws1 +R=6371000",
                              "+proj=adams_ws2 +R=6371000", "+proj=guyou +R=6371000",
                              "+proj=peirce_q +shape=square +R=6371000"};

TEST(OtherRoundings, AreAcceptedAsCudas) {
    Batch batch;
    batch.otherwise_rounded = true;
    batch.Add({kOnOneArc, false, World()});
    for (const char* pipeline : kRoots) batch.Add({pipeline, false, World()});
    batch.Run();
}

long PointsCarriedFar(const char* pipeline) {
    const judge::Spread spread = Batch::SpreadOf({pipeline, false, World()});
    return std::count_if(spread.moved.begin(), spread.moved.end(),
                         [](double metres) { return metres > 1e-5; });
}

TEST(OtherRoundings, CarryFewPointsFar) {
    const long points = static_cast<long>(World().size());
    EXPECT_GT(PointsCarriedFar(kOnOneArc), points / 2);
    for (const char* pipeline : kRoots) {
        EXPECT_GT(PointsCarriedFar(pipeline), 0) << pipeline;
        EXPECT_LT(PointsCarriedFar(pipeline), points / 6) << pipeline;
    }
    for (const char* pipeline : {"+proj=utm +zone=32", "+proj=laea +lat_0=52 +lon_0=10"}) {
        const judge::Spread spread = Batch::SpreadOf({pipeline, false, World()});
        EXPECT_LT(*std::max_element(spread.moved.begin(), spread.moved.end()), 1e-6) << pipeline;
    }
}

}  // namespace
}  // namespace gdalgpu
