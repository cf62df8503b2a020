// Interrupted Goode Homolosine and Interrupted Mollweide, for land and for oceans: Goode (1925),
// "The homolosine projection: a new device for portraying the Earth's surface entire"; Goode
// (1919), "Studies in projections". Each half of the Earth is cut along meridians into lobes with a
// central meridian each.
#pragma once

#include "proj/moll.h"

namespace kernels {
namespace proj {

// Radians, from the projection's central meridian.
struct Lobe {
    real lon_0;
    real west;
    real east;

    // To 1e-10.
    GPU_FUNC bool holds(real lon) const {
        return lon >= west - rounding(1e-10) && lon <= east + rounding(1e-10);
    }
};

GPU_FUNC Lobe lobe_of_degrees(real lon_0, real west, real east) {
    const real degree = 0.017453292519943296;
    return {lon_0 * degree, west * degree, east * degree};
}

struct LandLobes {
    // By a longitude; the inverse asks by x, as PROJ does.
    GPU_FUNC static Lobe find(bool north, real lon) {
        const Lobe america = lobe_of_degrees(-100, -180, -40);
        const Lobe pacific = lobe_of_degrees(-160, -180, -100);
        const Lobe south_america = lobe_of_degrees(-60, -100, -20);
        const Lobe africa = lobe_of_degrees(20, -20, 80);
        if (north) {
            return lon <= america.east ? america : lobe_of_degrees(30, -40, 180);
        }
        return lon <= pacific.east         ? pacific
               : lon <= south_america.east ? south_america
               : lon <= africa.east        ? africa
                                           : lobe_of_degrees(140, 80, 180);
    }

    // Greenland and eastern Siberia are drawn in both lobes.
    GPU_FUNC static bool repeats(const Lobe& lobe, bool north, real lon, real lat) {
        const Lobe sixty = lobe_of_degrees(0, 60, 90), fifty = lobe_of_degrees(0, 50, 90);
        if (!north) {
            return false;
        }
        if (lobe.lon_0 < 0) {
            return lobe_of_degrees(0, -40, -10).holds(lon) && sixty.holds(lat);
        }
        return (lobe_of_degrees(0, -180, -160).holds(lon) && fifty.holds(lat)) ||
               (lobe_of_degrees(0, -50, -40).holds(lon) && sixty.holds(lat));
    }
};

struct OceanLobes {
    GPU_FUNC static Lobe find(bool north, real lon) {
        const Lobe middle = north ? lobe_of_degrees(-10, -90, 60) : lobe_of_degrees(20, -60, 90);
        if (lon <= middle.west) {
            return north ? lobe_of_degrees(-140, -180, -90) : lobe_of_degrees(-110, -180, -60);
        }
        if (lon >= middle.east) {
            return north ? lobe_of_degrees(130, 60, 180) : lobe_of_degrees(150, 90, 180);
        }
        return middle;
    }

    GPU_FUNC static bool repeats(const Lobe& lobe, bool north, real lon, real lat) {
        const Lobe fifty = lobe_of_degrees(0, 50, 90), forty = lobe_of_degrees(0, -90, -40);
        const bool middle = fabs(lobe.lon_0) < 1;
        if (north) {
            const Lobe other =
                lobe.lon_0 < 0 ? lobe_of_degrees(0, 160, 180) : lobe_of_degrees(0, -180, -160);
            return !middle && other.holds(lon) && fifty.holds(lat);
        }
        return middle && lobe_of_degrees(0, 90, 100).holds(lon) && forty.holds(lat);
    }
};

template <class Lobes>
struct InterruptedHomolosine {
    Mollweide mollweide;
    parameter limit;  // latitude where the sinusoidal ends and Mollweide begins
    parameter shift;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const bool north = lat >= 0;
        const Lobe lobe = Lobes::find(north, lon);
        lon -= lobe.lon_0;
        if (lat < limit && lat >= -limit) {
            x = lon * cos(lat);
            y = lat;
        } else {
            mollweide.forward(lon, lat, x, y);
            y += north ? real(shift) : -shift;
        }
        x += lobe.lon_0;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real pole = shift + mollweide.c_y;
        if (y > pole + rounding(1e-10) || y < -pole + rounding(1e-10)) {
            return false;
        }
        const bool north = y >= 0;
        const Lobe lobe = Lobes::find(north, x);
        x -= lobe.lon_0;
        if (y < limit && y >= -limit) {
            lat = y;
            lon = x / cos(y) + lobe.lon_0;
            return lobe.holds(lon);
        }
        if (!mollweide.inverse(x, y - (north ? real(shift) : -shift), lon, lat)) {
            return false;
        }
        lon += lobe.lon_0;
        return lobe.holds(lon) || Lobes::repeats(lobe, north, lon, lat);
    }

#if GPU_SETUP
    template <class Parameters>
    static InterruptedHomolosine Setup(const Parameters& p, Definition& d) {
        InterruptedHomolosine h = {};
        h.mollweide = Mollweide::Setup(p, d);
        h.limit = (40 + 44 / 60. + 11.8 / 3600) * 0.017453292519943296;
        double half = h.limit;
        half_mollweide_angle<30>(h.mollweide.c_p * sin(h.limit), true, sin(h.limit), cos(h.limit),
                                 half);
        h.shift = h.limit - h.mollweide.c_y * sin(half);
        return h;
    }
#endif
};

using InterruptedHomolosineLand = InterruptedHomolosine<LandLobes>;
using InterruptedHomolosineOcean = InterruptedHomolosine<OceanLobes>;

// The lobes are as far apart as their central meridians on the equator, the first in its place.
template <class Lobes>
struct InterruptedMollweide {
    Mollweide mollweide;
    parameter shift;
    parameter
        look_shift;  // the inverse looks for the lobe of the longitude (x - shift) times scale
    parameter look_scale;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const Lobe lobe = Lobes::find(lat >= 0, lon);
        mollweide.forward(lon - lobe.lon_0, lat, x, y);
        x += mollweide.c_x * lobe.lon_0 + shift;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real pole = mollweide.c_y;
        if (y > pole + rounding(1e-10) || y < -pole + rounding(1e-10)) {
            return false;
        }
        const bool north = y >= 0;
        const Lobe lobe = Lobes::find(north, (x - look_shift) * look_scale);
        if (!mollweide.inverse(x - (mollweide.c_x * lobe.lon_0 + shift), y, lon, lat)) {
            return false;
        }
        lon += lobe.lon_0;
        return lobe.holds(lon) && (north ? lat >= -rounding(1e-10) : lat <= rounding(1e-10));
    }

#if GPU_SETUP
    template <class Parameters>
    static InterruptedMollweide Setup(const Parameters& p, Definition& d) {
        const Mollweide mollweide = Mollweide::Setup(p, d);
        const double shift = (1 - mollweide.c_x) * Lobes::find(true, -kPi).lon_0;
        const bool by_equator = p.rules().imoll_lobes_by_equator;
        return {mollweide, shift, by_equator ? shift : 0., by_equator ? 1 / mollweide.c_x : 1.};
    }
#endif
};

using InterruptedMollweideLand = InterruptedMollweide<LandLobes>;
using InterruptedMollweideOcean = InterruptedMollweide<OceanLobes>;

}  // namespace proj
}  // namespace kernels
