// Orthographic: on a sphere Snyder (1987), "Map Projections: A Working Manual", eqs. 20-1 to
// 20-19; on an ellipsoid IOGP Guidance Note 7-2, section 3.3.5.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct OrthographicSphere {
    parameter pole;
    parameter lat_0;
    parameter sin_0;
    parameter cos_0;
    parameter sin_turn;  // of the map (Local Orthographic)
    parameter cos_turn;
    parameter k_0;

    // Only where there is something to do: a NaN stays in its place.
    GPU_FUNC bool is_turned() const { return sin_turn != 0 || k_0 != 1; }

    GPU_FUNC void turn(real& x, real& y) const {
        if (!is_turned()) {
            return;
        }
        const real turned = k_0 * (x * cos_turn - y * sin_turn);
        y = k_0 * (x * sin_turn + y * cos_turn);
        x = turned;
    }

    GPU_FUNC void turn_back(real& x, real& y) const {
        if (!is_turned()) {
            return;
        }
        const real turned = (x * cos_turn + y * sin_turn) / k_0;
        y = (y * cos_turn - x * sin_turn) / k_0;
        x = turned;
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        x = cosine * sin_lon;
        if (pole != 0) {
            y = -pole * cosine * cos_lon;
            turn(x, y);
            return !(fabs(lat - lat_0) - 1e-10 > kHalfPi);
        }
        y = cos_0 * sine - sin_0 * cosine * cos_lon;
        turn(x, y);
        return !(sin_0 * sine + cos_0 * cosine * cos_lon < -1e-10);
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        turn_back(x, y);
        const real rho = sqrt(x * x + y * y);
        if (rho - 1 > rounding(1e-10)) {
            return false;
        }
        if (rho <= 1e-10) {
            lon = 0;
            lat = lat_0;
            return true;
        }
        const real sin_c = rho > 1 ? real(1) : rho;
        if (pole != 0) {
            lat = pole * acos(sin_c);
            lon = atan2(x, -pole * y);
            return true;
        }
        const real cos_c = sqrt(1 - sin_c * sin_c);
        const real sine = cos_c * sin_0 + y * sin_c * cos_0 / rho;
        lat = asin(clamp_sine(sine));
        const real opposite = x * sin_c * cos_0;
        const real adjacent = (cos_c - sin_0 * sine) * rho;
        lon = adjacent != 0 || opposite != 0 ? real(atan2(opposite, adjacent)) : real(0);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static OrthographicSphere Setup(const Parameters& p, Definition& d) {
        return Make(p, d);
    }

    template <class Parameters>
    static OrthographicSphere Make(const Parameters& p, const Definition& d) {
        const double lat_0 = d.lat_0;
        const bool turns = p.rules().ortho_is_local;
        const double alpha = turns ? p.angle("alpha") : 0;
        const bool equatorial = fabs(lat_0) <= 1e-10;
        const bool polar = fabs(fabs(lat_0) - kHalfPi) <= 1e-10;
        return {polar ? (lat_0 < 0 ? -1. : 1.) : 0.,
                lat_0,
                equatorial ? 0. : sin(lat_0),
                equatorial ? 1. : cos(lat_0),
                sin(alpha),
                cos(alpha),
                turns ? d.k_0 : 1};
    }
#endif
};

