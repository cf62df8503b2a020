// Spherical Cross-track Height: along-track and cross-track angles and height on a sphere that
// touches the ellipsoid at a peg point with the curvature of its heading. Hensley, Chapin, Freedman
// and Michel (2002), "Improved Processing of AIRSAR Data Based on the GeoSAR Processor", section on
// SCH coordinates.
#pragma once

#include "step/affine.h"
#include "step/cart.h"

namespace kernels {
namespace step {

struct SphericalCrossTrack {
    Cart ellipsoid;
    Affine to_sphere;  // geocentric coordinates to those of the sphere, and back
    Affine to_ellipsoid;
    Cart sphere;
    double radius;  // of the sphere, in units of the ellipsoid's a

    // Longitude, latitude, height to distances along and across the track (in units of a), height.
    GPU_FUNC void forward(double& x, double& y, double& z) const {
        ellipsoid.forward(x, y, z);
        to_sphere.apply(x, y, z);
        sphere.inverse(x, y, z);
        x *= radius;
        y *= radius;
    }

    GPU_FUNC void inverse(double& x, double& y, double& z) const {
        x /= radius;
        y /= radius;
        sphere.forward(x, y, z);
        to_ellipsoid.apply(x, y, z);
        ellipsoid.inverse(x, y, z);
    }
};

}  // namespace step
}  // namespace kernels
