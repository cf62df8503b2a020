#include "plugin/vrt/cached_reader.h"

#include <algorithm>
#include <utility>

#include "plugin/held_messages.h"

namespace gdalgpu {

namespace {

// Bytes with all bands; what is smaller is always kept. Of rows across the whole raster, which a
// program reads on its way through it, so little that storing them costs next to nothing.
constexpr int64_t kSmall = 8 << 20;
constexpr int64_t kSmallAcross = 1 << 20;

// A window of more bytes would take too much of the cache.
int64_t MostKept() { return GDALGetCacheMax64() / 2; }

// Whether the function returns CE_None; what it has to say of a failure is dropped.
template <class Function>
bool Succeeds(Function&& function) {
    HeldMessages messages;
    if (function() != CE_None) return false;
    messages.Release();
    return true;
}

// Exceptions become GDAL errors.
template <class Function>
CPLErr Guarded(const PixelWindow& window, Function&& function) {
    try {
        return function();
    } catch (const std::exception& error) {
        CPLError(CE_Failure, CPLE_AppDefined,
                 "Reading %lld x %lld pixels at (%lld, %lld) of a warped VRT failed: %s",
                 static_cast<long long>(window.width), static_cast<long long>(window.height),
                 static_cast<long long>(window.x), static_cast<long long>(window.y), error.what());
        return CE_Failure;
    }
}

}  // namespace

CachedReader::CachedReader(GDALDataset& dataset, std::unique_ptr<WarpReader> reader)
    : dataset_(dataset), store_(dataset), reader_(std::move(reader)) {}

bool CachedReader::IsToBeKept(const ReadRequest& request) const {
    const int64_t bytes = store_.Bytes(request.window);
    if (bytes > MostKept()) return false;
    const PixelWindow whole{0, 0, dataset_.GetRasterXSize(), dataset_.GetRasterYSize()};
    const bool across = request.window.width == whole.width && request.window.height < whole.height;
    const bool bands_missing = static_cast<int>(request.bands.size()) < dataset_.GetRasterCount();
    if (bytes <= (across && !bands_missing ? kSmallAcross : kSmall)) return true;
    // The other bands are going to be asked for, but perhaps after the cache has forgotten them.
    if (bands_missing && !(across && store_.Bytes(whole) > MostKept())) return true;
    return history_.Covers(request.window);
}

CPLErr CachedReader::Read(const ReadRequest& request) {
    return Guarded(request.window, [&] {
        if (IsToBeKept(request) || store_.Holds(request.window, request.bands))
            return ReadAndKeep(request);
        history_.Add(request.window, store_.Bytes(request.window), GDALGetCacheMax64());
        return reader_->Read(request);
    });
}

// Where whole blocks can't be read, for pixels that may not be asked for, the request alone is.
CPLErr CachedReader::ReadAndKeep(const ReadRequest& request) {
    for (const PixelWindow& blocks : store_.Deliver(request)) {
        const bool read = Succeeds([&] {
            return WarpAndKeep(blocks, [&](const WarpedRegion& region) {
                reader_->Copy(region, Intersection(region.window(), request.window), request);
            });
        });
        if (!read) return reader_->Read(request);
    }
    return ReportProgress(request, 1.0);
}

// In swaths of block rows; `deliver` gets each.
template <class Deliver>
CPLErr CachedReader::WarpAndKeep(const PixelWindow& blocks, Deliver&& deliver) {
    const int64_t height = store_.block_height();
    const int64_t rows =
        std::max<int64_t>(1, reader_->RowsAtOnce(blocks.width, MostKept() / 2) / height) * height;
    WarpedRegion region;
    for (int64_t y = 0; y < blocks.height; y += rows) {
        const CPLErr error = reader_->Warp(
            {blocks.x, blocks.y + y, blocks.width, std::min(rows, blocks.height - y)}, region);
        if (error != CE_None) return error;
        deliver(region);
        store_.Keep(region.window(), [&](const ReadRequest& block) {
            reader_->CopyRows(region, block.window, block, 0, block.window.height);
        });
    }
    return CE_None;
}

void CachedReader::Prefetch(const PixelWindow& window, const std::vector<int>& bands) {
    const PixelWindow blocks = store_.WholeBlocks(window);
    const bool one = blocks.width <= block_width() && blocks.height <= block_height();
    if (one || store_.Bytes(window) > MostKept()) return;
    Succeeds([&] {
        return Guarded(window, [&] {
            CPLErr error = CE_None;
            for (const PixelWindow& missing : store_.Missing(window, bands)) {
                if (error == CE_None) error = WarpAndKeep(missing, [](const WarpedRegion&) {});
            }
            return error;
        });
    });
}

CPLErr CachedReader::ReadBlock(int band, int column, int row, void* image) {
    const PixelWindow window = store_.WindowOfBlocks(column, column + 1, row);
    return Guarded(window, [&] {
        const int64_t affordable =
            std::max<int64_t>(1, MostKept() / 2 / std::max<int64_t>(1, store_.Bytes(window)));
        const int64_t wanted =
            std::min<int64_t>({sweep_.Request(column, row), store_.columns(), column + affordable});
        int end = column + 1;
        while (end < wanted && !store_.Holds(band, end, row)) ++end;

        WarpedRegion region;
        const auto warp = [&](int end_column) {
            return reader_->Warp(store_.WindowOfBlocks(column, end_column, row), region);
        };
        // Those after it may be beyond what can be read.
        if (end == column + 1 || !Succeeds([&] { return warp(end); })) {
            const CPLErr error = warp(column + 1);
            if (error != CE_None) return error;
        }
        reader_->Copy(region, window, store_.RequestForBlock(band, column, row, image));
        // The block itself is in the cache already, and is being filled.
        store_.Keep(region.window(), [&](const ReadRequest& block) {
            reader_->CopyRows(region, block.window, block, 0, block.window.height);
        });
        return CE_None;
    });
}

}  // namespace gdalgpu
