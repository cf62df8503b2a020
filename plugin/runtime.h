// The devices of this process, by GDAL's configuration options, and which of them a request should
// use.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gpu/device.h"
#include "gpu/thread_pool.h"

namespace gdalgpu {

// Where a request runs: a device, or GDAL's own code (device empty) for a reason fit for the log
// and the report.
struct Selection {
    std::shared_ptr<gpu::Device> device;
    std::string reason;
};

// Reads GDAL_GPU_DEVICE (AUTO, CUDA, HOST, NONE) and, for AUTO, GDAL_GPU_MIN_PIXELS. Makes the
// device on first use. Never throws. Wrong values of options, and a CUDA or HOST that was asked for
// and isn't there, give a CPLError (CE_Warning) once each.
Selection SelectDevice(uint64_t pixels);

// Why SelectDevice(pixels) leaves the request to GDAL whatever the machine has:
// GDAL_GPU_DEVICE=NONE, or too few pixels for AUTO. Empty where it goes on to make a device. Never
// throws.
std::string WhyLeftByOptions(uint64_t pixels);

// Why no request can run on a device: GDAL_GPU_DEVICE=NONE, or it is AUTO or CUDA and there is no
// NVIDIA driver. Empty where one may. Opens the driver's library, once, and makes no device. Warns
// as SelectDevice() does. Never throws.
std::string WhyNoDevice();

// Starts making the device that SelectDevice would choose for so many pixels, if any, on a thread
// of its own, so that a CUDA context is ready when the first pixels are. Returns at once.
void WarmUpDevice(uint64_t pixels);

// The threads, one a core, that work on host memory for all requests of this process.
gpu::ThreadPool& HostThreads();

// GDAL_GPU_CACHE_DIR, else $XDG_CACHE_HOME/gdal-gpu, else $HOME/.cache/gdal-gpu; empty where there
// is none.
std::string CacheDirectory();

// The devices' settings by GDAL's configuration options. A value that isn't valid gives a CPLError
// (CE_Warning) once and counts as not set.
gpu::Options DeviceOptions();

}  // namespace gdalgpu
