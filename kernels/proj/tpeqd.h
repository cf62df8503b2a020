// Two Point Equidistant: Snyder and Voxland (1989), "An Album of Map Projections", p. 232, after
// Maurer (1919); Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct TwoPointEquidistant {
    parameter cos_1;
    parameter sin_1;
    parameter cos_2;
    parameter sin_2;
    parameter cos_cos;  // cos_1 cos_2 sin(difference of longitudes)
    parameter cos_sin;
    parameter sin_cos_2;
    parameter half_lon;   // half the difference of longitudes
    parameter distance2;  // between the points, squared
    parameter half_r_distance;
    parameter half_distance;
    parameter tan_half;
    parameter half_r_sin_half;
    parameter sin_pole;  // of the great circle through both
    parameter cos_pole;
    parameter lon_pole;
    parameter lon_centre;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon_1, cos_lon_1, sin_lon_2, cos_lon_2, z_1, z_2;
        sin_cos(lat, sine, cosine);
        sin_cos(lon + half_lon, sin_lon_1, cos_lon_1);
        sin_cos(lon - half_lon, sin_lon_2, cos_lon_2);
        if (!arc_cosine(sin_1 * sine + cos_1 * cosine * cos_lon_1, z_1) ||
            !arc_cosine(sin_2 * sine + cos_2 * cosine * cos_lon_2, z_2)) {
            return false;
        }
        z_1 *= z_1;
        z_2 *= z_2;
        const real difference = z_1 - z_2;
        const real t = distance2 - difference;
        const real square = 4 * distance2 * z_2 - t * t;
        const real side = cos_cos * sine - cosine * (cos_sin * sin_lon_1 - sin_cos_2 * sin_lon_2);
        x = half_r_distance * difference;
        y = square <= 0 ? real(0) : half_r_distance * sqrt(square);
        y = side < 0 ? -y : y;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real from_1 = x + half_distance, from_2 = x - half_distance;
        const real cos_z_1 = cos(sqrt(y * y + from_1 * from_1));
        const real cos_z_2 = cos(sqrt(y * y + from_2 * from_2));
        const real s = tan_half * (cos_z_1 + cos_z_2);
        const real d = cos_z_1 - cos_z_2;
        real along = -atan2(d, s) - lon_pole;
        if (!arc_cosine(sqrt(s * s + d * d) * half_r_sin_half, lat)) {
            return false;
        }
        lat = y < 0 ? -lat : lat;
        real sine, cosine, sin_along, cos_along;
        sin_cos(lat, sine, cosine);
        sin_cos(along, sin_along, cos_along);
        if (!arc_sine(sin_pole * sine + cos_pole * cosine * cos_along, lat)) {
            return false;
        }
        lon =
            atan2(cosine * sin_along, sin_pole * cosine * cos_along - cos_pole * sine) + lon_centre;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static TwoPointEquidistant Setup(const Parameters& p, Definition& d) {
        const double lat_1 = p.angle("lat_1"), lon_1 = p.angle("lon_1");
        const double lat_2 = p.angle("lat_2"), lon_2 = p.angle("lon_2");
        TwoPointEquidistant t = {};
        const double difference = wrap_longitude(lon_2 - lon_1);
        t.cos_1 = cos(lat_1);
        t.sin_1 = sin(lat_1);
        t.cos_2 = cos(lat_2);
        t.sin_2 = sin(lat_2);
        t.cos_sin = t.cos_1 * t.sin_2;
        t.sin_cos_2 = t.sin_1 * t.cos_2;
        t.cos_cos = t.cos_1 * t.cos_2 * sin(difference);
        double distance = 0, pole = 0;
        const double east = t.cos_2 * sin(difference);
        const double north = t.cos_sin - t.sin_cos_2 * cos(difference);
        if (p.rules().tpeqd_distance_is_exact) {
            distance = atan2(sqrt(east * east + north * north),
                             t.sin_1 * t.sin_2 + t.cos_1 * t.cos_2 * cos(difference));
        }
        if ((lat_1 == lat_2 && lon_1 == lon_2) ||
            (!p.rules().tpeqd_distance_is_exact &&
             !arc_cosine(t.sin_1 * t.sin_2 + t.cos_1 * t.cos_2 * cos(difference), distance)) ||
            distance == 0) {
            p.fail("lat_1", "and the other coordinates should make two points");
        }
        const double azimuth = atan2(east, north);
        if (!arc_sine(t.cos_1 * sin(azimuth), pole)) {
            p.fail("lat_1", "makes no great circle");
        }
        t.half_lon = 0.5 * difference;
        t.half_distance = 0.5 * distance;
        t.distance2 = distance * distance;
        t.half_r_distance = 0.5 / distance;
        t.tan_half = tan(t.half_distance);
        t.half_r_sin_half = 0.5 / sin(t.half_distance);
        t.sin_pole = sin(pole);
        t.cos_pole = cos(pole);
        t.lon_pole = wrap_longitude(atan2(t.cos_1 * cos(azimuth), t.sin_1) - t.half_distance);
        t.lon_centre = kHalfPi - atan2(sin(azimuth) * t.sin_1, cos(azimuth)) - t.half_lon;
        d.lon_0 = wrap_longitude(0.5 * (lon_1 + lon_2));
        d.ellipsoid.es = 0;
        return t;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
