// What PROJ does before and after every operation by the units of its ends: checks, longitudes,
// offsets, linear units. The same points are refused as by its fwd_prepare, fwd_finalize,
// inv_prepare and inv_finalize.
#pragma once

#include "proj/angles.h"

namespace kernels {
namespace step {

GPU_FUNC bool any_refused(double x, double y, double z) {
    return proj::is_refused(x) || proj::is_refused(y) || proj::is_refused(z);
}

// Makes a point with a NaN among its coordinates four NaNs; false for one without.
GPU_FUNC bool spread_nan(double& x, double& y, double& z, double& t) {
    if (x == x && y == y && z == z && t == t) {
        return false;
    }
    x = y = z = t = x + y + z + t;
    return true;
}

// Flags of an end in radians, part of the text.
constexpr int kOver = 1;            // +over: longitudes are left as they are
constexpr int kGeocentric = 2;      // +geoc: latitudes outside are geocentric
constexpr int kLongitudeWrap = 4;   // +lon_wrap
constexpr int kExactSouthPole = 8;  // latitudes south of -90 degrees are refused however close

// An end in radians.
struct Angles {
    double central_meridian;  // from Greenwich
    double one_es;            // 1 - es, for +geoc
    double wrap_center;
    double z_0;
    double z_to_metres;
    double z_from_metres;

    // Into a forward operation: false for a latitude beyond a pole or a longitude beyond 10
    // radians.
    template <int kFlags>
    GPU_FUNC bool enter(double& lon, double& lat, double z) const {
        if (proj::is_refused(lat) || fabs(lat) - proj::kHalfPi > 1e-12) {
            return false;
        }
        if ((kFlags & kExactSouthPole) && lat < -proj::kHalfPi) {
            return false;
        }
        if (lat > proj::kHalfPi) lat = proj::kHalfPi;
        if (lat < -proj::kHalfPi) lat = -proj::kHalfPi;
        if (kFlags & kGeocentric) lat = scaled_tangent(lat, 1 / one_es);
        return enter_longitude<kFlags>(lon, z);
    }

    // The same for a latitude that is known to be one, by its sine and cosine.
    template <int kFlags>
    GPU_FUNC bool enter_longitude(double& lon, double z) const {
        if (proj::is_refused(lon) || proj::is_refused(z) || fabs(lon) > 10) {
            return false;
        }
        if (!(kFlags & kOver)) lon = proj::wrap_longitude(lon);
        lon -= central_meridian;
        if (!(kFlags & kOver)) lon = proj::wrap_longitude(lon);
        return true;
    }

    // Out of an inverse operation.
    template <int kFlags>
    GPU_FUNC void leave(double& lon, double& lat) const {
        lon += central_meridian;
        if (!(kFlags & kOver)) lon = proj::wrap_longitude(lon);
        if (kFlags & kGeocentric) lat = scaled_tangent(lat, one_es);
    }

    // Into an inverse operation whose output side is in radians.
    GPU_FUNC bool enter_inverse(double x, double y, double& z) const {
        if (any_refused(x, y, z)) {
            return false;
        }
        z = z_to_metres * z - z_0;
        return true;
    }

    // Out of a forward operation whose output side is in radians.
    template <int kFlags>
    GPU_FUNC void leave_forward(double& lon, double& z) const {
        z = z_from_metres * (z + z_0);
        if (kFlags & kLongitudeWrap) lon = wrap_center + proj::wrap_longitude(lon - wrap_center);
    }

    // Geographic to geocentric latitude (factor 1 - es) or back (its reciprocal); none next to the
    // poles.
    GPU_FUNC static double scaled_tangent(double lat, double factor) {
        const double limit = proj::kHalfPi - 1e-9;
        return lat > limit || lat < -limit ? lat : atan(factor * tan(lat));
    }
};

// An end in linear units: metres, or the projection's own unit a.
struct Plane {
    double a;
    double r_a;
    double x_0;
    double y_0;
    double z_0;
    double to_metres;
    double from_metres;
    double z_to_metres;
    double z_from_metres;

    GPU_FUNC bool enter_inverse(double& x, double& y, double& z) const {
        if (any_refused(x, y, z)) {
            return false;
        }
        x = (to_metres * x - x_0) * r_a;
        y = (to_metres * y - y_0) * r_a;
        z = z_to_metres * z - z_0;
        return true;
    }

    GPU_FUNC void leave_forward(double& x, double& y, double& z) const {
        x = from_metres * (a * x + x_0);
        y = from_metres * (a * y + y_0);
        z = z_from_metres * (z + z_0);
    }
};

}  // namespace step
}  // namespace kernels
