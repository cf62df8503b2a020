#include "plugin/doors/register.h"

#include <algorithm>
#include <iterator>
#include <mutex>

#include "gdal_priv.h"
#include "plugin/doors/algorithm_driver.h"
#include "plugin/doors/file_functions.h"
#include "plugin/doors/pixel_functions.h"
#include "plugin/doors/transformer.h"
#include "plugin/vrt/warped_dataset.h"

namespace gdalgpu {

namespace {

int Identify(GDALOpenInfo* info) {
    return IsAlgorithmName(info->pszFilename) ? IdentifyAlgorithm(info) : IdentifyWarpedVrt(info);
}

GDALDataset* Open(GDALOpenInfo* info) {
    return IsAlgorithmName(info->pszFilename) ? OpenAlgorithm(info) : OpenWarpedVrt(info);
}

// Describes itself as GDAL's VRT driver does where the files are that driver's: the open options,
// for example, that this GDAL has for a VRT. The VRT driver is registered after plugins are, and
// what is registered may be read by other threads: so it is asked whenever it is needed.
class Driver final : public GDALDriver {
  public:
    const char* GetMetadataItem(const char* name, const char* domain) override {
        static constexpr const char* items[] = {GDAL_DMD_OPENOPTIONLIST, GDAL_DMD_CREATIONDATATYPES,
                                                "DMD_OVERVIEW_CREATIONOPTIONLIST"};
        if (name != nullptr && (domain == nullptr || *domain == '\0') &&
            std::any_of(std::begin(items), std::end(items),
                        [&](const char* item) { return EQUAL(item, name); })) {
            GDALDriver* const vrt = GetGDALDriverManager()->GetDriverByName("VRT");
            const char* value = vrt == nullptr ? nullptr : vrt->GetMetadataItem(name);
            if (value != nullptr) return value;
        }
        return GDALDriver::GetMetadataItem(name, domain);
    }
};

void RegisterDriver() {
    if (GDALGetDriverByName("GPU") != nullptr) return;
    auto* driver = new Driver();
    driver->SetDescription("GPU");
    driver->SetMetadataItem(GDAL_DMD_LONGNAME, "Warped VRTs and raster algorithms on the GPU");
    driver->SetMetadataItem(GDAL_DCAP_RASTER, "YES");
    driver->SetMetadataItem(GDAL_DCAP_OPEN, "YES");
    driver->SetMetadataItem(GDAL_DCAP_VIRTUALIO, "YES");
    driver->SetMetadataItem(GDAL_DCAP_COORDINATE_EPOCH, "YES");
    driver->SetMetadataItem(GDAL_DMD_CONNECTION_PREFIX, "GPU:");
    driver->SetMetadataItem(
        GDAL_DMD_OPENOPTIONLIST,
        "<OpenOptionList>"
        "<Option name='ROOT_PATH' type='string' description='Folder that relative paths in a VRT "
        "start from'/>"
        "</OpenOptionList>");
    driver->pfnIdentify = Identify;
    driver->pfnOpen = Open;
    SetFileFunctions(*driver);
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
