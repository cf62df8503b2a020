// Grid files, found where PROJ finds them, and read into memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/step/grids.h"

namespace gdalgpu {

// What a step takes from its grids.
enum class GridUse {
    Shift,          // longitude, latitude in radians, east and north positive
    ShiftAsStored,  // the same without a change of sign where a format has west positive
    Height,         // one value; NaN where there is none
    Translation,    // x, y, z in metres
    Velocity        // east, north, up in millimetres a year
};

// The floats of each node.
int ValuesOfNode(GridUse use);

// The grids of one or more files: nodes of trees, in PROJ's order.
struct GridTree {
    struct Grid {
        kernels::step::Subgrid extent = {};  // without values, child and next
        std::vector<float> values;
        std::vector<size_t> children;
    };
    std::vector<Grid> grids;
    std::vector<size_t> roots;
};

// The path of a grid by the name that a pipeline has for it: absolute, or in PROJ's folders, under
// its old or its new name. Nothing where PROJ finds no file on this machine.
std::optional<std::string> FindGrid(const std::string& name);

// Reads NTv2, NTv1, CTable2, GTX and PROJ's GeoTIFF grids, those that PROJ takes for this use.
// multiplier: vgridshift's, which decides what a GTX file's values without meaning are. Throws
// NotFusable, with the path, for other formats, damaged files, and what isn't in longitude and
// latitude.
GridTree ReadGridFile(const std::string& path, GridUse use, double multiplier);

}  // namespace gdalgpu
