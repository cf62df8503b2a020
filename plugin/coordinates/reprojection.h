// One direction of a reprojection, as OGR's coordinate transformation would carry it out.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "plugin/coordinates/operation_candidates.h"
#include "plugin/coordinates/transformer_description.h"

namespace gdalgpu {

// In order: data axes to CRS axes, longitude wrapping, the operation, longitude wrapping, CRS axes
// to data axes.
struct Reprojection {
    // The operand of each axis: 1 or -1: x or -x; 2 or -2: y or -y.
    using Axes = std::array<int, 2>;
    struct Wrap {
        double center;  // degrees
        bool second;    // the longitude is the second coordinate
    };

    bool identity = false;  // nothing of the below is done
    Axes axes_in{1, 2};
    std::optional<Wrap> wrap_in;
    bool web_mercator = false;       // OGR's own inverse of EPSG:3857 instead of an operation
    bool web_mercator_swap = false;  // its latitude comes first
    std::shared_ptr<const OperationCandidates> candidates;
    bool inverse = false;  // the candidates are taken backwards
    double time = 0;       // coordinate epoch, decimal year; infinity: none
    // How far the inverse may bring a point from where it was, along each axis of the CRS that
    // points come from, where a transformer checks it (TransformerDescription::inverse_checked).
    double inverse_threshold = 0;
    std::optional<Wrap> wrap_out;
    Axes axes_out{1, 2};
};

// The way from source to target CRS, or (to_source) back, under GDAL's current configuration.
// Throws NotFusable.
Reprojection PlanReprojection(const ReprojectionDescription& description, bool to_source);

// A CRS as proj_create() takes it.
struct CrsDefinition {
    std::string text;
    // The CRS's own axes are latitude, longitude or northing, easting: the other way round than
    // OGR's traditional order.
    bool y_first = false;
};

// user_input: what OGRSpatialReference::SetFromUserInput() takes. Throws NotFusable where GDAL
// can't read it.
CrsDefinition DefineCrs(const std::string& user_input);

// The description's area of interest, degrees.
std::optional<AreaOfInterest> AreaOf(const ReprojectionDescription& description);

}  // namespace gdalgpu
