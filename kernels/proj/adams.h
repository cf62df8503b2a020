// The sphere on a square by an elliptic integral: Guyou, Adams and Peirce, as Adams (1925),
// "Elliptic functions applied to conformal world maps", US Coast and Geodetic Survey, Special
// Publication 112.
#pragma once

#define GPU_UNFUSED

#include "proj/definition.h"
#include "proj/generic_inverse.h"

namespace kernels {
namespace proj {

constexpr double kRootHalf = 0.7071067811865475244;
constexpr double kSquareSide = 2 * 1.8540746773013719;  // 2 K(1 / sqrt(2))

// The elliptic integral of the first kind, modulus squared 1 / 2, by a Chebyshev series good to
// 1e-7: its coefficients are Evenden's (PROJ), for PROJ's results.
GPU_FUNC real elliptic_integral(real angle) {
    real y = angle * (2 / kPi);
    y = 2 * y * y - 1;
    const real r = 2 * y;
    const real b7 = -8.58691003636495e-07;
    const real b6 = r * b7 + 2.02692115653689e-07;
    const real b5 = r * b6 - b7 + 3.12960480765314e-05;
    const real b4 = r * b5 - b6 + 5.30394739921063e-05;
    const real b3 = r * b4 - b5 - 0.0012804644680613;
    const real b2 = r * b3 - b4 - 0.00575574836830288;
    const real b1 = r * b2 - b3 + 0.0914203033408211;
    return angle * (y * b1 - b2 + 0.5 * 2.19174570831038);
}

// acos of a value that rounding may have put beyond 1.
GPU_FUNC real safe_acos(real value) { return acos(clamp_sine(value)); }

// From two arcs a and b, and the signs of x and y, to the square that stands upright.
GPU_FUNC void square_from_arcs(real a, real b, bool west, bool south, real& x, real& y) {
    const real sum = cos(a + b), difference = cos(a - b);
    const real m = asin(clamp_sine(sqrt(1 + (sum < 0 ? sum : real(0)))));
    const real n = asin(clamp_sine(sqrt(fabs(1 - (difference > 0 ? difference : real(0))))));
    x = elliptic_integral(west ? -m : m);
    y = elliptic_integral(south ? -n : n);
}

GPU_FUNC void turn_by_45(real& x, real& y) {
    const real turned = kRootHalf * (x - y);
    y = kRootHalf * (x + y);
    x = turned;
}

struct Guyou {
    int64 unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (fabs(lon) - 1e-9 > kHalfPi) {
            return false;
        }
        if (fabs(fabs(lat) - kHalfPi) < 1e-9) {
            x = 0;
            y = lat < 0 ? -1.85407 : 1.85407;
            return true;
        }
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        const real east = cosine * sin(lon);
        square_from_arcs(safe_acos((east - sine) * kRootHalf), safe_acos((east + sine) * kRootHalf),
                         lon < 0, lat < 0, x, y);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Guyou Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

struct AdamsHemisphere {
    int64 unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (fabs(lon) - 1e-9 > kHalfPi) {
            return false;
        }
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        const real east = cosine * sin(lon);
        square_from_arcs(safe_acos(east), kHalfPi - lat, sine + east < 0, sine - east < 0, x, y);
        turn_by_45(x, y);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static AdamsHemisphere Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

struct AdamsWorld1 {
    int64 unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real north = tan(0.5 * lat);
        const real east = cos(asin(clamp_sine(north))) * sin(0.5 * lon);
        square_from_arcs(safe_acos((east - north) * kRootHalf),
                         safe_acos((east + north) * kRootHalf), lon < 0, lat < 0, x, y);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static AdamsWorld1 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

struct AdamsWorld2 {
    int64 leaves_axes;  // of the inverse

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real north = tan(0.5 * lat);
        const real east = cos(asin(clamp_sine(north))) * sin(0.5 * lon);
        square_from_arcs(safe_acos(east), safe_acos(north), north + east < 0, north - east < 0, x,
                         y);
        turn_by_45(x, y);
        return true;
    }

    // From a guess that is exact at the ends of the axes.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = clamp(y / 2.62181347, -1, 1) * kHalfPi;
        lon = fabs(lat) >= kHalfPi ? real(0) : real(clamp(x / 2.62205760 / cos(lat), -1, 1) * kPi);
        return improve_inverse(*this, x, y, 1e-10, leaves_axes != 0, lon, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static AdamsWorld2 Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        return {p.rules().generic_inverse_leaves_axes};
    }
#endif
};

// Peirce Quincuncial, the two hemispheres on squares around the north pole; shapes differ by where
// the southern one goes.
struct PeirceHemispheres {
    GPU_FUNC static void project(real lon, real lat, real& x, real& y) {
        real sin_lon, cos_lon;
        sin_cos(lon, sin_lon, cos_lon);
        const real cosine = cos(lat);
        square_from_arcs(safe_acos(cosine * (sin_lon + cos_lon) * kRootHalf),
                         safe_acos(cosine * (sin_lon - cos_lon) * kRootHalf), sin_lon<0, cos_lon> 0,
                         x, y);
    }

