// xyzgridshift: geocentric translations from a grid that is looked up by longitude and latitude, of
// the input or, by iteration, of the output.
#pragma once

#include "step/cart.h"
#include "step/grids.h"

namespace kernels {
namespace step {

struct GeocentricGridShift {
    Cart cart;
    const Subgrid* grids;
    double multiplier;

    GPU_FUNC bool translation(double x, double y, double z, double shift[3]) const {
        cart.inverse(x, y, z);
        if (!interpolate_three(grids, x, y, shift)) return false;
        for (int i = 0; i < 3; ++i) shift[i] *= multiplier;
        return true;
    }

    // The grid is looked up at the point itself.
    GPU_FUNC bool direct(double& x, double& y, double& z, double sign) const {
        double shift[3];
        if (!translation(x, y, z, shift)) return false;
        x += sign * shift[0];
        y += sign * shift[1];
        z += sign * shift[2];
        return true;
    }

    // The grid is looked up at the result.
    GPU_FUNC bool iterated(double& x, double& y, double& z, double sign) const {
        const double from[3] = {x, y, z};
        for (int i = 0; i < 10; ++i) {
            double shift[3];
            if (!translation(x, y, z, shift)) return false;
            const double ex = x - from[0] - sign * shift[0];
            const double ey = y - from[1] - sign * shift[1];
            const double ez = z - from[2] - sign * shift[2];
            x = from[0] + sign * shift[0];
            y = from[1] + sign * shift[1];
            z = from[2] + sign * shift[2];
            if (ex * ex + ey * ey + ez * ez < 1e-10) break;
        }
        return true;
    }
};

}  // namespace step
}  // namespace kernels
