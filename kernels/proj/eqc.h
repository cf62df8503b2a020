// Equidistant Cylindrical, the sphere's formulas: Snyder (1987), "Map Projections: A Working
// Manual", eqs. 12-1 to 12-6.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct EquidistantCylindrical {
    parameter radius;  // of the parallel of true scale
    parameter lat_0;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = radius * lon;
        y = lat - lat_0;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lon = x / radius;
        lat = y + lat_0;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static EquidistantCylindrical Setup(const Parameters& p, Definition& d) {
        const double radius = cos(p.angle("lat_ts"));
        if (radius <= 0) {
            p.fail("lat_ts", "should be within 90 degrees");
        }
        d.ellipsoid.es = 0;
        return {radius, d.lat_0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
