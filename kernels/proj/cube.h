// The sphere on the faces of a cube: Quadrilateralized Spherical Cube, O'Neill and Laubscher
// (1976), "Extended Studies of a Quadrilateralized Spherical Cube Earth Data Base"; S2, Google's S2
// geometry, s2coords.h. An ellipsoid is seen by its geocentric latitude: Lambers and Kolb (2012),
// "Ellipsoidal Cube Maps for Accurate Rendering of Planetary-Scale Terrain Data".
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

// Faces by the direction of their centre: longitude 0, 90, 180, -90, north, south.
enum CubeFace { kFront = 0, kRight = 1, kBack = 2, kLeft = 3, kTop = 4, kBottom = 5 };

// Rounded as in PROJ, for the poles' sake.
GPU_FUNC real geocentric_latitude(real lat, real one_es) {
    return one_es != 1 ? real(atan(one_es * tan(lat))) : lat;
}

// Geographic latitude of a point on the unit sphere. PROJ takes acos and, on an ellipsoid, a
// difference of squares; both lose half of the digits somewhere, this doesn't.
GPU_FUNC real latitude_of(real x, real y, real z, real one_es) {
    return atan2(z, one_es * sqrt(x * x + y * y));
}

#if GPU_SETUP
inline CubeFace FaceOf(const Definition& d) {
    if (d.lat_0 >= kHalfPi - kQuarterPi / 2) {
        return kTop;
    }
    if (d.lat_0 <= -(kHalfPi - kQuarterPi / 2)) {
        return kBottom;
    }
    const double size = d.lon_0 < 0 ? -d.lon_0 : d.lon_0;
    return size <= kQuarterPi             ? kFront
           : size <= kHalfPi + kQuarterPi ? (d.lon_0 > 0 ? kRight : kLeft)
                                          : kBack;
}
#endif

struct QuadrilateralizedSphericalCube {
    int64 face;
    parameter one_es;

    // Longitudes are the central meridian's, where the centre of an equatorial face is.
    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real geocentric = geocentric_latitude(lat, one_es);
        // Cosine of the distance from the face's centre, and the direction from the east
        // counterclockwise.
        real axis, angle;
        if (face == kTop || face == kBottom) {
            axis = cos(face == kTop ? kHalfPi - geocentric : kHalfPi + geocentric);
            angle = face == kTop ? lon - kHalfPi : kHalfPi - lon;
            if (angle > kPi) angle -= kTwoPi;
            if (angle <= -kPi) angle += kTwoPi;
        } else {
            real sine, cosine, sin_lon, cos_lon;
            sin_cos(geocentric, sine, cosine);
            sin_cos(lon, sin_lon, cos_lon);
            axis = cosine * cos_lon;
            angle = acos(axis) < 1e-10 ? real(0) : real(atan2(sine, cosine * sin_lon));
        }
        // The quarter of the face, and the angle in it.
        int quarter = 0;
        if (angle > kQuarterPi && angle <= 3 * kQuarterPi) {
            quarter = 1;
            angle -= kHalfPi;
        } else if (angle > 3 * kQuarterPi || angle <= -3 * kQuarterPi) {
            quarter = 2;
            angle += angle >= 0 ? -kPi : kPi;
        } else if (angle < -kQuarterPi) {
            quarter = 3;
            angle += kHalfPi;
        }
        real sin_angle, cos_angle;
        sin_cos(angle, sin_angle, cos_angle);
        // Eqs. 3-14 and 3-38; tan(mu), and cos(atan(1 / c)) = c / sqrt(1 + c^2).
        const real tan_mu = 12 / kPi * (angle + acos(sin_angle * 0.70710678118654752440) - kHalfPi);
        const real t =
            sqrt((1 - axis) / (1 - cos_angle * reciprocal_sqrt(1 + cos_angle * cos_angle)));
        const real u = t, v = t * tan_mu;
        x = quarter == 0 ? u : quarter == 1 ? -v : quarter == 2 ? -u : v;
        y = quarter == 0 ? v : quarter == 1 ? u : quarter == 2 ? -v : -u;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real size_x = fabs(x), size_y = fabs(y);
        const int quarter = x >= 0 && x >= size_y   ? 0
                            : y >= 0 && y >= size_x ? 1
                            : x < 0 && -x >= size_y ? 2
                                                    : 3;
        const real u = quarter == 0 ? x : quarter == 1 ? y : quarter == 2 ? -x : -y;
        const real v = quarter == 0 ? y : quarter == 1 ? -x : quarter == 2 ? -y : x;
        real sin_t, cos_t;
        sin_cos(u == 0 && v == 0 ? real(0) : real(kPi / 12 * (v / u)), sin_t, cos_t);
        const real slope = sin_t / (cos_t - 0.70710678118654752440);
        const real cos_angle = reciprocal_sqrt(1 + slope * slope);
        const real sin_angle = slope * cos_angle;
        const real fall = u * u * (1 - cos_angle * reciprocal_sqrt(1 + cos_angle * cos_angle));
        const real axis = fall > 2 ? real(-1) : 1 - fall;
        const real sin_distance = axis <= -1 ? real(0) : real(sqrt(fall * (1 + axis)));
        const real a = sin_distance * cos_angle, b = sin_distance * sin_angle;
        const real east = quarter == 0 ? a : quarter == 1 ? -b : quarter == 2 ? -a : b;
        const real north = quarter == 0 ? b : quarter == 1 ? a : quarter == 2 ? -b : -a;
        const bool top = face == kTop, bottom = face == kBottom;
        const real px = top ? -north : bottom ? north : axis;
        const real pz = top ? axis : bottom ? -axis : north;
        lon = fall == 0 && (top || bottom) ? real(kHalfPi) : real(atan2(east, px));
        lat = latitude_of(px, east, pz, one_es);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static QuadrilateralizedSphericalCube Setup(const Parameters&, Definition& d) {
        return {FaceOf(d), d.ellipsoid.one_es};
    }
#endif
};

