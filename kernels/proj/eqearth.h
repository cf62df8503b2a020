// Equal Earth: Savric, Patterson and Jenny (2018), "The Equal Earth map projection", International
// Journal of Geographical Information Science 33(3), eqs. 7 to 10; on an ellipsoid by its authalic
// latitude.
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

struct EqualEarth {
    AuthalicLatitude authalic;
    parameter radius;  // of the authalic sphere
    parameter r_radius;

    static constexpr double kSine60 = 0.86602540378443864676;

    GPU_FUNC static real polynomial(real angle2) {
        return 1.340264 + angle2 * (-0.081106 + angle2 * angle2 * (0.000893 + 0.003796 * angle2));
    }
    // The derivative of angle * polynomial(angle^2).
    GPU_FUNC static real derivative(real angle2) {
        return 1.340264 +
               angle2 * (3 * -0.081106 + angle2 * angle2 * (7 * 0.000893 + 9 * 0.003796 * angle2));
    }

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real sine = kSine60 * clamp_sine(authalic.q(sin(lat)) * authalic.r_pole);
        const real angle = asin(sine);
        const real angle2 = angle * angle;
        x = radius * lon * sqrt((1 - sine) * (1 + sine)) / (kSine60 * derivative(angle2));
        y = radius * angle * polynomial(angle2);
        return true;
    }

    // Beyond a pole that pole, as in PROJ; false where twelve steps don't reach 1e-11, and for NaN.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real top = 1.3173627591574;
        const real scaled = y * r_radius;
        const real wanted = scaled > top ? top : scaled < -top ? -top : scaled;
        real angle = wanted;
        bool converged = false;
        for (int i = 0; i < 12 && !converged; ++i) {
            const real angle2 = angle * angle;
            const real step = (angle * polynomial(angle2) - wanted) / derivative(angle2);
            angle -= step;
            converged = fabs(step) < tolerance(1e-11);
        }
        if (!converged) {
            return false;
        }
        real sine, cosine;
        sin_cos(angle, sine, cosine);
        lon = kSine60 * x * r_radius * derivative(angle * angle) / cosine;
        sine /= kSine60;
        lat = asin(sine);
        if (authalic.es != 0) {
            cosine = sqrt((1 - sine) * (1 + sine));
            lat = authalic.geographic(lat, sine, cosine);
        }
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static EqualEarth Setup(const Parameters& p, Definition& d) {
        EqualEarth e = {};
        e.authalic = AuthalicLatitude::SetupThirdOrder(p, d.ellipsoid);
        e.radius = d.ellipsoid.es != 0 ? sqrt(0.5 * e.authalic.pole) : 1;
        e.r_radius = 1 / e.radius;
        return e;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
