// Spilhaus, the world's ocean in a square: Adams's World in a Square II of a turned conformal
// sphere. Spilhaus (1942), "Maps of the whole world ocean", Geographical Review 32, pp. 431 to 435;
// the turn by Snyder (1987), "Map Projections: A Working Manual", eqs. 5-7 and 5-8b.
#pragma once

#include "proj/adams.h"
#include "proj/conformal_sphere.h"

namespace kernels {
namespace proj {

struct Spilhaus {
    ConformalLatitude conformal;
    AdamsWorld2 square;
    parameter sin_alpha;  // latitude of the turned pole
    parameter cos_alpha;
    parameter beta;    // turned longitude of the turn's meridian
    parameter turn;    // geographic longitude of that meridian
    parameter factor;  // of the conformal sphere, at the centre
    parameter sin_rot;
    parameter cos_rot;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon, turned;
        sin_cos(lat, sine, cosine);
        from_sphere_isometric(conformal.isometric(sine, cosine), sine, cosine);
        sin_cos(lon - turn, sin_lon, cos_lon);
        if (!arc_sine(sin_alpha * sine - cos_alpha * cosine * cos_lon, turned)) {
            return false;
        }
        real turned_lon =
            beta + atan2(cosine * sin_lon, sin_alpha * cosine * cos_lon + cos_alpha * sine);
        turned_lon = turned_lon > kPi    ? real(turned_lon - kTwoPi)
                     : turned_lon < -kPi ? real(turned_lon + kTwoPi)
                                         : turned_lon;
        real u, v;
        square.forward(turned_lon, turned, u, v);
        x = -(u * cos_rot + v * sin_rot) * factor;
        y = -(v * cos_rot - u * sin_rot) * factor;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real turned_lon, turned, sine, cosine, sin_lon, cos_lon;
        if (!square.inverse(-(x * cos_rot - y * sin_rot) / factor,
                            -(x * sin_rot + y * cos_rot) / factor, turned_lon, turned)) {
            return false;
        }
        sin_cos(turned, sine, cosine);
        sin_cos(turned_lon - beta, sin_lon, cos_lon);
        const real east = cosine * sin_lon;
        const real meridian = sin_alpha * cosine * cos_lon - cos_alpha * sine;
        lon = turn + atan2(east, meridian);
        const real polar = sin_alpha * sine + cos_alpha * cosine * cos_lon;
        lat = conformal.from_isometric(asinh_tan(polar, sqrt(east * east + meridian * meridian)));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Spilhaus Setup(const Parameters& p, Definition& d) {
        const auto angle = [&](const char* name, double otherwise) {
            return p.has(name) ? p.angle(name) : otherwise * (kPi / 180);
        };
        d.lon_0 = angle("lon_0", 66.94970198);
        d.lat_0 = angle("lat_0", -49.56371678);
        const double azimuth = angle("azi", 40.17823482), rotation = angle("rot", 45);
        Spilhaus s = {};
        s.conformal = ConformalLatitude::Setup(d.ellipsoid);
        s.square = {p.rules().generic_inverse_leaves_axes};
        double sine, cosine;
        from_sphere_isometric(s.conformal.isometric(sin(d.lat_0), cos(d.lat_0)), sine, cosine);
        s.sin_alpha = -cosine * cos(azimuth);
        s.cos_alpha = sqrt(1 - s.sin_alpha * s.sin_alpha);
        s.turn = atan2(tan(azimuth), -sine);
        s.beta = kPi + atan2(-sin(azimuth), -sine / cosine);
        s.factor = d.k_0 * parallel_radius(sin(d.lat_0), cos(d.lat_0), d.ellipsoid.es) / cosine;
        s.sin_rot = sin(rotation);
        s.cos_rot = cos(rotation);
        return s;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
