// Lambert Conic Conformal (West Orientated), EPSG's method 9826: PROJ 9.1 knows its CRSs, and has
// no operation to them. They are PROJ's lcc with its easting counted to the west: EPSG Guidance
// Note 7-2 (2023), 3.1.1.4.
#pragma once

#include <proj.h>

#include <string>

namespace gdalgpu {

// The operation as a PROJ pipeline, axes and units as the CRSs have them, where one of them is a
// CRS of that method and the other the geographic CRS that it is made from; else empty.
std::string WestOrientatedOperation(PJ_CONTEXT* context, const PJ* source, const PJ* target);

}  // namespace gdalgpu
