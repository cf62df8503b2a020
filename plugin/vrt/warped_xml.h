// A warped VRT's XML, and whether this library can run it.
#pragma once

#include <string>

#include "cpl_minixml.h"
#include "gdal_priv.h"

namespace gdalgpu {

// The XML of a VRT, and the folder that its relative paths start from.
struct WarpedXml {
    CPLXMLTreeCloser tree{nullptr};
    CPLXMLNode* root = nullptr;  // the VRTDataset element
    std::string folder;
};

// True where the opened name is a VRT file or a VRT's text whose header says
// subClass="VRTWarpedDataset", to be read as a raster, without update access. Looks at the header
// alone.
bool LooksLikeWarpedVrt(const GDALOpenInfo& info);

// Reads and parses it. False, without a CPLError, where it can't be read or is no well-formed
// warped VRT.
bool ReadWarpedXml(GDALOpenInfo& info, WarpedXml& xml);

// Why the VRT is better left to GDAL's VRT driver: "resampling Lanczos", "working type CFloat32",
// ... Empty where its warp can run on a device.
std::string WhyNotOnDevice(const WarpedXml& xml);

// The same for an initialized operation, whose working type is known.
std::string WhyNotOnDevice(GDALDataType working_type);

}  // namespace gdalgpu
