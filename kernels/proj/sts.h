// Kavrayskiy V, Quartic Authalic, McBryde-Thomas Flat-Polar Sine (No. 1) and Foucaut: y is the sine
// or the tangent of a part of the latitude, and areas are true. Snyder and Voxland (1989), "An
// Album of Map Projections", p. 219 ff.; Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct SineSeries {
    parameter c_x;
    parameter c_y;
    parameter part;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(part * lat, sine, cosine);
        x = c_x * lon * cos(lat) / cosine;
        y = c_y * sine;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real angle, cosine;
        if (!arc_sine(y / c_y, angle, cosine)) {
            return false;
        }
        lat = angle / part;
        lon = x / (c_x * cos(lat)) * cosine;
        return true;
    }
};

struct Kavrayskiy5 : SineSeries {
#if GPU_SETUP
    template <class Parameters>
    static Kavrayskiy5 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{1.35439 / 1.50488, 1.50488, 1 / 1.35439}};
    }
#endif
};

struct QuarticAuthalic : SineSeries {
#if GPU_SETUP
    template <class Parameters>
    static QuarticAuthalic Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{1, 2, 0.5}};
    }
#endif
};

struct McBrydeThomasFlatPolarSine1 : SineSeries {
#if GPU_SETUP
    template <class Parameters>
    static McBrydeThomasFlatPolarSine1 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{1.36509 / 1.48875, 1.48875, 1 / 1.36509}};
    }
#endif
};

struct Foucaut {
    parameter c_y;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(0.5 * lat, sine, cosine);
        x = lon * cos(lat) * cosine * cosine;
        y = c_y * sine / cosine;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real half = atan(y / c_y);
        const real cosine = cos(half);
        lat = 2 * half;
        lon = x / cos(lat) / (cosine * cosine);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Foucaut Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {2};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
