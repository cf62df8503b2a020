#include "kernels/proj/eqc.h"
#include "kernels/proj/merc.h"
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
        {"merc",
         "proj/merc.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(Mercator), PROJECTION_VARIANT(MercatorSphere)},
         {"+ellps=WGS84", "+R=6371000 +lat_ts=30"}},
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
