// What `gdal-gpu run` takes over from GDAL, and what it doesn't yet: for the command, which is
// linked with nothing, for `info`, and the README.
#pragma once

namespace gdalgpu {

// The functions of libgdal that the preload library takes over.
enum Takeover {
    kChunkAndWarpImage,
    kChunkAndWarpMulti,
    kWarpRegionToBuffer,
    kPerformWarp,
    kDestructor,
    kTakeovers,  // how many
};
constexpr const char* kTakeoverNames[kTakeovers] = {
    "ChunkAndWarpImage", "ChunkAndWarpMulti",  "WarpRegionToBuffer",
    "PerformWarp",       "~GDALWarpOperation",
};

// A program, or a function of a library, whose arithmetic runs in these functions, or doesn't.
struct ProgramTakeover {
    const char* name;
    bool taken_over;
    const char* instead;  // where it isn't: what runs on the device in its place; empty: nothing
};
constexpr ProgramTakeover kPrograms[] = {
    {"gdalwarp", true, ""},
    {"gdal raster reproject", true, ""},
    {"gdal raster pipeline", true, ""},
    {"gdal.Warp", true, ""},
    {"gdal.ReprojectImage", true, ""},
    {"rasterio.warp.reproject", true, ""},
    {"rasterio.vrt.WarpedVRT", true, ""},
    {"gdaldem", false, "GPU:hillshade and GPU:slope"},
    {"gdal_calc.py", false, "gpu_expression in a VRT"},
    {"gdal_translate -r", false, ""},
    {"gdaladdo", false, ""},
    {"gdal_rasterize", false, ""},
    {"gdal_polygonize.py", false, ""},
    {"gdal_sieve.py", false, ""},
    {"gdal_proximity.py", false, ""},
    {"gdal_fillnodata.py", false, ""},
    {"gdal_grid", false, ""},
    {"gdal_contour", false, ""},
    {"gdal_viewshed", false, ""},
    {"gdal_pansharpen.py", false, ""},
    {"nearblack", false, ""},
};

}  // namespace gdalgpu
