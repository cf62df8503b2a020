#include "plugin/coordinates/projection_registry.h"

namespace gdalgpu {

std::vector<Projection> WorldProjections() { return {}; }

}  // namespace gdalgpu
