// Door 3: pixel functions of VRTDerivedRasterBand.
#pragma once

namespace gdalgpu {

// Registers `gpu_expression` with GDAL. Calling it again does no harm.
void RegisterPixelFunctions();

}  // namespace gdalgpu
