// Near-sided and tilted perspective from a point above a sphere: Snyder (1987), "Map Projections: A
// Working Manual", eqs. 23-1 to 23-19.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct NearSidedPerspective {
    parameter pole;
    parameter lat_0;
    parameter sin_0;
    parameter cos_0;
    parameter height;  // in radii
    parameter r_height;
    parameter distance;  // Snyder's P
    parameter horizon;   // cosine of the angle to it

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        const real cos_c =
            pole != 0 ? real(pole * sine) : real(sin_0 * sine + cos_0 * cosine * cos_lon);
        if (cos_c < horizon) {
            return false;
        }
        const real k = height / (distance - cos_c);
        x = k * cosine * sin_lon;
        y = k * (cos_0 * sine - sin_0 * cosine * cos_lon);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real rho = sqrt(x * x + y * y);
        if (rho <= 1e-10) {
            lon = 0;
            lat = lat_0;
            return true;
        }
        const real root2 = 1 - rho * rho * ((distance + 1) * r_height);
        if (root2 < 0) {
            return false;
        }
        const real sin_c = (distance - sqrt(root2)) / (height / rho + rho * r_height);
        const real cos_c = sqrt(1 - sin_c * sin_c);
        if (pole != 0) {
            lat = pole * asin(cos_c);
            lon = atan2(x, -pole * y);
            return true;
        }
        const real sine = cos_c * sin_0 + y * sin_c * cos_0 / rho;
        lat = asin(sine);
        lon = atan2(x * sin_c * cos_0, (cos_c - sin_0 * sine) * rho);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static NearSidedPerspective Setup(const Parameters& p, Definition& d) {
        const bool equatorial = fabs(d.lat_0) < 1e-10;
        NearSidedPerspective n = {};
        n.pole = pole_of(d.lat_0);
        n.lat_0 = d.lat_0;
        n.sin_0 = n.pole != 0 ? n.pole : equatorial ? 0. : sin(d.lat_0);
        n.cos_0 = n.pole != 0 ? 0. : equatorial ? 1. : cos(d.lat_0);
        n.height = p.number("h") / d.ellipsoid.a;
        if (n.height <= 0 || n.height > 1e10) {
            p.fail("h", "should be above 0 and within 1e10 times the radius");
        }
        n.r_height = 1 / n.height;
        n.distance = 1 + n.height;
        n.horizon = 1 / n.distance;
        d.ellipsoid.es = 0;
        return n;
    }
#endif
};

struct TiltedPerspective {
    NearSidedPerspective upright;
    parameter sin_azimuth;
    parameter cos_azimuth;
    parameter sin_tilt;
    parameter cos_tilt;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (!upright.forward(lon, lat, x, y)) {
            return false;
        }
        const real along = y * cos_azimuth + x * sin_azimuth;
        const real across = x * cos_azimuth - y * sin_azimuth;
        const real k = 1 / (along * sin_tilt * upright.r_height + cos_tilt);
        x = across * cos_tilt * k;
        y = along * k;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real k = upright.height / (upright.height - y * sin_tilt);
        const real across = x * k;
        const real along = y * cos_tilt * k;
        return upright.inverse(across * cos_azimuth + along * sin_azimuth,
                               along * cos_azimuth - across * sin_azimuth, lon, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static TiltedPerspective Setup(const Parameters& p, Definition& d) {
        const double tilt = p.angle("tilt");
        const double azimuth = p.angle("azi");
        return {NearSidedPerspective::Setup(p, d), sin(azimuth), cos(azimuth), sin(tilt),
                cos(tilt)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
