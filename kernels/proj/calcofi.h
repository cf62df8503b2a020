// CalCOFI lines and stations: Eber and Hewitt (1979), "Conversion algorithms for the CalCOFI
// station grid", CalCOFI Reports 20, pp. 135 to 137. Coordinates are numbers of lines and stations,
// whatever the semi-major axis, origin and scale.
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

struct CalCofi {
    parameter psi_0;  // isometric latitude of the point of reference
    ConformalLatitude conformal;

    // Line 80, station 60; lines are rotated by 30 degrees, a line is a fifth of a degree there and
    // a station a fifteenth.
    static constexpr double kLine = 80;
    static constexpr double kStation = 60;
    static constexpr double kLon = -2.1144663887911301;
    static constexpr double kLat = 0.59602993955606354;
    static constexpr double kSine = 0.5;
    static constexpr double kCosine = 0.86602540378443864676;
    static constexpr double kDegrees = 180 / kPi;

    GPU_FUNC real isometric(real lat) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        return conformal.isometric(sine, cosine);
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (fabs(fabs(lat) - kHalfPi) <= 1e-10) {
            return false;
        }
        const real psi = isometric(lat);
        const real east = kLon - lon - (psi - psi_0) * (kSine / kCosine);
        const real foot = conformal.from_isometric(psi + east * (kCosine * kSine));
        x = kLine - (foot - kLat) * (kDegrees * 5 / kCosine);
        y = kStation + (foot - lat) * (kDegrees * 15 / kSine);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real foot = kLat - (x - kLine) * (kCosine / (kDegrees * 5));
        lat = foot - (y - kStation) * (kSine / (kDegrees * 15));
        const real psi = isometric(lat);
        lon = kLon - ((psi - psi_0) * (kSine / kCosine) +
                      (isometric(foot) - psi) * (1 / (kCosine * kSine)));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static CalCofi Setup(const Parameters&, Definition& d) {
        CalCofi c = {0, ConformalLatitude::Setup(d.ellipsoid)};
        c.psi_0 = c.isometric(kLat);
        d.ellipsoid.a = 1;
        d.lon_0 = d.x_0 = d.y_0 = 0;
        d.over = true;
        return c;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
