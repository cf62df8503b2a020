// Algorithms that make a pixel of one band from the pixels around it, and how a window of their
// result is computed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gdal_priv.h"
#include "gpu/source.h"
#include "plugin/raster/source_band.h"
#include "plugin/report.h"
#include "raster/neighbourhood.h"

namespace gdalgpu {

class WindowOperation {
  public:
    virtual ~WindowOperation() = default;

    // The type to read the source in: its own, or Float32 where the kernels lack it.
    GDALDataType read_type = GDT_Float32;
    GDALDataType output_type = GDT_Float32;
    std::optional<double> output_nodata;
    int64_t raster_width = 0;
    int64_t raster_height = 0;
    std::string kernel;  // for reports: "hillshade<uint8,lambert,horn>"

    // Text with one kernel, of that entry point.
    virtual gpu::Source source() const = 0;
    virtual const char* entry() const = 0;
    // The kernel's parameters for a part of the raster, of which `part` has all but nodata,
    // compute_edges and the like.
    virtual std::vector<std::byte> parameters(const kernels::NeighbourhoodParams& part) const = 0;
    // The same on the CPU, with the same result.
    virtual void RunOnCpu(const kernels::NeighbourhoodParams& part) const = 0;
};

struct RasterWindow {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
};

// Reads what a window of the result needs and computes it into `output`: packed pixels of
// operation.output_type. Runs on the device that is selected for the whole raster, so that every
// window of it comes from the same, in parts where memory is short; on the CPU where there is none
// or it fails (report.reason says why). The bytes don't depend on the parts or windows. Throws
// std::runtime_error where the source can't be read (GDAL has reported the error) or memory is
// short.
void ComputeWindow(const WindowOperation& operation, GDALRasterBand& source,
                   const RasterWindow& window, void* output, Report& report);

}  // namespace gdalgpu
