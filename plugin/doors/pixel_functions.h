// Door 3: pixel functions of VRTDerivedRasterBand.
#pragma once

#include <string>
#include <vector>

namespace gdalgpu {

struct PixelFunctionArgument {
    std::string name;
    std::string type;  // as GDAL's argument lists have it
    std::string help;
};

// What gpu_expression takes.
std::vector<PixelFunctionArgument> PixelFunctionArguments();

// The same for `gdal-gpu help gpu_expression`.
std::string PixelFunctionHelp();

// Registers `gpu_expression` with GDAL. Calling it again does no harm.
void RegisterPixelFunctions();

}  // namespace gdalgpu