struct Orthographic {
    OrthographicSphere sphere;
    parameter sin_0;
    parameter cos_0;
    parameter es;
    parameter one_es;
    parameter a_over_b2;  // its square
    parameter normal_0;   // radius of curvature in the prime vertical, of the centre
    parameter y_shift;    // of the ellipse that the limb is seen as
    parameter r_y_scale;
    int64 equatorial;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        if (sin_0 * sine + cos_0 * cosine * cos_lon < -1e-10) {
            return false;
        }
        project(sine, cosine, sin_lon, cos_lon, reciprocal_sqrt(1 - es * sine * sine), x, y);
        sphere.turn(x, y);
        return true;
    }

    GPU_FUNC void project(real sine, real cosine, real sin_lon, real cos_lon, real normal, real& x,
                          real& y) const {
        x = normal * cosine * sin_lon;
        y = normal * (sine * cos_0 - cosine * sin_0 * cos_lon) +
            es * (normal_0 * sin_0 - normal * sine) * cos_0;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        sphere.turn_back(x, y);
        return sphere.pole != 0  ? inverse_polar(x, y, lon, lat)
               : equatorial != 0 ? inverse_equatorial(x, y, lon, lat)
                                 : inverse_oblique(x, y, lon, lat);
    }

    // rho is the parallel's radius.
    GPU_FUNC bool inverse_polar(real x, real y, real& lon, real& lat) const {
        const real rho2 = x * x + y * y;
        if (rho2 - 1 > rounding(1e-10)) {
            return false;
        }
        lat = rho2 >= 1 - rounding(1e-15)
                  ? real(0)
                  : real(sphere.pole * acos(sqrt(rho2 * one_es / (1 - es * rho2))));
        lon = atan2(x, -sphere.pole * y);
        return true;
    }

    GPU_FUNC bool inverse_equatorial(real x, real y, real& lon, real& lat) const {
        if (x * x + y * y * a_over_b2 > 1 + rounding(1e-11)) {
            return false;
        }
        // y = (1 - es) N sin(lat)
        const real sine2 = y == 0 ? real(0) : real(y * y / (one_es * one_es + es * y * y));
        if (sine2 > 1 - 1e-11) {
            lat = copysign(real(kHalfPi), y);
            lon = 0;
            return true;
        }
        lat = y > 0 ? real(asin(sqrt(sine2))) : real(-asin(sqrt(sine2)));
        const real sin_lon = x * sqrt((1 - es * sine2) / (1 - sine2));
        lon = fabs(sin_lon) - 1 > -rounding(1e-15) ? real(copysign(real(kHalfPi), x))
                                                   : real(asin(sin_lon));
        return true;
    }

    // Newton's method from the sphere's solution, seen in the limb's own scale; false where twenty
    // steps don't reach 1e-12.
    GPU_FUNC bool inverse_oblique(real x, real y, real& lon, real& lat) const {
        const real centred = (y - y_shift) * r_y_scale;
        if (x * x + centred * centred > 1 + rounding(1e-11)) {
            return false;
        }
        // PROJ turns its guess once more.
        if (!sphere.inverse(x, centred, lon, lat)) {
            return false;
        }
        for (int i = 0; i < 20; ++i) {
            real sine, cosine, sin_lon, cos_lon, reached_x, reached_y;
            sin_cos(lat, sine, cosine);
            sin_cos(lon, sin_lon, cos_lon);
            const real w = 1 - es * sine * sine;
            const real normal = reciprocal_sqrt(w);
            project(sine, cosine, sin_lon, cos_lon, normal, reached_x, reached_y);
            const real meridian = one_es * normal / w;
            const real x_lat = -meridian * sine * sin_lon;
            const real x_lon = normal * cosine * cos_lon;
            const real y_lat = meridian * (cosine * cos_0 + sine * sin_0 * cos_lon);
            const real y_lon = normal * sin_0 * cosine * sin_lon;
            const real determinant = x_lat * y_lon - x_lon * y_lat;
            const real dx = x - reached_x;
            const real dy = y - reached_y;
            const real d_lat = (y_lon * dx - x_lon * dy) / determinant;
            const real d_lon = (x_lat * dy - y_lat * dx) / determinant;
            lat += d_lat;
            if (fabs(lat) > kHalfPi) {
                lat = copysign(real(kPi), lat) - lat;
                lon = wrap_longitude(lon + kPi);
            }
            lon += d_lon;
            if (fabs(d_lat) < tolerance(1e-12) && fabs(d_lon) < tolerance(1e-12)) {
                return true;
            }
        }
        return false;
    }

#if GPU_SETUP
    template <class Parameters>
    static Orthographic Setup(const Parameters& p, Definition& d) {
        const double es = d.ellipsoid.es;
        Orthographic o = {};
        o.sphere = OrthographicSphere::Make(p, d);
        o.equatorial = fabs(d.lat_0) <= 1e-10;
        o.sin_0 = sin(d.lat_0);
        o.cos_0 = cos(d.lat_0);
        o.es = es;
        o.one_es = 1 - es;
        o.a_over_b2 = d.ellipsoid.a / d.ellipsoid.b * (d.ellipsoid.a / d.ellipsoid.b);
        o.normal_0 = 1 / sqrt(1 - es * o.sin_0 * o.sin_0);
        o.y_shift = es * o.normal_0 * o.sin_0 * o.cos_0;
        o.r_y_scale = sqrt(1 - es * o.cos_0 * o.cos_0);
        return o;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
