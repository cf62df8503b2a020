// Mollweide, Wagner IV and Wagner V: Snyder (1987), "Map Projections: A Working Manual", eqs. 31-1
// to 31-5; Snyder and Voxland (1989), "An Album of Map Projections".
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

// Newton's method for angle + sin(angle) = k, from the given start, whose place half the root
// takes. False where kSteps steps don't become smaller than 1e-7. polar: the latitude is beyond
// kPolarLatitude.
template <int kSteps>
GPU_FUNC bool half_mollweide_angle(real k, bool polar, real sine, real cosine, real& angle) {
    for (int i = 0; i < kSteps; ++i) {
        const real step = (angle + sine - k) / (1 + cosine);
        angle -= step;
        if (fabs(step) < tolerance(1e-7)) {
            angle *= 0.5;
            return true;
        }
        if (polar) {
            sin_cos(angle, sine, cosine);
        } else {
            rotate(sine, cosine, -step);
        }
    }
    angle *= 0.5;
    return false;
}

struct Mollweide {
    parameter c_x;
    parameter c_y;
    parameter c_p;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        real half = lat;
        if (!half_mollweide_angle<30>(c_p * sine, fabs(lat) > kPolarLatitude, sine, cosine, half)) {
            half = half < 0 ? -kHalfPi : kHalfPi;
        }
        sin_cos(half, sine, cosine);
        x = c_x * lon * cosine;
        y = c_y * sine;
        return true;
    }

    // The longitude is compared with the antimeridian, so it is rounded as PROJ rounds it.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real angle;
        if (!arc_sine(y / c_y, angle)) {
            return false;
        }
        lon = x / (c_x * cos(angle));
        return fabs(lon) < kPi && arc_sine((2 * angle + sin(2 * angle)) / c_p, lat);
    }

#if GPU_SETUP
    // The parameter is the angle that stands for a pole.
    static Mollweide FromPole(double pole) {
        const double c_p = 2 * pole + sin(2 * pole);
        const double r = sqrt(kTwoPi * sin(pole) / c_p);
        return {2 * r / kPi, r / sin(pole), c_p};
    }

    template <class Parameters>
    static Mollweide Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return FromPole(kHalfPi);
    }
#endif
};

struct Wagner4 : Mollweide {
#if GPU_SETUP
    template <class Parameters>
    static Wagner4 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {FromPole(kPi / 3)};
    }
#endif
};

struct Wagner5 : Mollweide {
#if GPU_SETUP
    template <class Parameters>
    static Wagner5 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{0.90977, 1.65014, 3.00896}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
