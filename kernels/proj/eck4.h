// Eckert IV: Snyder (1987), "Map Projections: A Working Manual", eqs. 32-1 to 32-8.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Eckert4 {
    parameter c_x;
    parameter c_y;
    parameter r_c_y;
    parameter c_p;
    parameter r_c_p;
    int64 date_line;  // 1: longitudes beyond half a turn are refused; -1: the poles are
                      // like other latitudes too

    // Newton's method; where six steps don't reach 1e-7 it is the pole.
    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real p = c_p * sin(lat);
        const bool polar = fabs(lat) > kPolarLatitude;
        const real square = lat * lat;
        real angle = lat * (0.895168 + square * (0.0218849 + square * 0.00826809));
        real sine, cosine;
        sin_cos(angle, sine, cosine);
        for (int i = 0; i < 6; ++i) {
            const real step =
                (angle + sine * (cosine + 2) - p) / (1 + cosine * (cosine + 2) - sine * sine);
            angle -= step;
            if (polar) {
                sin_cos(angle, sine, cosine);
            } else {
                rotate(sine, cosine, -step);
            }
            if (fabs(step) < tolerance(1e-7)) {
                x = c_x * lon * (1 + cosine);
                y = c_y * sine;
                return true;
            }
        }
        x = c_x * lon;
        y = angle < 0 ? -c_y : real(c_y);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real sine = y * r_c_y;
        real angle, cosine;
        const real below = 1 - fabs(sine);
        if (date_line >= 0 && below >= 0 && below <= rounding(1e-12)) {
            lon = x / c_x;
            lat = sine > 0 ? kHalfPi : -kHalfPi;
            return ends(lon);
        }
        if (!arc_sine(sine, angle, cosine)) {
            return false;
        }
        lon = x / (c_x * (1 + cosine));
        return arc_sine((angle + clamp_sine(sine) * (cosine + 2)) * r_c_p, lat) && ends(lon);
    }

    // False for a longitude beyond half a turn, where the map ends there.
    GPU_FUNC bool ends(real& lon) const {
        const real beyond = fabs(lon) - kPi;
        if (date_line > 0 && beyond > 0) {
            lon = lon > 0 ? kPi : -kPi;
            return !(beyond > rounding(1e-10));
        }
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Eckert4 Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        const double c_y = 2 * sqrt(kPi / (4 + kPi));
        const double c_x = 0.42223820031577120149;  // 2 / sqrt(pi (4 + pi))
        const double c_p = 2 + kHalfPi;
        return {c_x, c_y,     1 / c_y,
                c_p, 1 / c_p, !p.rules().eck4_ends_at_date_line ? -1 : p.flag("over") ? 0 : 1};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
