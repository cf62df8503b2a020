#include "plugin/coordinates/transformer_description.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <stdexcept>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_string.h"

namespace gdalgpu {
namespace {

class Unreadable : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

const CPLXMLNode* Child(const CPLXMLNode& parent, const char* name) {
    return CPLGetXMLNode(const_cast<CPLXMLNode*>(&parent), name);
}

const char* Value(const CPLXMLNode& parent, const char* path) {
    return CPLGetXMLValue(const_cast<CPLXMLNode*>(&parent), path, nullptr);
}

const CPLXMLNode* FirstElement(const CPLXMLNode& parent) {
    for (const CPLXMLNode* node = parent.psChild; node != nullptr; node = node->psNext)
        if (node->eType == CXT_Element) return node;
    return nullptr;
}

bool IsGenImgProj(const CPLXMLNode& node) {
    return EQUAL(node.pszValue, "GenImgProjTransformer") ||
           EQUAL(node.pszValue, "GPUGenImgProjTransformer");
}

double Number(const char* text, const std::string& what) {
    char* end = nullptr;
    const double value = CPLStrtod(text, &end);
    while (end != nullptr && std::isspace(static_cast<unsigned char>(*end))) ++end;
    if (end == text || (end != nullptr && *end != '\0' && *end != ','))
        throw Unreadable(what + " \"" + text + "\" is no number");
    return value;
}

TransformerDescription::GeoTransform ReadGeoTransform(const char* text, const std::string& name) {
    TransformerDescription::GeoTransform result{};
    const CPLStringList parts(CSLTokenizeString2(text, ",", CSLT_ALLOWEMPTYTOKENS));
    if (parts.size() != 6) throw Unreadable(name + " \"" + text + "\" has not six numbers");
    for (int i = 0; i < 6; ++i) {
        result[i] = Number(parts[i], name);
        if (!std::isfinite(result[i])) throw Unreadable(name + " \"" + text + "\" isn't finite");
    }
    return result;
}

// One end: "Src" or "Dst". The geotransform and its inverse, which GDAL computes where the XML
// lacks it.
void ReadEnd(const CPLXMLNode& tree, const std::string& end,
             TransformerDescription::GeoTransform& forward,
             TransformerDescription::GeoTransform& inverse) {
    const std::string name = end + "GeoTransform";
    const char* text = Value(tree, name.c_str());
    if (text == nullptr) {
        for (const CPLXMLNode* node = tree.psChild; node != nullptr; node = node->psNext)
            if (node->eType == CXT_Element && STARTS_WITH_CI(node->pszValue, end.c_str()))
                throw Unreadable(std::string(node->pszValue) + " is not fused");
        throw Unreadable("the transformer's XML has no " + name);
    }
    forward = ReadGeoTransform(text, name);
    const std::string inverse_name = end + "InvGeoTransform";
    if (const char* inverse_text = Value(tree, inverse_name.c_str())) {
        inverse = ReadGeoTransform(inverse_text, inverse_name);
    } else if (!GDALInvGeoTransform(forward.data(), inverse.data())) {
        throw Unreadable(name + " \"" + text + "\" has no inverse");
    }
}

ReprojectionDescription ReadReprojection(const CPLXMLNode& container) {
    const CPLXMLNode* node = FirstElement(container);
    while (node != nullptr && EQUAL(node->pszValue, "ApproxTransformer")) {
        const CPLXMLNode* base = Child(*node, "BaseTransformer");
        node = base == nullptr ? nullptr : FirstElement(*base);
    }
    if (node == nullptr) throw Unreadable("ReprojectTransformer holds no transformer");
    if (!EQUAL(node->pszValue, "ReprojectionTransformer"))
        throw Unreadable(std::string("reprojection by ") + node->pszValue + " is not fused");
    ReprojectionDescription result;
    if (const char* text = Value(*node, "SourceSRS")) result.source_srs = text;
    if (const char* text = Value(*node, "TargetSRS")) result.target_srs = text;
    if (const CPLXMLNode* options = Child(*node, "Options")) {
        for (const CPLXMLNode* option = options->psChild; option != nullptr;
             option = option->psNext) {
            if (option->eType != CXT_Element || std::strcmp(option->pszValue, "Option") != 0)
                continue;
            const char* key = Value(*option, "key");
            const char* value = CPLGetXMLValue(const_cast<CPLXMLNode*>(option), nullptr, nullptr);
            if (key != nullptr && value != nullptr)
                result.options[CPLString(key).toupper()] = value;
        }
    }
    return result;
}

// Looks at every element for what decides how the transformer may be evaluated.
void Survey(const CPLXMLNode& tree, TransformerDescription& description) {
    if (tree.eType == CXT_Element) {
        if (EQUAL(tree.pszValue, "ApproxTransformer")) description.approximates = true;
        if (STARTS_WITH_CI(tree.pszValue, "GPU")) description.on_device = true;
        if (EQUAL(tree.pszValue, "GeoLocTransformer")) {
            description.smooth = false;
            description.heavy = true;
        }
        if (EQUAL(tree.pszValue, "DEMPath")) description.smooth = false;
    }
    for (const CPLXMLNode* node = tree.psChild; node != nullptr; node = node->psNext)
        Survey(*node, description);
}

}  // namespace

TransformerDescription DescribeTransformer(const CPLXMLNode& tree) {
    TransformerDescription result;
    try {
        const CPLXMLNode* node = &tree;
        while (node != nullptr && node->eType == CXT_Element &&
               EQUAL(node->pszValue, "ApproxTransformer")) {
            result.approximates = true;
            // GDAL's default where the XML says nothing.
            double threshold = 0.25;
            if (const char* text = Value(*node, "MaxError")) threshold = Number(text, "MaxError");
            if (const char* text = Value(*node, "MaxErrorReverse"))
                threshold = Number(text, "MaxErrorReverse");
            result.threshold += threshold;
            const CPLXMLNode* base = Child(*node, "BaseTransformer");
            node = base == nullptr ? nullptr : FirstElement(*base);
        }
        if (!std::isfinite(result.threshold) || result.threshold < 0) result.threshold = 0;
        if (node == nullptr)
            throw Unreadable("the ApproxTransformer has no base transformer that can be read");
        result.smooth = true;
        Survey(*node, result);
        if (node->eType != CXT_Element || !IsGenImgProj(*node))
            throw Unreadable(std::string("transformer ") + (node->pszValue ? node->pszValue : "") +
                             " is not fused");
        ReadEnd(*node, "Src", result.source, result.source_inverse);
        ReadEnd(*node, "Dst", result.destination, result.destination_inverse);
        if (const CPLXMLNode* reproject = Child(*node, "ReprojectTransformer"))
            result.reprojection = ReadReprojection(*reproject);
    } catch (const Unreadable& why) {
        result.unfusable = why.what();
    }
    return result;
}

namespace {

// Of a transformer's structure, its magic and class name are all that is trusted: GDAL's
// transformer for the overviews of a warped VRT leaves the functions behind them unset, and a
// program's own may be anything. Empty where the argument isn't such a structure.
std::string ClassName(const void* argument) {
    if (argument == nullptr ||
        std::memcmp(argument, GDAL_GTI2_SIGNATURE, std::strlen(GDAL_GTI2_SIGNATURE)) != 0)
        return "";
    const char* name = static_cast<const GDALTransformerInfo*>(argument)->pszClassName;
    return name == nullptr ? "" : name;
}

// GDAL's own transformers that have a serializer.
bool CanSerialize(const void* argument) {
    static constexpr const char* classes[] = {
        "GDALApproxTransformer", "GDALGCPTransformer",        "GDALGenImgProjTransformer",
        "GDALGeoLocTransformer", "GDALHomographyTransformer", "GDALReprojectionTransformer",
        "GDALRPCTransformer",    "GDALTPSTransformer"};
    const std::string name = ClassName(argument);
    return std::find(std::begin(classes), std::end(classes), name) != std::end(classes) &&
           static_cast<const GDALTransformerInfo*>(argument)->pfnSerialize != nullptr;
}

}  // namespace

bool IsForWarpedOverview(const void* argument) {
    return ClassName(argument) == "VRTWarpedOverviewTransformer";
}

bool InverseIsChecked() { return CPLTestBool(CPLGetConfigOption("CHECK_WITH_INVERT_PROJ", "NO")); }

CPLXMLTreeCloser SerializeTransformer(GDALTransformerFunc transformer, void* argument) {
    if (!CanSerialize(argument)) return CPLXMLTreeCloser(nullptr);
    CPLErrorStateBackuper backup;
    CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
    return CPLXMLTreeCloser(GDALSerializeTransformer(transformer, argument));
}

}  // namespace gdalgpu
