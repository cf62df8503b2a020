// Chamberlin Trimetric, forward alone: Snyder and Voxland (1989), "An Album of Map Projections", p.
// 234: the mean of the intersections of arcs around three control points.
#pragma once

#define GPU_UNFUSED

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct ChamberlinTrimetric {
    struct Control {
        parameter lon;
        parameter lat;
        parameter sine;
        parameter cosine;
        parameter distance;  // to the next control point
        parameter azimuth;
        parameter x;
        parameter y;
    };
    Control control[3];
    parameter x;
    parameter y;
    parameter beta_1;
    parameter beta_2;

    // acos as PROJ takes it: 0 or pi for a value up to 1e-14 beyond 1, else `valid` turns false.
    GPU_FUNC static real arc_cosine(real value, bool& valid) {
        valid = valid && !(fabs(value) > 1.00000000000001);
        return acos(clamp_sine(value));
    }

    // Distance and azimuth from a control point; both 0 within 1e-9, and for NaN.
    GPU_FUNC static void vector_to(const Control& from, real d_lon, real lat, real sine,
                                   real cosine, real& distance, real& azimuth, bool& valid) {
        const real d_lat = lat - from.lat;
        real sin_lon, cos_lon;
        sin_cos(d_lon, sin_lon, cos_lon);
        if (fabs(d_lat) > 1 || fabs(d_lon) > 1) {
            distance = arc_cosine(from.sine * sine + from.cosine * cosine * cos_lon, valid);
        } else {
            const real u = sin(0.5 * d_lat), v = sin(0.5 * d_lon);
            distance = 2 * asin(clamp_sine(sqrt(u * u + from.cosine * cosine * v * v)));
        }
        azimuth = atan2(cosine * sin_lon, from.cosine * sine - from.sine * cosine * cos_lon);
        if (!(fabs(distance) > 1e-9)) {
            distance = azimuth = 0;
        }
    }

    // The angle between sides b and c, opposite a, of a plane triangle.
    GPU_FUNC static real angle_of(real b, real c, real a, bool& valid) {
        return arc_cosine(0.5 * (b * b + c * c - a * a) / (b * c), valid);
    }

    GPU_FUNC bool forward(real lon, real lat, real& east, real& north) const {
        real sine, cosine, distance[3], azimuth[3];
        sin_cos(lat, sine, cosine);
        bool valid = true;
        for (int i = 0; i < 3; ++i) {
            vector_to(control[i], lon - control[i].lon, lat, sine, cosine, distance[i], azimuth[i],
                      valid);
            if (distance[i] == 0) {
                east = control[i].x;
                north = control[i].y;
                return valid;
            }
            azimuth[i] = wrap_longitude(azimuth[i] - control[i].azimuth);
        }
        real turned, s, c;
        turned = angle_of(control[0].distance, distance[0], distance[1], valid);
        sin_cos(azimuth[0] < 0 ? -turned : turned, s, c);
        east = x + distance[0] * c;
        north = y - distance[0] * s;
        turned = angle_of(control[1].distance, distance[1], distance[2], valid);
        sin_cos(beta_1 - (azimuth[1] < 0 ? -turned : turned), s, c);
        east -= distance[1] * c;
        north -= distance[1] * s;
        turned = angle_of(control[2].distance, distance[2], distance[0], valid);
        sin_cos(beta_2 - (azimuth[2] < 0 ? -turned : turned), s, c);
        east = (east + distance[2] * c) * (1. / 3);
        north = (north + distance[2] * s) * (1. / 3);
        return valid;
    }

#if GPU_SETUP
    template <class Parameters>
    static ChamberlinTrimetric Setup(const Parameters& p, Definition& d) {
        ChamberlinTrimetric t = {};
        const char* lats[] = {"lat_1", "lat_2", "lat_3"};
        const char* lons[] = {"lon_1", "lon_2", "lon_3"};
        for (int i = 0; i < 3; ++i) {
            Control& c = t.control[i];
            c.lat = p.angle(lats[i]);
            c.lon = wrap_longitude(p.angle(lons[i]) - d.lon_0);
            c.sine = sin(c.lat);
            c.cosine = cos(c.lat);
        }
        bool valid = true;
        for (int i = 0; i < 3; ++i) {
            Control& c = t.control[i];
            const Control& next = t.control[i == 2 ? 0 : i + 1];
            vector_to(c, next.lon - c.lon, next.lat, next.sine, next.cosine, c.distance, c.azimuth,
                      valid);
            if (c.distance == 0) {
                p.fail(lats[i], "and the other control points should be distinct");
            }
        }
        Control* c = t.control;
        const double beta_0 = angle_of(c[0].distance, c[2].distance, c[1].distance, valid);
        t.beta_1 = angle_of(c[0].distance, c[1].distance, c[2].distance, valid);
        t.beta_2 = kPi - beta_0;
        c[0].y = c[1].y = c[2].distance * sin(beta_0);
        t.y = 2 * c[0].y;
        c[1].x = 0.5 * c[0].distance;
        c[0].x = -c[1].x;
        t.x = c[2].x = c[0].x + c[2].distance * cos(beta_0);
        if (!valid) {
            p.fail("lat_1", "and the other control points should span a triangle");
        }
        d.ellipsoid.es = 0;
        return t;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
