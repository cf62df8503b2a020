#include "kernels/proj/bipc.h"
#include "kernels/proj/bonne.h"
#include "kernels/proj/calcofi.h"
#include "kernels/proj/cass.h"
#include "kernels/proj/cc.h"
#include "kernels/proj/cea.h"
#include "kernels/proj/col_urban.h"
#include "kernels/proj/comill.h"
#include "kernels/proj/eqc.h"
#include "kernels/proj/gall.h"
#include "kernels/proj/gores.h"
#include "kernels/proj/gstmerc.h"
#include "kernels/proj/imw_p.h"
#include "kernels/proj/krovak.h"
#include "kernels/proj/labrd.h"
#include "kernels/proj/lcca.h"
#include "kernels/proj/merc.h"
#include "kernels/proj/mill.h"
#include "kernels/proj/nzmg.h"
#include "kernels/proj/ocea.h"
#include "kernels/proj/omerc.h"
#include "kernels/proj/patterson.h"
#include "kernels/proj/poly.h"
#include "kernels/proj/rouss.h"
#include "kernels/proj/rpoly.h"
#include "kernels/proj/som.h"
#include "kernels/proj/somerc.h"
#include "kernels/proj/sterea.h"
#include "kernels/proj/tcc.h"
#include "kernels/proj/tcea.h"
#include "kernels/proj/times.h"
#include "kernels/proj/tmerc.h"
#include "kernels/proj/tobmerc.h"
#include "kernels/proj/tpeqd.h"
#include "plugin/coordinates/projection_registry.h"