    // The southern quarters unfold at the equator.
    GPU_FUNC static void unfold(real lon, real lat, real& x, real& y) {
        project(lon, lat, x, y);
        if (!(lat < 0)) {
            return;
        }
        if (lon < -0.75 * kPi || lon >= 0.75 * kPi) {
            y = kSquareSide - y;
        } else if (lon < -0.25 * kPi) {
            x = -kSquareSide - x;
        } else if (lon < 0.25 * kPi) {
            y = -kSquareSide - y;
        } else if (lon < 0.75 * kPi) {
            x = kSquareSide - x;
        }
    }
};

struct PeirceDiamond {
    int64 leaves_axes;  // of the inverse

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        PeirceHemispheres::unfold(lon, lat, x, y);
        return true;
    }

    // Newton's method from PROJ's guesses, a point a quarter.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = 0;
        if (x >= 0 && y <= 0) {
            lon = kQuarterPi;
            if (x > 0 && y == 0) {
                lon = kHalfPi;
            } else if (x == 0 && y == 0) {
                lon = 0;
                lat = kHalfPi;
                return true;
            } else if (x == 0 && y < 0) {
                lon = 0;
                lat = kQuarterPi;
            }
        } else {
            lon = x >= 0 && y >= 0   ? 3 * kQuarterPi
                  : x <= 0 && y >= 0 ? -3 * kQuarterPi
                                     : -kQuarterPi;
        }
        const real limit = 0.5 * kSquareSide + 1e-3;
        if (fabs(x) > limit || fabs(y) > limit) lat = -kQuarterPi;
        return improve_inverse(*this, x, y, 1e-10, leaves_axes != 0, lon, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static PeirceDiamond Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        return {p.rules().generic_inverse_leaves_axes};
    }
#endif
};

struct PeirceSquare {
    int64 leaves_axes;  // of the inverse

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        PeirceHemispheres::unfold(lon, lat, x, y);
        turn_by_45(x, y);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const bool on_x = fabs(y) < 1e-7;
        lat = 0;
        if (x == 0 && y < 0) {
            lon = -kQuarterPi;
            if (fabs(y) < 2.622057580396) lat = kQuarterPi;
        } else if (x > 0 && on_x) {
            lon = kQuarterPi;
        } else if (x < 0 && on_x) {
            lon = -3 * kQuarterPi;
            lat = kHalfPi / 2.622057574224 * x + kHalfPi;
        } else if (fabs(x) < 1e-7 && y > 0) {
            lon = 3 * kQuarterPi;
        } else if (x >= 0 && y <= 0) {
            lon = 0;
            if (x == 0 && y == 0) {
                lat = kHalfPi;
                return true;
            }
        } else if (x >= 0 && y >= 0) {
            lon = kHalfPi;
        } else if (x <= 0 && y >= 0) {
            lon = fabs(x) < fabs(y) ? kPi * 0.9 : -kPi * 0.9;
        } else {
            lon = -kHalfPi;
        }
        return improve_inverse(*this, x, y, 1e-10, leaves_axes != 0, lon, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static PeirceSquare Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        return {p.rules().generic_inverse_leaves_axes};
    }
#endif
};

// One hemisphere alone.
struct PeirceHemisphere {
    parameter side;  // 1: the northern, -1: the southern

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (side > 0 ? lat < -1e-9 : lat > -1e-9) {
            return false;
        }
        PeirceHemispheres::project(lon, lat, x, y);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static PeirceHemisphere Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        return {p.is("shape", "nhemisphere") ? 1. : -1.};
    }
#endif
};

// Both hemispheres side by side: a rectangle, which may be scrolled along its length.
struct PeirceRectangle {
    int64 vertical;
    parameter scroll;  // of the whole length

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        PeirceHemispheres::project(lon, lat, x, y);
        real along = vertical ? y : x;
        if (lat < 0) along = kSquareSide - along;
        along -= 0.5 * kSquareSide;
        if (scroll != 0) {
            along += scroll * (2 * kSquareSide);
            if (along >= kSquareSide) {
                along -= 2 * kSquareSide;
            } else if (along < -kSquareSide) {
                along += 2 * kSquareSide;
            }
        }
        x = vertical ? x : along;
        y = vertical ? along : y;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static PeirceRectangle Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        const bool vertical = p.is("shape", "vertical");
        const char* const name = vertical ? "scrolly" : "scrollx";
        const double scroll = p.number(name);
        if (scroll > 1 || scroll < -1) {
            p.fail(name, "should be within 1");
        }
        return {vertical, scroll};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
