#include "plugin/presence.h"

#include <dlfcn.h>

#include "cpl_conv.h"
#include "cpl_string.h"

namespace gdalgpu {

std::string WhyNoDevice() {
    const char* wanted = CPLGetConfigOption("GDAL_GPU_DEVICE", "AUTO");
    if (EQUAL(wanted, "NONE")) return "GDAL_GPU_DEVICE=NONE";
    if (EQUAL(wanted, "HOST")) return "";
    // Kept open: the device opens it again.
    static const bool has_driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr;
    return has_driver ? "" : "no NVIDIA driver (libcuda.so.1)";
}

}  // namespace gdalgpu
