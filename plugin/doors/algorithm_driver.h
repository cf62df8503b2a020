// Door 4: GPU:<algorithm>[,key=value...]:<dataset> opens an algorithm's result as a read-only
// raster dataset that is computed as it is read.
#pragma once

#include "gdal_priv.h"

namespace gdalgpu {

// True where `name` starts with "GPU:" (any case). Looks at the text alone: no file is touched.
bool IsAlgorithmName(const char* name);

// GDAL_IDENTIFY_TRUE for such a name that is to be opened as a raster, or as anything.
GDALIdentifyEnum IdentifyAlgorithm(GDALOpenInfo* info);

// Opens a name that IsAlgorithmName accepts. nullptr with a CPLError where the algorithm or a key
// is unknown, a value is malformed or out of range, the dataset can't be opened or has no such
// band, or update access was asked for.
GDALDataset* OpenAlgorithm(GDALOpenInfo* info);

}  // namespace gdalgpu
