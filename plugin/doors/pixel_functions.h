// Door 3: pixel functions of VRTDerivedRasterBand.
#pragma once

#include <string>

namespace gdalgpu {

// What gpu_expression takes, for `gdal-gpu help gpu_expression`.
std::string PixelFunctionHelp();

// Registers `gpu_expression` with GDAL. Calling it again does no harm.
void RegisterPixelFunctions();

}  // namespace gdalgpu
