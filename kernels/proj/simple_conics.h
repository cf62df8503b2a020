// Conics of the sphere with two parallels: Euler, Murdoch I to III, Perspective, Tissot, Vitkovsky
// I. Evenden (2005), "libproj4: A comprehensive library of cartographic projection functions",
// simple conics. Ellipsoids are taken for spheres of their semi-major axis.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct SimpleCone {
    parameter n;
    parameter rho_0;

    GPU_FUNC void to_plane(real lon, real rho, real& x, real& y) const {
        real sine, cosine;
        sin_cos(n * lon, sine, cosine);
        x = rho * sine;
        y = rho_0 - rho * cosine;
    }

    // The radius; negative for a cone that opens to the north.
    GPU_FUNC real from_plane(real x, real y, real& lon) const {
        y = rho_0 - y;
        const real rho = sqrt(x * x + y * y);
        lon = (n < 0 ? atan2(-x, -y) : atan2(x, y)) / n;
        return n < 0 ? -rho : rho;
    }
};

#if GPU_SETUP
// Mean and half difference of the two parallels.
struct TwoParallels {
    double mean;
    double half;

    template <class Parameters>
    static TwoParallels Read(const Parameters& p) {
        for (const char* name : {"lat_1", "lat_2"}) {
            if (!p.has(name)) {
                p.fail(name, "is missing");
            }
        }
        const double lat_1 = p.angle("lat_1"), lat_2 = p.angle("lat_2");
        const TwoParallels t = {0.5 * (lat_2 + lat_1), 0.5 * (lat_2 - lat_1)};
        if (fabs(t.half) < 1e-10 || fabs(t.mean) < 1e-10) {
            p.fail("lat_1", "and lat_2 should neither be equal nor cancel");
        }
        return t;
    }
};
#endif

// Radius linear in the latitude.
struct LinearConic {
    SimpleCone cone;
    parameter rho_c;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        cone.to_plane(lon, rho_c - lat, x, y);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = rho_c - cone.from_plane(x, y, lon);
        return true;
    }

#if GPU_SETUP
    static LinearConic Make(double n, double rho_c, Definition& d) {
        d.ellipsoid.es = 0;
        return {{n, rho_c - d.lat_0}, rho_c};
    }
#endif
};

struct Euler : LinearConic {
#if GPU_SETUP
    template <class Parameters>
    static Euler Setup(const Parameters& p, Definition& d) {
        const TwoParallels t = TwoParallels::Read(p);
        const double quarter = 0.5 * t.half;
        return {Make(sin(t.mean) * sin(t.half) / t.half,
                     quarter / (tan(quarter) * tan(t.mean)) + t.mean, d)};
    }
#endif
};

struct Murdoch1 : LinearConic {
#if GPU_SETUP
    template <class Parameters>
    static Murdoch1 Setup(const Parameters& p, Definition& d) {
        const TwoParallels t = TwoParallels::Read(p);
        return {Make(sin(t.mean), sin(t.half) / (t.half * tan(t.mean)) + t.mean, d)};
    }
#endif
};

struct Murdoch3 : LinearConic {
#if GPU_SETUP
    template <class Parameters>
    static Murdoch3 Setup(const Parameters& p, Definition& d) {
        const TwoParallels t = TwoParallels::Read(p);
        return {Make(sin(t.mean) * sin(t.half) * tan(t.half) / (t.half * t.half),
                     t.half / (tan(t.mean) * tan(t.half)) + t.mean, d)};
    }
#endif
};

struct Vitkovsky1 : LinearConic {
#if GPU_SETUP
    template <class Parameters>
    static Vitkovsky1 Setup(const Parameters& p, Definition& d) {
        const TwoParallels t = TwoParallels::Read(p);
        return {Make(tan(t.half) * sin(t.mean) / t.half,
                     t.half / (tan(t.half) * tan(t.mean)) + t.mean, d)};
    }
#endif
};

// As PROJ has it: the radius of the origin is that of an equal-area cone.
struct Tissot : LinearConic {
#if GPU_SETUP
    template <class Parameters>
    static Tissot Setup(const Parameters& p, Definition& d) {
        const TwoParallels t = TwoParallels::Read(p);
        const double n = sin(t.mean);
        const double rho_c = n / cos(t.half) + cos(t.half) / n;
        Tissot tissot = {Make(n, rho_c, d)};
        tissot.cone.rho_0 = sqrt((rho_c - 2 * sin(d.lat_0)) / n);
        return tissot;
    }
#endif
};

struct Murdoch2 {
    SimpleCone cone;
    parameter mean;
    parameter rho_c;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        cone.to_plane(lon, rho_c + tan(mean - lat), x, y);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = mean - atan(cone.from_plane(x, y, lon) - rho_c);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Murdoch2 Setup(const Parameters& p, Definition& d) {
        const TwoParallels t = TwoParallels::Read(p);
        d.ellipsoid.es = 0;
        const double root = sqrt(cos(t.half));
        const double rho_c = root / tan(t.mean);
        return {{sin(t.mean) * root, rho_c + tan(t.mean - d.lat_0)}, t.mean, rho_c};
    }
#endif
};

struct PerspectiveConic {
    SimpleCone cone;
    parameter mean;
    parameter cotangent;
    parameter scale;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        cone.to_plane(lon, scale * (cotangent - tan(lat - mean)), x, y);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = atan(cotangent - cone.from_plane(x, y, lon) / scale) + mean;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static PerspectiveConic Setup(const Parameters& p, Definition& d) {
        const TwoParallels t = TwoParallels::Read(p);
        const double from_mean = d.lat_0 - t.mean;
        if (fabs(from_mean) - 1e-10 >= kHalfPi) {
            p.fail("lat_0", "should be within 90 degrees of the mean parallel");
        }
        d.ellipsoid.es = 0;
        const double cotangent = 1 / tan(t.mean), scale = cos(t.half);
        return {{sin(t.mean), scale * (cotangent - tan(from_mean))}, t.mean, cotangent, scale};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
