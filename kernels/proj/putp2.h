// Putnins P2: Snyder and Voxland (1989), "An Album of Map Projections", p. 219 ff.; Evenden (1995).
#pragma once

#define GPU_UNFUSED

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct PutninsP2 {
    parameter c_x;
    parameter c_y;
    parameter c_p;

    // Newton's method; where ten steps don't reach 1e-10 it is the pole.
    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const bool polar = fabs(lat) > kPolarLatitude;
        const real p = c_p * sin(lat);
        const real square = lat * lat;
        real angle = lat * (0.615709 + square * (0.00909953 + square * 0.0046292));
        real sine, cosine;
        sin_cos(angle, sine, cosine);
        bool found = false;
        for (int i = 0; i < 10 && !found; ++i) {
            const real step =
                (angle + sine * (cosine - 1) - p) / (1 + cosine * (cosine - 1) - sine * sine);
            angle -= step;
            if (polar) {
                sin_cos(angle, sine, cosine);
            } else {
                rotate(sine, cosine, -step);
            }
            found = fabs(step) < tolerance(1e-10);
        }
        if (!found) {
            sin_cos(angle < 0 ? -kPi / 3 : kPi / 3, sine, cosine);
        }
        x = c_x * lon * (cosine - 0.5);
        y = c_y * sine;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real angle, sine, cosine;
        if (!arc_sine(y / c_y, angle)) {
            return false;
        }
        sin_cos(angle, sine, cosine);
        lon = x / (c_x * (cosine - 0.5));
        return arc_sine((angle + sine * (cosine - 1)) / c_p, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static PutninsP2 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {1.89490, 1.71848, 0.6141848493043784};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
