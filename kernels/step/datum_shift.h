// What +towgs84 and +datum add to an operation: between WGS84 and the operation's own datum, by way
// of geocentric coordinates.
#pragma once

#include "step/affine.h"
#include "step/cart.h"
#include "step/ends.h"

namespace kernels {
namespace step {

struct DatumShift {
    double central_meridian;  // from Greenwich; Angles has none beside this
    Cart from;
    Affine shift;
    Cart to;

    GPU_FUNC void apply(double& lon, double& lat, double& h) const {
        from.forward(lon, lat, h);
        shift.apply(lon, lat, h);
        to.inverse(lon, lat, h);
    }

    // After Angles::enter().
    template <int kFlags>
    GPU_FUNC void enter(double& lon, double& lat, double& h) const {
        apply(lon, lat, h);
        lon -= central_meridian;
        if (!(kFlags & kOver)) lon = proj::wrap_longitude(lon);
    }

    // Before Angles::leave().
    GPU_FUNC void leave(double& lon, double& lat, double& h) const {
        lon += central_meridian;
        apply(lon, lat, h);
    }
};

}  // namespace step
}  // namespace kernels
