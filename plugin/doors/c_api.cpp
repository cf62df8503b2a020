// gdal_gpu.h.
#include <memory>
#include <mutex>
#include <string>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "gdal_priv.h"
#include "plugin/doors/gdal_gpu.h"
#include "plugin/doors/register.h"
#include "plugin/doors/transformer.h"
#include "plugin/report.h"
#include "plugin/runtime.h"
#include "plugin/warp/gdal_warp_kernel.h"

namespace gdalgpu {

namespace {

// What GDALGPUAttachWarpOptions puts into pPreWarpProcessorArg. The options themselves may be gone
// when chunks come.
class Attachment {
  public:
    Attachment(GDALDatasetH source, int width, int height, void* transformer)
        : source_(source), whole_{0, 0, width, height}, transformer_(transformer) {}

    // A GDALWarpOptions::pfnPreWarpChunkProcessor.
    static CPLErr Hook(void* kernel, void* attachment) {
        GDALWarpKernel& of_gdal = *static_cast<GDALWarpKernel*>(kernel);
        WarpChunk chunk = ChunkOf(of_gdal);
        return Tell(static_cast<Attachment*>(attachment)->Run(chunk), of_gdal);
    }

  private:
    DeviceWarp::ChunkResult Run(WarpChunk& chunk) {
        try {
            if (DeviceWarp* warp = WarpFor(chunk)) {
                return warp->RunForeignChunk(chunk);
            }
            Report report("api", "warp");
            report.pixels = static_cast<unsigned long long>(Area(chunk.destination));
            report.reason = transformer_ == chunk.transformer_argument
                                ? "the warp can't be set up"
                                : "an overview of a warped VRT";
        } catch (const std::exception& error) {
            CPLDebug("GPU", "a chunk is left to GDAL: %s", error.what());
        }
        return DeviceWarp::ChunkResult::Plain;
    }

    // The operation that this is a chunk of. nullptr for others: GDAL copies the options to
    // the overviews of a warped VRT, which have another size, source and transformer.
    DeviceWarp* WarpFor(const WarpChunk& chunk) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (transformer_ == nullptr) transformer_ = chunk.transformer_argument;
        if (transformer_ != chunk.transformer_argument) return nullptr;
        if (!tried_) {
            tried_ = true;
            if (SetUp(chunk)) warp_ = std::make_unique<DeviceWarp>(operation_, "api", whole_);
        }
        return warp_.get();
    }

    // An operation with the chunk's options, which tells DeviceWarp the source window of the
    // whole. It never runs.
    bool SetUp(const WarpChunk& chunk) {
        const std::unique_ptr<GDALWarpOptions, void (*)(GDALWarpOptions*)> options(
            GDALCreateWarpOptions(), [](GDALWarpOptions* p) { GDALDestroyWarpOptions(p); });
        options->hSrcDS = source_;
        options->eResampleAlg = chunk.resampling;
        options->eWorkingDataType = chunk.type;
        options->papszWarpOptions = CSLDuplicate(chunk.options);
        options->pfnTransformer = chunk.transformer;
        options->pTransformerArg = chunk.transformer_argument;
        GDALWarpInitDefaultBandMapping(options.get(), 1);
        return operation_.Initialize(options.get()) == CE_None;
    }

    const GDALDatasetH source_;
    const PixelWindow whole_;
    std::mutex mutex_;
    void* transformer_;  // of the operation; nullptr until the first chunk says it
    bool tried_ = false;
    GDALWarpOperation operation_;
    std::unique_ptr<DeviceWarp> warp_;
};

}  // namespace

}  // namespace gdalgpu

using gdalgpu::Attachment;

const char* GDALGPUVersion(void) { return GDALGPU_VERSION; }

char* GDALGPUDeviceInfo(GUIntBig pixels) {
    const gdalgpu::Selection selection = gdalgpu::SelectDevice(pixels == 0 ? UINT64_MAX : pixels);
    const std::string text =
        selection.device == nullptr
            ? "GDAL: " + selection.reason
            : std::string(selection.device->kind_name()) + ": " + selection.device->name();
    return CPLStrdup(text.c_str());
}

void GDALGPURegister(void) { gdalgpu::RegisterAll(); }

CPLErr GDALGPUAttachWarpOptions(GDALWarpOptions* options, int dst_width, int dst_height) {
    VALIDATE_POINTER1(options, "GDALGPUAttachWarpOptions", CE_Failure);
    VALIDATE_POINTER1(options->hSrcDS, "GDALGPUAttachWarpOptions: hSrcDS", CE_Failure);
    if (dst_width == 0 && dst_height == 0 && options->hDstDS != nullptr) {
        dst_width = GDALGetRasterXSize(options->hDstDS);
        dst_height = GDALGetRasterYSize(options->hDstDS);
    }
    if (dst_width <= 0 || dst_height <= 0) {
        CPLError(CE_Failure, CPLE_IllegalArg,
                 "GDALGPUAttachWarpOptions: the destination's size is unknown: set hDstDS first, "
                 "or give its width and "
                 "height (got %d and %d)",
                 dst_width, dst_height);
        return CE_Failure;
    }
    if (options->pfnPreWarpChunkProcessor != nullptr) {
        CPLError(CE_Failure, CPLE_IllegalArg,
                 "GDALGPUAttachWarpOptions: pfnPreWarpChunkProcessor is in use; a device may be "
                 "attached already");
        return CE_Failure;
    }
    options->pPreWarpProcessorArg =
        new Attachment(options->hSrcDS, dst_width, dst_height, options->pTransformerArg);
    options->pfnPreWarpChunkProcessor = Attachment::Hook;
    return CE_None;
}

void GDALGPUDetachWarpOptions(GDALWarpOptions* options) {
    if (options == nullptr || options->pfnPreWarpChunkProcessor != Attachment::Hook) return;
    delete static_cast<Attachment*>(options->pPreWarpProcessorArg);
    options->pfnPreWarpChunkProcessor = nullptr;
    options->pPreWarpProcessorArg = nullptr;
}

void* GDALGPUCreateGenImgProjTransformer(GDALDatasetH src_dataset, GDALDatasetH dst_dataset,
                                         char** options) {
    return gdalgpu::AdoptGenImgProjTransformer(
        GDALCreateGenImgProjTransformer2(src_dataset, dst_dataset, options));
}
