// What PROJ's versions decide differently: the rules of each, and forms that only newer ones have.
#include "plugin/coordinates/proj_rules.h"
#include "tests/coordinates_judge.h"

namespace {

using gdalgpu::ProjRules;
using gdalgpu::RulesOfProj;

TEST(ProjRules, BeginWithTheirVersions) {
    const ProjRules old = RulesOfProj(9, 1, 1), middle = RulesOfProj(9, 6, 0),
                    young = RulesOfProj(9, 9, 0), next = RulesOfProj(10, 0, 0);
    EXPECT_FALSE(old.nan_is_a_point || old.meridian_arc_by_third_flattening ||
                 old.horner_takes_any_unit || old.gnom_is_ellipsoidal || old.eqc_is_ellipsoidal);
    EXPECT_TRUE(middle.nan_is_a_point && middle.meridian_arc_by_third_flattening &&
                middle.horner_takes_any_unit && middle.gnom_is_ellipsoidal);
    EXPECT_FALSE(middle.eqc_is_ellipsoidal || middle.south_pole_is_exact ||
                 middle.isea_is_polyhedral);
    EXPECT_TRUE(young.eqc_is_ellipsoidal && young.south_pole_is_exact && young.isea_is_polyhedral);
    EXPECT_TRUE(next.eqc_is_ellipsoidal && next.nan_is_a_point);
    EXPECT_FALSE(RulesOfProj(9, 3, 0).horner_takes_any_unit);
    EXPECT_TRUE(RulesOfProj(9, 3, 1).horner_takes_any_unit);
}

TEST(ProjRules, AreThoseOfTheProjThatIsLoaded) {
    const PJ_INFO info = proj_info();
    EXPECT_EQ(RulesOfProj().nan_is_a_point, info.major > 9 || info.minor >= 2);
    EXPECT_TRUE(gdalgpu::ProjHas("tmerc"));
    EXPECT_FALSE(gdalgpu::ProjHas("no_operation_of_this_name"));
}

TEST(ProjRules, FormsOfNewerVersionsAgreeWithProj) {
    judge::Batch batch;
    size_t forms = 0;
    const auto add = [&](bool there, const std::string& pipeline, double radius) {
        if (!there) return;
        ++forms;
        batch.Add({pipeline, false, judge::World(), 1e-6, 1e-11});
        batch.Add({pipeline, true, judge::Plane(0, 0, radius, 3, 300), 1e-6, 1e-11});
    };
    const ProjRules& rules = RulesOfProj();
    for (const char* shape : {"+ellps=WGS84", "+R=6371000"}) {
        for (const char* origin : {"+lat_0=40", "+lat_0=0", "+lat_0=-90"}) {
            add(rules.ortho_is_local,
                std::string("+proj=ortho +alpha=30 +k=0.9 ") + origin + " " + shape, 5e6);
        }
    }
    add(rules.has_conformal_radius, "+proj=merc +R_C +ellps=WGS84", 1e7);
    add(rules.has_conformal_radius, "+proj=merc +R_lat_a=30 +R_C +ellps=WGS84", 1e7);
    add(gdalgpu::ProjHas("mod_krovak"), "+proj=mod_krovak +x_0=5000 +y_0=7000 +ellps=bessel", 1e6);
    add(gdalgpu::ProjHas("tmerczoned"),
        "+proj=tmerczoned +width=6 +lon_0=-180 +k=0.9996 +x_0=500000 +ellps=WGS84", 5e7);
    if (forms == 0) GTEST_SKIP() << "PROJ " << proj_info().version << " has none of them";
    batch.Run();
}

}  // namespace
