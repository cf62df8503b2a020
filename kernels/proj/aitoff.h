// Aitoff and Winkel Tripel: Snyder and Voxland (1989), "An Album of Map Projections", p. 232 f. The
// inverse is Newton's method in two dimensions: Bildirici and Ipbuker (2002), "A General Algorithm
// for the Inverse Transformation of Map Projections Using Jacobian Matrices".
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Aitoff {
    int64 winkel;     // 1: Winkel Tripel, the mean with the equidistant cylindrical projection
    parameter cos_1;  // of its standard parallel
    int64 exact;      // 1: the forward projection keeps its digits next to the origin

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (exact) {
            real sine, cosine, sin_half, cos_half;
            sin_cos(lat, sine, cosine);
            sin_cos(0.5 * lon, sin_half, cos_half);
            const real east = cosine * sin_half;
            const real sin_d = sqrt(east * east + sine * sine);
            const real k = sin_d == 0 ? real(1) : real(atan2(sin_d, cosine * cos_half) / sin_d);
            finish(lon, lat, k, east, sine, x, y);
        } else {
            by_arc_cosine(lon, lat, x, y);
        }
        return true;
    }

    GPU_FUNC void by_arc_cosine(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_half, cos_half;
        sin_cos(lat, sine, cosine);
        sin_cos(0.5 * lon, sin_half, cos_half);
        const real d = acos(cosine * cos_half);
        finish(lon, lat, d != 0 ? d / sin(d) : real(0), cosine * sin_half, sine, x, y);
    }

    // k: the arc from the centre by its sine.
    GPU_FUNC void finish(real lon, real lat, real k, real east, real sine, real& x, real& y) const {
        x = 2 * k * east;
        y = k * sine;
        if (winkel) {
            x = (x + lon * cos_1) * 0.5;
            y = (y + lat) * 0.5;
        }
    }

    // Outside the map whatever the iteration ends with, as in PROJ: eleven steps, up to 21 times.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real small = tolerance(1e-12);
        lon = lat = 0;
        if (fabs(x) < small && fabs(y) < small) {
            return true;
        }
        lat = y;
        lon = x;
        int round = 0, step = 0;
        for (;;) {
            for (step = 0;; ++step) {
                real d_lon, d_lat;
                if (!newton_step(x, y, lon, lat, d_lon, d_lat)) {
                    return false;
                }
                lat -= d_lat;
                lon -= d_lon;
                if (!(fabs(d_lat) > small || fabs(d_lon) > small) || step >= 10) {
                    step += fabs(d_lat) > small || fabs(d_lon) > small;
                    break;
                }
            }
            // The mirror image across a pole.
            if (lat > kHalfPi) lat -= 2 * (lat - kHalfPi);
            if (lat < -kHalfPi) lat -= 2 * (lat + kHalfPi);
            if (!winkel && fabs(fabs(lat) - kHalfPi) < small) lon = 0;
            real reached_x, reached_y;
            by_arc_cosine(lon, lat, reached_x, reached_y);
            if (!(fabs(x - reached_x) > small || fabs(y - reached_y) > small)) {
                break;
            }
            if (round++ >= 20) {
                break;
            }
        }
        return !(step == 10 && round == 20);
    }

    GPU_FUNC bool newton_step(real x, real y, real lon, real lat, real& d_lon, real& d_lat) const {
        real sine, cosine, sin_half, cos_half;
        sin_cos(lat, sine, cosine);
        sin_cos(0.5 * lon, sin_half, cos_half);
        const real cos_d = cosine * cos_half;
        const real c = 1 - cos_d * cos_d;
        const real power = c * sqrt(c);
        if (power == 0) {
            return false;
        }
        const real d = acos(cos_d) / power;
        real east = 2 * d * c * cosine * sin_half;
        real north = d * c * sine;
        real east_lat = 2 * (sin_half * cos_half * sine * cosine / c - d * sine * sin_half);
        real east_lon =
            cosine * cosine * sin_half * sin_half / c + d * cosine * cos_half * sine * sine;
        real north_lat = sine * sine * cos_half / c + d * sin_half * sin_half * cosine;
        real north_lon =
            0.5 * (sine * cosine * sin_half / c - d * sine * cosine * cosine * sin_half * cos_half);
        if (winkel) {
            east = 0.5 * (east + lon * cos_1);
            north = 0.5 * (north + lat);
            east_lat *= 0.5;
            east_lon = 0.5 * (east_lon + cos_1);
            north_lat = 0.5 * (north_lat + 1);
            north_lon *= 0.5;
        }
        east -= x;
        north -= y;
        const real determinant = east_lat * north_lon - north_lat * east_lon;
        d_lon = fmod((north * east_lat - east * north_lat) / determinant, kPi);
        d_lat = (east * north_lon - north * east_lon) / determinant;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Aitoff Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0, 0, 0};
    }
#endif
};

// With the inverse in closed form: Snyder (1987), "Map Projections: A Working Manual", pp. 195 to
// 197, of the oblique aspect's half.
struct AitoffInClosedForm : Aitoff {
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real half = 0.5 * x;
        const real arc = sqrt(half * half + y * y);
        real sine, cosine;
        sin_cos(arc, sine, cosine);
        if (arc > kPi || sine < 0) {
            return false;
        }
        lat = arc == 0 ? y : real(asin(clamp_sine(y / arc * sine)));
        lon = 2 * atan2(half * sine, arc * cosine);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static AitoffInClosedForm Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{0, 0, 1}};
    }
#endif
};

struct WinkelTripel : Aitoff {
#if GPU_SETUP
    template <class Parameters>
    static WinkelTripel Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        const double cos_1 = p.has("lat_1") ? cos(p.angle("lat_1")) : 0.636619772367581343;
        if (cos_1 == 0) {
            p.fail("lat_1", "should be within 90 degrees");
        }
        return {{1, cos_1, p.rules().aitoff_in_closed_form ? 1 : 0}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
