// Door 2: the transformer <GPUGenImgProjTransformer>: GDALGenImgProjTransformer in XML and meaning,
// its points computed in batches on the device.
#pragma once

namespace gdalgpu {

// Registers the deserializer of <GPUGenImgProjTransformer> with GDAL, so that it works in any
// warped VRT. Once.
void RegisterTransformer();

// Makes a transformer of GDALCreateGenImgProjTransformer* into one whose large batches of points
// run on the device, and returns it: the same handle, of the same class, which GDAL's functions on
// such transformers still take. Its function is GDALGPUGenImgProjTransform, GDALDestroyTransformer
// frees it, and it serializes as <GPUGenImgProjTransformer>. nullptr for nullptr.
void* AdoptGenImgProjTransformer(void* transformer);

}  // namespace gdalgpu
