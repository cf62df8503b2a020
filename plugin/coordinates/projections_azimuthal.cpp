#include "kernels/proj/aeqd.h"
#include "kernels/proj/airy.h"
#include "kernels/proj/geos.h"
#include "kernels/proj/gnom.h"
#include "kernels/proj/laea.h"
#include "kernels/proj/nsper.h"
#include "kernels/proj/ortho.h"
#include "kernels/proj/stere.h"
#include "plugin/coordinates/projection_registry.h"

namespace gdalgpu {

namespace {

size_t AzimuthalEquidistantCase(const StepParameters& p, kernels::proj::Definition& d) {
    const bool guam = p.flag("guam");
    return d.ellipsoid.es == 0 ? 3 : guam ? 2 : kernels::proj::pole_of(d.lat_0) != 0 ? 1 : 0;
}

size_t GnomonicCase(const StepParameters& p, kernels::proj::Definition& d) {
    return p.rules().gnom_is_ellipsoidal && d.ellipsoid.es != 0 ? 0 : 1;
}

}  // namespace

std::vector<Projection> AzimuthalProjections() {
    return {
        {"aeqd",
         "proj/aeqd.h",
         AzimuthalEquidistantCase,
         {PROJECTION_VARIANT(AzimuthalEquidistant), PROJECTION_VARIANT(AzimuthalEquidistantPolar),
          PROJECTION_VARIANT(AzimuthalEquidistantGuam),
          PROJECTION_VARIANT(AzimuthalEquidistantSphere)},
         {"+lat_0=52 +lon_0=10 +ellps=GRS80", "+lat_0=90 +ellps=GRS80",
          "+lat_0=13.5 +lon_0=144.7 +guam +ellps=clrk66", "+lat_0=52 +R=6371000"}},
        {"airy", "proj/airy.h", OnlyVariant, {PROJECTION_VARIANT(Airy)}, {"+lat_0=30 +R=6371000"}},
        {"geos",
         "proj/geos.h",
         OnlyVariant,
         {PROJECTION_VARIANT(GeostationarySatellite)},
         {"+h=35785831 +ellps=WGS84"}},
        {"gnom",
         "proj/gnom.h",
         GnomonicCase,
         {PROJECTION_VARIANT(GnomonicEllipsoid), PROJECTION_VARIANT(Gnomonic)},
         {"+lat_0=30 +ellps=GRS80", "+lat_0=30 +R=6371000"}},
        {"laea",
         "proj/laea.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(LambertAzimuthalEqualArea),
          PROJECTION_VARIANT(LambertAzimuthalEqualAreaSphere)},
         {"+lat_0=52 +lon_0=10 +ellps=GRS80", "+lat_0=90 +ellps=GRS80", "+lat_0=-90 +R=6371000"}},
        {"nsper",
         "proj/nsper.h",
         OnlyVariant,
         {PROJECTION_VARIANT(NearSidedPerspective)},
         {"+h=3000000 +lat_0=30 +R=6371000"}},
        {"ortho",
         "proj/ortho.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(Orthographic), PROJECTION_VARIANT(OrthographicSphere)},
         {"+lat_0=40 +ellps=WGS84", "+lat_0=40 +R=6371000"}},
        {"stere",
         "proj/stere.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(Stereographic), PROJECTION_VARIANT(StereographicSphere)},
         {"+lat_0=90 +lat_ts=71 +ellps=WGS84", "+lat_0=40 +ellps=WGS84", "+lat_0=40 +R=6371000"}},
        {"tpers",
         "proj/nsper.h",
         OnlyVariant,
         {PROJECTION_VARIANT(TiltedPerspective)},
         {"+h=3000000 +tilt=20 +azi=30 +lat_0=30 +R=6371000"}},
        {"ups",
         "proj/stere.h",
         EllipsoidOnly,
         {PROJECTION_VARIANT(UniversalPolarStereographic)},
         {"+ellps=WGS84"}},
    };
}

}  // namespace gdalgpu
