// A warp's source raster, read on several threads.
#pragma once

#include <memory>

#include "gdal_priv.h"

namespace gdalgpu {

// GDAL reads a chunk's source pixels on one thread, which takes longer than the warp itself. This
// stands for a GeoTIFF, a plain file on disk that is open read-only: large windows at full
// resolution are read in strips of rows by several threads, each with a handle of its own to the
// same file, opened with the dataset's open options when the first such window is asked for. All
// sources of a process share the threads, and a bounded number of handles (SourceHandles). The
// dataset itself is read where a window is small or resampled, where a handle fails, and from when
// the file, or a file of overviews beside it, is written to or replaced, or the dataset's nodata
// value is changed. Returns null where all this doesn't apply (another driver, update mode, a part
// of a file, a file in memory, in an archive or on the network, one too small to pay,
// GDAL_GPU_READ_THREADS=1): then use the dataset itself. `source` must outlive the result, and must
// have been opened from the file that lies at its path now.
std::unique_ptr<GDALDataset> MakeParallelSource(GDALDataset& source);

}  // namespace gdalgpu
