// A part of a warp: where its pixels come from and where they go, whoever cut it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gdalwarper.h"
#include "plugin/coordinates/pixel_transform.h"

namespace gdalgpu {

// Arrays are on the host and belong to the caller: of a band row by row without gaps, of the
// working type; masks packed as in kernels/core/mask.h. A null mask or density: all valid, opaque.
struct WarpChunk {
    GDALResampleAlg resampling = GRA_NearestNeighbour;
    GDALDataType type = GDT_Unknown;
    char** options = nullptr;  // warp options
    GDALTransformerFunc transformer = nullptr;
    void* transformer_argument = nullptr;

    PixelWindow source_raster;
    PixelWindow source;                             // the part of it that the arrays hold
    double source_x_extra = 0, source_y_extra = 0;  // as SourceWindow has them
    std::vector<GByte*> source_bands;
    float* source_density = nullptr;
    GUInt32* source_valid = nullptr;
    std::vector<GUInt32*> band_valid;  // for each band, or empty

    PixelWindow destination;  // in the destination raster
    std::vector<GByte*> destination_bands;
    float* destination_density = nullptr;
    GUInt32* destination_valid = nullptr;
    const double* destination_nodata = nullptr;  // a value a band

    // Told how much of the chunk is done, 0 to 1, on the caller's thread; false cancels. May be
    // empty.
    std::function<bool(double)> progress;

    size_t bands() const { return destination_bands.size(); }
    bool has_source_mask() const {
        return !band_valid.empty() || source_valid != nullptr || source_density != nullptr;
    }
};

// What became of a chunk.
enum class WarpOutcome {
    Done,          // the destination arrays hold the result
    LeftToGdal,    // nothing was touched; it is plain GDAL's (the report says why)
    MissedSource,  // nothing was touched; the source window lacks pixels: see `needed`
    Cancelled,     // the progress function said so, and a CPLError was given
    Failed         // GDAL's own code failed, with a CPLError
};

// Source pixels that a chunk needs, in source raster coordinates, inclusive; set with MissedSource.
// Contains the chunk's source window.
struct SourceNeed {
    int x_min, y_min, x_max, y_max;
};

}  // namespace gdalgpu
