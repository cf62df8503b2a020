#include "plugin/vrt/warped_xml.h"

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_string.h"
#include "cpl_vsi.h"
#include "plugin/warp/resamplings.h"
#include "plugin/warp/warp_setup.h"

namespace gdalgpu {

namespace {

constexpr GIntBig kLargestFile = 64
                                 << 20;  // bytes; larger ones hold more cutline than anything else

// The file that a symbolic link leads to: a VRT's relative paths start there, as in GDAL's driver.
// Only links of the last component are followed; other file systems' names are returned as they
// are.
std::string FollowLink(const std::string& name) {
    std::filesystem::path path(name);
    std::error_code error;
    for (int hops = 0; hops < 40 && std::filesystem::is_symlink(path, error); ++hops) {
        const std::filesystem::path target = std::filesystem::read_symlink(path, error);
        if (error) break;
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return path.string();
}

bool IsInline(const GDALOpenInfo& info) {
    return info.nHeaderBytes == 0 && strstr(info.pszFilename, "<VRTDataset") != nullptr;
}

bool HasFiniteGeotransform(const CPLXMLNode* root) {
    const char* text = CPLGetXMLValue(root, "GeoTransform", nullptr);
    if (text == nullptr) return true;
    const CPLStringList parts(CSLTokenizeStringComplex(text, ",", FALSE, FALSE));
    for (int i = 0; i < parts.size(); ++i) {
        if (!std::isfinite(CPLAtof(parts[i]))) return false;
    }
    return true;
}

}  // namespace

bool LooksLikeWarpedVrt(const GDALOpenInfo& info) {
    if ((info.nOpenFlags & GDAL_OF_RASTER) == 0 || info.eAccess != GA_ReadOnly) return false;
    const char* text =
        info.nHeaderBytes > 20 ? reinterpret_cast<const char*>(info.pabyHeader) : info.pszFilename;
    const char* root = strstr(text, "<VRTDataset");
    if (root == nullptr) return false;
    const char* end = strchr(root, '>');
    const char* subclass = strstr(root, "VRTWarpedDataset");
    return subclass != nullptr && (end == nullptr || subclass < end) &&
           !STARTS_WITH(info.pszFilename, "/vsistdin");
}

bool ReadWarpedXml(GDALOpenInfo& info, WarpedXml& xml) {
    const CPLErrorStateBackuper callers_error;
    const CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
    if (IsInline(info)) {
        xml.tree.reset(CPLParseXMLString(info.pszFilename));
    } else {
        GByte* text = nullptr;
        if (!VSIIngestFile(nullptr, info.pszFilename, &text, nullptr, kLargestFile)) return false;
        xml.tree.reset(CPLParseXMLString(reinterpret_cast<char*>(text)));
        VSIFree(text);
        xml.folder = CPLGetPath(FollowLink(info.pszFilename).c_str());
    }
    if (const char* folder = CSLFetchNameValue(info.papszOpenOptions, "ROOT_PATH"))
        xml.folder = folder;
    xml.root = xml.tree.get() == nullptr ? nullptr : CPLGetXMLNode(xml.tree.get(), "=VRTDataset");
    return xml.root != nullptr &&
           strcmp(CPLGetXMLValue(xml.root, "subClass", ""), "VRTWarpedDataset") == 0;
}

std::string WhyNotOnDevice(GDALDataType working_type) {
    if (!WarpPixelName(working_type).empty()) return "";
    return std::string("working type ") + GDALGetDataTypeName(working_type);
}

std::string WhyNotOnDevice(const WarpedXml& xml) {
    const CPLXMLNode* options = CPLGetXMLNode(xml.root, "GDALWarpOptions");
    if (options == nullptr) return "no GDALWarpOptions element";
    if (CPLGetXMLNode(xml.root, "VerticalShiftGrids") != nullptr) return "vertical shift grids";
    if (CPLGetXMLNode(options, "DestinationDataset") != nullptr) return "a destination dataset";
    if (!HasFiniteGeotransform(xml.root)) return "a geotransform that isn't finite";

    const char* resampling = CPLGetXMLValue(options, "ResampleAlg", "Default");
    if (FindResamplingOfVrt(resampling) == nullptr) {
        return std::string("resampling ") + resampling;
    }
    const GDALDataType working_type =
        GDALGetDataTypeByName(CPLGetXMLValue(options, "WorkingDataType", "Unknown"));
    if (working_type != GDT_Unknown) {
        std::string reason = WhyNotOnDevice(working_type);
        if (!reason.empty()) return reason;
    }
    for (const CPLXMLNode* band = xml.root->psChild; band != nullptr; band = band->psNext) {
        if (band->eType != CXT_Element || !EQUAL(band->pszValue, "VRTRasterBand")) continue;
        // Another kind has sources of its own.
        const char* kind = CPLGetXMLValue(band, "subClass", "VRTSourcedRasterBand");
        if (!EQUAL(kind, "VRTWarpedRasterBand")) return std::string("a band of class ") + kind;
        const char* type = CPLGetXMLValue(band, "dataType", "Byte");
        if (!WhyNotOnDevice(GDALGetDataTypeByName(type)).empty())
            return std::string("band type ") + type;
    }
    return "";
}

}  // namespace gdalgpu
