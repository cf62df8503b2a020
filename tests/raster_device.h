// The device that the raster tests run on, and what they may expect of it beside the CPU.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "plugin/gdal_signatures.h"

namespace gdalgpu {

// The types of real pixels that GDAL has.
inline const std::vector<GDALDataType>& RealTypes() {
    static const std::vector<GDALDataType> types = [] {
        std::vector<GDALDataType> all = {GDT_Byte,   GDT_UInt16, GDT_Int16,   GDT_UInt32, GDT_Int32,
                                         GDT_UInt64, GDT_Int64,  GDT_Float32, GDT_Float64};
        if (GDALGetDataTypeByName("Int8") != GDT_Unknown) all.push_back(kInt8);
        return all;
    }();
    return types;
}

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
