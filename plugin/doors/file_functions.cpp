#include "plugin/doors/file_functions.h"

#include "cpl_error.h"
#include "plugin/doors/algorithm_driver.h"
#include "plugin/vrt/vrt_driver.h"

namespace gdalgpu {

namespace {

// The VRT driver where the name can be that of a file; else nullptr with a CPLError.
GDALDriver* DriverFor(const char* name, const char* what) {
    if (!IsAlgorithmName(name)) return VrtDriver();
    CPLError(CE_Failure, CPLE_NotSupported,
             "%s is an algorithm's result, not a file: it can't be %s", name, what);
    return nullptr;
}

// Runs one of the VRT driver's functions. It fails without a word for what is no VRT.
template <typename Function>
CPLErr Manage(const char* name, const char* what, const Function& function) {
    GDALDriver* const vrt = DriverFor(name, what);
    if (vrt == nullptr) return CE_Failure;
    const auto messages = CPLGetErrorCounter();
    const CPLErr error = function(*vrt);
    if (error != CE_None && CPLGetErrorCounter() == messages)
        CPLError(error, CPLE_AppDefined, "%s can't be %s: it is no VRT", name, what);
    return error;
}

// The options' type of the next two changed in GDAL 3.12.
template <typename Options>
GDALDataset* Create(const char* name, int width, int height, int bands, GDALDataType type,
                    Options options) {
    GDALDriver* const vrt = DriverFor(name, "created");
    return vrt == nullptr ? nullptr : vrt->Create(name, width, height, bands, type, options);
}

template <typename Options>
GDALDataset* CreateCopy(const char* name, GDALDataset* source, int strict, Options options,
                        GDALProgressFunc progress, void* argument) {
    GDALDriver* const vrt = DriverFor(name, "created");
    if (vrt == nullptr) return nullptr;
    return vrt->CreateCopy(name, source, strict, options, progress, argument);
}

CPLErr Delete(const char* name) {
    return Manage(name, "deleted", [&](GDALDriver& vrt) { return vrt.Delete(name); });
}

CPLErr Rename(const char* new_name, const char* old_name) {
    if (DriverFor(new_name, "created") == nullptr) return CE_Failure;
    return Manage(old_name, "renamed",
                  [&](GDALDriver& vrt) { return vrt.Rename(new_name, old_name); });
}

CPLErr CopyFiles(const char* new_name, const char* old_name) {
    if (DriverFor(new_name, "created") == nullptr) return CE_Failure;
    return Manage(old_name, "copied",
                  [&](GDALDriver& vrt) { return vrt.CopyFiles(new_name, old_name); });
}

}  // namespace

void SetFileFunctions(GDALDriver& driver) {
    driver.pfnCreate = Create;
    driver.pfnCreateCopy = CreateCopy;
    driver.pfnDelete = Delete;
    driver.pfnRename = Rename;
    driver.pfnCopyFiles = CopyFiles;
}

}  // namespace gdalgpu
