// deformation: geocentric coordinates by velocities from grids (east, north, up, in millimetres a
// year) over a time. ENU to XYZ: Noerbech et al. (2003), "Transformation from a Common Nordic
// Reference Frame to ETRS89".
#pragma once

#include "step/cart.h"
#include "step/hgridshift.h"
#include "step/vgridshift.h"

namespace kernels {
namespace step {

// One grid of three velocities. Outside it the velocity is infinite, and only where that makes x
// +infinity is the point refused: as in PROJ.
struct VelocityGrid {
    const Subgrid* grids;

    GPU_FUNC bool at(double lon, double lat, double enu[3]) const {
        if (!interpolate_three(grids, lon, lat, enu)) enu[0] = enu[1] = enu[2] = HUGE_VAL;
        return true;
    }
};

// One grid of two and one of the third. Outside either the point is refused.
struct VelocityGrids {
    const Subgrid* horizontal;
    const Subgrid* vertical;

    GPU_FUNC bool at(double lon, double lat, double enu[3]) const {
        const int64 found = find_subgrid(horizontal, lon, lat, kGridMargin);
        if (found == kNone) return false;
        const Subgrid& grid = horizontal[found];
        if (grid.flags & kNullGrid) {
            enu[0] = enu[1] = 0;
        } else {
            const double margin = (grid.res_x + grid.res_y) * kGridMargin;
            if (!interpolate_shift(horizontal, grid, from_west(grid, lon, margin), lat - grid.south,
                                   enu[0], enu[1])) {
                return false;
            }
        }
        return vertical_value(vertical, lon, lat, 1, enu[2]);
    }
};

template <class Velocities>
struct Deformation {
    Cart cart;
    Velocities velocities;
    double years;  // NaN: from the epoch to the point's time
    double epoch;
    int64 needs_time;  // 1: a point without a time is refused

    GPU_FUNC bool lacks_time(double t) const {
        return needs_time && !(years == years) && t == HUGE_VAL;
    }

    GPU_FUNC double span(double t) const { return years == years ? years : t - epoch; }

    // Metres a year.
    GPU_FUNC bool velocity(double x, double y, double z, double v[3]) const {
        cart.inverse(x, y, z);
        double enu[3];
        if (!velocities.at(x, y, enu)) return false;
        if (enu[0] == HUGE_VAL) {
            v[0] = v[1] = v[2] = HUGE_VAL;
            return true;
        }
        const double east = enu[0] / 1000;
        const double north = enu[1] / 1000;
        const double up = enu[2] / 1000;
        double sin_lat, cos_lat, sin_lon, cos_lon;
        proj::sin_cos(y, sin_lat, cos_lat);
        proj::sin_cos(x, sin_lon, cos_lon);
        v[0] = -sin_lat * cos_lon * north - sin_lon * east + cos_lat * cos_lon * up;
        v[1] = -sin_lat * sin_lon * north + cos_lon * east + cos_lat * sin_lon * up;
        v[2] = cos_lat * north + sin_lat * up;
        return true;
    }

    GPU_FUNC bool forward(double& x, double& y, double& z, double t) const {
        double v[3];
        if (lacks_time(t) || !velocity(x, y, z, v)) return false;
        x += span(t) * v[0];
        y += span(t) * v[1];
        z += span(t) * v[2];
        return true;
    }

    GPU_FUNC bool inverse(double& x, double& y, double& z, double t) const {
        const double years_past = span(t);
        double v[3];
        if (lacks_time(t)) return false;
        if (!velocity(x, y, z, v) || v[0] == HUGE_VAL) return false;
        const double from[3] = {x, y, z};
        const double first_z = v[2];
        // z moves the other way while x and y are sought, as in PROJ; the first velocity makes it.
        x -= years_past * v[0];
        y -= years_past * v[1];
        z += years_past * v[2];
        for (int i = 0; i < 10; ++i) {
            if (!velocity(x, y, z, v)) return false;
            if (v[0] == HUGE_VAL) break;
            const double dx = x + years_past * v[0] - from[0];
            const double dy = y + years_past * v[1] - from[1];
            x += dx;
            y += dy;
            z += z - years_past * v[2] - from[2];
            if (!(hypot(dx, dy) > 1e-8)) break;
        }
        z = from[2] - years_past * first_z;
        return true;
    }
};

}  // namespace step
}  // namespace kernels
