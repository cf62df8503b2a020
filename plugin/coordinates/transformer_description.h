// What a GDAL transformer is made of, read from its XML.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "cpl_minixml.h"
#include "gdal_alg.h"

namespace gdalgpu {

struct ReprojectionDescription {
    std::string source_srs;  // WKT, or empty
    std::string target_srs;
    std::map<std::string, std::string>
        options;  // of GDALCreateReprojectionTransformerEx; keys in upper case
};

// A GenImgProjTransformer, as GDALDeserializeTransformer would make it.
struct TransformerDescription {
    using GeoTransform = std::array<double, 6>;

    // Error in source pixels that an ApproxTransformer around it accepts from destination to
    // source; 0 without one.
    double threshold = 0;
    // An ApproxTransformer is in it somewhere: scanlines are interpolated unless GDAL is made not
    // to.
    bool approximates = false;
    // Nothing in it has kinks closer than some destination pixels (an RPC model's elevation model
    // and a geolocation array do).
    bool smooth = false;
    // It is a GPU transformer, or holds one: its own function is no reference.
    bool on_device = false;
    // Loading a copy for each thread is dear.
    bool heavy = false;
    // Points that the inverse doesn't bring back fail: CHECK_WITH_INVERT_PROJ, as it was when the
    // transformer was made. No XML says it (ExactTransformer finds out).
    bool inverse_checked = false;

    // Empty where the members below hold all of it; else why not.
    std::string unfusable;
    GeoTransform source{}, source_inverse{}, destination{}, destination_inverse{};
    std::optional<ReprojectionDescription> reprojection;
};

// Never throws: what can't be read or isn't known leaves a reason in `unfusable`.
TransformerDescription DescribeTransformer(const CPLXMLNode& tree);

// Whether transformers that are made now check points by their inverse: CHECK_WITH_INVERT_PROJ.
bool InverseIsChecked();

// Whether it is the transformer with which GDAL's VRT driver makes explicit overviews of a warped
// VRT: it scales another one's destination, which may approximate.
bool IsForWarpedOverview(const void* argument);

// The XML of GDALSerializeTransformer, with its errors kept quiet; null where the transformer has
// none, or isn't one of GDAL's own (door 2's are made of these).
CPLXMLTreeCloser SerializeTransformer(GDALTransformerFunc transformer, void* argument);

}  // namespace gdalgpu
