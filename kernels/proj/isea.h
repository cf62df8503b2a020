// Icosahedral Snyder Equal Area, plane coordinates, forward alone: Snyder (1992), "An Equal-Area
// Map Projection for Polyhedral Globes", Cartographica 29(1), eqs. 5 to 12.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct IcosahedralSnyderEqualArea {
    // The icosahedron's north vertex on the sphere, by the sine and cosine of its latitude, and
    // its longitude.
    parameter sin_pole;
    parameter cos_pole;
    parameter lon_pole;
    parameter azimuth;
    parameter radius;
    // Faces from north to south in rows of five: sine and cosine of the latitude of a row's
    // centres, their first longitude, the northing on the map.
    parameter row[4][4];

    static constexpr double kFaceRadius = 37.37736814 * (kPi / 180);  // to a vertex
    static constexpr double kFaceAngle = 36 * (kPi / 180);            // of centre, vertex and edge
    static constexpr double kCotangent30 = 1.73205080756887729353;
    static constexpr double kPlaneRadius = 0.91038328153090290025;          // the paper's R'
    static constexpr double kEdge = 0.6615845383 * 0.91038328153090290025;  // half of one
    static constexpr double kNear = 0.000005;  // of an edge: the first face takes it

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon - (lon_pole + kPi), sin_lon, cos_lon);
        const real turned_lon =
            atan2(cosine * sin_lon, sin_pole * cosine * cos_lon + cos_pole * sine) + kPi + azimuth;
        const real turned_lat = asin(sin_pole * sine - cos_pole * cosine * cos_lon);
        sin_cos(turned_lat, sine, cosine);
        const real tan_g = tan(kFaceRadius);
        const real nearest = cos(kFaceRadius + kNear);
        for (int face = 0; face < 20; ++face) {
            const parameter(&r)[4] = row[face / 5];
            sin_cos(turned_lon - (r[2] + (face % 5) * (kTwoPi / 5)), sin_lon, cos_lon);
            const real cos_z = r[0] * sine + r[1] * cosine * cos_lon;
            if (cos_z < nearest) {
                continue;
            }
            const real z = acos(cos_z);
            // Faces of the second and fourth row stand upside down.
            const bool down = face / 5 % 2 == 1;
            real az =
                atan2(cosine * sin_lon, r[1] * sine - r[0] * cosine * cos_lon) - (down ? kPi : 0.);
            if (az < 0) az += kTwoPi;
            real thirds = 0;
            for (int i = 0; i < 3 && az > 2 * kPi / 3 + rounding(2.3e-16); ++i) {
                az -= 2 * kPi / 3;
                thirds += 1;
            }
            real sin_az, cos_az;
            sin_cos(az, sin_az, cos_az);
            const real q = atan2(tan_g, cos_az + sin_az * kCotangent30);
            if (z > q + kNear) {
                continue;
            }
            const real h =
                acos(sin_az * (sin(kFaceAngle) * cos(kFaceRadius)) - cos_az * cos(kFaceAngle));
            const real area = az + kFaceAngle + h - kPi;
            const real plane_az = atan2(
                2 * area, kPlaneRadius * kPlaneRadius * tan_g * tan_g - 2 * area * kCotangent30);
            sin_cos(plane_az, sin_az, cos_az);
            const real edge = kPlaneRadius * tan_g / (cos_az + sin_az * kCotangent30);
            const real rho = edge * sin(0.5 * z) / sin(0.5 * q);
            sin_cos(plane_az + thirds * (2 * kPi / 3) + (down ? kPi : 0.), sin_az, cos_az);
            x = radius * (rho * sin_az + kEdge * (2 * (face % 5 - 2) + (face >= 10)));
            y = radius * (rho * cos_az + r[3]);
            return true;
        }
        return false;
    }

#if GPU_SETUP
    template <class Parameters>
    static IcosahedralSnyderEqualArea Setup(const Parameters& p, Definition&) {
        double lat = 1.01722196792335072101, lon = .19634954084936207740;
        if (p.is("orient", "pole")) {
            lat = kHalfPi;
            lon = 0;
        } else if (p.has("orient") && !p.is("orient", "isea")) {
            p.fail("orient", "should be isea or pole");
        }
        if (p.has("mode") && !p.is("mode", "plane")) {
            p.fail("mode", "has no kernel unless it is plane");
        }
        if (p.has("lon_0")) lon = p.angle("lon_0");
        if (p.has("lat_0")) lat = p.angle("lat_0");
        // They divide the faces, which a plane map doesn't.
        p.integer("resolution");
        p.integer("aperture");
        IcosahedralSnyderEqualArea s = {sin(lat),
                                        cos(lat),
                                        lon,
                                        p.angle("azi"),
                                        p.has("rescale") ? 0.8301572857837594396028083 : 1.,
                                        {}};
        const double lats[] = {0.91843818702186776133, 0.18871053072122403508,
                               -0.18871053072122403508, -0.91843818702186776133};
        const double height = 0.1909830056 * kPlaneRadius;
        const double northings[] = {5 * height, height, -height, -5 * height};
        for (int i = 0; i < 4; ++i) {
            const double first = (i < 2 ? -144. : -108.) * (kPi / 180);
            const double values[4] = {sin(lats[i]), cos(lats[i]), first, northings[i]};
            for (int k = 0; k < 4; ++k) {
                s.row[i][k] = values[k];
            }
        }
        return s;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
