// Loximuthal: Snyder and Voxland (1989), "An Album of Map Projections", p. 88 ff.; Evenden (1995).
#pragma once

#define GPU_UNFUSED

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Loximuthal {
    parameter lat_1;
    parameter cos_1;
    parameter tan_1;  // tan(pi / 4 + lat_1 / 2)

    // Isometric latitude from that of lat_1.
    GPU_FUNC real isometric(real lat) const { return log(tan(kQuarterPi + 0.5 * lat) / tan_1); }

    GPU_FUNC bool at_pole(real lat) const {
        const real size = fabs(kQuarterPi + 0.5 * lat);
        return size < 1e-8 || fabs(size - kHalfPi) < 1e-8;
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        y = lat - lat_1;
        x = fabs(y) < 1e-8 ? lon * cos_1 : at_pole(lat) ? real(0) : lon * y / isometric(lat);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = y + lat_1;
        lon = fabs(y) < 1e-8 ? x / cos_1 : at_pole(lat) ? real(0) : x * isometric(lat) / y;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Loximuthal Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        const double lat_1 = p.angle("lat_1");
        if (cos(lat_1) < 1e-8) {
            p.fail("lat_1", "should be within 90 degrees");
        }
        return {lat_1, cos(lat_1), tan(kQuarterPi + 0.5 * lat_1)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
