// Oblique Cylindrical Equal Area: Snyder (1987), "Map Projections: A Working Manual", eqs. 9-1,
// 9-2, 9-7, 9-8 and 10-10 to 10-15.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct ObliqueCylindricalEqualArea {
    parameter k_0;
    parameter sin_pole;
    parameter cos_pole;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        const real angle = atan((sine / cosine * cos_pole + sin_pole * sin_lon) / cos_lon);
        x = k_0 * (cos_lon < 0 ? angle + kPi : angle);
        y = (sin_pole * sine - cos_pole * cosine * sin_lon) / k_0;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real sine = y * k_0;
        const real cosine = sqrt((1 - sine) * (1 + sine));
        real sin_x, cos_x;
        sin_cos(x / k_0, sin_x, cos_x);
        lon = atan2(cosine * sin_pole * sin_x - sine * cos_pole, cosine * cos_x);
        lat = asin(sine * sin_pole + cosine * cos_pole * sin_x);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static ObliqueCylindricalEqualArea Setup(const Parameters& p, Definition& d) {
        double lon_pole = 0, lat_pole = 0;
        if (p.has("alpha")) {
            const double azimuth = kPi + p.angle("alpha");
            lon_pole = atan2(-cos(azimuth), -sin(d.lat_0) * sin(azimuth)) + p.angle("lonc");
            lat_pole = asin(cos(d.lat_0) * sin(azimuth));
        } else {
            const double lat_1 = p.angle("lat_1"), lon_1 = p.angle("lon_1");
            const double lat_2 = p.angle("lat_2"), lon_2 = p.angle("lon_2");
            lon_pole =
                atan2(cos(lat_1) * sin(lat_2) * cos(lon_1) - sin(lat_1) * cos(lat_2) * cos(lon_2),
                      sin(lat_1) * cos(lat_2) * sin(lon_2) - cos(lat_1) * sin(lat_2) * sin(lon_1));
            if (lon_1 == -kHalfPi) {
                lon_pole = -lon_pole;
            }
            const double adjacent = cos(lon_pole - lon_1);
            const double tangent = tan(lat_1);
            lat_pole = tangent != 0    ? atan(-adjacent / tangent)
                       : adjacent >= 0 ? -kHalfPi
                                       : kHalfPi;
        }
        d.lon_0 = lon_pole + kHalfPi;
        d.ellipsoid.es = 0;
        return {d.k_0, sin(lat_pole), cos(lat_pole)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
