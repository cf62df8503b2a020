// Door 5, the part in libgdalgpu: what the taken-over functions of libgdal do.
#include "plugin/doors/preload.h"

#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>

#include "cpl_error.h"
#include "gdal.h"
#include "plugin/presence.h"
#include "plugin/runtime.h"
#include "plugin/warp/warp_operation.h"

namespace gdalgpu {
namespace {

constexpr char kDoor[] = "preload";

std::atomic<int> image_calls{0};
std::atomic<int> multi_calls{0};
std::atomic<int> region_calls{0};
std::atomic<int> kernel_calls{0};

// The operations that are in ChunkAndWarpImage or ChunkAndWarpMulti; the latter's regions come from
// threads of its own.
class Operations {
  public:
    void Add(const GDALWarpOperation* operation, std::shared_ptr<DeviceWarp> warp) {
        std::lock_guard<std::mutex> lock(mutex_);
        warps_[operation] = std::move(warp);
    }
    void Remove(const GDALWarpOperation* operation) {
        std::shared_ptr<DeviceWarp> last;
        std::lock_guard<std::mutex> lock(mutex_);
        const auto found = warps_.find(operation);
        if (found != warps_.end()) {
            last = std::move(found->second);
            warps_.erase(found);
        }
    }
    std::shared_ptr<DeviceWarp> Find(const GDALWarpOperation* operation) {
        std::lock_guard<std::mutex> lock(mutex_);
        const auto found = warps_.find(operation);
        return found != warps_.end() ? found->second : nullptr;
    }

    // Never destroyed: threads of the program may warp while it exits.
    static Operations& Get() {
        static Operations* const operations = new Operations;
        return *operations;
    }

  private:
    std::mutex mutex_;
    std::map<const GDALWarpOperation*, std::shared_ptr<DeviceWarp>> warps_;
};

void SayNotTakenOver(const std::exception& error) {
    CPLDebug("GPU", "warp operation left to GDAL: %s", error.what());
}

CPLErr ChunkAndWarp(ChunkAndWarpFunction original, GDALWarpOperation* operation, int x, int y,
                    int width, int height, bool multi) {
    ++(multi ? multi_calls : image_calls);
    bool added = false;
    if (operation->GetOptions() != nullptr && width > 0 && height > 0) {
        try {
            Operations::Get().Add(
                operation,
                std::make_shared<DeviceWarp>(*operation, kDoor, PixelWindow{x, y, width, height},
                                             /*one_request=*/true));
            added = true;
            WarmUpDevice(static_cast<uint64_t>(width) * height);
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

CPLErr WarpRegionToBuffer(WarpRegionToBufferFunction original, GDALWarpOperation* operation, int x,
                          int y, int width, int height, void* buffer, GDALDataType type,
                          int source_x, int source_y, int source_width, int source_height,
                          double source_x_extra, double source_y_extra, double progress_base,
                          double progress_scale) {
    ++region_calls;
    const DeviceWarp* current = DeviceWarp::Current();
    const bool own_call = current != nullptr && &current->operation() == operation;
    if (!own_call && operation->GetOptions() != nullptr) {
        try {
            std::shared_ptr<DeviceWarp> warp = Operations::Get().Find(operation);
            const SourceWindow source{source_x,      source_y,       source_width,
                                      source_height, source_x_extra, source_y_extra};
            // ChunkAndWarp* gives every region its window; elsewhere zeros stand for one to be
            // computed.
            const bool has_source = warp != nullptr || source_width != 0 || source_height != 0;
            if (warp == nullptr) {
                warp = std::make_shared<DeviceWarp>(
                    *operation, kDoor,
                    WholeDestination(*operation->GetOptions(), x, y, width, height));
            }
            return warp->WarpRegionToBuffer(x, y, width, height, buffer, type, progress_base,
                                            progress_scale, has_source ? &source : nullptr);
        } catch (const std::exception& error) {
            SayNotTakenOver(error);
        }
    }
    return original(operation, x, y, width, height, buffer, type, source_x, source_y, source_width,
                    source_height, source_x_extra, source_y_extra, progress_base, progress_scale);
}

CPLErr PerformWarp(PerformWarpFunction original, GDALWarpKernel* kernel) {
    ++kernel_calls;
    const CPLErr error = DeviceWarp::PreWarpChunk(kernel, const_cast<char*>(kDoor));
    // Of a kernel that is done the original reports the progress.
    return error == CE_None ? original(kernel) : error;
}

}  // namespace

TakeoverCounts CountTakeovers() {
    return TakeoverCounts{image_calls, multi_calls, region_calls, kernel_calls};
}

}  // namespace gdalgpu

const gdalgpu::PreloadInterface* gdalgpu_preload_v1() {
    static const gdalgpu::PreloadInterface table = {
        reinterpret_cast<const void*>(&GDALVersionInfo), &gdalgpu::ChunkAndWarp,
        &gdalgpu::WarpRegionToBuffer, &gdalgpu::PerformWarp};
    return &table;
}
