// Which takeovers are in effect with this libgdal: tried, for a libgdal linked with
// -Bsymbolic-functions calls its own functions past the preload library, and nothing tells so from
// outside.
#include <cstdio>
#include <memory>

#include "gdal.h"
#include "gdal_alg.h"
#include "gdalwarper.h"
#include "plugin/doors/command.h"
#include "plugin/doors/preload.h"

namespace gdalgpu {
namespace {

constexpr int kSize = 8;

int Identity(void*, int, int count, double*, double*, double*, int* success) {
    for (int i = 0; i < count; ++i) {
        success[i] = TRUE;
    }
    return TRUE;
}

struct CloseDataset {
    void operator()(void* dataset) const { GDALClose(dataset); }
};
using Dataset = std::unique_ptr<void, CloseDataset>;

Dataset MakeDataset() {
    return Dataset(GDALCreate(GDALGetDriverByName("MEM"), "", kSize, kSize, 1, GDT_Byte, nullptr));
}

}  // namespace

int TakeoverProbe() {
    GDALAllRegister();
    const Dataset source = MakeDataset();
    const Dataset destination = MakeDataset();
    if (source == nullptr || destination == nullptr) {
        return 1;
    }
    GDALWarpOptions* options = GDALCreateWarpOptions();
    options->hSrcDS = source.get();
    options->hDstDS = destination.get();
    GDALWarpInitDefaultBandMapping(options, 1);
    options->eResampleAlg = GRA_Bilinear;
    options->pfnTransformer = Identity;
    GDALWarpOperationH operation = GDALCreateWarpOperation(options);
    GDALDestroyWarpOptions(options);
    if (operation == nullptr) {
        return 1;
    }
    GDALChunkAndWarpImage(operation, 0, 0, kSize, kSize);
    GDALChunkAndWarpMulti(operation, 0, 0, kSize, kSize);
    GDALDestroyWarpOperation(operation);
    const std::array<int, kTakeovers> counts = CountTakeovers();
    for (int takeover = 0; takeover < kTakeovers; ++takeover) {
        std::printf("%s %d\n", kTakeoverNames[takeover], counts[takeover]);
    }
    return 0;
}

}  // namespace gdalgpu