struct S2 {
    int64 face;
    int64 warp;  // of the coordinates on a face: 0 linear, 1 quadratic, 2 tangent, 3 none
    parameter one_es;

    GPU_FUNC real to_st(real u) const {
        return warp == 0   ? 0.5 * (u + 1)
               : warp == 1 ? (u >= 0 ? 0.5 * sqrt(1 + 3 * u) : 1 - 0.5 * sqrt(1 - 3 * u))
               : warp == 2 ? 2 / kPi * (atan(u) + kQuarterPi)
                           : u;
    }

    GPU_FUNC real from_st(real s) const {
        return warp == 0 ? 2 * s - 1
               : warp == 1
                   ? (s >= 0.5 ? 1. / 3 * (4 * s * s - 1) : 1. / 3 * (1 - 4 * (1 - s) * (1 - s)))
               : warp == 2 ? real(tan(kHalfPi * s - kQuarterPi))
                           : s;
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real px, py, pz, cosine;
        sin_cos(geocentric_latitude(lat, one_es), pz, cosine);
        sin_cos(lon, py, px);
        px *= cosine;
        py *= cosine;
        const real axis = face == kFront || face == kBack   ? px
                          : face == kRight || face == kLeft ? py
                                                            : pz;
        const real u = face == kFront                   ? py
                       : face == kBottom                ? -py
                       : face == kBack || face == kLeft ? pz
                                                        : -px;
        const real v = face == kFront || face == kRight ? pz
                       : face == kTop                   ? -py
                       : face == kBack                  ? py
                                                        : -px;
        x = to_st(u / axis);
        y = to_st(v / axis);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real u = from_st(x), v = from_st(y);
        const real px = face == kFront                   ? real(1)
                        : face == kBack                  ? real(-1)
                        : face == kRight || face == kTop ? -u
                                                         : v;
        const real py = face == kRight                  ? real(1)
                        : face == kLeft                 ? real(-1)
                        : face == kTop || face == kBack ? -v
                                                        : u;
        const real pz = face == kTop                     ? real(1)
                        : face == kBottom                ? real(-1)
                        : face == kBack || face == kLeft ? -u
                                                         : v;
        lon = atan2(py, px);
        lat = latitude_of(px, py, pz, one_es);
        return true;
    }

#if GPU_SETUP
    // Longitudes are Greenwich's whatever the central meridian, which chooses the face alone; plane
    // coordinates are the face's own.
    template <class Parameters>
    static S2 Setup(const Parameters& p, Definition& d) {
        const char* const warps[] = {"linear", "quadratic", "tangent", "none"};
        int64 warp = p.has("UVtoST") ? -1 : 1;
        for (int i = 0; i < 4; ++i) {
            if (p.is("UVtoST", warps[i])) warp = i;
        }
        if (warp < 0) {
            p.fail("UVtoST", "should be linear, quadratic, tangent or none");
        }
        if (p.has("pm")) {
            p.fail("pm", "means nothing to s2");
        }
        const int64 face = FaceOf(d);
        d.lon_0 = 0;
        d.ellipsoid.a = 1;
        return {face, warp, d.ellipsoid.one_es};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
