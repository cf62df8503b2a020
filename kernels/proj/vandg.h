// Van der Grinten I to IV: Snyder (1987), "Map Projections: A Working Manual", eqs. 29-1 to 29-19;
// Snyder and Voxland (1989), "An Album of Map Projections", pp. 239 to 243. Only the first has an
// inverse.
#pragma once

#define GPU_UNFUSED

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct VanDerGrinten {
    int64 over;  // 1: longitudes beyond 180 degrees are kept

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real small = 1e-10;
        real sine = fabs(lat / kHalfPi);
        if (sine - small > 1) {
            return false;
        }
        if (sine > 1) sine = 1;
        if (fabs(lat) <= small) {
            x = lon;
            y = 0;
            return true;
        }
        if (fabs(lon) <= small || fabs(sine - 1) < small) {
            x = 0;
            const real north = kPi * tan(0.5 * asin(sine));
            y = lat < 0 ? -north : north;
            return true;
        }
        const real side = over && fabs(lon) > kPi ? -1 : 1;
        const real a = 0.5 * side * fabs(kPi / lon - lon / kPi);
        const real a2 = a * a;
        const real cosine = sqrt(1 - sine * sine);
        const real g = cosine / (sine + cosine - 1);
        const real p = g * (2 / sine - 1);
        const real p2 = p * p;
        const real difference = g - p2;
        const real sum = p2 + a2;
        const real east =
            fabs(a * difference + sqrt(a2 * difference * difference - sum * (g * g - p2))) / sum;
        x = lon < 0 ? -kPi * east : kPi * east;
        const real north2 = 1 - east * (east + 2 * a);
        if (north2 < -small) {
            return false;
        }
        const real north = north2 < 0 ? real(0) : real(kPi * sqrt(north2));
        y = lat < 0 ? -north : north;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real small = 1e-10, pi2 = kPi * kPi;
        const real x2 = x * x, y2 = y * y, size = fabs(y);
        if (size < small) {
            lat = 0;
            lon = fabs(x) <= small
                      ? real(0)
                      : real(0.5 * (x2 - pi2 + sqrt(x2 * x2 + 2 * pi2 * (x2 + 0.5 * pi2))) / x);
            return true;
        }
        const real r = x2 + y2, r2 = r * r;
        const real c1 = -kPi * size * (r + pi2);
        const real c3 = r2 + kTwoPi * (size * r + kPi * (y2 + kPi * (size + kHalfPi)));
        const real c2 = (c1 + pi2 * (r - 3 * y2)) / c3;
        const real c0 = kPi * size;
        const real a = c1 / c3 - (1. / 3) * c2 * c2;
        const real m = 2 * sqrt(-(1. / 3) * a);
        const real d = (2. / 27) * c2 * c2 * c2 + (c0 * c0 - (1. / 3) * c2 * c1) / c3;
        const real am = a * m;
        if (fabs(am) < 1e-16) {
            return false;
        }
        const real cosine = 3 * d / am;
        if (!(fabs(cosine) - small <= 1)) {
            return false;
        }
        real angle = cosine > 1 ? real(0) : cosine < -1 ? real(kPi) : real(acos(cosine));
        if (r > pi2) angle = kTwoPi - angle;
        const real north = kPi * (m * cos(angle * (1. / 3) + 4 * kPi / 3) - (1. / 3) * c2);
        lat = y < 0 ? -north : north;
        const real t = r2 + 2 * pi2 * (x2 - y2 + 0.5 * pi2);
        lon = fabs(x) <= small ? real(0)
                               : real(0.5 * (r - pi2 + (t <= 0 ? real(0) : real(sqrt(t)))) / x);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static VanDerGrinten Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        return {p.flag("over")};
    }
#endif
};

struct VanDerGrinten2 {
    int64 third;  // 1: van der Grinten III, with straight parallels

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real b = fabs(lat * (2 / kPi));
        const real c2 = 1 - b * b;
        const real c = c2 < 0 ? real(0) : real(sqrt(c2));
        real north = b / (1 + c);
        real east = 0;
        if (!(fabs(lon) < 1e-10)) {
            const real a = 0.5 * fabs(kPi / lon - lon / kPi);
            if (third) {
                east = sqrt(a * a + 1 - north * north) - a;
            } else {
                east = (c * sqrt(1 + a * a) - a * c * c) / (1 + a * a * b * b);
                north = sqrt(1 - east * (east + 2 * a) + 1e-10);
            }
        }
        x = lon < 0 ? -kPi * east : kPi * east;
        y = lat < 0 ? -kPi * north : kPi * north;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static VanDerGrinten2 Setup(const Parameters&, Definition&) {
        return {0};
    }
#endif
};

struct VanDerGrinten3 : VanDerGrinten2 {
#if GPU_SETUP
    template <class Parameters>
    static VanDerGrinten3 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{1}};
    }
#endif
};

struct VanDerGrinten4 {
    int64 unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real small = 1e-10;
        if (fabs(lat) < small) {
            x = lon;
            y = 0;
            return true;
        }
        if (fabs(lon) < small || fabs(fabs(lat) - kHalfPi) < small) {
            x = 0;
            y = lat;
            return true;
        }
        const real b = fabs(lat * (2 / kPi)), b2 = b * b;
        const real c = 0.5 * (b * (8 - b * (2 + b2)) - 5) / (b2 * (b - 1)), c2 = c * c;
        real d = lon * (2 / kPi);
        d += 1 / d;
        d = sqrt(d * d - 4);
        if (fabs(lon) - kHalfPi < 0) d = -d;
        const real d2 = d * d;
        const real s = (b + c) * (b + c);
        const real t = b + 3 * c;
        const real f = s * (b2 + c2 * d2 - 1) +
                       (1 - b2) * (b2 * (t * t + 4 * c2) + c2 * (12 * b * c + 4 * c2));
        const real east = (d * (s + c2 - 1) + 2 * sqrt(f)) / (4 * s + d2);
        const real north = sqrt(1 + d * fabs(east) - east * east);
        x = lon < 0 ? -kHalfPi * east : kHalfPi * east;
        y = lat < 0 ? -kHalfPi * north : kHalfPi * north;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static VanDerGrinten4 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
