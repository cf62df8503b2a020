// What one launch of a warp is given: a part of the destination, and the source pixels that it
// reads.
#pragma once

#include "core/core.h"

// Loops over bands stay loops: fewer registers, more pixels in flight.
#if defined(__CUDACC__)
#define GPU_UNROLL _Pragma("unroll")
#define GPU_NO_UNROLL _Pragma("unroll 1")
#else
#define GPU_UNROLL
#define GPU_NO_UNROLL
#endif

namespace kernels {
namespace warp {

// The source pixels that pixels of the destination need, in source raster coordinates, inclusive.
// The host sets it to the empty box (minima above, maxima below everything) before the launch.
struct SourceBox {
    int32 x_min, y_min, x_max, y_max;
};

// Of an angle by which Lanczos's filter goes on from sample to sample, and of a third of it.
struct Turn {
    double cosine, sine, cosine_of_third, sine_of_third;
};

// What a resampling is given beside the pixels. Scales: destination over source size along an axis.
struct Filter {
    // Where the destination is coarser, filters are widened: the scale, at most 1, the radius in
    // source pixels, and the first sample relative to the one left of (above) the position.
    double x_scale, y_scale;
    int64 x_radius, y_radius, x_first, y_first;
    // The weights of samples x_first to x_radius where they don't depend on the position; else
    // null.
    const double* x_weights;
    const double* y_weights;
    // An area more source pixels beyond the raster than this isn't sampled at all.
    double x_margin, y_margin;
    double wrap_scale;  // the scale along x, not cut off at 1
    int64 wrap_end;     // behind the operation's last column

    // What GDAL's versions do differently (plugin/gdal_rules.h has each).
    int64 lanczos_follows_position;  // then with the turns of a sample along each axis
    Turn x_turn, y_turn;
    int64 lanczos_takes_few_samples;
    int64 areas_meet_raster;
    int64 wrap_rule;  // how an area across the antimeridian is told
    int64 means_are_running;
    int64 modes_are_weighted;
    int64 mode_ties;  // of those: 0 the first, -1 the least, 1 the greatest value
};

// Band sequential arrays; masks are packed as in core/mask.h. A null mask or density: everything
// valid, opaque.
struct Request {
    // Destination: width x height pixels, of which (0, 0) is pixel (x, y) of the destination
    // raster.
    int64 x, y, width, height;
    int64 bands;
    void* destination;
    float* destination_density;
    uint32* destination_valid;  // bit of (column, row): valid_origin + row * valid_stride + column
    int64 destination_valid_origin, destination_valid_stride;
    const double* destination_nodata;  // a value a band

    // What is kept off the destination's nodata value: valid pixels of integers always, other than
    // nearest neighbour's opaque ones of types that GDAL has code of its own for.
    int64 near_avoids_nodata;      // those too
    int64 floats_avoid_nodata;     // float and double too, by the next value
    int64 nodata_is_in_all_bands;  // only pixels that have it in all bands, and then in all
    uint32* nodata_avoided;        // set where it was avoided
    int64 density_in_float;        // the destination's density is summed up in float

    double position_precision;  // positions are rounded to its multiples; 0: they aren't

    // Source: a window of the raster.
    int64 raster_width, raster_height;
    int64 window_x, window_y, window_width, window_height;
    const void* source;
    const float* source_density;
    const uint32* source_valid;  // bit of (x, y) of the window: mask_origin + y * mask_stride + x
    const uint32* band_valid;    // the same for each band, band_valid_words apart
    int64 mask_origin, mask_stride, band_valid_words;

    Filter filter;

    int64 masked;   // there is a source mask or density
    int64 blends;   // near: the pixel goes through the general store, as GDAL's code for all types
                    // does; else opaque ones are copied
    int64 measure;  // collect in `needed` what is read, and do nothing else
    SourceBox* needed;  // otherwise: gets what lies outside of the window
};

// A pixel of the part: its place in the bands and the density, and in the mask.
struct Target {
    int64 pixel;
    int64 bit;
};

}  // namespace warp
}  // namespace kernels
