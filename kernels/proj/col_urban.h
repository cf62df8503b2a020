// Colombia Urban: IOGP (2021), Guidance Note 7-2, section 3.2.9.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct ColombiaUrban {
    parameter es;
    parameter lat_0;
    parameter h_0;    // height of the plane, units of a
    parameter rho_0;  // radius of the meridian at the origin
    parameter a;      // the Guidance Note's A, B, C and D
    parameter b;
    parameter c;
    parameter d;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        const real arc = lon * cosine / sqrt(1 - es * sine * sine);
        const real sin_middle = sin(0.5 * (lat + lat_0));
        const real w = 1 - es * sin_middle * sin_middle;
        x = a * arc;
        y = (1 + h_0 * w * sqrt(w) / (1 - es)) * rho_0 * (lat - lat_0 + b * arc * arc);
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real arc = x / c;
        lat = lat_0 + y / d - b * arc * arc;
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        lon = arc * sqrt(1 - es * sine * sine) / cosine;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static ColombiaUrban Setup(const Parameters& p, Definition& definition) {
        const double es = definition.ellipsoid.es, lat_0 = definition.lat_0;
        const double h_0 = p.number("h_0") / definition.ellipsoid.a;
        const double w = 1 - es * sin(lat_0) * sin(lat_0);
        const double r_nu = sqrt(w);
        const double rho_0 = (1 - es) / (w * r_nu);
        return {es,
                lat_0,
                h_0,
                rho_0,
                1 + h_0 * r_nu,
                tan(lat_0) * r_nu / (2 * rho_0),
                1 + h_0,
                rho_0 * (1 + h_0 / (1 - es))};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
