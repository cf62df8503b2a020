#include "plugin/options.h"

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <set>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "gpu/per_process.h"

namespace gdalgpu {

const std::vector<ConfigOption>& ConfigOptions() {
    static const std::vector<ConfigOption> options = {
        {"GDAL_GPU_DEVICE", "AUTO",
         "AUTO: CUDA where there is one and the request is large enough, otherwise GDAL's own "
         "code. CUDA, HOST (the "
         "kernels on the processor's cores) or NONE (GDAL's own code): always that one."},
        {"GDAL_GPU_MEMORY_LIMIT", "what is free",
         "Device memory in use at once: bytes, or a number with KB, MB, GB or TB (of 1024). Larger "
         "requests are split."},
        {"GDAL_GPU_MIN_PIXELS", "400000",
         "With AUTO, requests of fewer pixels are left to GDAL's own code."},
        {"GDAL_GPU_PRECISION", "fp64",
         "Of the computation of projections: fp64, ds (pairs of floats, 48 bits), fp32, or auto: "
         "the cheapest of them that is within a thousandth of a pixel. One that isn't is not "
         "used."},
        {"GDAL_GPU_REPORT", "none",
         "A file, or \"stderr\", that gets one JSON object a line for each request."},
        {"GDAL_GPU_CACHE_DIR", "$XDG_CACHE_HOME/gdal-gpu, else ~/.cache/gdal-gpu",
         "Folder of compiled kernels. It must belong to the user and be writable by nobody else."},
        {"GDAL_GPU_READ_THREADS", "cores, at most 8",
         "Threads that read a source GeoTIFF; all sources of a process share them. 1: GDAL alone "
         "reads it."},
        {"GDAL_GPU_NVRTC", "looked for",
         "NVRTC's shared library, the compiler of CUDA kernels (libnvrtc.so.12)."},
        {"GDAL_GPU_CXX", "c++, g++ or clang++",
         "The compiler of HOST kernels, a path or a name in PATH."},
        {"GDAL_GPU_THREADS", "one a core", "Threads of HOST."},
        {"GDAL_GPU_FAULT", "none",
         "For tests: \"allocate\", \"launch\", \"compile\", \"copy\" fails, or a launch loses the "
         "device (\"lose\"); "
         "with \":N\" after N that succeed."},
    };
    return options;
}

std::string OptionText(const char* name) {
    const char* value = CPLGetConfigOption(name, nullptr);
    return value != nullptr ? value : "";
}

int64_t OptionNumber(const char* name, int64_t least, int64_t otherwise) {
    const std::string text = OptionText(name);
    if (text.empty()) {
        return otherwise;
    }
    char* end = nullptr;
    errno = 0;
    const long long number = std::strtoll(text.c_str(), &end, 10);
    if (end == text.c_str() || *end != '\0' || errno != 0 || number < least) {
        WarnOnce(std::string(name) + "=" + text + " is not a whole number of at least " +
                 std::to_string(least) + "; it counts as not set");
        return otherwise;
    }
    return number;
}

void WarnOnce(const std::string& message) {
    struct Warned {
        std::mutex mutex;
        std::set<std::string> messages;
    };
    // Never destroyed: threads may still use it while the process ends.
    static auto* per_process = new gpu::PerProcess<Warned>([] { return new Warned; });
    Warned& warned = per_process->get();
    {
        std::lock_guard<std::mutex> lock(warned.mutex);
        if (!warned.messages.insert(message).second) {
            return;
        }
    }
    CPLError(CE_Warning, CPLE_IllegalArg, "%s", message.c_str());
}

}  // namespace gdalgpu
