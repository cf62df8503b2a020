// Eckert III, Kavrayskiy VII, Wagner VI and Putnins P1, all with ellipses for meridians: Snyder and
// Voxland (1989), "An Album of Map Projections", p. 219 ff.; Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct EllipticalMeridians {
    parameter c_x;
    parameter c_y;
    parameter a;
    parameter b;

    GPU_FUNC real length(real lat) const {
        const real square = 1 - b * lat * lat;
        return c_x * (a + (square <= 0 ? real(0) : real(sqrt(square))));
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = lon * length(lat);
        y = c_y * lat;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        lat = y / c_y;
        const real unit = length(lat);
        lon = x / unit;
        return unit != 0;
    }
};

struct Eckert3 : EllipticalMeridians {
#if GPU_SETUP
    template <class Parameters>
    static Eckert3 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        const double c_x = 0.42223820031577120149;  // 2 / sqrt(pi (4 + pi))
        return {{c_x, 2 * c_x, 1, 4 / (kPi * kPi)}};
    }
#endif
};

struct Kavrayskiy7 : EllipticalMeridians {
#if GPU_SETUP
    template <class Parameters>
    static Kavrayskiy7 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{0.8660254037844, 1, 0, 3 / (kPi * kPi)}};
    }
#endif
};

struct Wagner6 : EllipticalMeridians {
#if GPU_SETUP
    template <class Parameters>
    static Wagner6 Setup(const Parameters& p, Definition& d) {
        d.ellipsoid.es = 0;
        const double scale = p.rules().wag6_is_to_scale ? 1 : 0.94745;
        return {{scale, scale, 0, 3 / (kPi * kPi)}};
    }
#endif
};

struct PutninsP1 : EllipticalMeridians {
#if GPU_SETUP
    template <class Parameters>
    static PutninsP1 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {{1.89490, 0.94745, -0.5, 3 / (kPi * kPi)}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
