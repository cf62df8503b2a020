// One chunk on a device: arrays up, launch, arrays down; in parts where the memory asks
// for it.
#pragma once

#include <memory>
#include <vector>

#include "gpu/device.h"
#include "plugin/report.h"
#include "plugin/warp/warp_arrays.h"
#include "plugin/warp/warp_chunk.h"
#include "plugin/warp/warp_plan.h"
#include "plugin/warp/warp_setup.h"

namespace gdalgpu {

// A part of a chunk with a resampling scale of its own: its window counted from the chunk's first
// pixel, and what runs there.
struct WarpPiece {
    PixelWindow window;
    double x_scale;
    double y_scale;
    WarpSetup setup;
    WarpContext::Plan::Choice choice;
};

class WarpRun {
  public:
    // `pixel_bytes`: of the working type.
    WarpRun(WarpChunk& chunk, int pixel_bytes, std::shared_ptr<gpu::Device> device, Report& report);
    // Undoes what was not finished.
    ~WarpRun();

    // `pieces` cover the chunk. Done, MissedSource (`need` is set) or Cancelled. Throws gpu::Error.
    WarpOutcome Run(gpu::Stream& stream, const std::vector<WarpPiece>& pieces, SourceNeed& need);

    // Whether a valid pixel was kept off the destination's nodata value.
    bool nodata_avoided() const { return nodata_avoided_; }

  private:
    struct Launch;

    uint64_t BytesOf(const PixelWindow& part, const PixelWindow& source) const;
    kernels::warp::SourceBox RunPart(const PixelWindow& part, const PixelWindow& source,
                                     Launch& launch);
    kernels::warp::SourceBox Measure(const PixelWindow& part, Launch& launch);
    kernels::warp::SourceBox Execute(kernels::warp::Request& request, const PixelWindow& part,
                                     Launch& launch);
    void UploadSource(kernels::warp::Request& request, const PixelWindow& source, Launch& launch);
    void LoadDestination(kernels::warp::Request& request, const PixelWindow& part, Launch& launch);
    void SaveDestination(const kernels::warp::Request& request, const PixelWindow& part,
                         Launch& launch);
    bool Progress(double done) const;
    void Commit();

    WarpChunk& chunk_;
    const int pixel_bytes_;
    const PixelWindow window_;  // of the source, as chunk_ has it
    std::shared_ptr<gpu::Device> device_;
    Report& report_;
    bool committed_ = false;
    bool nodata_avoided_ = false;
    std::vector<DestinationArray> bands_;
    std::unique_ptr<DestinationArray> density_;
    std::vector<kernels::uint32>
        valid_;  // a copy of the destination's mask, with the finished parts' pixels set
};

}  // namespace gdalgpu
