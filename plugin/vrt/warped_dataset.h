// Door 1: a warped VRT whose pixels come from the device, and all else from GDAL's own dataset of
// the same VRT.
#pragma once

#include "gdal_priv.h"

namespace gdalgpu {

// GDAL_IDENTIFY_UNKNOWN where the name is a warped VRT, to be opened as a raster without update
// access, else GDAL_IDENTIFY_FALSE. It never takes a VRT from GDAL's VRT driver, which deletes, and
// overwrites, only what GDALIdentifyDriver() says is its own; GDALOpenEx() asks OpenWarpedVrt all
// the same. Looks at the header alone.
GDALIdentifyEnum IdentifyWarpedVrt(GDALOpenInfo* info);

// Opens a warped VRT that can run on a device of this process. nullptr without a CPLError for all
// else, and where it is to be left to GDAL's VRT driver after all, also for what that driver can't
// open: it reports errors best. The log and the report say why a warped VRT is left to it.
GDALDataset* OpenWarpedVrt(GDALOpenInfo* info);

// The dataset of GDAL's VRT driver behind one that OpenWarpedVrt opened; any other dataset as it
// is.
GDALDataset* GdalsOwnDataset(GDALDataset* dataset);

}  // namespace gdalgpu
