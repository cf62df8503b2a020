#include "plugin/warp/parallel_source.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "cpl_conv.h"
#include "gdal_proxy.h"

namespace gdalgpu {

namespace {

// Below this many samples (pixels times bands), starting threads and opening handles doesn't pay.
constexpr int64_t kMinSamples = 8 << 20;

#if defined(BANDMAP_TYPE)
using BandMap = BANDMAP_TYPE;
#else
using BandMap = int*;
#endif

int ReadThreads() {
    const char* text = CPLGetConfigOption("GDAL_GPU_READ_THREADS", nullptr);
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    return std::clamp(text != nullptr ? atoi(text) : std::min(cores, 8), 1, 64);
}

class ParallelDataset;

class ParallelBand final : public GDALProxyRasterBand {
  public:
    ParallelBand(ParallelDataset& dataset, GDALRasterBand& band);

  protected:
#if GDAL_VERSION_NUM >= 3070000
    GDALRasterBand* RefUnderlyingRasterBand(bool) const override { return &band_; }
#else
    GDALRasterBand* RefUnderlyingRasterBand() const override { return &band_; }
#endif
    void UnrefUnderlyingRasterBand(GDALRasterBand*) const override {}
    CPLErr IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* buffer,
                     int buffer_width, int buffer_height, GDALDataType type, GSpacing pixel_space,
                     GSpacing line_space, GDALRasterIOExtraArg* extra) override;

  private:
    ParallelDataset& dataset_;
    GDALRasterBand& band_;
};

class ParallelDataset final : public GDALProxyDataset {
  public:
    ParallelDataset(GDALDataset& source, int threads) : source_(source), threads_(threads) {
        nRasterXSize = source.GetRasterXSize();
        nRasterYSize = source.GetRasterYSize();
        for (int i = 1; i <= source.GetRasterCount(); ++i)
            SetBand(i, new ParallelBand(*this, *source.GetRasterBand(i)));
        SetDescription(source.GetDescription());
    }

    CPLErr IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* buffer,
                     int buffer_width, int buffer_height, GDALDataType type, int band_count,
                     BandMap bands, GSpacing pixel_space, GSpacing line_space, GSpacing band_space,
                     GDALRasterIOExtraArg* extra) override {
        const bool whole_pixels = buffer_width == width && buffer_height == height;
        const int64_t samples = static_cast<int64_t>(width) * height * band_count;
        if (flag == GF_Read && whole_pixels && samples >= kMinSamples && OpenHandles() &&
            ReadStrips(x, y, width, height, static_cast<GByte*>(buffer), type, band_count, bands,
                       pixel_space, line_space, band_space))
            return CE_None;
        return source_.RasterIO(flag, x, y, width, height, buffer, buffer_width, buffer_height,
                                type, band_count, bands, pixel_space, line_space, band_space,
                                extra);
    }

  protected:
    GDALDataset* RefUnderlyingDataset() const override { return &source_; }
    void UnrefUnderlyingDataset(GDALDataset*) const override {}

  private:
    // One handle a thread, opened on first use; false where the file can't be opened again as it
    // is.
    bool OpenHandles() {
        std::lock_guard<std::mutex> lock(mutex_);
        if (opened_) return !handles_.empty();
        opened_ = true;
        const char* drivers[] = {source_.GetDriver()->GetDescription(), nullptr};
        for (int i = 0; i < threads_; ++i) {
            CPLErrorStateBackuper state;
            CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
            GDALDatasetUniquePtr handle(GDALDataset::Open(source_.GetDescription(), GDAL_OF_RASTER,
                                                          drivers, source_.GetOpenOptions(),
                                                          nullptr));
            if (!handle || handle->GetRasterXSize() != nRasterXSize ||
                handle->GetRasterYSize() != nRasterYSize || handle->GetRasterCount() != nBands) {
                handles_.clear();
                return false;
            }
            handles_.push_back(std::move(handle));
        }
        return true;
    }

    // False where any strip fails: the caller then reads through the dataset itself, which reports
    // the error.
    bool ReadStrips(int x, int y, int width, int height, GByte* buffer, GDALDataType type,
                    int band_count, BandMap bands, GSpacing pixel_space, GSpacing line_space,
                    GSpacing band_space) {
        std::lock_guard<std::mutex> lock(mutex_);
        int block_width = 0;
        int block_height = 0;
        source_.GetRasterBand(1)->GetBlockSize(&block_width, &block_height);
        // Strips end at block rows, so that no block is read twice, and are several a thread, so
        // that all end together.
        const int wanted = std::max(1, height / (threads_ * 4));
        const int strip = (wanted + block_height - 1) / block_height * block_height;
        std::vector<std::pair<int, int>> strips;
        for (int top = y; top < y + height;) {
            const int bottom =
                std::min<int64_t>(y + height, (static_cast<int64_t>(top) / strip + 1) * strip);
            strips.emplace_back(top, bottom);
            top = bottom;
        }
        std::atomic<size_t> next{0};
        std::atomic<bool> failed{false};
        const auto read = [&](GDALDataset& handle) {
            CPLErrorStateBackuper state;
            CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
            for (size_t i = next++; i < strips.size() && !failed; i = next++) {
                const auto [top, bottom] = strips[i];
                if (handle.RasterIO(GF_Read, x, top, width, bottom - top,
                                    buffer + (top - y) * line_space, width, bottom - top, type,
                                    band_count, bands, pixel_space, line_space, band_space,
                                    nullptr) != CE_None)
                    failed = true;
            }
        };
        std::vector<std::thread> workers;
        const size_t count = std::min(handles_.size(), strips.size());
        for (size_t i = 1; i < count; ++i) workers.emplace_back(read, std::ref(*handles_[i]));
        read(*handles_[0]);
        for (auto& worker : workers) worker.join();
        return !failed;
    }

    GDALDataset& source_;
    const int threads_;
    std::mutex mutex_;
    bool opened_ = false;
    std::vector<GDALDatasetUniquePtr> handles_;
};

ParallelBand::ParallelBand(ParallelDataset& dataset, GDALRasterBand& band)
    : dataset_(dataset), band_(band) {
    poDS = &dataset;
    nBand = band.GetBand();
    nRasterXSize = band.GetXSize();
    nRasterYSize = band.GetYSize();
    eDataType = band.GetRasterDataType();
    band.GetBlockSize(&nBlockXSize, &nBlockYSize);
}

CPLErr ParallelBand::IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* buffer,
                               int buffer_width, int buffer_height, GDALDataType type,
                               GSpacing pixel_space, GSpacing line_space,
                               GDALRasterIOExtraArg* extra) {
    return dataset_.IRasterIO(flag, x, y, width, height, buffer, buffer_width, buffer_height, type,
                              1, &nBand, pixel_space, line_space, 0, extra);
}

}  // namespace

std::unique_ptr<GDALDataset> MakeParallelSource(GDALDataset& source) {
    const int threads = ReadThreads();
    const int64_t samples = static_cast<int64_t>(source.GetRasterXSize()) *
                            source.GetRasterYSize() * source.GetRasterCount();
    if (threads < 2 || samples < kMinSamples || source.GetAccess() != GA_ReadOnly ||
        source.GetDriver() == nullptr || !EQUAL(source.GetDriver()->GetDescription(), "GTiff"))
        return nullptr;
    return std::make_unique<ParallelDataset>(source, threads);
}

}  // namespace gdalgpu
