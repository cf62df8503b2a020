#include "plugin/warp/warp_setup.h"

#include <algorithm>
#include <cmath>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "plugin/gdal_rules.h"
#include "plugin/warp/warp_scale.h"

namespace gdalgpu {

namespace {

struct Type {
    GDALDataType gdal;
    const char* name;
    int bytes;
    bool has_own_code;  // GDAL has code for it beside the one for all types
};

const Type kTypes[] = {{GDT_Byte, "uint8", 1, true},     {GDT_UInt16, "uint16", 2, true},
                       {GDT_Int16, "int16", 2, true},    {GDT_UInt32, "uint32", 4, false},
                       {GDT_Int32, "int32", 4, false},   {GDT_Float32, "float", 4, true},
                       {GDT_Float64, "double", 8, false}};

const Type* FindType(GDALDataType wanted) {
    return std::find_if(std::begin(kTypes), std::end(kTypes),
                        [&](const Type& type) { return type.gdal == wanted; });
}

const char* ResamplingName(GDALResampleAlg resampling) {
    switch (resampling) {
        case GRA_NearestNeighbour:
            return "near";
        case GRA_Bilinear:
            return "bilinear";
        case GRA_Cubic:
            return "cubic";
        case GRA_CubicSpline:
            return "cubicspline";
        case GRA_Lanczos:
            return "lanczos";
        case GRA_Average:
            return "average";
        case GRA_RMS:
            return "rms";
        case GRA_Mode:
            return "mode";
        case GRA_Max:
            return "max";
        case GRA_Min:
            return "min";
        case GRA_Med:
            return "med";
        case GRA_Q1:
            return "q1";
        case GRA_Q3:
            return "q3";
        case GRA_Sum:
            return "sum";
        default:
            return "unknown";
    }
}

// The first warp option that this kernel doesn't have; empty where there is none.
std::string UnsupportedOption(const GDALWarpKernel& kernel) {
    if (CPLFetchBool(kernel.papszWarpOptions, "APPLY_VERTICAL_SHIFT", false)) {
        return "APPLY_VERTICAL_SHIFT";
    }
    if (CPLFetchBool(kernel.papszWarpOptions, "USE_GENERAL_CASE", false)) {
        return "USE_GENERAL_CASE";
    }
    if (CPLAtof(CSLFetchNameValueDef(kernel.papszWarpOptions, "SRC_COORD_PRECISION", "0")) > 0) {
        return "SRC_COORD_PRECISION";
    }
    return "";
}

// XSCALE or YSCALE of the warp options, where it is there.
double ScaleOption(const GDALWarpKernel& kernel, const char* name, double scale) {
    const char* text = CSLFetchNameValue(kernel.papszWarpOptions, name);
    return text == nullptr || AsksForSampledScale(text) ? scale : CPLAtof(text);
}

// Whether the filter is widened; else the samples around the position are interpolated.
bool IsAntialiased(double x_scale, double y_scale) {
    const double least = std::min(x_scale, y_scale);
    return LoadedGdalRules().interpolates_down_to_half ? !(least > 0.5) : least < 0.95;
}

bool AnySourceMask(const GDALWarpKernel& kernel) {
    return kernel.papanBandSrcValid != nullptr || kernel.panUnifiedSrcValid != nullptr ||
           kernel.pafUnifiedSrcDensity != nullptr;
}

}  // namespace

void WarpSetup::Apply(kernels::warp::Request& request) const {
    request.x_scale = x_scale;
    request.y_scale = y_scale;
    request.x_radius = x_radius;
    request.y_radius = y_radius;
    request.x_first = x_first;
    request.y_first = y_first;
    request.masked = masked;
    request.blends = blends;
    request.near_avoids_nodata = near_avoids_nodata;
    request.floats_avoid_nodata = floats_avoid_nodata;
    request.nodata_is_in_all_bands = nodata_is_in_all_bands;
    request.density_in_float = density_in_float;
}

bool HasOwnCode(GDALDataType wanted) {
    const Type* type = FindType(wanted);
    return type != std::end(kTypes) && type->has_own_code;
}

std::string SetUpWarp(const GDALWarpKernel& kernel, double x_scale, double y_scale,
                      int source_width, int source_height, WarpSetup& setup) {
    const Type* type = FindType(kernel.eWorkingDataType);
    if (type == std::end(kTypes)) {
        return std::string("working type ") + GDALGetDataTypeName(kernel.eWorkingDataType) +
               " has no kernel";
    }
    const std::string option = UnsupportedOption(kernel);
    if (!option.empty()) {
        return "warp option " + option + " has no kernel";
    }
    if (kernel.nBands < 1) {
        return "no bands to warp";
    }
    if (kernel.pfnTransformer == nullptr) {
        return "no transformer";
    }
    x_scale = ScaleOption(kernel, "XSCALE", x_scale);
    y_scale = ScaleOption(kernel, "YSCALE", y_scale);
    if (!(x_scale > 0 && y_scale > 0)) {
        return "no resampling scale: the operation's source or destination is empty";
    }

    int filter_radius = 0;
    switch (kernel.eResample) {
        case GRA_NearestNeighbour:
            setup.resampling = "Near";
            break;
        case GRA_Bilinear:
            setup.resampling = "Bilinear";
            filter_radius = 1;
            break;
        case GRA_Cubic:
            setup.resampling = "Cubic";
            filter_radius = 2;
            break;
        default:
            return std::string("resampling ") + ResamplingName(kernel.eResample) + " has no kernel";
    }
    setup.pixel = type->name;
    const GdalRules& rules = LoadedGdalRules();
    if (type->gdal == GDT_UInt16 && kernel.eResample == GRA_NearestNeighbour &&
        rules.near_blends_uint16_as_int16) {
        setup.pixel = "int16";
    }
    setup.pixel_bytes = type->bytes;
    setup.masked = AnySourceMask(kernel);
    const bool own_code = type->has_own_code && !setup.masked && kernel.panDstValid == nullptr;
    setup.blends = !(type->has_own_code && kernel.eResample == GRA_NearestNeighbour);
    setup.near_avoids_nodata = rules.near_avoids_destination_nodata;
    setup.floats_avoid_nodata = rules.floats_avoid_destination_nodata;
    setup.nodata_is_in_all_bands =
        rules.unified_nodata_is_avoided_in_all_bands && kernel.nBands > 1 &&
        CPLTestBool(CSLFetchNameValueDef(kernel.papszWarpOptions, "UNIFIED_SRC_NODATA", "FALSE"));
    setup.density_in_float = rules.overlays_density_in_float;
    setup.x_scale = std::min(x_scale, 1.0);
    setup.y_scale = std::min(y_scale, 1.0);
    const double x_radius = std::ceil(filter_radius / setup.x_scale);
    const double y_radius = std::ceil(filter_radius / setup.y_scale);

    std::string antialiased;
    if (filter_radius > 0 && !own_code && (source_width == 1 || source_height == 1)) {
        setup.resampling = "Near";
    } else if (filter_radius > 0 && IsAntialiased(x_scale, y_scale)) {
        if (own_code && (x_radius > source_width || y_radius > source_height)) {
            setup.resampling = "Bilinear";
        } else {
            setup.resampling = "Antialiased" + setup.resampling;
            antialiased = " antialiased";
            const double limit = 1 << 30;
            setup.x_radius = static_cast<int64_t>(std::min(x_radius, limit));
            setup.y_radius = static_cast<int64_t>(std::min(y_radius, limit));
            // GDAL's code for all types begins its bilinear filter one sample earlier, with a
            // weight of 0 that a NaN there still shows through.
            const int first = filter_radius == 1 && !type->has_own_code ? 0 : 1;
            setup.x_first = first - setup.x_radius;
            setup.y_first = first - setup.y_radius;
        }
    }
    const std::string pixel = type->gdal == GDT_Float32   ? "float32"
                              : type->gdal == GDT_Float64 ? "float64"
                                                          : type->name;
    setup.name =
        std::string("warp<") + ResamplingName(kernel.eResample) + "," + pixel + ">" + antialiased;
    return "";
}

}  // namespace gdalgpu
