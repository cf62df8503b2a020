// Natural Earth and Natural Earth II: Savric, Jenny, Patterson, Petrovic and Hurni (2011), "A
// polynomial equation for the Natural Earth projection"; Savric, Patterson and Jenny (2015), "The
// Natural Earth II world map projection".
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

// Latitude of a Curve's distance from the equator by Newton's method; distances beyond the pole are
// cut off. False where a hundred steps don't reach 1e-11.
template <class Curve>
GPU_FUNC bool natural_earth_latitude(const Curve& curve, real y, real& lat) {
    y = y > curve.y_max ? real(curve.y_max) : y < -curve.y_max ? real(-curve.y_max) : y;
    lat = y;
    for (int i = 0; i < 100; ++i) {
        const real step = (curve.distance(lat) - y) / curve.slope(lat * lat);
        lat -= step;
        if (fabs(step) < tolerance(1e-11)) {
            return true;
        }
    }
    return false;
}

struct NaturalEarth {
    parameter y_max;

    // Length of a parallel by the square of its latitude.
    GPU_FUNC real length(real s) const {
        return 0.8707 + s * (-0.131979 + s * (-0.013791 + s * s * s * (0.003971 + s * -0.001529)));
    }

    GPU_FUNC real distance(real lat) const {
        const real s = lat * lat;
        return lat *
               (1.007226 + s * (0.015085 + s * s * (-0.044475 + s * (0.028874 + s * -0.005916))));
    }

    GPU_FUNC real slope(real s) const {
        return 1.007226 + s * (3 * 0.015085 +
                               s * s * (7 * -0.044475 + s * (9 * 0.028874 + s * 11 * -0.005916)));
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = lon * length(lat * lat);
        y = distance(lat);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        if (!natural_earth_latitude(*this, y, lat)) {
            return false;
        }
        lon = x / length(lat * lat);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static NaturalEarth Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0.8707 * 0.52 * kPi};
    }
#endif
};

struct NaturalEarth2 {
    parameter y_max;

    GPU_FUNC real length(real s) const {
        const real s2 = s * s, s3 = s * s2;
        return 0.84719 - 0.13063 * s +
               s3 * s3 * (-0.04515 + 0.05494 * s - 0.02326 * s2 + 0.00331 * s3);
    }

    GPU_FUNC real distance(real lat) const {
        const real s = lat * lat, s2 = s * s;
        return lat * (1.01183 + s2 * s2 * (-0.02625 + s * (0.01926 + s * -0.00396)));
    }

    GPU_FUNC real slope(real s) const {
        const real s2 = s * s;
        return 1.01183 + s2 * s2 * (9 * -0.02625 + s * (11 * 0.01926 + s * 13 * -0.00396));
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = lon * length(lat * lat);
        y = distance(lat);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        if (!natural_earth_latitude(*this, y, lat)) {
            return false;
        }
        lon = x / length(lat * lat);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static NaturalEarth2 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0.84719 * 0.535117535153096 * kPi};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
