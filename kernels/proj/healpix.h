// HEALPix and rHEALPix: Calabretta and Roukema (2007), "Mapping on the HEALPix grid", Monthly
// Notices of the Royal Astronomical Society 381, pp. 865 to 872; Gibb, Raichev and Speth (2016),
// "The rHEALPix Discrete Global Grid System". An ellipsoid is seen by its authalic latitude.
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

// True within a polygon and at its corners; the last corner repeats the first or PROJ forgets the
// last edge, which is then vertical.
template <int kCorners>
GPU_FUNC bool in_polygon(const parameter (&corners)[kCorners][2], real x, real y) {
    bool inside = false;
    real x1 = corners[0][0], y1 = corners[0][1];
    bool corner = x == x1 && y == y1;
    for (int i = 1; i < kCorners; ++i) {
        const real x2 = corners[i][0], y2 = corners[i][1];
        corner = corner || (x == x2 && y == y2);
        if (y > (y1 < y2 ? y1 : y2) && y <= (y1 < y2 ? y2 : y1) && x <= (x1 < x2 ? x2 : x1) &&
            (x1 == x2 || x <= (y - y1) * (x2 - x1) / (y2 - y1) + x1)) {
            inside = !inside;
        }
        x1 = x2;
        y1 = y2;
    }
    return corner || inside;
}

// The sphere's HEALPix, in units of the authalic radius.
struct HealpixSphere {
    AuthalicLatitude authalic;

    // The eastern and western facets meet at multiples of a right angle: the middle of the facet.
    GPU_FUNC static real facet_middle(real x) {
        const real facet = floor(x * (2 / kPi) + 2);
        return -3 * kQuarterPi + kHalfPi * (facet >= 4 ? real(3) : facet);
    }

    GPU_FUNC void project(real lon, real lat, real& x, real& y) const {
        real sin_lat, cos_lat;
        sin_cos(lat, sin_lat, cos_lat);
        const real sine = clamp_sine(authalic.q(sin_lat) * authalic.r_pole);
        if (fabs(sine) <= 2. / 3) {
            x = lon;
            y = 3 * kPi / 8 * sine;
            return;
        }
        const real sigma = sqrt(3 * authalic.gap(sin_lat, cos_lat));
        const real middle = facet_middle(lon);
        x = middle + (lon - middle) * sigma;
        y = copysign(kQuarterPi * (2 - sigma), sine);
    }

    GPU_FUNC void unproject(real x, real y, real& lon, real& lat) const {
        const real size = fabs(y);
        if (size <= kQuarterPi) {
            lon = x;
            lat = asin(8 * y / (3 * kPi));
        } else if (size < kHalfPi) {
            const real middle = facet_middle(x);
            const real tau = 2 - 4 * size / kPi;
            lon = middle + (x - middle) / tau;
            const real gap = tau * tau / 3;
            lat = copysign(real(atan2(1 - gap, sqrt(gap * (2 - gap)))), y);
        } else {
            lon = -kPi;
            lat = copysign(real(kHalfPi), y);
        }
        if (authalic.es != 0) {
            real sine, cosine;
            sin_cos(lat, sine, cosine);
            lat = authalic.geographic(lat, sine, cosine);
        }
    }

#if GPU_SETUP
    template <class Parameters>
    static HealpixSphere Make(const Parameters& p, Definition& d) {
        HealpixSphere h = {};
        h.authalic = AuthalicLatitude::SetupThirdOrder(p, d.ellipsoid);
        if (d.ellipsoid.es != 0) {
            d.ellipsoid.a *= sqrt(0.5 * h.authalic.pole);
        }
        return h;
    }
#endif
};

struct Healpix {
    HealpixSphere sphere;
    parameter sin_turn;  // of the map, counterclockwise
    parameter cos_turn;
    parameter corners[19][2];

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real u, v;
        sphere.project(lon, lat, u, v);
        x = u * cos_turn + v * sin_turn;
        y = v * cos_turn - u * sin_turn;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real u = x * cos_turn - y * sin_turn;
        const real v = y * cos_turn + x * sin_turn;
        if (!in_polygon(corners, u, v)) {
            return false;
        }
        sphere.unproject(u, v, lon, lat);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Healpix Setup(const Parameters& p, Definition& d) {
        const double turn = p.number("rot_xy") * (kPi / 180);
        Healpix h = {HealpixSphere::Make(p, d), sin(turn), cos(turn), {}};
        // A zigzag along the north, back along the south; two units of rounding wide.
        const double wide = 1e-15;
        for (int i = 0; i <= 8; ++i) {
            const double x = i == 0 ? -kPi - wide : i == 8 ? kPi + wide : -kPi + i * kQuarterPi;
            const double y = i % 8 == 0 ? kQuarterPi : (i % 2 ? kHalfPi : kQuarterPi) + wide;
            h.corners[i][0] = h.corners[17 - i][0] = x;
            h.corners[i][1] = y;
            h.corners[17 - i][1] = -y;
        }
        h.corners[18][0] = h.corners[0][0];
        h.corners[18][1] = h.corners[0][1];
        return h;
    }
#endif
};

