// Tobler-Mercator: Mercator's parallels, their lengths by the square of the latitude's cosine.
// Tobler (2017), "A new companion for Mercator", Cartography and Geographic Information Science 45
// (3).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct ToblerMercator {
    parameter k_0;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (fabs(lat) >= kHalfPi) {
            return false;
        }
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        x = k_0 * lon * cosine * cosine;
        y = k_0 * asinh_tan(sine, cosine);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = atan(sinh(y / k_0));
        const real cosine = cos(lat);
        lon = x / k_0 / (cosine * cosine);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static ToblerMercator Setup(const Parameters&, Definition& d) {
        return {d.k_0};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
