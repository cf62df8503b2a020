// Grids in GeoTIFF files, as PROJ's specification has them ("Geodetic TIFF grids", PROJ
// documentation).
#pragma once

#include <cstdint>
#include <string>

#include "plugin/coordinates/grid_file.h"

namespace gdalgpu {

// Each directory of the file is a grid; names or else extents make the tree. Throws NotFusable.
GridTree ReadGeoTiffGrids(const std::string& path, GridUse use);

// Sets what follows from the outermost nodes and the steps. False where they make no sense.
bool FinishExtent(kernels::step::Subgrid& extent);

// The largest grid that is read, in bytes: a quarter of the machine's memory, at most 4 GB.
uint64_t MostGridBytes();

}  // namespace gdalgpu
