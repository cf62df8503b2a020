// Whether a request of this process can run on a device at all, found out without starting one.
#pragma once

#include <string>

namespace gdalgpu {

// Why no request can: GDAL_GPU_DEVICE is NONE, or it is AUTO or CUDA and there is no NVIDIA driver.
// Empty where one may. Costs a dlopen of the driver's library, once; makes no CUDA context.
std::string WhyNoDevice();

}  // namespace gdalgpu
