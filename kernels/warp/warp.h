// One destination pixel: its position in the source once, then all bands. The same bits on every
// device, and by GDAL's own code on the CPU.
//
// A resampling is a class template over a source of pixels, with a position and an amount of
// samples of its own; it gives values and densities, which are stored here:
//     using Position: Point or Area
//     kCopies: whether opaque pixels may be copied as they are, by copied(band)
//     static footprint(request, position): the source pixels that it reads
//     Resampling(source, filter, position)
//     Sampled<Value> sample(band): over the valid pixels
//     kBandsTogether: where all pixels are valid, double opaque<n>(band, values) does as many bands
//         best at once, and returns their density, 0 or 1; 0: there is no opaque()
#pragma once

#define GPU_UNFUSED

#include "core/atomic.h"
#include "warp/position.h"
#include "warp/source.h"
#include "warp/store.h"

namespace kernels {
namespace warp {

GPU_FUNC void extend(SourceBox* box, SourceBox by) {
    if (by.x_min < atomic_load(&box->x_min)) atomic_min(&box->x_min, by.x_min);
    if (by.y_min < atomic_load(&box->y_min)) atomic_min(&box->y_min, by.y_min);
    if (by.x_max > atomic_load(&box->x_max)) atomic_max(&box->x_max, by.x_max);
    if (by.y_max > atomic_load(&box->y_max)) atomic_max(&box->y_max, by.y_max);
}

GPU_FUNC bool in_window(const Request& q, SourceBox box) {
    return box.x_min >= q.window_x && box.y_min >= q.window_y &&
           box.x_max < q.window_x + q.window_width && box.y_max < q.window_y + q.window_height;
}

// The density of the pixel that a point lies in; of an area, whose pixels are taken one by one, 1.
template <typename Source>
GPU_FUNC double centre_density(const Source& source, const Point& at) {
    return static_cast<double>(source.density(source.at(at.column, at.row)));
}
template <typename Source>
GPU_FUNC double centre_density(const Source&, const Area&) {
    return 1.0;
}

template <typename T, int kBands, typename Sampling>
GPU_FUNC bool store_opaque(const Request& q, const Sampling& sampling, int64 band, Target at) {
    typename Sampling::Value values[kBands];
    const double density = sampling.template opaque<kBands>(band, values);
    if (density == 0.0) return false;
    GPU_UNROLL
    for (int b = 0; b < kBands; ++b)
        store<T>(q, band + b, at, density, values[b], avoids_nodata<T>(q));
    return true;
}

// Whether any band has a value.
template <typename T, typename Source, typename Sampling>
GPU_FUNC bool sample_bands(const Request& q, const Sampling& sampling, Target at) {
    bool found = false;
    if constexpr (!Source::kMasked && Sampling::kBandsTogether > 0) {
        constexpr int together = Sampling::kBandsTogether;
        int64 band = 0;
        GPU_NO_UNROLL
        for (; together > 1 && band + together <= q.bands; band += together)
            found |= store_opaque<T, together>(q, sampling, band, at);
        GPU_NO_UNROLL
        for (; band < q.bands; ++band) found |= store_opaque<T, 1>(q, sampling, band, at);
    } else {
        GPU_NO_UNROLL
        for (int64 band = 0; band < q.bands; ++band) {
            const Sampled<typename Source::Value> sampled = sampling.sample(band);
            if (sampled.density < kBandDensityThreshold) continue;
            found = true;
            store<T>(q, band, at, sampled.density, sampled.value, avoids_nodata<T>(q));
        }
    }
    return found;
}

// As GDAL's code for some types does nearest neighbour: opaque pixels are copied, and the pixel
// counts as set also where every band is invalid.
template <typename T, typename Source, typename Sampling>
GPU_FUNC void copy_bands(const Request& q, const Source& source, const Sampling& sampling,
                         double density, Target at) {
    GPU_NO_UNROLL
    for (int64 band = 0; band < q.bands; ++band) {
        if constexpr (Source::kMasked) {
            if (sampling.sample(band).density == 0.0) continue;
        }
        if (density < 1.0) {
            store<T>(q, band, at, density, working_value(sampling.copied(band)),
                     !q.nodata_is_in_all_bands);
        } else {
            put<T>(q, band, at, sampling.copied(band),
                   q.near_avoids_nodata && !q.nodata_is_in_all_bands);
        }
    }
}

template <typename T, typename Source, typename Sampling>
GPU_FUNC void warp_bands(const Request& q, const typename Sampling::Position& position, Target at) {
    const Source source(q);
    double density = 1.0;
    if constexpr (Source::kMasked) {
        density = centre_density(source, position);
        if (density < kSourceDensityThreshold) return;
    }
    const Sampling sampling(source, q.filter, position);
    if constexpr (Sampling::kCopies) {
        if (q.blends) {
            if (!sample_bands<T, Source>(q, sampling, at)) return;
        } else {
            copy_bands<T>(q, source, sampling, density, at);
        }
    } else {
        if (!sample_bands<T, Source>(q, sampling, at)) return;
    }
    if (q.nodata_is_in_all_bands) avoid_nodata_of_all_bands<T>(q, at);
    mark_valid(q, at, density);
}

template <template <typename> class Resampling, typename T, typename Transform>
GPU_FUNC void warp_pixel(const Request& q, const Transform& transform, int64 column, int64 row) {
    using Opaque = ArraySource<T, false>;
    using Masked = ArraySource<T, true>;
    typename Resampling<Opaque>::Position position;
    if (!position.find(q, transform, column, row)) return;
    const SourceBox box = Resampling<Opaque>::footprint(q, position);
    if (q.measure || !in_window(q, box)) {
        extend(q.needed, box);
        return;
    }
    const Target at = target_at(q, column, row);
    if (q.masked) {
        warp_bands<T, Masked, Resampling<Masked>>(q, position, at);
    } else {
        warp_bands<T, Opaque, Resampling<Opaque>>(q, position, at);
    }
}

}  // namespace warp
}  // namespace kernels
