/* gdal-gpu's C API, for programs that use GDAL's warper or transformer API themselves. Link with
 * libgdalgpu.
 *
 * Every function is thread-safe as far as the GDAL objects that it is given are. Errors are
 * CPLErrors, as in GDAL. Settings: the configuration options GDAL_GPU_* (see README.md). Nothing
 * touches the GPU before pixels are asked for.
 */
#ifndef GDAL_GPU_H_INCLUDED
#define GDAL_GPU_H_INCLUDED

#include "gdal.h"
#include "gdal_alg.h"
#include "gdalwarper.h"

#if defined(_WIN32)
#define GDAL_GPU_API
#else
#define GDAL_GPU_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0". Owned by the library. */
GDAL_GPU_API const char* GDALGPUVersion(void);

/* The device that a request of `pixels` pixels (0: a very large one) would run on now: "CUDA:
 * NVIDIA H200", "HOST: 16 threads, c++ (Debian 12.2.0-14) 12.2.0", or "GDAL: " and the reason why
 * GDAL's own code would do it. Makes the device, with its context, if one would be used and that
 * has not happened. To be freed with CPLFree(). */
GDAL_GPU_API char* GDALGPUDeviceInfo(GUIntBig pixels);

/* Registers the driver GPU, the transformer and the pixel functions with GDAL, as the plugin does
 * when GDAL finds it in its plugin folder. For programs that link with this library instead; after
 * GDALAllRegister(). Calling it again does no harm. */
GDAL_GPU_API void GDALGPURegister(void);

/* Attaches the device to warp options, for GDALWarpOperation, GDALCreateWarpedVRT() or
 * GDALReprojectImage(): every chunk runs on the device, and on GDAL's own code where the device
 * can't run it or fails.
 *
 * options: hSrcDS must be set, also where the function that takes them (GDALReprojectImage) sets it
 * itself. pfnPreWarpChunkProcessor must not be in use: this sets it, and pPreWarpProcessorArg.
 * dst_width, dst_height: size of the destination raster in pixels. 0, 0: that of hDstDS, which must
 * be set then. The size decides, with the source, on the scale that antialiasing kernels take when
 * the image shrinks, which is that of the whole destination here, however the work is cut.
 *
 * The library owns what it puts into pPreWarpProcessorArg. GDAL copies the pointer along with the
 * options, so it must live until the last operation or warped VRT that was made with these options
 * is gone: call GDALGPUDetachWarpOptions() then. hSrcDS and hDstDS must live as long as GDAL needs
 * them; this adds no reference.
 *
 * CE_Failure, with nothing changed, for missing or unfit arguments. */
GDAL_GPU_API CPLErr GDALGPUAttachWarpOptions(GDALWarpOptions* options, int dst_width,
                                             int dst_height);

/* Ends what GDALGPUAttachWarpOptions() began: clears pfnPreWarpChunkProcessor and
 * pPreWarpProcessorArg of these options, and frees what the argument pointed to. No operation with
 * a copy of them may run afterwards. Does nothing to options without an attached device. */
GDAL_GPU_API void GDALGPUDetachWarpOptions(GDALWarpOptions* options);

/* As GDALCreateGenImgProjTransformer2(), with the same arguments; large batches of points run on
 * the device. For GDALWarpOptions: pfnTransformer = GDALGPUGenImgProjTransform. To be freed with
 * GDALDestroyTransformer(). It serializes as <GPUGenImgProjTransformer>, which GDAL reads wherever
 * the plugin is installed. NULL with a CPLError on failure. */
GDAL_GPU_API void* GDALGPUCreateGenImgProjTransformer(GDALDatasetH src_dataset,
                                                      GDALDatasetH dst_dataset, char** options);

/* A GDALTransformerFunc: `count` points in place, from source to destination pixels or, with
 * to_source, back. success gets TRUE or FALSE for each; where it is FALSE, x and y are HUGE_VAL.
 * Takes the transformer of the function above. */
GDAL_GPU_API int GDALGPUGenImgProjTransform(void* transformer, int to_source, int count, double* x,
                                            double* y, double* z, int* success);

/* Coordinate operations: points between two CRSs, or through an operation of PROJ's, in bulk. */
typedef struct GDALGPUCoordinateTransformHS* GDALGPUCoordinateTransformH;

