#include "plugin/warp/mask_choice.h"

#include <algorithm>
#include <vector>

#include "cpl_error.h"
#include "cpl_string.h"
#include "plugin/gdal_rules.h"

namespace gdalgpu {

namespace {

constexpr int64_t kBytesAtOnce = 32 << 20;

// Whether GDAL would use a mask of the dataset at all, and nodata values stand against it.
bool BothApply(const GDALWarpOptions& options) {
    if (LoadedGdalRules().nodata_hides_dataset_mask || options.padfSrcNoDataReal == nullptr ||
        options.nSrcAlphaBand > 0 || options.hCutline != nullptr || options.nBandCount < 1 ||
        options.hSrcDS == nullptr) {
        return false;
    }
    // Then nodata values give no mask of all bands.
    if (options.nBandCount > 1 &&
        !CPLTestBool(CSLFetchNameValueDef(options.papszWarpOptions, "UNIFIED_SRC_NODATA", "YES"))) {
        return false;
    }
    const int flags = GDALGetMaskFlags(GDALGetRasterBand(options.hSrcDS, options.panSrcBands[0]));
    return (flags & GMF_PER_DATASET) != 0 && (flags & GMF_ALPHA) == 0;
}

}  // namespace

MaskChoice::MaskChoice(GDALWarpOperation& operation)
    : options_(*operation.GetOptions()), open_(BothApply(options_)) {}

bool MaskChoice::HasNodata(int width, int height, const std::vector<GByte*>& bands) const {
    const size_t pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
    std::vector<GUInt32> mask(pixels / 32 + 2);
    for (int band = 0; band < options_.nBandCount; ++band) {
        std::fill(mask.begin(), mask.end(), 0xFFFFFFFFU);
        double nodata[2] = {options_.padfSrcNoDataReal[band], options_.padfSrcNoDataImag != nullptr
                                                                  ? options_.padfSrcNoDataImag[band]
                                                                  : 0.0};
        int all_valid = FALSE;
        GDALWarpNoDataMasker(nodata, 1, options_.eWorkingDataType, 0, 0, width, height,
                             const_cast<GByte**>(bands.data()) + band, FALSE, mask.data(),
                             &all_valid);
        if (!all_valid) return true;
    }
    return false;
}

bool MaskChoice::SourceHasNodata(const SourceWindow& window) const {
    const CPLErrorStateBackuper keep_error;
    const CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
    const int word = GDALGetDataTypeSizeBytes(options_.eWorkingDataType);
    const int64_t row_bytes = int64_t{window.width} * word * options_.nBandCount;
    const int rows = static_cast<int>(
        std::clamp<int64_t>(kBytesAtOnce / std::max<int64_t>(1, row_bytes), 1, window.height));
    std::vector<GByte> pixels(static_cast<size_t>(row_bytes * rows));
    std::vector<GByte*> bands(options_.nBandCount);
    for (int y = 0; y < window.height; y += rows) {
        const int height = std::min(rows, window.height - y);
        const GSpacing band_space = GSpacing{window.width} * height * word;
        for (int band = 0; band < options_.nBandCount; ++band) {
            bands[band] = pixels.data() + band * band_space;
        }
        if (GDALDatasetRasterIO(options_.hSrcDS, GF_Read, window.x, window.y + y, window.width,
                                height, pixels.data(), window.width, height,
                                options_.eWorkingDataType, options_.nBandCount,
                                options_.panSrcBands, word, word * window.width,
                                static_cast<int>(band_space)) != CE_None) {
            continue;
        }
        if (HasNodata(window.width, height, bands)) return true;
    }
    return false;
}

void MaskChoice::Decide(const SourceWindow& window) {
    if (!open_) return;
    std::call_once(once_, [&] { by_nodata_ = !window.empty() && SourceHasNodata(window); });
}

void MaskChoice::Apply(WarpChunk& chunk) const {
    // GDAL made the mask of a chunk without nodata values from the dataset's.
    if (by_nodata_ && chunk.source_valid != nullptr && chunk.band_valid.empty() &&
        !HasNodata(static_cast<int>(chunk.source.width), static_cast<int>(chunk.source.height),
                   chunk.source_bands)) {
        chunk.source_valid = nullptr;
    }
}

}  // namespace gdalgpu
