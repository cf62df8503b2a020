// What driver GPU does with files beside opening them.
#pragma once

#include "gdal_priv.h"

namespace gdalgpu {

// Gives the driver Create, CreateCopy, Delete, Rename and CopyFiles. They do with a file what
// GDAL's VRT driver does: a VRT is deleted without its sources, Create and CreateCopy make a VRT. A
// GPU: name stands for no file: there they fail with a CPLError, and touch nothing.
void SetFileFunctions(GDALDriver& driver);

}  // namespace gdalgpu
