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
 * NVIDIA H200", "HOST: 16 threads, g++ 12.2.0", or "GDAL: " and the reason why GDAL's own code
 * would do it. Makes the device, with its context, if that has not happened. To be freed with
 * CPLFree(). */
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

#ifdef __cplusplus
}
#endif

#endif /* GDAL_GPU_H_INCLUDED */