struct RHealpix {
    HealpixSphere sphere;
    int64 north;  // the positions of the polar squares, 0 to 3
    int64 south;
    parameter corners[12][2];

    // (x, y) turned counterclockwise by right angles about (x_0, y_0), which goes to x_1.
    GPU_FUNC static void turn(int64 quarters, real x_0, real y_0, real x_1, real& x, real& y) {
        const real u = x - x_0, v = y - y_0;
        const int64 k = quarters & 3;
        x = (k == 0 ? u : k == 1 ? -v : k == 2 ? -u : v) + x_1;
        y = (k == 0 ? v : k == 1 ? u : k == 2 ? -v : -u) + y_0;
    }

    GPU_FUNC static real tip(int64 cap) { return -3 * kQuarterPi + real(cap) * kHalfPi; }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        sphere.project(lon, lat, x, y);
        if (y > kQuarterPi || y < -kQuarterPi) {
            const bool up = y > 0;
            const int64 cap = x < -kHalfPi ? 0 : x < 0 ? 1 : x < kHalfPi ? 2 : 3;
            const int64 square = up ? north : south;
            turn(up ? cap - square : square - cap, tip(cap), up ? kHalfPi : -kHalfPi, tip(square),
                 x, y);
        }
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        if (!in_polygon(corners, x, y)) {
            return false;
        }
        if (y > kQuarterPi || y < -kQuarterPi) {
            const bool up = y > 0;
            const int64 square = up ? north : south;
            const int64 cap = (square + (up ? northern_turn(x - real(north) * kHalfPi, y)
                                            : southern_turn(x - real(south) * kHalfPi, y))) &
                              3;
            turn(up ? square - cap : cap - square, tip(square), up ? kHalfPi : -kHalfPi, tip(cap),
                 x, y);
        }
        sphere.unproject(x, y, lon, lat);
        return true;
    }

    // Which triangle of a polar square a point is in, counted from the one that stays; the
    // diagonals belong to the triangle that PROJ gives them to.
    GPU_FUNC static int64 northern_turn(real x, real y) {
        const real narrow = rounding(1e-15), falling = -x - kQuarterPi, rising = x + 5 * kQuarterPi;
        return y >= falling - narrow && y < rising - narrow   ? 1
               : y > falling + narrow && y >= rising - narrow ? 2
               : y <= falling + narrow && y > rising + narrow ? 3
                                                              : 0;
    }
    GPU_FUNC static int64 southern_turn(real x, real y) {
        const real narrow = rounding(1e-15), rising = x + kQuarterPi, falling = -x - 5 * kQuarterPi;
        return y <= rising + narrow && y > falling + narrow   ? 1
               : y < rising - narrow && y <= falling + narrow ? 2
               : y >= rising - narrow && y < falling - narrow ? 3
                                                              : 0;
    }

#if GPU_SETUP
    template <class Parameters>
    static RHealpix Setup(const Parameters& p, Definition& d) {
        const long north = p.integer("north_square");
        const long south = p.integer("south_square");
        if (north < 0 || north > 3) {
            p.fail("north_square", "should be 0, 1, 2 or 3");
        }
        if (south < 0 || south > 3) {
            p.fail("south_square", "should be 0, 1, 2 or 3");
        }
        const double wide = 1e-15, low = kQuarterPi + wide, high = 3 * kQuarterPi + wide;
        const double north_west = -kPi + north * kHalfPi - wide;
        const double north_east = -kPi + (north + 1.) * kHalfPi + wide;
        const double south_west = -kPi + south * kHalfPi - wide;
        const double south_east = -kPi + (south + 1.) * kHalfPi + wide;
        return {HealpixSphere::Make(p, d),
                north,
                south,
                {{-kPi - wide, low},
                 {north_west, low},
                 {north_west, high},
                 {north_east, high},
                 {north_east, low},
                 {kPi + wide, low},
                 {kPi + wide, -low},
                 {south_east, -low},
                 {south_east, -high},
                 {south_west, -high},
                 {south_west, -low},
                 {-kPi - wide, -low}}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
