// Door 5, the part in libgdalgpu: what the taken-over functions of libgdal do.
#include "plugin/doors/preload.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "cpl_error.h"
#include "gdal_priv.h"
#include "plugin/runtime.h"
#include "plugin/warp/gdal_warp_kernel.h"
#include "plugin/warp/parallel_source.h"

namespace gdalgpu {
namespace {

constexpr char kDoor[] = "preload";

std::array<std::atomic<int>, kTakeovers> calls{};

// What is known of an operation that warps: the regions of ChunkAndWarpMulti come from threads of
// its own, and other programs ask for region after region themselves.
struct Operation {
    std::shared_ptr<DeviceWarp> warp;
    bool chunked = false;  // in ChunkAndWarpImage or ChunkAndWarpMulti
    const GDALWarpOptions* options = nullptr;
    const void* transformer = nullptr;
    PixelWindow whole;
};

class Operations {
  public:
    void Put(const GDALWarpOperation* key, Operation operation) {
        std::lock_guard<std::mutex> lock(mutex_);
        std::swap(operations_[key], operation);
    }
    void Remove(const GDALWarpOperation* key) {
        Operation last;
        std::lock_guard<std::mutex> lock(mutex_);
        const auto found = operations_.find(key);
        if (found != operations_.end()) {
            last = std::move(found->second);
            operations_.erase(found);
        }
    }
    Operation Find(const GDALWarpOperation* key) {
        std::lock_guard<std::mutex> lock(mutex_);
        const auto found = operations_.find(key);
        return found != operations_.end() ? found->second : Operation{};
    }

    // Never destroyed: threads of the program may warp while it exits.
    static Operations& Get() {
        static Operations* const operations = new Operations;
        return *operations;
    }

  private:
    std::mutex mutex_;
    std::map<const GDALWarpOperation*, Operation> operations_;
};

void SayNotTakenOver(const std::exception& error) {
    CPLDebug("GPU", "warp operation left to GDAL: %s", error.what());
}

// As long as it lives, the operation reads its source on several threads, where that pays. GDAL
// reads through the options alone, which are the operation's own copy.
class ParallelReading {
  public:
    explicit ParallelReading(const GDALWarpOptions& options)
        : options_(const_cast<GDALWarpOptions&>(options)),
          source_(options.hSrcDS),
          parallel_(MakeParallelSource(*GDALDataset::FromHandle(source_))) {
        if (parallel_ != nullptr) {
            options_.hSrcDS = GDALDataset::ToHandle(parallel_.get());
        }
    }
    ~ParallelReading() { options_.hSrcDS = source_; }
    ParallelReading(const ParallelReading&) = delete;
    ParallelReading& operator=(const ParallelReading&) = delete;

  private:
    GDALWarpOptions& options_;
    const GDALDatasetH source_;
    const std::unique_ptr<GDALDataset> parallel_;
};

CPLErr ChunkAndWarp(ChunkAndWarpFunction original, GDALWarpOperation* operation, int x, int y,
                    int width, int height, bool multi) {
    ++calls[multi ? kChunkAndWarpMulti : kChunkAndWarpImage];
    bool added = false;
    std::unique_ptr<ParallelReading> reading;
    const GDALWarpOptions* options = operation->GetOptions();
    if (options != nullptr && width > 0 && height > 0) {
        try {
            const PixelWindow whole{x, y, width, height};
            auto warp =
                std::make_shared<DeviceWarp>(*operation, kDoor, whole, /*one_request=*/true);
            if (warp->has_work()) {
                WarmUpDevice(warp->WorkOf(static_cast<uint64_t>(width) * height));
                reading = std::make_unique<ParallelReading>(*options);
            }
            Operations::Get().Put(operation, Operation{std::move(warp), true, options,
                                                       options->pTransformerArg, whole});
            added = true;
        } catch (const std::exception& error) {
            SayNotTakenOver(error);
        }
    }
    const CPLErr result = original(operation, x, y, width, height);
    if (added) {
        Operations::Get().Remove(operation);
    }
    return result;
}

// The destination window of an operation that is asked for regions without ChunkAndWarp*.
PixelWindow WholeDestination(const GDALWarpOptions& options, int x, int y, int width, int height) {
    if (options.hDstDS == nullptr) {
        return PixelWindow{x, y, width, height};
    }
    return PixelWindow{0, 0, GDALGetRasterXSize(options.hDstDS),
                       GDALGetRasterYSize(options.hDstDS)};
}

bool Same(const PixelWindow& a, const PixelWindow& b) {
    return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

CPLErr WarpRegionToBuffer(WarpRegionToBufferFunction original, GDALWarpOperation* operation, int x,
                          int y, int width, int height, void* buffer, GDALDataType type,
                          int source_x, int source_y, int source_width, int source_height,
                          double source_x_extra, double source_y_extra, double progress_base,
                          double progress_scale) {
    ++calls[kWarpRegionToBuffer];
    const DeviceWarp* current = DeviceWarp::Current();
    const bool own_call = current != nullptr && &current->operation() == operation;
    const GDALWarpOptions* options = operation->GetOptions();
    if (!own_call && options != nullptr) {
        try {
            Operation known = Operations::Get().Find(operation);
            if (!known.chunked) {
                const PixelWindow whole = WholeDestination(*options, x, y, width, height);
                if (known.warp == nullptr || known.options != options ||
                    known.transformer != options->pTransformerArg || !Same(known.whole, whole)) {
                    known = Operation{std::make_shared<DeviceWarp>(*operation, kDoor, whole), false,
                                      options, options->pTransformerArg, whole};
                    Operations::Get().Put(operation, known);
                }
            }
            const SourceWindow source{source_x,      source_y,       source_width,
                                      source_height, source_x_extra, source_y_extra};
            // ChunkAndWarp* gives every region its window; elsewhere zeros stand for one to be
            // computed.
            const bool has_source = known.chunked || source_width != 0 || source_height != 0;
            return known.warp->WarpRegionToBuffer(x, y, width, height, buffer, type, progress_base,
                                                  progress_scale, has_source ? &source : nullptr);
        } catch (const std::exception& error) {
            SayNotTakenOver(error);
        }
    }
    return original(operation, x, y, width, height, buffer, type, source_x, source_y, source_width,
                    source_height, source_x_extra, source_y_extra, progress_base, progress_scale);
}

CPLErr PerformWarp(PerformWarpFunction original, GDALWarpKernel* kernel) {
    ++calls[kPerformWarp];
    const CPLErr error = PreWarpChunk(kernel, const_cast<char*>(kDoor));
    // Of a kernel that is done the original reports the progress.
    return error == CE_None ? original(kernel) : error;
}

void Forget(const GDALWarpOperation* operation) {
    ++calls[kDestructor];
    Operations::Get().Remove(operation);
}

}  // namespace

std::array<int, kTakeovers> CountTakeovers() {
    std::array<int, kTakeovers> counts{};
    std::copy(calls.begin(), calls.end(), counts.begin());
    return counts;
}

}  // namespace gdalgpu

const gdalgpu::PreloadInterface* gdalgpu_preload_v1() {
    static const gdalgpu::PreloadInterface table = {
        reinterpret_cast<const void*>(&GDALVersionInfo), &gdalgpu::ChunkAndWarp,
        &gdalgpu::WarpRegionToBuffer, &gdalgpu::PerformWarp, &gdalgpu::Forget};
    return &table;
}
