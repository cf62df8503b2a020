// What the plugin registers with GDAL: the driver GPU (doors 1 and 4), the transformer's
// deserializer (door 2) and the pixel functions (door 3).
#pragma once

#if defined(_WIN32)
#define GDAL_GPU_INTERNAL_EXPORT __declspec(dllexport)
#else
#define GDAL_GPU_INTERNAL_EXPORT __attribute__((visibility("default")))
#endif

namespace gdalgpu {

// Registers all of them; later calls do nothing, except that they put the driver back where it was
// deregistered. Starts no device.
GDAL_GPU_INTERNAL_EXPORT void RegisterAll();

}  // namespace gdalgpu
