#include "kernels/proj/laea.h"
#include "kernels/proj/stere.h"
#include "plugin/coordinates/projection_registry.h"

namespace gdalgpu {

std::vector<Projection> AzimuthalProjections() {
    return {
        {"laea",
         "proj/laea.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(LambertAzimuthalEqualArea),
          PROJECTION_VARIANT(LambertAzimuthalEqualAreaSphere)},
         {"+lat_0=52 +lon_0=10 +ellps=GRS80", "+lat_0=90 +ellps=GRS80", "+lat_0=-90 +R=6371000"}},
        {"stere",
         "proj/stere.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(Stereographic), PROJECTION_VARIANT(StereographicSphere)},
         {"+lat_0=90 +lat_ts=71 +ellps=WGS84", "+lat_0=40 +ellps=WGS84", "+lat_0=40 +R=6371000"}},
        {"ups",
         "proj/stere.h",
         EllipsoidOnly,
         {PROJECTION_VARIANT(UniversalPolarStereographic)},
         {"+ellps=WGS84"}},
    };
}

}  // namespace gdalgpu
