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

// How much work a request is, by which AUTO decides.
struct Work {
    // So many pixels (or points) that take GDAL's own code so many seconds, by default those of a
    // simple function of a pixel. whole_seconds: of the request that they are a part of.
    Work(uint64_t pixel_count) : Work(pixel_count, 2e-8 * static_cast<double>(pixel_count)) {}
    Work(uint64_t pixel_count, double cpu_seconds, double whole_cpu_seconds = 0)
        : pixels(pixel_count),
          seconds(cpu_seconds),
          whole_seconds(cpu_seconds > whole_cpu_seconds ? cpu_seconds : whole_cpu_seconds) {}

    uint64_t pixels;
    double seconds;
    double whole_seconds;
};

// Reads GDAL_GPU_DEVICE: AUTO, CUDA, HOST, NONE. AUTO takes a CUDA device that was made already;
// it makes one where this request, with what this process did without one so far, is worth the time
// that this takes (kDeviceStartSeconds). GDAL_GPU_MIN_PIXELS, where it is set, decides by the
// pixels alone. Makes the device on first use. Never throws. Wrong values of options, and a CUDA or
// HOST that was asked for and isn't there, give a CPLError (CE_Warning) once each.
Selection SelectDevice(const Work& work);

// What it takes to make a CUDA device and to release it, in seconds (measured on an H200 host).
constexpr double kDeviceStartSeconds = 0.35;

// Why no request can run on a device: GDAL_GPU_DEVICE=NONE, or it is AUTO or CUDA and there is no
// NVIDIA driver. Empty where one may. Opens the driver's library, once, and makes no device. Warns
// as SelectDevice() does. Never throws.
std::string WhyNoDevice();

// Starts making the device that SelectDevice would choose for this work, if any, on a thread of its
// own, so that a CUDA context is ready when the first pixels are. Returns at once.
void WarmUpDevice(const Work& work);

// The threads, one a core, that work on host memory for all requests of this process.
gpu::ThreadPool& HostThreads();

// GDAL_GPU_CACHE_DIR, else $XDG_CACHE_HOME/gdal-gpu, else $HOME/.cache/gdal-gpu; empty where there
// is none.
std::string CacheDirectory();

// The devices' settings by GDAL's configuration options. A value that isn't valid gives a CPLError
// (CE_Warning) once and counts as not set.
gpu::Options DeviceOptions();

}  // namespace gdalgpu
