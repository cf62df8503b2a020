// Globular projections without an inverse: Nicolosi, Apian I, Bacon, Ortelius: Snyder and Voxland
// (1989), "An Album of Map Projections", pp. 234 and 236.
#pragma once

#define GPU_UNFUSED

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct Nicolosi {
    int64 unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real small = 1e-10;
        const bool rim = fabs(fabs(lon) - kHalfPi) < small;
        if (fabs(lon) < small || (!rim && fabs(fabs(lat) - kHalfPi) < small)) {
            x = 0;
            y = lat;
        } else if (fabs(lat) < small) {
            x = lon;
            y = 0;
        } else if (rim) {
            real sine, cosine;
            sin_cos(lat, sine, cosine);
            x = lon * cosine;
            y = kHalfPi * sine;
        } else {
            real sine, cosine;
            sin_cos(lat, sine, cosine);
            const real b = kHalfPi / lon - lon / kHalfPi;
            const real c = lat / kHalfPi;
            const real d = (1 - c * c) / (sine - c);
            const real r2 = b / d * (b / d);
            const real m = (b * sine / d - 0.5 * b) / (1 + r2);
            const real n = (sine / r2 + 0.5 * d) / (1 + 1 / r2);
            const real east = sqrt(m * m + cosine * cosine / (1 + r2));
            const real north = sqrt(n * n - (sine * sine / r2 + d * sine - 1) / (1 + 1 / r2));
            x = kHalfPi * (m + (lon < 0 ? -east : east));
            y = kHalfPi * (n + (lat < 0 ? north : -north));
        }
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Nicolosi Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

struct ApianGlobular {
    int64 bacon;     // 1: parallels at the heights of sines
    int64 ortelius;  // 1: beyond the hemisphere semicircles

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real square = kHalfPi * kHalfPi;
        y = bacon ? real(kHalfPi * sin(lat)) : lat;
        const real size = fabs(lon);
        real east = 0;
        if (size >= 1e-10) {
            if (ortelius && size >= kHalfPi) {
                east = sqrt(square - lat * lat + 1e-10) + size - kHalfPi;
            } else {
                const real f = 0.5 * (square / size + size);
                // PROJ takes the difference of f and the root, which are nearly equal.
                east = size - y * y / (f + sqrt((f - y) * (f + y)));
            }
        }
        x = lon < 0 ? -east : east;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static ApianGlobular Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0, 0};
    }
#endif
};

struct BaconGlobular : ApianGlobular {
#if GPU_SETUP
    template <class Parameters>
    static BaconGlobular Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{1, 0}};
    }
#endif
};

struct OrteliusOval : ApianGlobular {
#if GPU_SETUP
    template <class Parameters>
    static OrteliusOval Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{0, 1}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
