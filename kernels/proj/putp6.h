// Putnins P6 and P6': Snyder and Voxland (1989), "An Album of Map Projections", p. 219 ff.; Evenden
// (1995).
#pragma once

#define GPU_UNFUSED

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct PutninsP6 {
    parameter c_x;
    parameter c_y;
    parameter a;
    parameter b;
    parameter d;

    GPU_FUNC real area(real p, real r) const { return (a - r) * p - log(p + r); }

    // Newton's method; where ten steps don't reach 1e-10 it is the pole.
    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real k = b * sin(lat);
        real p = 1.10265779 * lat;
        real r = sqrt(1 + p * p);
        bool found = false;
        for (int i = 0; i < 10 && !found; ++i) {
            const real step = (area(p, r) - k) / (a - 2 * r);
            p -= step;
            r = sqrt(1 + p * p);
            found = fabs(step) < tolerance(1e-10);
        }
        if (!found) {
            p = k < 0 ? -1.732050807568877 : 1.732050807568877;
            r = 2;
        }
        x = c_x * lon * (d - r);
        y = c_y * p;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real p = y / c_y;
        const real r = sqrt(1 + p * p);
        lon = x / (c_x * (d - r));
        return arc_sine(area(p, r) / b, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static PutninsP6 Setup(const Parameters&, Definition& definition) {
        definition.ellipsoid.es = 0;
        return {1.01346, 0.91910, 4, 2.1471437182129378784, 2};
    }
#endif
};

struct PutninsP6Prime : PutninsP6 {
#if GPU_SETUP
    template <class Parameters>
    static PutninsP6Prime Setup(const Parameters&, Definition& definition) {
        definition.ellipsoid.es = 0;
        return {{0.44329, 0.80404, 6, 5.61125, 3}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
