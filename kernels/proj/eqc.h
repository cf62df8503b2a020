// Equidistant Cylindrical: Snyder (1987), "Map Projections: A Working Manual", eqs. 12-1 to 12-6;
// of the ellipsoid: IOGP (2021), Guidance Note 7-2, section 3.2.5.
#pragma once

#include "proj/meridian_arc.h"

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
        d.ellipsoid.es = 0;
        return {Radius(p, d), d.lat_0};
    }

    // Of the parallel of true scale.
    template <class Parameters>
    static double Radius(const Parameters& p, const Definition& d) {
        const double lat_ts = p.angle("lat_ts");
        if (cos(lat_ts) <= 0) {
            p.fail("lat_ts", "should be within 90 degrees");
        }
        return cos(lat_ts) / sqrt(1 - d.ellipsoid.es * sin(lat_ts) * sin(lat_ts));
    }
#endif
};

struct EquidistantCylindricalEllipsoid {
    parameter radius;
    parameter arc_0;
    parameter es;
    MeridianArc arc;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        x = radius * lon;
        y = arc.length(lat, sine, cosine) - arc_0;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real sine, cosine;
        lon = x / radius;
        return arc.latitude(y + arc_0, es, lat, sine, cosine);
    }

#if GPU_SETUP
    template <class Parameters>
    static EquidistantCylindricalEllipsoid Setup(const Parameters& p, Definition& d) {
        const MeridianArc arc = MeridianArc::Setup(p, d.ellipsoid);
        return {EquidistantCylindrical::Radius(p, d),
                arc.length(d.lat_0, sin(d.lat_0), cos(d.lat_0)), d.ellipsoid.es, arc};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
