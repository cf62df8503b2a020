// A warp's source raster, read on several threads.
#pragma once

#include <memory>

#include "gdal_priv.h"

namespace gdalgpu {

// GDAL reads a chunk's source pixels on one thread, which takes longer than the warp itself. This
// stands for a GeoTIFF that is open read-only and isn't changed: large windows at full resolution
// are read in strips of rows by several threads, each with a handle of its own to the same file;
// everything else goes to the dataset itself. Returns null where that doesn't apply (another
// driver, update mode, a file too small to pay, GDAL_GPU_READ_THREADS=1): then use the dataset
// itself. `source` must outlive the result.
std::unique_ptr<GDALDataset> MakeParallelSource(GDALDataset& source);

}  // namespace gdalgpu
