// New Zealand Map Grid: a complex polynomial of the isometric latitude and the longitude. Reilly
// (1973), "A conformal mapping projection with minimum scale error", Survey Review 22 (168);
// coefficients by Land Information New Zealand and Stirling (1973).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct NewZealandMapGrid {
    parameter lat_0;
    parameter to_isometric[10];  // powers 1 to 10 of the latitude in units of 1e5 seconds
    parameter to_latitude[9];
    parameter re[6];  // of the complex polynomial, powers 1 to 6
    parameter im[6];

    template <int kCount>
    GPU_FUNC static real polynomial(const parameter (&c)[kCount], real at) {
        real sum = c[kCount - 1];
        for (int i = kCount - 2; i >= 0; --i) {
            sum = c[i] + at * sum;
        }
        return at * sum;
    }

    // The polynomial of z, and its derivative, by Horner's scheme.
    GPU_FUNC void map(real z_re, real z_im, real& w_re, real& w_im, real& d_re, real& d_im) const {
        real q_re = re[5], q_im = im[5];
        d_re = d_im = 0;
        for (int i = 4; i >= 0; --i) {
            multiply_add(z_re, z_im, q_re, q_im, d_re, d_im);
            multiply_add(z_re, z_im, re[i], im[i], q_re, q_im);
        }
        multiply_add(z_re, z_im, q_re, q_im, d_re, d_im);
        w_re = z_re * q_re - z_im * q_im;
        w_im = z_re * q_im + z_im * q_re;
    }

    // value = addend + z * value, complex.
    GPU_FUNC static void multiply_add(real z_re, real z_im, real addend_re, real addend_im,
                                      real& value_re, real& value_im) {
        const real t = value_re;
        value_re = addend_re + z_re * t - z_im * value_im;
        value_im = addend_im + z_re * value_im + z_im * t;
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real d_re, d_im;
        map(polynomial(to_isometric, (lat - lat_0) * kToUnits), lon, y, x, d_re, d_im);
        return true;
    }

    // Newton's method; false where twenty steps don't reach 1e-10.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        real z_re = y, z_im = x;
        for (int i = 0; i < 20; ++i) {
            real w_re, w_im, d_re, d_im;
            map(z_re, z_im, w_re, w_im, d_re, d_im);
            w_re -= y;
            w_im -= x;
            const real norm = d_re * d_re + d_im * d_im;
            const real step_re = -(w_re * d_re + w_im * d_im) / norm;
            const real step_im = -(w_im * d_re - w_re * d_im) / norm;
            z_re += step_re;
            z_im += step_im;
            if (fabs(step_re) + fabs(step_im) <= tolerance(1e-10)) {
                lon = z_im;
                lat = lat_0 + polynomial(to_latitude, z_re) / kToUnits;
                return true;
            }
        }
        return false;
    }

    static constexpr double kToUnits = 180 * 3600 / (kPi * 1e5);

#if GPU_SETUP
    template <class Parameters>
    static NewZealandMapGrid Setup(const Parameters&, Definition& d) {
        d.ellipsoid.a = 6378388;
        d.lon_0 = 173 * (kPi / 180);
        d.lat_0 = -41 * (kPi / 180);
        d.x_0 = 2510000;
        d.y_0 = 6023150;
        return {d.lat_0,
                {.6399175073, -.1358797613, .063294409, -.02526853, .0117879, -.0055161, .0026906,
                 -.001333, .00067, -.00034},
                {1.5627014243, .5185406398, -.03333098, -.1052906, -.0368594, .007317, .01220,
                 .00394, -.0013},
                {.7557853228, .249204646, -.001541739, -.10162907, -.26623489, -.6870983},
                {0, .003371507, .041058560, .01727609, -.36249218, -1.1651967}};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
