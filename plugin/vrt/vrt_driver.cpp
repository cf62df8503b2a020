#include "plugin/vrt/vrt_driver.h"

#include <atomic>
#include <mutex>

#include "cpl_error.h"
#include "plugin/vrt/warped_dataset.h"

namespace gdalgpu {

namespace {

using CreateCopyFunction = decltype(GDALDriver::pfnCreateCopy);

std::atomic<CreateCopyFunction> gdals_create_copy{nullptr};

// The options' type changed in GDAL 3.12.
template <typename Options>
GDALDataset* CreateCopy(const char* name, GDALDataset* source, int strict, Options options,
                        GDALProgressFunc progress, void* argument) {
    return gdals_create_copy.load()(name, GdalsOwnDataset(source), strict, options, progress,
                                    argument);
}

}  // namespace

GDALDriver* VrtDriver() {
    GDALDriver* const driver = GetGDALDriverManager()->GetDriverByName("VRT");
    if (driver == nullptr) {
        CPLError(
            CE_Failure, CPLE_NotSupported,
            "driver GPU leaves this to GDAL's driver VRT, which isn't registered (GDAL_SKIP?)");
    }
    return driver;
}

void LetVrtCopiesStandAlone() {
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    GDALDriver* const vrt = GetGDALDriverManager()->GetDriverByName("VRT");
    const CreateCopyFunction ours = CreateCopy;
    if (vrt == nullptr || vrt->pfnCreateCopy == nullptr || vrt->pfnCreateCopy == ours) return;
    gdals_create_copy = vrt->pfnCreateCopy;
    vrt->pfnCreateCopy = ours;
}

}  // namespace gdalgpu
