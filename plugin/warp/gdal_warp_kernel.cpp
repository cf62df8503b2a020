#include "plugin/warp/gdal_warp_kernel.h"

#include <algorithm>

#include "plugin/warp/cpu_warp.h"

namespace gdalgpu {

WarpChunk ChunkOf(GDALWarpKernel& kernel) {
    WarpChunk chunk;
    chunk.resampling = kernel.eResample;
    chunk.type = kernel.eWorkingDataType;
    chunk.options = kernel.papszWarpOptions;
    chunk.transformer = kernel.pfnTransformer;
    chunk.transformer_argument = kernel.pTransformerArg;
    const auto bands = static_cast<size_t>(std::max(0, kernel.nBands));
    if (kernel.nSrcXSize > 0 && kernel.nSrcYSize > 0) {
        chunk.source = {kernel.nSrcXOff, kernel.nSrcYOff, kernel.nSrcXSize, kernel.nSrcYSize};
        chunk.source_bands.assign(kernel.papabySrcImage, kernel.papabySrcImage + bands);
    }
    chunk.source_x_extra = kernel.dfSrcXExtraSize;
    chunk.source_y_extra = kernel.dfSrcYExtraSize;
    chunk.source_density = kernel.pafUnifiedSrcDensity;
    chunk.source_valid = kernel.panUnifiedSrcValid;
    if (kernel.papanBandSrcValid != nullptr) {
        chunk.band_valid.assign(kernel.papanBandSrcValid, kernel.papanBandSrcValid + bands);
    }
    chunk.destination = {kernel.nDstXOff, kernel.nDstYOff, kernel.nDstXSize, kernel.nDstYSize};
    chunk.destination_bands.assign(kernel.papabyDstImage, kernel.papabyDstImage + bands);
    chunk.destination_density = kernel.pafDstDensity;
    chunk.destination_valid = kernel.panDstValid;
    chunk.destination_nodata = kernel.padfDstNoDataReal;
    if (kernel.pfnProgress != nullptr) {
        chunk.progress = [&kernel](double done) {
            return kernel.pfnProgress(kernel.dfProgressBase + kernel.dfProgressScale * done, "",
                                      kernel.pProgress) != FALSE;
        };
    }
    return chunk;
}

CPLErr Tell(DeviceWarp::ChunkResult result, GDALWarpKernel& kernel) {
    if (result == DeviceWarp::ChunkResult::Plain) {
        return CE_None;
    }
    kernel.nSrcXSize = 0;
    return result == DeviceWarp::ChunkResult::Stop ? CE_Failure : CE_None;
}

CPLErr PreWarpChunk(void* kernel, void* argument) {
    if (InCpuWarp()) {
        return CE_None;
    }
    GDALWarpKernel& of_gdal = *static_cast<GDALWarpKernel*>(kernel);
    WarpChunk chunk = ChunkOf(of_gdal);
    DeviceWarp* const warp = DeviceWarp::Current();
    return Tell(warp != nullptr
                    ? warp->RunChunk(chunk)
                    : DeviceWarp::RunLoneChunk(
                          chunk, argument != nullptr ? static_cast<const char*>(argument) : "api"),
                of_gdal);
}

}  // namespace gdalgpu
