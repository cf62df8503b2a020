// Projections that are repeated along the equator about several central meridians. Zones of
// Transverse Mercator: IOGP, Guidance Note 7-2, "Transverse Mercator Zoned Grid System". Gores of
// any width, as for globes: PROJ 9.9's `interrupted`.
#pragma once

#include "proj/cass.h"
#include "proj/gn_sinu.h"
#include "proj/poly.h"
#include "proj/tmerc.h"

namespace kernels {
namespace proj {

// Zones of `width` from the central meridian to the east, a million metres apart.
template <class Base>
struct Zoned {
    Base base;
    parameter width;
    parameter offset;  // a million metres in units of a

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        if (lon < 0) {
            lon += kTwoPi;
        }
        const real zone = floor(lon / width + rounding(1e-12) * (kPi / 180)) + 1;
        if (!base.forward(lon - (zone - 0.5) * width, lat, x, y)) {
            return false;
        }
        x += zone * offset;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real number = x / offset + 0.5;
        const real zone = number < 0 ? -floor(-number) : floor(number);
        if (!base.inverse(x - zone * offset, y, lon, lat)) {
            return false;
        }
        lon += (zone - 0.5) * width;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Zoned Make(const Parameters& p, const Definition& d, const Base& base) {
        const double width = p.number("width") * (kPi / 180);
        if (!(width > 1e-6)) {
            p.fail("width", "should be greater than 0");
        }
        return {base, width, 1e6 / d.ellipsoid.a};
    }
#endif
};

struct TransverseMercatorZoned : Zoned<TransverseMercator> {
#if GPU_SETUP
    template <class Parameters>
    static TransverseMercatorZoned Setup(const Parameters& p, Definition& d) {
        Definition base = d;
        base.lat_0 = 0;
        return {Make(p, d, TransverseMercator::Make(base))};
    }
#endif
};

struct TransverseMercatorZonedSphere : Zoned<TransverseMercatorSphere> {
#if GPU_SETUP
    template <class Parameters>
    static TransverseMercatorZonedSphere Setup(const Parameters& p, Definition& d) {
        return {Make(p, d, {d.k_0, 0})};
    }
#endif
};

constexpr int kMostGores = 36;

template <class Base>
struct Gores {
    Base base;
    int64 count;
    parameter lon_end[kMostGores];  // eastern borders
    parameter lon_centre[kMostGores];
    parameter x_end[kMostGores];
    parameter x_centre[kMostGores];

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real middle = 0, shift = 0;
        for (int64 i = 0; i < count; ++i) {
            if (i + 1 == count ? lon <= lon_end[i] + 1 : lon <= lon_end[i]) {
                middle = lon_centre[i];
                shift = x_centre[i];
                break;
            }
        }
        if (!base.forward(lon - middle, lat, x, y)) {
            return false;
        }
        x += shift;
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real middle = 0, shift = 0, west = 0, east = 0;
        for (int64 i = 0; i < count; ++i) {
            const bool last = i + 1 == count;
            if (last ? x <= x_end[i] + 100 : x <= x_end[i]) {
                middle = lon_centre[i];
                shift = x_centre[i];
                west = i > 0 ? real(lon_end[i - 1]) : real(-kPi);
                east = last ? real(kPi) : real(lon_end[i]);
                break;
            }
        }
        if (!base.inverse(x - shift, y, lon, lat)) {
            return false;
        }
        lon += middle;
        return !(lon > east || lon < west);
    }

#if GPU_SETUP
    // PROJ gives the repeated projection no parameters of its own.
    template <class Parameters>
    struct NoParameters {
        const Parameters& p;

        bool has(const char*) const { return false; }
        bool flag(const char*) const { return false; }
        double angle(const char*) const { return 0; }
        double number(const char*) const { return 0; }
        void fail(const char* name, const char* why) const { p.fail(name, why); }
        bool is(const char*, const char*) const { return false; }
        decltype(auto) rules() const { return p.rules(); }
    };

    // +gores: how many of the same width; or the widths' ratios, between commas.
    template <class Parameters>
    static Gores Setup(const Parameters& p, Definition& d) {
        p.has("base");
        double sizes[kMostGores] = {1, 1, 1};
        int count = 3;
        if (p.has("gores")) {
            count = p.list("gores", sizes, kMostGores);
            if (count == 1) {
                count = sizes[0] >= 1 && sizes[0] < kMostGores + 1 ? static_cast<int>(sizes[0]) : 0;
                for (double& size : sizes) {
                    size = 1;
                }
            }
        }
        double total = 0;
        for (int i = 0; i < count; ++i) {
            total += sizes[i];
            if (!(sizes[i] > 0) || sizes[i] != sizes[count - 1 - i]) {
                p.fail("gores", "should be symmetric and greater than 0");
            }
        }
        if (count < 1) {
            p.fail("gores", "should be 1 to 36");
        }
        Definition plain = d;
        plain.lat_0 = 0;
        Gores g = {};
        g.base = Base::Setup(NoParameters<Parameters>{p}, plain);
        g.count = count;
        double lon = -kPi, x = 0, half[kMostGores];
        for (int i = 0; i < count; ++i) {
            double ignored;
            const double width = sizes[i] * kPi * 2 / total;
            g.base.forward(width / 2, 0, half[i], ignored);
            g.lon_end[i] = lon + width;
            g.lon_centre[i] = (lon + g.lon_end[i]) / 2;
            lon = g.lon_end[i];
            x -= half[i];
        }
        for (int i = 0; i < count; ++i) {
            g.x_centre[i] = x + half[i];
            x = g.x_end[i] = x + 2 * half[i];
        }
        return g;
    }
#endif
};

using CassiniGores = Gores<Cassini>;
using CassiniSphereGores = Gores<CassiniSphere>;
using PolyconicGores = Gores<Polyconic>;
using PolyconicSphereGores = Gores<PolyconicSphere>;
using SinusoidalGores = Gores<Sinusoidal>;
using SinusoidalSphereGores = Gores<SinusoidalSphere>;
using TransverseMercatorGores = Gores<TransverseMercator>;
using TransverseMercatorSphereGores = Gores<TransverseMercatorSphere>;

}  // namespace proj
}  // namespace kernels