/* Between two CRSs: whatever OGRSpatialReference::SetFromUserInput() takes ("EPSG:4326", WKT, PROJ
 * string, PROJJSON, ...). Where PROJ has several operations, each point takes the one that
 * proj_trans() takes.
 *
 * options: NULL, or a list of NAME=VALUE:
 *     AXIS_ORDER=CRS (the default): axes in the order of the CRSs, as proj_create_crs_to_crs() has
 *         them: EPSG:4326 is latitude, longitude. AXIS_ORDER=TRADITIONAL: x first (longitude,
 *         latitude; easting, northing), as OGR's OAMS_TRADITIONAL_GIS_ORDER has them.
 *     AREA=west,south,east,north: degrees; where the points will be.
 *     PRECISION=fp64|ds|fp32|auto: of the projections' computation, in place of the option
 *         GDAL_GPU_PRECISION: double, pairs of floats (errors about 1e-4 m on the Earth), or floats
 *         (about 10 m), where the CRSs are meant to be used. Where a sample of the first call's
 *         points isn't within 1e-3 m (ds) or 60 m (fp32) of PROJ's results, fp64 is taken. auto is
 *         fp64 here: there are no pixels.
 *
 * Units are the CRSs' own (degrees, metres, feet, ...). To be freed with
 * GDALGPUDestroyCoordinateTransform(). One transform may be used by many threads at once. NULL with
 * a CPLError on failure. */
GDAL_GPU_API GDALGPUCoordinateTransformH GDALGPUCreateCoordinateTransform(const char* source_crs,
                                                                          const char* target_crs,
                                                                          char** options);

/* Through one operation: a PROJ string ("+proj=pipeline ...", "+proj=utm +zone=32"), PROJJSON, WKT
 * or code. Units and axes are those of the operation, as with proj_trans(): radians where it
 * doesn't convert them. options: NULL, or PRECISION as above. */
GDAL_GPU_API GDALGPUCoordinateTransformH
GDALGPUCreateCoordinateTransformFromOperation(const char* operation, char** options);

GDAL_GPU_API void GDALGPUDestroyCoordinateTransform(GDALGPUCoordinateTransformH transform);

/* `count` points in place, forward or, with inverse, back. z may be NULL (0), t too (no time; else
 * decimal years). success, where not NULL, gets TRUE or FALSE for each; where it is FALSE, the
 * coordinates are HUGE_VAL. Runs on the device that GDAL_GPU_DEVICE chooses, with AUTO where
 * the points are worth its start; elsewhere, and where the operation can't be fused, PROJ does it
 * on all cores. Arrays larger than the device's memory go through it in pieces, one on its way up
 * while another comes down; pinned arrays are the fastest. CE_Failure with a CPLError where the
 * call itself fails; points that fail are no error. */
GDAL_GPU_API CPLErr GDALGPUTransformCoordinates(GDALGPUCoordinateTransformH transform, int inverse,
                                                GIntBig count, double* x, double* y, double* z,
                                                double* t, int* success);

/* Arrays of doubles; NULL as above. */
typedef struct {
    double* x;
    double* y;
    double* z;
    double* t;
} GDALGPUCoordinateArrays;

/* The same from arrays in the device's memory to others, or the same ones, without a copy. Arrays
 * of `out` that are NULL aren't written. stream: a CUstream (or cudaStream_t) of the first device's
 * primary context, NULL for the default stream. The call returns when the work is enqueued: arrays
 * and transform must live until it is done. The first call in each direction waits for the stream,
 * for some of its points are compared with PROJ; so does a call that PROJ has to do on the CPU.
 * With GDAL_GPU_DEVICE=HOST the arrays are plain ones, and the stream isn't used. CE_Failure with a
 * CPLError where there is no device. */
GDAL_GPU_API CPLErr GDALGPUTransformDeviceCoordinates(GDALGPUCoordinateTransformH transform,
                                                      int inverse, GIntBig count,
                                                      const GDALGPUCoordinateArrays* in,
                                                      const GDALGPUCoordinateArrays* out,
                                                      int* success, void* stream);

/* The bounds (min x, min y, max x, max y) of a rectangle on the other side, with densify_points
 * (21 is usual) between its corners: PROJ's proj_trans_bounds(). In degrees min x may be greater
 * than max x: across the antimeridian. bounds and result may be the same. */
GDAL_GPU_API CPLErr GDALGPUTransformBounds(GDALGPUCoordinateTransformH transform, int inverse,
                                           const double* bounds, int densify_points,
                                           double* result);

/* Makes the device and compiles the kernel, as for a large call, so that the first call needn't.
 * Returns what GDALGPUCoordinateTransformPath() would then: to be freed with CPLFree(). */
GDAL_GPU_API char* GDALGPUWarmUpCoordinateTransform(GDALGPUCoordinateTransformH transform,
                                                    int inverse);

/* How the last call in this direction went: "CUDA: " or "HOST: " and the fused steps, "PROJ: " and
 * the reason why PROJ did it on the CPU, "none" before the first call. "in ds" or "in fp32" stands
 * behind the steps where that was the precision. To be freed with CPLFree().
 */
GDAL_GPU_API char* GDALGPUCoordinateTransformPath(GDALGPUCoordinateTransformH transform,
                                                  int inverse);

#ifdef __cplusplus
}
#endif

#endif /* GDAL_GPU_H_INCLUDED */
