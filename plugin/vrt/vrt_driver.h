// What is asked of GDAL's own VRT driver beside opening.
#pragma once

#include "gdal_priv.h"

namespace gdalgpu {

// GDAL's VRT driver. nullptr with a CPLError where it isn't registered (GDAL_SKIP).
GDALDriver* VrtDriver();

// Has CreateCopy of the VRT driver see GDAL's own dataset behind one of door 1, so that the copy is
// that VRT and not one around it. Nothing where the driver isn't registered. Any thread, any number
// of times.
void LetVrtCopiesStandAlone();

}  // namespace gdalgpu
