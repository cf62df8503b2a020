// Door 4: GPU:<algorithm>[,key=value...]:<dataset> opens an algorithm's result as a read-only
// raster dataset that is computed as it is read.
#pragma once

#include "gdal_priv.h"

namespace gdalgpu {

// True where `name` starts with "GPU:" (any case). Looks at the text alone: no file is touched.
bool IsAlgorithmName(const char* name);

// Opens a name that IsAlgorithmName accepts. nullptr with a CPLError where the algorithm or a key
// is unknown, a value is malformed or out of range, the dataset can't be opened or has no such
// band, or update access was asked for.
GDALDataset* OpenAlgorithm(GDALOpenInfo* info);

}  // namespace gdalgpu
