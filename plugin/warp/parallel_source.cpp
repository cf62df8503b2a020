#include "plugin/warp/parallel_source.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cpl_conv.h"
#include "gdal_proxy.h"
#include "gpu/thread_pool.h"
#include "plugin/options.h"

namespace gdalgpu {

namespace {

// Below this many samples (pixels times bands), starting threads and opening handles doesn't pay.
constexpr int64_t kMinSamples = 8 << 20;
constexpr int kMostCores = 8;
constexpr int kMostThreads = 64;

#if defined(BANDMAP_TYPE)  // GDAL 3.10 and newer
using BandMap = BANDMAP_TYPE;
#else
using BandMap = int*;
#endif

int ReadThreads() {
    const int64_t threads =
        OptionNumber("GDAL_GPU_READ_THREADS", 1, std::min(gpu::CoreCount(), kMostCores));
    return static_cast<int>(std::min<int64_t>(threads, kMostThreads));
}

// Which file lies at a path, and in which state: another one in its place, or one that was written
// to, differs.
using FileState = std::array<int64_t, 5>;

FileState StateOf(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    return {static_cast<int64_t>(status.st_dev), static_cast<int64_t>(status.st_ino),
            static_cast<int64_t>(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

// A GeoTIFF and the file of its external overviews, one of which the dataset may stand for.
std::pair<FileState, FileState> FilesOf(GDALDataset& dataset) {
    const std::string path = dataset.GetDescription();
    return {StateOf(path), StateOf(path + ".ovr")};
}

bool IsPlainFile(GDALDataset& dataset) { return FilesOf(dataset).first != FileState{}; }

// The value that GDAL fills missing blocks with, among others.
bool SameNodata(GDALRasterBand& a, GDALRasterBand& b) {
    int a_has = FALSE;
    int b_has = FALSE;
    const double a_value = a.GetNoDataValue(&a_has);
    const double b_value = b.GetNoDataValue(&b_has);
    return a_has == b_has &&
           (!a_has || a_value == b_value || (std::isnan(a_value) && std::isnan(b_value)));
}

// Whether two handles of a file give the same pixels, by what may have been set on one of them.
bool SamePixels(GDALDataset& a, GDALDataset& b) {
    // COMPRESSION tells whether the file's YCbCr is delivered as RGB.
    const auto compression = [](GDALDataset& dataset) {
        const char* text = dataset.GetMetadataItem("COMPRESSION", "IMAGE_STRUCTURE");
        return std::string(text != nullptr ? text : "");
    };
    if (a.GetRasterXSize() != b.GetRasterXSize() || a.GetRasterYSize() != b.GetRasterYSize() ||
        a.GetRasterCount() != b.GetRasterCount() || compression(a) != compression(b))
        return false;
    for (int i = 1; i <= a.GetRasterCount(); ++i) {
        GDALRasterBand& a_band = *a.GetRasterBand(i);
        GDALRasterBand& b_band = *b.GetRasterBand(i);
        if (a_band.GetRasterDataType() != b_band.GetRasterDataType() || !SameNodata(a_band, b_band))
            return false;
    }
    return true;
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
    ParallelDataset(GDALDataset& source, int threads)
        : source_(source), files_(FilesOf(source)), pool_(threads) {
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
        if (flag == GF_Read &&
            ReadByThreads(x, y, width, height, buffer, buffer_width, buffer_height, type,
                          band_count, bands, pixel_space, line_space, band_space, *extra))
            return CE_None;
        return source_.RasterIO(flag, x, y, width, height, buffer, buffer_width, buffer_height,
                                type, band_count, bands, pixel_space, line_space, band_space,
                                extra);
    }

    // False where the dataset itself is to be read: a small window, one that is resampled, or one
    // that fails here, so that the dataset reports the error.
    bool ReadByThreads(int x, int y, int width, int height, void* buffer, int buffer_width,
                       int buffer_height, GDALDataType type, int band_count, BandMap bands,
                       GSpacing pixel_space, GSpacing line_space, GSpacing band_space,
                       const GDALRasterIOExtraArg& extra) {
        if (buffer_width != width || buffer_height != height ||
            extra.bFloatingPointWindowValidity || extra.pfnProgress != nullptr ||
            static_cast<int64_t>(width) * height * band_count < kMinSamples)
            return false;
        std::lock_guard<std::mutex> lock(mutex_);
        return HandlesAreGood() &&
               ReadStrips(x, y, width, height, static_cast<GByte*>(buffer), type, band_count, bands,
                          pixel_space, line_space, band_space);
    }

  protected:
    GDALDataset* RefUnderlyingDataset() const override { return &source_; }
    void UnrefUnderlyingDataset(GDALDataset*) const override {}

  private:
    // Opens the handles, one a thread, on first use. False where they can't stand for the dataset:
    // the file isn't the one that was there when this was made.
    bool HandlesAreGood() {
        if (FilesOf(source_) != files_) return false;
        if (!opened_) {
            opened_ = true;
            OpenHandles();
            if (FilesOf(source_) != files_) handles_.clear();
        }
        return !handles_.empty() && SamePixels(source_, *handles_.front());
    }

    void OpenHandles() {
        CPLErrorStateBackuper state;
        CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
        const char* const drivers[] = {source_.GetDriver()->GetDescription(), nullptr};
        for (int i = 0; i < pool_.threads(); ++i) {
            GDALDatasetUniquePtr handle(GDALDataset::Open(source_.GetDescription(), GDAL_OF_RASTER,
                                                          drivers, source_.GetOpenOptions(),
                                                          nullptr));
            if (handle == nullptr) {
                handles_.clear();
                return;
            }
            handles_.push_back(std::move(handle));
        }
        CPLDebug("GPU", "%s is read by %d threads", source_.GetDescription(), pool_.threads());
    }

    // False where any strip fails.
    bool ReadStrips(int x, int y, int width, int height, GByte* buffer, GDALDataType type,
                    int band_count, BandMap bands, GSpacing pixel_space, GSpacing line_space,
                    GSpacing band_space) {
        int block_width = 0;
        int block_height = 0;
        source_.GetRasterBand(1)->GetBlockSize(&block_width, &block_height);
        // Strips end at block rows, so that no block is read twice, and are several a thread, so
        // that all end together.
        const int64_t wanted = std::max(1, height / (pool_.threads() * 4));
        const int64_t strip = (wanted + block_height - 1) / block_height * block_height;
        std::vector<std::pair<int, int>> strips;
        for (int top = y; top < y + height;) {
            const int bottom =
                static_cast<int>(std::min<int64_t>(y + height, (top / strip + 1) * strip));
            strips.emplace_back(top, bottom);
            top = bottom;
        }
        std::atomic<size_t> next{0};
        std::atomic<bool> failed{false};
        pool_.run(static_cast<int64_t>(std::min(handles_.size(), strips.size())),
                  [&](int64_t index) {
                      CPLErrorStateBackuper state;
                      CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
                      GDALDataset& handle = *handles_[index];
                      for (size_t i = next++; i < strips.size() && !failed; i = next++) {
                          const auto [top, bottom] = strips[i];
                          if (handle.RasterIO(GF_Read, x, top, width, bottom - top,
                                              buffer + (top - y) * line_space, width, bottom - top,
                                              type, band_count, bands, pixel_space, line_space,
                                              band_space, nullptr) != CE_None)
                              failed = true;
                      }
                  });
        return !failed;
    }

    GDALDataset& source_;
    const std::pair<FileState, FileState> files_;
    gpu::ThreadPool pool_;
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
    if (flag == GF_Read &&
        dataset_.ReadByThreads(x, y, width, height, buffer, buffer_width, buffer_height, type, 1,
                               &nBand, pixel_space, line_space, 0, *extra))
        return CE_None;
    return band_.RasterIO(flag, x, y, width, height, buffer, buffer_width, buffer_height, type,
                          pixel_space, line_space, extra);
}

}  // namespace

std::unique_ptr<GDALDataset> MakeParallelSource(GDALDataset& source) {
    const int threads = ReadThreads();
    const int64_t samples = static_cast<int64_t>(source.GetRasterXSize()) *
                            source.GetRasterYSize() * source.GetRasterCount();
    if (threads < 2 || samples < kMinSamples || source.GetAccess() != GA_ReadOnly ||
        source.GetDriver() == nullptr || !EQUAL(source.GetDriver()->GetDescription(), "GTiff") ||
        !IsPlainFile(source))
        return nullptr;
    return std::make_unique<ParallelDataset>(source, threads);
}

}  // namespace gdalgpu
