#include "plugin/warp/parallel_source.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cpl_conv.h"
#include "gpu/per_process.h"
#include "gpu/thread_pool.h"
#include "plugin/gdal_signatures.h"
#include "plugin/options.h"
#include "plugin/warp/source_handles.h"

namespace gdalgpu {

namespace {

// Below this many samples (pixels times bands), starting threads and opening handles doesn't pay.
constexpr int64_t kMinSamples = 8 << 20;
constexpr int kMostCores = 8;
constexpr int kMostThreads = 64;
constexpr size_t kLeastHandles = 2;  // one reads no faster than the dataset itself

int ReadThreads() {
    const int64_t threads =
        OptionNumber("GDAL_GPU_READ_THREADS", std::min(gpu::CoreCount(), kMostCores));
    return static_cast<int>(std::min<int64_t>(threads, kMostThreads));
}

// The threads that read the sources of this process, as many as have been asked for at most.
std::shared_ptr<gpu::ThreadPool> ReadingPool(int threads) {
    struct Pool {
        std::mutex mutex;
        std::shared_ptr<gpu::ThreadPool> threads;
    };
    // Never destroyed: datasets may be read until the process ends.
    static auto* pools = new gpu::PerProcess<Pool>([] { return new Pool; });
    Pool& pool = pools->get();
    std::lock_guard<std::mutex> lock(pool.mutex);
    if (pool.threads == nullptr || pool.threads->threads() < threads)
        pool.threads = std::make_shared<gpu::ThreadPool>(threads);
    return pool.threads;
}

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

class ParallelBand final : public BandProxy {
  public:
    ParallelBand(ParallelDataset& dataset, GDALRasterBand& band);

  protected:
    GDALRasterBand& underlying_band() const override { return band_; }
    CPLErr IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* buffer,
                     int buffer_width, int buffer_height, GDALDataType type, GSpacing pixel_space,
                     GSpacing line_space, GDALRasterIOExtraArg* extra) override;

  private:
    ParallelDataset& dataset_;
    GDALRasterBand& band_;
};

class ParallelDataset final : public GDALProxyDataset {
  public:
    ParallelDataset(GDALDataset& source, SourceFile file, int threads)
        : source_(source), file_(std::move(file)), threads_(threads) {
        nRasterXSize = source.GetRasterXSize();
        nRasterYSize = source.GetRasterYSize();
        for (int i = 1; i <= source.GetRasterCount(); ++i)
            SetBand(i, new ParallelBand(*this, *source.GetRasterBand(i)));
        SetDescription(source.GetDescription());
    }
    ~ParallelDataset() override { SourceHandles::OfProcess().Release(file_, this); }

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
        return ReadStrips(Strips(y, height), x, y, width, static_cast<GByte*>(buffer), type,
                          band_count, bands, pixel_space, line_space, band_space);
    }

  protected:
    GDALDataset* RefUnderlyingDataset() const override { return &source_; }
    void UnrefUnderlyingDataset(GDALDataset*) const override {}

  private:
    using Strip = std::pair<int, int>;  // rows [top, bottom)

    // Strips end at block rows, so that no block is read twice, and are several a thread, so that
    // all end together.
    std::vector<Strip> Strips(int y, int height) const {
        int block_width = 0;
        int block_height = 0;
        source_.GetRasterBand(1)->GetBlockSize(&block_width, &block_height);
        const int64_t wanted = std::max(1, height / (threads_ * 4));
        const int64_t rows = (wanted + block_height - 1) / block_height * block_height;
        std::vector<Strip> strips;
        for (int top = y; top < y + height;) {
            const int bottom =
                static_cast<int>(std::min<int64_t>(y + height, (top / rows + 1) * rows));
            strips.emplace_back(top, bottom);
            top = bottom;
        }
        return strips;
    }

    // False where the file isn't the one that was there when this was made, where there are no
    // handles that can stand for the dataset, and where any strip fails.
    bool ReadStrips(const std::vector<Strip>& strips, int x, int y, int width, GByte* buffer,
                    GDALDataType type, int band_count, BandMap bands, GSpacing pixel_space,
                    GSpacing line_space, GSpacing band_space) {
        SourceHandles& all = SourceHandles::OfProcess();
        const size_t readers = std::min(static_cast<size_t>(threads_), strips.size());
        if (readers < kLeastHandles) return false;
        if (!file_.Unchanged()) {
            all.Release(file_, this);
            return false;
        }
        SourceHandles::Loan handles = all.Borrow(file_, this, readers);
        if (handles.size() < kLeastHandles || !SamePixels(source_, handles[0])) return false;
        std::call_once(said_, [&] {
            CPLDebug("GPU", "%s is read by %zu threads", file_.path.c_str(), handles.size());
        });
        std::atomic<size_t> next{0};
        std::atomic<bool> failed{false};
        ReadingPool(threads_)->run(static_cast<int64_t>(handles.size()), [&](int64_t index) {
            CPLErrorStateBackuper state;
            CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
            for (size_t i = next++; i < strips.size() && !failed; i = next++) {
                const auto [top, bottom] = strips[i];
                if (handles[index].RasterIO(GF_Read, x, top, width, bottom - top,
                                            buffer + (top - y) * line_space, width, bottom - top,
                                            type, band_count, bands, pixel_space, line_space,
                                            band_space, nullptr) != CE_None)
                    failed = true;
            }
        });
        return !failed;
    }

    GDALDataset& source_;
    const SourceFile file_;
    const int threads_;
    std::once_flag said_;  // the log
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
        source.GetDriver() == nullptr || !EQUAL(source.GetDriver()->GetDescription(), "GTiff"))
        return nullptr;
    SourceFile file = SourceFile::Of(source);
    if (!file.plain()) return nullptr;
    return std::make_unique<ParallelDataset>(source, std::move(file), threads);
}

}  // namespace gdalgpu
