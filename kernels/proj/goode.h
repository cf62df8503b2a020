// Goode Homolosine: Goode (1925), "The homolosine projection: a new device for portraying the
// Earth's surface entire"; sinusoidal between the parallels where it and Mollweide have one scale,
// Mollweide beyond.
#pragma once

#include "proj/moll.h"

namespace kernels {
namespace proj {

struct GoodeHomolosine {
    Mollweide mollweide;
    parameter limit;
    parameter shift;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (fabs(lat) <= limit) {
            x = lon * cos(lat);
            y = lat;
            return true;
        }
        mollweide.forward(lon, lat, x, y);
        y -= lat >= 0 ? real(shift) : -shift;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        if (fabs(y) <= limit) {
            lon = x / cos(y);
            lat = y;
            return true;
        }
        return mollweide.inverse(x, y + (y >= 0 ? real(shift) : -shift), lon, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static GoodeHomolosine Setup(const Parameters& p, Definition& d) {
        return {Mollweide::Setup(p, d), 0.71093078197902358062, 0.05280};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
