// The table of resamplings: what a warp knows of each. A new one is a file in kernels/warp/ and a
// row here.
#pragma once

#include <vector>

#include "gdalwarper.h"
#include "plugin/coordinates/pixel_transform.h"

namespace gdalgpu {

struct Resampling {
    GDALResampleAlg gdal;
    const char* name;      // as gdalwarp -r has it
    const char* vrt_name;  // as a warped VRT has it
    const char* header;    // below kernels/
    const char* kernel;    // class template in kernels/warp, as kernels/warp/warp.h describes it
    // Where the destination is coarser, if that is another one; else null.
    const char* antialiased;
    int radius;             // of its filter, in source pixels, where the destination isn't coarser
    PixelPoints points;     // centres: it is of a position; corners: of an area
    int blocks_at_once;     // of 256 threads on a multiprocessor, which leaves registers enough
    bool has_scale;         // its result depends on the scale of the operation
    bool weights_by_place;  // when widened, weights don't depend on the position
    // Types for which GDAL has code of its own beside that for all types, where nothing is masked.
    std::vector<GDALDataType> own_types;
};

const std::vector<Resampling>& Resamplings();

// Null where there is none.
const Resampling* FindResampling(GDALResampleAlg gdal);
const Resampling* FindResamplingOfVrt(const char* vrt_name);

}  // namespace gdalgpu
