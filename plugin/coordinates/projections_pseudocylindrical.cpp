#include "plugin/coordinates/projection_registry.h"

namespace gdalgpu {

std::vector<Projection> PseudocylindricalProjections() { return {}; }

}  // namespace gdalgpu
