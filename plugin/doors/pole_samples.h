// Where GDAL's warper asks a transformer for a region's source window. It asks along the region's
// edges, or, where a pole of the Earth lies in the destination raster, on a grid; but it looks for
// poles only where the transformer's function is one of its own. (It uses the grid for all regions
// of such a raster then, whose size a transformer isn't told: here it is used for the pole's
// region.)
#pragma once

#include <array>
#include <vector>

#include "plugin/coordinates/operation_candidates.h"
#include "plugin/coordinates/transformer_description.h"

namespace gdalgpu {

// Source pixel coordinates of the places next to the poles that GDAL takes for them; none without a
// reprojection, or where the source's CRS has no such place.
std::vector<std::array<double, 2>> PolesInSource(const TransformerDescription& description);

// Whether these points are the samples along a region's edges, top, bottom, left and right in turn;
// `region`, where they are, is what they lie around. x and y: destination pixels, `count` of each.
bool AreEdgeSamples(int count, const double* x, const double* y, Rectangle& region);

// One of the edge samples that are there twice, in a corner.
constexpr int kRepeatedEdgeSample = 2;

}  // namespace gdalgpu
