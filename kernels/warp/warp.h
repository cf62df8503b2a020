// One destination pixel: its position in the source once, then all bands. The same bits on every
// device, and by GDAL's own code on the CPU.
#pragma once

#define GPU_UNFUSED

#include "warp/antialiased.h"
#include "warp/bilinear.h"
#include "warp/cubic.h"
#include "warp/near.h"

namespace kernels {
namespace warp {

// Resampling: Near, Bilinear, Cubic, AntialiasedBilinear or AntialiasedCubic. Transform: a struct
// with to_source(column, row, x, y), as PixelTransform::Emit() adds it.
template <typename Resampling, typename T, typename Transform>
GPU_FUNC void warp_pixel(const Request& q, const Transform& transform, int64 column, int64 row) {
    double x, y;
    if (!transform.to_source(q.x + column, q.y + row, x, y)) return;
    x = rounded(x);
    y = rounded(y);
    // The raster's far edges belong to its last pixels, within 1e-10. Also false for NaN.
    if (!(x >= 0.0 && y >= 0.0 && x + 1e-10 <= static_cast<double>(q.raster_width) &&
          y + 1e-10 <= static_cast<double>(q.raster_height))) {
        return;
    }
    int32 centre_x = static_cast<int32>(x + 1e-10), centre_y = static_cast<int32>(y + 1e-10);
    if (centre_x == q.raster_width) --centre_x;
    if (centre_y == q.raster_height) --centre_y;

    const SourceBox box = Resampling::footprint(q, x, y, centre_x, centre_y);
    if (q.measure || !in_window(q, box)) {
        extend(q.needed, box);
        return;
    }
    const Sample centre = sample_at(q, centre_x, centre_y);
    const Target at = target_at(q, column, row);
    double density = 1.0;
    bool found;
    if (q.masked) {
        density = density_at(q, centre);
        if (density < kSourceDensityThreshold) return;
        found = Resampling::template bands<T, true>(q, x, y, centre, density, at);
    } else {
        found = Resampling::template bands<T, false>(q, x, y, centre, density, at);
    }
    if (!found) return;
    if (q.nodata_is_in_all_bands) avoid_nodata_of_all_bands<T>(q, at);
    mark_valid(q, at, density);
}

}  // namespace warp
}  // namespace kernels
