// Equidistant Conic: Snyder (1987), "Map Projections: A Working Manual", eqs. 16-1 to 16-11.
#pragma once

#include "proj/latitudes.h"
#include "proj/meridian_arc.h"

namespace kernels {
namespace proj {

// The cone, and its radius less the meridian arc to the latitude.
struct EquidistantCone {
    parameter n;
    parameter c;
    parameter rho_0;

    GPU_FUNC void to_plane(real lon, real arc, real& x, real& y) const {
        real sine, cosine;
        sin_cos(n * lon, sine, cosine);
        const real rho = c - arc;
        x = rho * sine;
        y = rho_0 - rho * cosine;
    }

    // False at the apex, where there is no longitude; the arc is set elsewhere.
    GPU_FUNC bool from_plane(real x, real y, real& lon, real& arc) const {
        y = rho_0 - y;
        const real rho = sqrt(x * x + y * y);
        if (rho == 0) {
            return false;
        }
        lon = (n < 0 ? atan2(-x, -y) : atan2(x, y)) / n;
        arc = c - (n < 0 ? -rho : rho);
        return true;
    }

    GPU_FUNC real apex() const { return n > 0 ? kHalfPi : -kHalfPi; }
};

struct EquidistantConic {
    EquidistantCone cone;
    parameter es;
    MeridianArc meridian;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        cone.to_plane(lon, meridian.length(lat, sine, cosine), x, y);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real arc, sine, cosine;
        if (!cone.from_plane(x, y, lon, arc)) {
            lon = 0;
            lat = cone.apex();
            return true;
        }
        return meridian.latitude(arc, es, lat, sine, cosine);
    }

#if GPU_SETUP
    // Reads lat_1 and lat_2; true where they differ.
    template <class Parameters>
    static bool ReadParallels(const Parameters& p, double& lat_1, double& lat_2) {
        lat_1 = p.angle("lat_1");
        lat_2 = p.angle("lat_2");
        if (fabs(lat_1) > kHalfPi) {
            p.fail("lat_1", "should be within 90 degrees");
        }
        if (fabs(lat_2) > kHalfPi) {
            p.fail("lat_2", "should be within 90 degrees");
        }
        if (fabs(lat_1 + lat_2) < 1e-10) {
            p.fail("lat_1", "and lat_2 should not cancel");
        }
        return fabs(lat_1 - lat_2) >= 1e-10;
    }

    template <class Parameters>
    static EquidistantConic Setup(const Parameters& p, Definition& d) {
        double lat_1, lat_2;
        const bool secant = ReadParallels(p, lat_1, lat_2);
        EquidistantConic e = {};
        e.es = d.ellipsoid.es;
        e.meridian = MeridianArc::Setup(p, d.ellipsoid);
        const auto arc = [&](double lat) { return e.meridian.length(lat, sin(lat), cos(lat)); };
        const double m_1 = parallel_radius(sin(lat_1), cos(lat_1), e.es);
        e.cone.n = sin(lat_1);
        if (secant) {
            e.cone.n =
                (m_1 - parallel_radius(sin(lat_2), cos(lat_2), e.es)) / (arc(lat_2) - arc(lat_1));
        }
        if (e.cone.n == 0 || !(fabs(e.cone.n) <= 1e300)) {
            p.fail("lat_1", "and lat_2 give no cone");
        }
        e.cone.c = arc(lat_1) + m_1 / e.cone.n;
        e.cone.rho_0 = e.cone.c - arc(d.lat_0);
        return e;
    }
#endif
};

struct EquidistantConicSphere {
    EquidistantCone cone;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        cone.to_plane(lon, lat, x, y);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        if (!cone.from_plane(x, y, lon, lat)) {
            lon = 0;
            lat = cone.apex();
        }
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static EquidistantConicSphere Setup(const Parameters& p, Definition& d) {
        double lat_1, lat_2;
        double n = 0;
        if (EquidistantConic::ReadParallels(p, lat_1, lat_2)) {
            n = (cos(lat_1) - cos(lat_2)) / (lat_2 - lat_1);
        } else {
            n = sin(lat_1);
        }
        if (n == 0) {
            p.fail("lat_1", "and lat_2 give no cone");
        }
        const double c = lat_1 + cos(lat_1) / n;
        return {{n, c, c - d.lat_0}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
