#include "kernels/proj/aea.h"
#include "kernels/proj/lcc.h"
#include "plugin/coordinates/projection_registry.h"

namespace gdalgpu {

std::vector<Projection> ConicProjections() {
    return {
        {"aea",
         "proj/aea.h",
         OnlyVariant,
         {PROJECTION_VARIANT(AlbersEqualArea)},
         {"+lat_1=29.5 +lat_2=45.5 +ellps=GRS80", "+lat_1=30 +lat_2=50 +R=6371000"}},
        {"lcc",
         "proj/lcc.h",
         OnlyVariant,
         {PROJECTION_VARIANT(LambertConformalConic)},
         {"+lat_1=49 +lat_2=44 +ellps=GRS80", "+lat_1=20 +lat_2=60 +R=6371000"}},
        {"leac",
         "proj/aea.h",
         OnlyVariant,
         {PROJECTION_VARIANT(LambertEqualAreaConic)},
         {"+lat_1=40 +ellps=GRS80"}},
    };
}

}  // namespace gdalgpu
