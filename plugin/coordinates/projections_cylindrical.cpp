#include "kernels/proj/cass.h"
#include "kernels/proj/cea.h"
#include "kernels/proj/eqc.h"
#include "kernels/proj/gstmerc.h"
#include "kernels/proj/krovak.h"
#include "kernels/proj/labrd.h"
#include "kernels/proj/merc.h"
#include "kernels/proj/nzmg.h"
#include "kernels/proj/omerc.h"
#include "kernels/proj/poly.h"
#include "kernels/proj/somerc.h"
#include "kernels/proj/sterea.h"
#include "kernels/proj/tmerc.h"
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

std::vector<ProjectionVariant> TransverseMercators() {
    return {PROJECTION_VARIANT(TransverseMercator), PROJECTION_VARIANT(TransverseMercatorApprox),
            PROJECTION_VARIANT(TransverseMercatorAuto),
            PROJECTION_VARIANT(TransverseMercatorSphere)};
}

}  // namespace

std::vector<Projection> CylindricalProjections() {
    return {
        {"cass",
         "proj/cass.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(Cassini), PROJECTION_VARIANT(CassiniSphere)},
         {"+lat_0=10 +ellps=clrk80", "+lat_0=-16 +hyperbolic +ellps=clrk80",
          "+lat_0=10 +R=6371000"}},
        {"cea",
         "proj/cea.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(CylindricalEqualArea), PROJECTION_VARIANT(CylindricalEqualAreaSphere)},
         {"+lat_ts=30 +ellps=WGS84", "+lat_ts=30 +R=6371000"}},
        {"eqc",
         "proj/eqc.h",
         OnlyVariant,
         {PROJECTION_VARIANT(EquidistantCylindrical)},
         {"+lat_ts=45 +ellps=WGS84"}},
        {"etmerc",
         "proj/tmerc.h",
         EllipsoidOnly,
         {PROJECTION_VARIANT(TransverseMercator)},
         {"+lon_0=9 +ellps=GRS80"}},
        {"gstmerc",
         "proj/gstmerc.h",
         OnlyVariant,
         {PROJECTION_VARIANT(GaussSchreiberTransverseMercator)},
         {"+lat_0=-21 +lon_0=55 +ellps=intl"}},
        {"krovak", "proj/krovak.h", OnlyVariant, {PROJECTION_VARIANT(Krovak)}, {"+ellps=bessel"}},
        {"labrd",
         "proj/labrd.h",
         OnlyVariant,
         {PROJECTION_VARIANT(Laborde)},
         {"+lat_0=-18.9 +lon_0=46 +azi=18.9 +ellps=intl"}},
        {"merc",
         "proj/merc.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(Mercator), PROJECTION_VARIANT(MercatorSphere)},
         {"+ellps=WGS84", "+R=6371000 +lat_ts=30"}},
        {"nzmg",
         "proj/nzmg.h",
         OnlyVariant,
         {PROJECTION_VARIANT(NewZealandMapGrid)},
         {"+ellps=intl"}},
        {"omerc",
         "proj/omerc.h",
         OnlyVariant,
         {PROJECTION_VARIANT(ObliqueMercator)},
         {"+lat_0=4 +lonc=102 +alpha=323 +gamma=323 +ellps=evrstSS"}},
        {"poly",
         "proj/poly.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(Polyconic), PROJECTION_VARIANT(PolyconicSphere)},
         {"+lat_0=30 +ellps=GRS80", "+lat_0=30 +R=6371000"}},
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
        {"tmerc",
         "proj/tmerc.h",
         Algorithm,
         TransverseMercators(),
         {"+lon_0=9 +ellps=GRS80", "+lon_0=9 +ellps=GRS80 +approx",
          "+lon_0=9 +ellps=GRS80 +algo=auto", "+lon_0=9 +R=6371000"}},
        {"utm", "proj/tmerc.h", UtmAlgorithm, TransverseMercators(), {"+zone=33 +ellps=WGS84"}},
        {"webmerc",
         "proj/merc.h",
         OnlyVariant,
         {PROJECTION_VARIANT(WebMercator)},
         {"+ellps=WGS84"}},
    };
}

}  // namespace gdalgpu
