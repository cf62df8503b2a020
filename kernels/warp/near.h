// Nearest neighbour.
#pragma once

#include "warp/source.h"
#include "warp/store.h"

namespace kernels {
namespace warp {

struct Near {
    GPU_FUNC static SourceBox footprint(const Request&, double, double, int32 column, int32 row) {
        return {column, row, column, row};
    }

    // Whether the pixel counts as set. GDAL has code of its own for some types, which copies opaque
    // pixels as they are and counts a pixel as set also where every band is invalid.
    template <typename T, bool kMasked>
    GPU_FUNC static bool bands(const Request& q, double, double, Sample centre, double density,
                               Target at) {
        bool found = !q.blends;
        GPU_NO_UNROLL
        for (int64 band = 0; band < q.bands; ++band) {
            if (kMasked && !band_valid_at(q, band, centre.bit)) continue;
            const T value = load(source_band<T>(q, band) + centre.pixel);
            if (q.blends) {
                if (density < kBandDensityThreshold) continue;
                found = true;
                store<T>(q, band, at, density, to_double(value));
            } else if (density < 1.0) {
                store<T>(q, band, at, density, to_double(value), !q.nodata_is_in_all_bands);
            } else {
                const bool avoids = q.near_avoids_nodata && !q.nodata_is_in_all_bands;
                destination_band<T>(q, band)[at.pixel] =
                    avoids ? avoid_nodata(q, band, value) : value;
            }
        }
        return found;
    }
};

}  // namespace warp
}  // namespace kernels
