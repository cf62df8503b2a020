// The grids of a step as one block of memory for the device.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "plugin/coordinates/grid_file.h"
#include "plugin/coordinates/step_parameters.h"

namespace gdalgpu {

// The grids that a parameter names ("a.tif,@b.gsb,null"; those with @ may be missing) as a table of
// kernels::step::Subgrid with their values behind it. Null where none of them is there. Read once
// and kept for the process, until a file changes. multiplier: see ReadGridFile. Throws NotFusable,
// naming the grid, for one that isn't found or can't be read. Thread-safe.
std::shared_ptr<const std::vector<std::byte>> LoadGrids(const StepParameters& p,
                                                        const char* parameter, GridUse use,
                                                        double multiplier = 1);

}  // namespace gdalgpu
