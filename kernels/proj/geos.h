// Geostationary Satellite View: CGMS (1999), "LRIT/HRIT Global Specification", section 4.4.3.2.
// Vectors from the Earth's centre, x towards the satellite, in units of the equator's radius.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct GeostationarySatellite {
    parameter height;  // of the satellite above the equator
    parameter r_height;
    parameter distance;  // of the satellite from the centre
    parameter es;
    parameter one_es;
    parameter r_one_es;
    parameter c;    // distance^2 - 1
    int64 sweep_x;  // 1: the instrument sweeps along x, 0: along y

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        const real normal = reciprocal_sqrt(1 - es * sine * sine);
        const real vx = normal * cosine * cos_lon;
        const real vy = normal * cosine * sin_lon;
        const real vz = normal * one_es * sine;
        const real depth = distance - vx;
        // PROJ looks through a sphere.
        if (es != 0 && depth * vx - vy * vy - vz * vz * r_one_es < 0) {
            return false;
        }
        if (sweep_x) {
            x = height * atan(vy / sqrt(vz * vz + depth * depth));
            y = height * atan(vz / depth);
        } else {
            x = height * atan(vy / depth);
            y = height * atan(vz / sqrt(vy * vy + depth * depth));
        }
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real vy = tan(x * r_height);
        real vz = tan(y * r_height);
        if (sweep_x) {
            vy *= sqrt(1 + vz * vz);
        } else {
            vz *= sqrt(1 + vy * vy);
        }
        // The first point of the line of sight on the ellipsoid; next to the limb the difference of
        // squares would have no digits.
        const real q = vy * vy + vz * vz * r_one_es;
        const real discriminant = 1 - q * c;
        if (discriminant < 0) {
            return false;
        }
        const real k = (distance - sqrt(discriminant)) / (1 + q);
        const real vx = distance - k;
        vy *= k;
        vz *= k;
        lon = atan2(vy, vx);
        lat = atan(r_one_es * vz / sqrt(vx * vx + vy * vy));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static GeostationarySatellite Setup(const Parameters& p, Definition& d) {
        GeostationarySatellite g = {};
        if (p.has("sweep") && !p.is("sweep", "x") && !p.is("sweep", "y")) {
            p.fail("sweep", "should be x or y");
        }
        g.sweep_x = p.is("sweep", "x");
        g.height = p.number("h") / d.ellipsoid.a;
        if (g.height <= 0 || g.height > 1e10) {
            p.fail("h", "should be above 0 and within 1e10 times the radius");
        }
        g.r_height = 1 / g.height;
        g.distance = 1 + g.height;
        g.es = d.ellipsoid.es;
        g.one_es = d.ellipsoid.one_es;
        g.r_one_es = 1 / d.ellipsoid.one_es;
        g.c = g.distance * g.distance - 1;
        return g;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
