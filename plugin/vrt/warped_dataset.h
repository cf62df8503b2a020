// Door 1: a warped VRT whose pixels come from the device, and all else from GDAL's own dataset of
// the same VRT.
#pragma once

#include "gdal_priv.h"

namespace gdalgpu {

// GDAL_IDENTIFY_TRUE where the name is a warped VRT, opened as a raster, without update access,
// that can run on a device of this process; GDAL_IDENTIFY_UNKNOWN where it is one that is left to
// GDAL's VRT driver: GDAL then asks OpenWarpedVrt, which tells why. Starts no device; for a name
// that isn't a warped VRT it looks at the header alone.
GDALIdentifyEnum IdentifyWarpedVrt(GDALOpenInfo* info);

// Opens what IdentifyWarpedVrt accepts. nullptr without a CPLError for all else, and where it is to
// be left to GDAL's VRT driver after all, also for what that driver can't open: it reports errors
// best. The log and the report say why a warped VRT is left to it.
GDALDataset* OpenWarpedVrt(GDALOpenInfo* info);

// The dataset of GDAL's VRT driver behind one that OpenWarpedVrt opened; any other dataset as it
// is.
GDALDataset* GdalsOwnDataset(GDALDataset* dataset);

}  // namespace gdalgpu
