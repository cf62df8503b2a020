// Sinusoidal: Snyder (1987), "Map Projections: A Working Manual", eqs. 30-1 to 30-9. The general
// sinusoidal series of the sphere, with Eckert VI and McBryde-Thomas Flat-Polar Sinusoidal: Evenden
// (1995), "Cartographic Projection Procedures".
#pragma once

#include "proj/latitudes.h"
#include "proj/meridian_arc.h"

namespace kernels {
namespace proj {

struct Sinusoidal {
    parameter es;
    MeridianArc arc;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        x = lon * parallel_radius(sine, cosine, es);
        y = arc.length(lat, sine, cosine);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real sine, cosine;
        if (!arc.latitude(y, es, lat, sine, cosine) || fabs(lat) - 1e-10 >= kHalfPi) {
            return false;
        }
        lon = fabs(lat) < kHalfPi ? x / parallel_radius(sine, cosine, es) : real(0);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Sinusoidal Setup(const Parameters& p, Definition& d) {
        return {d.ellipsoid.es, MeridianArc::Setup(p, d.ellipsoid)};
    }
#endif
};

struct SinusoidalSphere {
    parameter scale;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = scale * lon * cos(lat);
        y = scale * lat;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = y / scale;
        lon = x / (scale * cos(lat));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static SinusoidalSphere Setup(const Parameters& p, Definition& d) {
        p.has("m");
        p.has("n");
        d.ellipsoid.es = 0;
        return {1};
    }
#endif
};

// m angle + sin(angle) = n sin(latitude).
struct GeneralSinusoidal {
    parameter m;
    parameter n;
    parameter c_x;
    parameter c_y;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        real angle = lat;
        if (m == 0) {
            if (!arc_sine(n * sin(lat), angle, cosine)) {
                return false;
            }
        } else {
            sin_cos(lat, sine, cosine);
            if (!solve(n * sine, angle, sine, cosine)) {
                return false;
            }
        }
        x = c_x * lon * (m + cosine);
        y = c_y * angle;
        return true;
    }

    // Newton's method; false where eight steps don't reach 1e-7.
    GPU_FUNC bool solve(real k, real& angle, real& sine, real& cosine) const {
        for (int i = 0; i < 8; ++i) {
            const real step = (m * angle + sine - k) / (m + cosine);
            angle -= step;
            rotate(sine, cosine, -step);
            if (fabs(step) < tolerance(1e-7)) {
                return true;
            }
        }
        return false;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real angle = y / c_y;
        real sine, cosine;
        sin_cos(angle, sine, cosine);
        lon = x / (c_x * (m + cosine));
        return arc_sine((m * angle + sine) / n, lat);
    }

#if GPU_SETUP
    static GeneralSinusoidal From(double m, double n, Definition& d) {
        d.ellipsoid.es = 0;
        const double c_y = sqrt((m + 1) / n);
        return {m, n, c_y / (m + 1), c_y};
    }

    template <class Parameters>
    static GeneralSinusoidal Setup(const Parameters& p, Definition& d) {
        if (!p.has("m")) {
            p.fail("m", "is missing");
        }
        if (p.number("n") <= 0) {
            p.fail("n", "should be greater than 0");
        }
        if (p.number("m") < 0) {
            p.fail("m", "should be 0 or greater");
        }
        return From(p.number("m"), p.number("n"), d);
    }
#endif
};

struct Eckert6 : GeneralSinusoidal {
#if GPU_SETUP
    template <class Parameters>
    static Eckert6 Setup(const Parameters&, Definition& d) {
        return {From(1, 1 + kHalfPi, d)};
    }
#endif
};

struct McBrydeThomasFlatPolarSinusoidal : GeneralSinusoidal {
#if GPU_SETUP
    template <class Parameters>
    static McBrydeThomasFlatPolarSinusoidal Setup(const Parameters&, Definition& d) {
        return {From(0.5, 1 + kQuarterPi, d)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
