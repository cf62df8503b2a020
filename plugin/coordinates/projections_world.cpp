#include "kernels/proj/adams.h"
#include "kernels/proj/aitoff.h"
#include "kernels/proj/chamb.h"
#include "kernels/proj/cube.h"
#include "kernels/proj/eqearth.h"
#include "kernels/proj/globular.h"
#include "kernels/proj/gores.h"
#include "kernels/proj/hammer.h"
#include "kernels/proj/healpix.h"
#include "kernels/proj/hourglass.h"
#include "kernels/proj/isea.h"
#include "kernels/proj/lagrng.h"
#include "kernels/proj/oea.h"
#include "kernels/proj/polyhedron.h"
#include "kernels/proj/spilhaus.h"
#include "kernels/proj/vandg.h"
#include "kernels/proj/world_forward.h"
#include "plugin/coordinates/projection_registry.h"

namespace gdalgpu {

namespace {

size_t AitoffCase(const StepParameters& p, kernels::proj::Definition&) {
    return p.rules().aitoff_in_closed_form ? 1 : 0;
}

size_t GoresOf(const StepParameters& p, kernels::proj::Definition& d) {
    const char* const bases[] = {"cass", "poly", "sinu", "tmerc"};
    for (size_t i = 0; i < 4; ++i) {
        if (p.is("base", bases[i])) {
            return 2 * i + EllipsoidOrSphere(p, d);
        }
    }
    p.fail("base", "should be cass, poly, sinu or tmerc");
}

size_t PeirceShape(const StepParameters& p, kernels::proj::Definition&) {
    const char* const shapes[] = {"diamond",     "square",     "nhemisphere",
                                  "shemisphere", "horizontal", "vertical"};
    const size_t variants[] = {0, 1, 2, 2, 3, 3};
    if (!p.has("shape")) {
        return 0;
    }
    for (size_t i = 0; i < 6; ++i) {
        if (p.is("shape", shapes[i])) {
            return variants[i];
        }
    }
    p.fail("shape", "names none of Peirce's shapes");
}

}  // namespace

std::vector<Projection> WorldProjections() {
    const std::vector<const char*> sphere = {"+R=6371000"};
    const char* const forward = "proj/world_forward.h";
    const bool polyhedral = RulesOfProj().isea_is_polyhedral;
    const char* const isea_header = polyhedral ? "proj/polyhedron.h" : "proj/isea.h";
    const std::vector<ProjectionVariant> isea = {
        polyhedral ? PROJECTION_VARIANT(Icosahedron)
                   : PROJECTION_VARIANT(IcosahedralSnyderEqualArea)};
    return {
        {"adams_hemi", "proj/adams.h", OnlyVariant, {PROJECTION_VARIANT(AdamsHemisphere)}, sphere},
        {"adams_ws1", "proj/adams.h", OnlyVariant, {PROJECTION_VARIANT(AdamsWorld1)}, sphere},
        {"adams_ws2", "proj/adams.h", OnlyVariant, {PROJECTION_VARIANT(AdamsWorld2)}, sphere},
        {"aitoff",
         "proj/aitoff.h",
         AitoffCase,
         {PROJECTION_VARIANT(Aitoff), PROJECTION_VARIANT(AitoffInClosedForm)},
         sphere},
        {"apian", "proj/globular.h", OnlyVariant, {PROJECTION_VARIANT(ApianGlobular)}, sphere},
        {"august", forward, OnlyVariant, {PROJECTION_VARIANT(August)}, sphere},
        {"bacon", "proj/globular.h", OnlyVariant, {PROJECTION_VARIANT(BaconGlobular)}, sphere},
        {"bertin1953", forward, OnlyVariant, {PROJECTION_VARIANT(Bertin1953)}, sphere},
        {"boggs", forward, OnlyVariant, {PROJECTION_VARIANT(Boggs)}, sphere},
        {"chamb",
         "proj/chamb.h",
         OnlyVariant,
         {PROJECTION_VARIANT(ChamberlinTrimetric)},
         {"+lat_1=55 +lon_1=-10 +lat_2=10 +lon_2=-150 +lat_3=-5 +lon_3=-60 +R=6371000"}},
        {"denoy", forward, OnlyVariant, {PROJECTION_VARIANT(Denoyer)}, sphere},
        {"dsea",
         "proj/polyhedron.h",
         OnlyVariant,
         {PROJECTION_VARIANT(Dodecahedron)},
         {"+ellps=WGS84", "+net=a5 +R=6371000", "+net=crescent +R=6371000",
          "+net=flower +orient_lat=40 +azi=10 +lat_0=30 +R=6371000"}},
        {"eqearth",
         "proj/eqearth.h",
         OnlyVariant,
         {PROJECTION_VARIANT(EqualEarth)},
         {"+ellps=WGS84"}},
        {"gins8", forward, OnlyVariant, {PROJECTION_VARIANT(Ginsburg8)}, sphere},
        {"guyou", "proj/adams.h", OnlyVariant, {PROJECTION_VARIANT(Guyou)}, sphere},
        {"hammer", "proj/hammer.h", OnlyVariant, {PROJECTION_VARIANT(Hammer)}, sphere},
        {"healpix", "proj/healpix.h", OnlyVariant, {PROJECTION_VARIANT(Healpix)}, {"+ellps=WGS84"}},
        {"hourglass",
         "proj/hourglass.h",
         OnlyVariant,
         {PROJECTION_VARIANT(Hourglass)},
         {"+ellps=WGS84", "+s=2 +n=3 +R=6371000"}},
        {"interrupted",
         "proj/gores.h",
         GoresOf,
         {PROJECTION_VARIANT(CassiniGores), PROJECTION_VARIANT(CassiniSphereGores),
          PROJECTION_VARIANT(PolyconicGores), PROJECTION_VARIANT(PolyconicSphereGores),
          PROJECTION_VARIANT(SinusoidalGores), PROJECTION_VARIANT(SinusoidalSphereGores),
          PROJECTION_VARIANT(TransverseMercatorGores),
          PROJECTION_VARIANT(TransverseMercatorSphereGores)},
         {"+base=cass +gores=12 +ellps=WGS84", "+base=cass +gores=12 +R=6371000",
          "+base=poly +gores=1,2,1 +ellps=WGS84", "+base=poly +R=6371000",
          "+base=sinu +gores=12 +ellps=WGS84", "+base=sinu +R=6371000",
          "+base=tmerc +gores=12 +ellps=WGS84", "+base=tmerc +gores=12 +R=6371000"}},
        {"isea", isea_header, OnlyVariant, isea, sphere},
        {"ivea",
         "proj/polyhedron.h",
         OnlyVariant,
         {PROJECTION_VARIANT(IcosahedronFromCorners)},
         {"+ellps=WGS84", "+orient=pole +azi=20 +R=6371000"}},
        {"lagrng", "proj/lagrng.h", OnlyVariant, {PROJECTION_VARIANT(Lagrange)}, sphere},
        {"larr", forward, OnlyVariant, {PROJECTION_VARIANT(Larrivee)}, sphere},
        {"lask", forward, OnlyVariant, {PROJECTION_VARIANT(Laskowski)}, sphere},
        {"nicol", "proj/globular.h", OnlyVariant, {PROJECTION_VARIANT(Nicolosi)}, sphere},
        {"oea",
         "proj/oea.h",
         OnlyVariant,
         {PROJECTION_VARIANT(OblatedEqualArea)},
         {"+n=1 +m=2 +theta=30 +lat_0=20 +R=6371000"}},
        {"ortel", "proj/globular.h", OnlyVariant, {PROJECTION_VARIANT(OrteliusOval)}, sphere},
        {"peirce_q",
         "proj/adams.h",
         PeirceShape,
         {PROJECTION_VARIANT(PeirceDiamond), PROJECTION_VARIANT(PeirceSquare),
          PROJECTION_VARIANT(PeirceHemisphere), PROJECTION_VARIANT(PeirceRectangle)},
         {"+R=6371000", "+shape=square +R=6371000", "+shape=nhemisphere +R=6371000",
          "+shape=vertical +R=6371000"}},
        {"qsc",
         "proj/cube.h",
         OnlyVariant,
         {PROJECTION_VARIANT(QuadrilateralizedSphericalCube)},
         {"+ellps=WGS84"}},
        {"rhealpix",
         "proj/healpix.h",
         OnlyVariant,
         {PROJECTION_VARIANT(RHealpix)},
         {"+ellps=WGS84"}},
        {"s2", "proj/cube.h", OnlyVariant, {PROJECTION_VARIANT(S2)}, {"+ellps=WGS84"}},
        {"spilhaus",
         "proj/spilhaus.h",
         OnlyVariant,
         {PROJECTION_VARIANT(Spilhaus)},
         {"+ellps=WGS84", "+R=6371000"}},
        {"tsea",
         "proj/polyhedron.h",
         OnlyVariant,
         {PROJECTION_VARIANT(Tetrahedron)},
         {"+ellps=WGS84", "+net=triangle +R=6371000"}},
        {"vandg", "proj/vandg.h", OnlyVariant, {PROJECTION_VARIANT(VanDerGrinten)}, sphere},
        {"vandg2", "proj/vandg.h", OnlyVariant, {PROJECTION_VARIANT(VanDerGrinten2)}, sphere},
        {"vandg3", "proj/vandg.h", OnlyVariant, {PROJECTION_VARIANT(VanDerGrinten3)}, sphere},
        {"vandg4", "proj/vandg.h", OnlyVariant, {PROJECTION_VARIANT(VanDerGrinten4)}, sphere},
        {"wag7", forward, OnlyVariant, {PROJECTION_VARIANT(Wagner7)}, sphere},
        {"wintri", "proj/aitoff.h", OnlyVariant, {PROJECTION_VARIANT(WinkelTripel)}, sphere},
    };
}

}  // namespace gdalgpu
