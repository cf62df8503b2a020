// Robinson: his table of parallels, five degrees apart (Robinson 1974, "A new map projection: its
// development and characteristics"), with cubics between them. The cubics' coefficients are data:
// those that PROJ has, in single precision as there. A rounding decides whether PROJ takes a point
// of the meridian that the map is cut along back to degrees.
#pragma once

#define GPU_UNFUSED

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

struct RobinsonCubic {
    float c0, c1, c2, c3;

    GPU_FUNC real value(real t) const { return c0 + t * (c1 + t * (c2 + t * c3)); }
    GPU_FUNC real derivative(real t) const { return c1 + 2 * t * c2 + t * t * 3. * c3; }
};

// Length of the parallel and distance from the equator, as fractions of the largest, by degrees
// from the parallel.
struct RobinsonParallel {
    RobinsonCubic length;
    RobinsonCubic distance;
};

constexpr int kRobinsonPole = 18;

GPU_CONST RobinsonParallel kRobinsonParallels[kRobinsonPole + 1] = {
    {{1.0f, 2.2199e-17f, -7.15515e-05f, 3.1103e-06f},
     {-5.20417e-18f, 0.0124f, 1.21431e-18f, -8.45284e-11f}},
    {{0.9986f, -0.000482243f, -2.4897e-05f, -1.3309e-06f},
     {0.062f, 0.0124f, -1.26793e-09f, 4.22642e-10f}},
    {{0.9954f, -0.00083103f, -4.48605e-05f, -9.86701e-07f},
     {0.124f, 0.0124f, 5.07171e-09f, -1.60604e-09f}},
    {{0.99f, -0.00135364f, -5.9661e-05f, 3.6777e-06f},
     {0.186f, 0.0123999f, -1.90189e-08f, 6.00152e-09f}},
    {{0.9822f, -0.00167442f, -4.49547e-06f, -5.72411e-06f},
     {0.248f, 0.0124002f, 7.10039e-08f, -2.24e-08f}},
    {{0.973f, -0.00214868f, -9.03571e-05f, 1.8736e-08f},
     {0.31f, 0.0123992f, -2.64997e-07f, 8.35986e-08f}},
    {{0.96f, -0.00305085f, -9.00761e-05f, 1.64917e-06f},
     {0.372f, 0.0124029f, 9.88983e-07f, -3.11994e-07f}},
    {{0.9427f, -0.00382792f, -6.53386e-05f, -2.6154e-06f},
     {0.434f, 0.0123893f, -3.69093e-06f, -4.35621e-07f}},
    {{0.9216f, -0.00467746f, -0.00010457f, 4.81243e-06f},
     {0.4958f, 0.0123198f, -1.02252e-05f, -3.45523e-07f}},
    {{0.8962f, -0.00536223f, -3.23831e-05f, -5.43432e-06f},
     {0.5571f, 0.0121916f, -1.54081e-05f, -5.82288e-07f}},
    {{0.8679f, -0.00609363f, -0.000113898f, 3.32484e-06f},
     {0.6176f, 0.0119938f, -2.41424e-05f, -5.25327e-07f}},
    {{0.835f, -0.00698325f, -6.40253e-05f, 9.34959e-07f},
     {0.6769f, 0.011713f, -3.20223e-05f, -5.16405e-07f}},
    {{0.7986f, -0.00755338f, -5.00009e-05f, 9.35324e-07f},
     {0.7346f, 0.0113541f, -3.97684e-05f, -6.09052e-07f}},
    {{0.7597f, -0.00798324f, -3.5971e-05f, -2.27626e-06f},
     {0.7903f, 0.0109107f, -4.89042e-05f, -1.04739e-06f}},
    {{0.7186f, -0.00851367f, -7.01149e-05f, -8.6303e-06f},
     {0.8435f, 0.0103431f, -6.4615e-05f, -1.40374e-09f}},
    {{0.6732f, -0.00986209f, -0.000199569f, 1.91974e-05f},
     {0.8936f, 0.00969686f, -6.4636e-05f, -8.547e-06f}},
    {{0.6213f, -0.010418f, 8.83923e-05f, 6.24051e-06f},
     {0.9394f, 0.00840947f, -0.000192841f, -4.2106e-06f}},
    {{0.5722f, -0.00906601f, 0.000182f, 6.24051e-06f},
     {0.9761f, 0.00616527f, -0.000256f, -4.2106e-06f}},
    {{0.5322f, -0.00677797f, 0.000275608f, 6.24051e-06f},
     {1.0f, 0.00328947f, -0.000319159f, -4.2106e-06f}}};

struct Robinson {
    parameter x_scale;
    parameter y_scale;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real size = fabs(lat);
        if (!(size <= kHalfPi)) {
            return false;
        }
        const int i = int(size * kPerParallel + 1e-15);
        const real t = kDegrees * (size - kRadiansApart * i);
        const RobinsonParallel& parallel = kRobinsonParallels[i];
        x = parallel.length.value(t) * x_scale * lon;
        y = copysign(parallel.distance.value(t) * y_scale, lat);
        return true;
    }

    // The longitude is compared with the antimeridian, so it is rounded as PROJ rounds it.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        const real distance = fabs(y / y_scale);
        lon = x / x_scale;
        if (distance >= 1) {
            lon /= kRobinsonParallels[kRobinsonPole].length.c0;
            lat = y < 0 ? -kHalfPi : kHalfPi;
            return distance <= 1.000001;
        }
        if (!(distance < 1)) {
            return false;
        }
        // The distances lie above a straight line from the equator to the pole.
        int i = int(distance * kRobinsonPole);
        while (kRobinsonParallels[i].distance.c0 > distance) {
            --i;
        }
        const RobinsonParallel& parallel = kRobinsonParallels[i];
        const real start = parallel.distance.c0;
        real t = 5. * (distance - start) / (kRobinsonParallels[i + 1].distance.c0 - start);
        bool found = false;
        for (int n = 0; n < 100 && !found; ++n) {
            const real step =
                (parallel.distance.value(t) - distance) / parallel.distance.derivative(t);
            t -= step;
            found = fabs(step) < tolerance(1e-10);
        }
        lat = copysign((5 * i + t) * kRadians, y);
        lon /= parallel.length.value(t);
        return found && !(fabs(lon) > kPi);
    }

    static constexpr double kPerParallel = 11.45915590261646417544;
    static constexpr double kRadiansApart = 0.08726646259971647884;
    static constexpr double kDegrees = 57.295779513082321;
    static constexpr double kRadians = 0.017453292519943296;

#if GPU_SETUP
    template <class Parameters>
    static Robinson Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0.8487, 1.3523};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
