// The warning that valid pixels were kept off the destination's nodata value.
#pragma once

#include <atomic>

#include "gdalwarper.h"

namespace gdalgpu {

// Gives it once (`warned` remembers), where the GDAL that is loaded gives such a warning.
void WarnOfAvoidedNodata(const GDALWarpKernel& kernel, std::atomic<bool>& warned);

}  // namespace gdalgpu
