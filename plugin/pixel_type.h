// GDAL's data types as the kernels' pixel types.
#pragma once

#include "core/pixel_range.h"
#include "gdal.h"
#include "plugin/gdal_signatures.h"

namespace gdalgpu {

template <typename T>
struct PixelTag {
    using type = T;
};

// Calls function(PixelTag<T>()) with the kernels' type of `type`; false, and no call, where there
// is none (complex types, Float16).
template <typename Function>
bool DispatchPixelType(GDALDataType type, Function&& function) {
    switch (type) {
        case GDT_Byte:
            function(PixelTag<kernels::uint8>());
            return true;
        case kInt8:
            function(PixelTag<kernels::int8>());
            return true;
        case GDT_UInt16:
            function(PixelTag<kernels::uint16>());
            return true;
        case GDT_Int16:
            function(PixelTag<kernels::int16>());
            return true;
        case GDT_UInt32:
            function(PixelTag<kernels::uint32>());
            return true;
        case GDT_Int32:
            function(PixelTag<kernels::int32>());
            return true;
        case GDT_UInt64:
            function(PixelTag<kernels::uint64>());
            return true;
        case GDT_Int64:
            function(PixelTag<kernels::int64>());
            return true;
        case GDT_Float32:
            function(PixelTag<float>());
            return true;
        case GDT_Float64:
            function(PixelTag<double>());
            return true;
        default:
            return false;
    }
}

// The kernels' name of a type, as device text spells it inside namespace kernels; nullptr where
// there is none.
inline const char* DeviceTypeName(GDALDataType type) {
    switch (type) {
        case GDT_Byte:
            return "uint8";
        case kInt8:
            return "int8";
        case GDT_UInt16:
            return "uint16";
        case GDT_Int16:
            return "int16";
        case GDT_UInt32:
            return "uint32";
        case GDT_Int32:
            return "int32";
        case GDT_UInt64:
            return "uint64";
        case GDT_Int64:
            return "int64";
        case GDT_Float32:
            return "float";
        case GDT_Float64:
            return "double";
        default:
            return nullptr;
    }
}

}  // namespace gdalgpu
