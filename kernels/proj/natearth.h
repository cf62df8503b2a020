// Natural Earth and Natural Earth II: Savric, Jenny, Patterson, Petrovic and Hurni (2011), "A
// polynomial equation for the Natural Earth projection"; Savric, Patterson and Jenny (2015), "The
// Natural Earth II world map projection".
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

// A world map whose parallels have the length and the distance from the equator that a Curve gives:
// length() and slope(), which is the distance's derivative, by the square of the latitude.
template <class Curve>
struct NaturalEarthMap {
    parameter y_max;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = lon * Curve::length(lat * lat);
        y = Curve::distance(lat);
        return true;
    }

    // Newton's method; distances beyond the pole are cut off. False where a hundred steps don't
    // reach 1e-11.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        y = y > y_max ? real(y_max) : y < -y_max ? real(-y_max) : y;
        lat = y;
        for (int i = 0; i < 100; ++i) {
            const real step = (Curve::distance(lat) - y) / Curve::slope(lat * lat);
            lat -= step;
            if (fabs(step) < tolerance(1e-11)) {
                lon = x / Curve::length(lat * lat);
                return true;
            }
        }
        return false;
    }
};

struct NaturalEarthCurve {
    GPU_FUNC static real length(real s) {
        return 0.8707 + s * (-0.131979 + s * (-0.013791 + s * s * s * (0.003971 + s * -0.001529)));
    }

    GPU_FUNC static real distance(real lat) {
        const real s = lat * lat;
        return lat *
               (1.007226 + s * (0.015085 + s * s * (-0.044475 + s * (0.028874 + s * -0.005916))));
    }

    GPU_FUNC static real slope(real s) {
        return 1.007226 + s * (3 * 0.015085 +
                               s * s * (7 * -0.044475 + s * (9 * 0.028874 + s * 11 * -0.005916)));
    }
};

struct NaturalEarth : NaturalEarthMap<NaturalEarthCurve> {
#if GPU_SETUP
    template <class Parameters>
    static NaturalEarth Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{0.8707 * 0.52 * kPi}};
    }
#endif
};

struct NaturalEarth2Curve {
    GPU_FUNC static real length(real s) {
        const real s2 = s * s, s3 = s * s2;
        return 0.84719 - 0.13063 * s +
               s3 * s3 * (-0.04515 + 0.05494 * s - 0.02326 * s2 + 0.00331 * s3);
    }

    GPU_FUNC static real distance(real lat) {
        const real s = lat * lat, s2 = s * s;
        return lat * (1.01183 + s2 * s2 * (-0.02625 + s * (0.01926 + s * -0.00396)));
    }

    GPU_FUNC static real slope(real s) {
        const real s2 = s * s;
        return 1.01183 + s2 * s2 * (9 * -0.02625 + s * (11 * 0.01926 + s * 13 * -0.00396));
    }
};

struct NaturalEarth2 : NaturalEarthMap<NaturalEarth2Curve> {
#if GPU_SETUP
    template <class Parameters>
    static NaturalEarth2 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{0.84719 * 0.535117535153096 * kPi}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
