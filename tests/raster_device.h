// The device that the raster tests run on, and what they may expect of it beside the CPU.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

namespace gdalgpu {

// CUDA where GDAL_GPU_DEVICE in the environment says so, else HOST.
inline std::string TestDevice() {
    static const char* const device = std::getenv("GDAL_GPU_DEVICE");
    return device && std::string(device) == "CUDA" ? "CUDA" : "HOST";
}

// HOST gives the CPU's bits; CUDA's elementary functions differ from the C library's in their last
// bits, which is up to `tolerance` of the value's size.
inline bool AsOnTheCpu(double value, double cpu, double tolerance) {
    if (value == cpu || (std::isnan(value) && std::isnan(cpu))) return true;
    return TestDevice() == "CUDA" && std::fabs(value - cpu) <= tolerance * std::fabs(cpu);
}

}  // namespace gdalgpu
