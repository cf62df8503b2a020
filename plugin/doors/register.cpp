#include "plugin/doors/register.h"

#include <mutex>

#include "gdal_priv.h"
#include "plugin/doors/algorithm_driver.h"
#include "plugin/doors/pixel_functions.h"
#include "plugin/doors/transformer.h"
#include "plugin/vrt/warped_dataset.h"

namespace gdalgpu {

namespace {

int Identify(GDALOpenInfo* info) {
    return IsAlgorithmName(info->pszFilename) || IdentifyWarpedVrt(info) ? TRUE : FALSE;
}

GDALDataset* Open(GDALOpenInfo* info) {
    return IsAlgorithmName(info->pszFilename) ? OpenAlgorithm(info) : OpenWarpedVrt(info);
}

void RegisterDriver() {
    if (GDALGetDriverByName("GPU") != nullptr) return;
    auto* driver = new GDALDriver();
    driver->SetDescription("GPU");
    driver->SetMetadataItem(GDAL_DMD_LONGNAME, "Warped VRTs and raster algorithms on the GPU");
    driver->SetMetadataItem(GDAL_DCAP_RASTER, "YES");
    driver->SetMetadataItem(GDAL_DCAP_OPEN, "YES");
    driver->SetMetadataItem(GDAL_DCAP_VIRTUALIO, "YES");
    driver->SetMetadataItem(GDAL_DMD_CONNECTION_PREFIX, "GPU:");
    driver->SetMetadataItem(
        GDAL_DMD_OPENOPTIONLIST,
        "<OpenOptionList>"
        "<Option name='ROOT_PATH' type='string' description='Folder that relative paths in a VRT "
        "start from'/>"
        "</OpenOptionList>");
    driver->pfnIdentify = Identify;
    driver->pfnOpen = Open;
    GetGDALDriverManager()->RegisterDriver(driver);
}

}  // namespace

void RegisterAll() {
    static std::once_flag once;
    std::call_once(once, [] {
        RegisterTransformer();
        RegisterPixelFunctions();
    });
    RegisterDriver();
}

}  // namespace gdalgpu
