// Modified Polyconic of the International Map of the World: Snyder (1987), "Map Projections: A
// Working Manual", eqs. 18-22 to 18-51.
#pragma once

#include "proj/meridian_arc.h"

namespace kernels {
namespace proj {

struct InternationalMapPolyconic {
    parameter es;
    parameter p;  // Snyder's P, Q, P' and Q': meridian length to the points of the outer meridian
    parameter q;
    parameter p_prime;
    parameter q_prime;
    parameter radius_1;  // of the southern parallel, 0: the equator
    parameter radius_2;
    parameter sin_1;
    parameter sin_2;
    parameter c_2;  // where the northern parallel crosses the central meridian
    parameter lat_1;
    parameter lat_2;
    parameter cos_2;
    MeridianArc arc;

    // The southern parallel's y at this longitude comes along.
    GPU_FUNC void project(real lon, real lat, real& x, real& y, real& y_south) const {
        if (lat == 0) {
            x = lon;
            y = 0;
            return;
        }
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        const real m = arc.length(lat, sine, cosine);
        const real x_a = p_prime + q_prime * m;
        const real y_a = p + q * m;
        const real radius = cosine / (sine * sqrt(1 - es * sine * sine));
        const real chord = sqrt(radius * radius - x_a * x_a);
        const real c = (lat < 0 ? -chord : chord) + y_a - radius;
        real x_b = lon, y_b = c_2, x_c = lon;
        y_south = 0;
        if (radius_2 != 0) {
            parallel(lon * sin_2, radius_2, x_b, y_b);
            y_b += c_2;
        }
        if (radius_1 != 0) {
            parallel(lon * sin_1, radius_1, x_c, y_south);
        }
        const real d = (x_b - x_c) / (y_b - y_south);
        const real b = x_c + d * (c + radius - y_south);
        const real root = d * sqrt(radius * radius * (1 + d * d) - b * b);
        x = (b + (lat > 0 ? -root : root)) / (1 + d * d);
        const real height = sqrt(radius * radius - x * x);
        y = (lat > 0 ? -height : height) + c + radius;
    }

    // From the parallel's circle: x, and y above its crossing of the central meridian.
    GPU_FUNC static void parallel(real angle, real radius, real& x, real& y) {
        real sine, cosine;
        sin_cos(angle, sine, cosine);
        x = radius * sine;
        y = radius * (1 - cosine);
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real y_south;
        project(lon, lat, x, y, y_south);
        return true;
    }

    // False where a thousand steps don't reach 1e-10; NaN ends the iteration.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = lat_2;
        lon = x / cos_2;
        real y_south = 0;
        for (int i = 0; i < 999; ++i) {
            real at_x, at_y;
            project(lon, lat, at_x, at_y, y_south);
            const real height = at_y - y_south;
            const bool off_x = fabs(at_x - x) > tolerance(1e-10);
            const bool off_y = fabs(at_y - y) > tolerance(1e-10);
            if (height == 0 && off_y) {
                return false;
            }
            if (height != 0) {
                lat = (lat - lat_1) * (y - y_south) / height + lat_1;
            }
            if (at_x != 0 && off_x) {
                lon = lon * x / at_x;
            }
            if (!off_x && !off_y) {
                return true;
            }
        }
        return false;
    }

#if GPU_SETUP
    template <class Parameters>
    static InternationalMapPolyconic Setup(const Parameters& p, Definition& d) {
        if (!p.has("lat_1") || !p.has("lat_2")) {
            p.fail(p.has("lat_1") ? "lat_2" : "lat_1", "is missing");
        }
        const double es = d.ellipsoid.es;
        const double first = p.angle("lat_1"), second = p.angle("lat_2");
        if (fabs(0.5 * (first - second)) < 1e-10 || fabs(0.5 * (first + second)) < 1e-10) {
            p.fail("lat_2", "should be neither lat_1 nor its opposite");
        }
        const double middle = fabs(0.5 * (first + second)) * (180 / kPi);
        const double lon_1 = p.has("lon_1") ? p.angle("lon_1")
                                            : (middle <= 60   ? 2
                                               : middle <= 76 ? 4
                                                              : 8) *
                                                  (kPi / 180);
        InternationalMapPolyconic w = {};
        w.es = es;
        w.lat_1 = first < second ? first : second;
        w.lat_2 = first < second ? second : first;
        w.cos_2 = cos(w.lat_2);
        w.arc = MeridianArc::Setup(p, d.ellipsoid);
        double x_1 = lon_1, y_1 = 0, x_2 = lon_1, rise_2 = 0;
        const auto outer = [&](double lat, double& sine, double& radius, double& x, double& y) {
            if (lat != 0) {
                sine = sin(lat);
                radius = 1 / (tan(lat) * sqrt(1 - es * sine * sine));
                parallel(lon_1 * sine, radius, x, y);
            }
        };
        outer(w.lat_1, w.sin_1, w.radius_1, x_1, y_1);
        outer(w.lat_2, w.sin_2, w.radius_2, x_2, rise_2);
        const double m_1 = w.arc.length(w.lat_1, w.sin_1, cos(w.lat_1));
        const double m_2 = w.arc.length(w.lat_2, w.sin_2, w.cos_2);
        const double length = m_2 - m_1;
        const double y_2 = sqrt(length * length - (x_2 - x_1) * (x_2 - x_1)) + y_1;
        w.c_2 = y_2 - rise_2;
        w.p = (m_2 * y_1 - m_1 * y_2) / length;
        w.q = (y_2 - y_1) / length;
        w.p_prime = (m_2 * x_1 - m_1 * x_2) / length;
        w.q_prime = (x_2 - x_1) / length;
        return w;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