namespace gdalgpu {

namespace {

using kernels::proj::Definition;

size_t Algorithm(const StepParameters& p, Definition& d) {
    const size_t algorithm = static_cast<size_t>(kernels::proj::ReadAlgorithm(p, d));
    return d.ellipsoid.es != 0 ? algorithm : 3;
}

size_t UtmAlgorithm(const StepParameters& p, Definition& d) {
    EllipsoidOnly(p, d);
    kernels::proj::SetUtm(p, d);
    return Algorithm(p, d);
}

size_t EquidistantCase(const StepParameters& p, Definition& d) {
    return p.rules().eqc_is_ellipsoidal && d.ellipsoid.es != 0 ? 0 : 1;
}

std::vector<ProjectionVariant> TransverseMercators() {
    return {PROJECTION_VARIANT(TransverseMercator), PROJECTION_VARIANT(TransverseMercatorApprox),
            PROJECTION_VARIANT(TransverseMercatorAuto),
            PROJECTION_VARIANT(TransverseMercatorSphere)};
}

}  // namespace

std::vector<Projection> CylindricalProjections() {
    return {
        {"bipc",
         "proj/bipc.h",
         OnlyVariant,
         {PROJECTION_VARIANT(BipolarConic)},
         {"+R=6371000", "+ns +R=6371000"}},
        {"bonne",
         "proj/bonne.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(Bonne), PROJECTION_VARIANT(BonneSphere)},
         {"+lat_1=40 +ellps=clrk66", "+lat_1=40 +R=6371000"}},
        {"calcofi",
         "proj/calcofi.h",
         OnlyVariant,
         {PROJECTION_VARIANT(CalCofi)},
         {"+ellps=clrk66"}},
        {"cass",
         "proj/cass.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(Cassini), PROJECTION_VARIANT(CassiniSphere)},
         {"+lat_0=10 +ellps=clrk80", "+lat_0=-16 +hyperbolic +ellps=clrk80",
          "+lat_0=10 +R=6371000"}},
        {"cc", "proj/cc.h", OnlyVariant, {PROJECTION_VARIANT(CentralCylindrical)}, {"+R=6371000"}},
        {"cea",
         "proj/cea.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(CylindricalEqualArea), PROJECTION_VARIANT(CylindricalEqualAreaSphere)},
         {"+lat_ts=30 +ellps=WGS84", "+lat_ts=30 +R=6371000"}},
        {"col_urban",
         "proj/col_urban.h",
         OnlyVariant,
         {PROJECTION_VARIANT(ColombiaUrban)},
         {"+lat_0=4.7 +lon_0=-74 +h_0=2550 +ellps=GRS80"}},
        {"comill",
         "proj/comill.h",
         OnlyVariant,
         {PROJECTION_VARIANT(CompactMiller)},
         {"+R=6371000"}},
        {"eqc",
         "proj/eqc.h",
         EquidistantCase,
         {PROJECTION_VARIANT(EquidistantCylindricalEllipsoid),
          PROJECTION_VARIANT(EquidistantCylindrical)},
         {"+lat_ts=45 +ellps=WGS84", "+lat_ts=45 +R=6371000"}},
        {"etmerc",
         "proj/tmerc.h",
         EllipsoidOnly,
         {PROJECTION_VARIANT(TransverseMercator)},
         {"+lon_0=9 +ellps=GRS80"}},
        {"gall",
         "proj/gall.h",
         OnlyVariant,
         {PROJECTION_VARIANT(GallStereographic)},
         {"+R=6371000"}},
        {"gstmerc",
         "proj/gstmerc.h",
         OnlyVariant,
         {PROJECTION_VARIANT(GaussSchreiberTransverseMercator)},
         {"+lat_0=-21 +lon_0=55 +ellps=intl"}},
        {"imw_p",
         "proj/imw_p.h",
         OnlyVariant,
         {PROJECTION_VARIANT(InternationalMapPolyconic)},
         {"+lat_1=30 +lat_2=34 +ellps=clrk66"}},
        {"krovak", "proj/krovak.h", OnlyVariant, {PROJECTION_VARIANT(Krovak)}, {"+ellps=bessel"}},
        {"labrd",
         "proj/labrd.h",
         OnlyVariant,
         {PROJECTION_VARIANT(Laborde)},
         {"+lat_0=-18.9 +lon_0=46 +azi=18.9 +ellps=intl"}},
        {"lcca",
         "proj/lcca.h",
         OnlyVariant,
         {PROJECTION_VARIANT(LambertConformalConicAlternative)},
         {"+lat_0=34.65 +lon_0=37.35 +ellps=clrk80"}},
        {"lsat",
         "proj/som.h",
         OnlyVariant,
         {PROJECTION_VARIANT(SpaceObliqueMercatorLandsat)},
         {"+lsat=5 +path=120 +ellps=WGS84"}},
        {"merc",
         "proj/merc.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(Mercator), PROJECTION_VARIANT(MercatorSphere)},
         {"+ellps=WGS84", "+R=6371000 +lat_ts=30"}},
        {"mill",
         "proj/mill.h",
         OnlyVariant,
         {PROJECTION_VARIANT(MillerCylindrical)},
         {"+R=6371000"}},
        {"misrsom",
         "proj/som.h",
         OnlyVariant,
         {PROJECTION_VARIANT(SpaceObliqueMercatorMisr)},
         {"+path=120 +ellps=WGS84"}},
        {"mod_krovak",
         "proj/krovak.h",
         OnlyVariant,
         {PROJECTION_VARIANT(ModifiedKrovak)},
         {"+ellps=bessel", "+czech +ellps=bessel"}},
        {"nzmg",
         "proj/nzmg.h",
         OnlyVariant,
         {PROJECTION_VARIANT(NewZealandMapGrid)},
         {"+ellps=intl"}},
        {"ocea",
         "proj/ocea.h",
         OnlyVariant,
         {PROJECTION_VARIANT(ObliqueCylindricalEqualArea)},
         {"+lat_0=30 +lonc=20 +alpha=40 +R=6371000"}},
        {"omerc",
         "proj/omerc.h",
         OnlyVariant,
         {PROJECTION_VARIANT(ObliqueMercator)},
         {"+lat_0=4 +lonc=102 +alpha=323 +gamma=323 +ellps=evrstSS"}},
        {"patterson",
         "proj/patterson.h",
         OnlyVariant,
         {PROJECTION_VARIANT(PattersonCylindrical)},
         {"+R=6371000"}},
        {"poly",
         "proj/poly.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(Polyconic), PROJECTION_VARIANT(PolyconicSphere)},
         {"+lat_0=30 +ellps=GRS80", "+lat_0=30 +R=6371000"}},
        {"rouss",
         "proj/rouss.h",
         OnlyVariant,
         {PROJECTION_VARIANT(RoussilheStereographic)},
         {"+lat_0=46 +ellps=clrk80"}},
        {"rpoly",
         "proj/rpoly.h",
         OnlyVariant,
         {PROJECTION_VARIANT(RectangularPolyconic)},
         {"+lat_ts=30 +R=6371000"}},
        {"som",
         "proj/som.h",
         OnlyVariant,
         {PROJECTION_VARIANT(SpaceObliqueMercatorOfAnyOrbit)},
         {"+inc_angle=98.303820 +ps_rev=0.06866666666666667 +asc_lon=127.7605 +ellps=WGS84"}},
        {"somerc",
         "proj/somerc.h",
         OnlyVariant,
         {PROJECTION_VARIANT(SwissObliqueMercator)},
         {"+lat_0=46.95 +lon_0=7.44 +ellps=bessel"}},
        {"sterea",
         "proj/sterea.h",
         OnlyVariant,
         {PROJECTION_VARIANT(ObliqueStereographicAlternative)},
         {"+lat_0=52 +lon_0=5 +k=0.9999 +ellps=bessel"}},
        {"tcc",
         "proj/tcc.h",
         OnlyVariant,
         {PROJECTION_VARIANT(TransverseCentralCylindrical)},
         {"+R=6371000"}},
        {"tcea",
         "proj/tcea.h",
         OnlyVariant,
         {PROJECTION_VARIANT(TransverseCylindricalEqualArea)},
         {"+lat_0=20 +R=6371000"}},
        {"times", "proj/times.h", OnlyVariant, {PROJECTION_VARIANT(Times)}, {"+R=6371000"}},
        {"tmerc",
         "proj/tmerc.h",
         Algorithm,
         TransverseMercators(),
         {"+lon_0=9 +ellps=GRS80", "+lon_0=9 +ellps=GRS80 +approx",
          "+lon_0=9 +ellps=GRS80 +algo=auto", "+lon_0=9 +R=6371000"}},
        {"tmerczoned",
         "proj/gores.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(TransverseMercatorZoned),
          PROJECTION_VARIANT(TransverseMercatorZonedSphere)},
         {"+width=6 +lon_0=-180 +k=0.9996 +ellps=WGS84", "+width=6 +lon_0=-180 +R=6371000"}},
        {"tobmerc",
         "proj/tobmerc.h",
         OnlyVariant,
         {PROJECTION_VARIANT(ToblerMercator)},
         {"+R=6371000"}},
        {"tpeqd",
         "proj/tpeqd.h",
         OnlyVariant,
         {PROJECTION_VARIANT(TwoPointEquidistant)},
         {"+lat_1=60 +lon_1=0 +lat_2=40 +lon_2=-70 +R=6371000"}},
        {"utm", "proj/tmerc.h", UtmAlgorithm, TransverseMercators(), {"+zone=33 +ellps=WGS84"}},
        {"webmerc",
         "proj/merc.h",
         OnlyVariant,
         {PROJECTION_VARIANT(WebMercator)},
         {"+ellps=WGS84"}},
    };
}

}  // namespace gdalgpu
