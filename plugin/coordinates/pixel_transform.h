// Destination pixel -> source pixel, as device text: what a warp kernel calls once a pixel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gdal_alg.h"
#include "gpu/device.h"

namespace gdalgpu {

struct PixelWindow {
    int64_t x = 0;
    int64_t y = 0;
    int64_t width = 0;
    int64_t height = 0;
};

inline int64_t Area(const PixelWindow& window) { return window.width * window.height; }

// What two windows have in common; width or height 0 where there is nothing.
inline PixelWindow Intersection(const PixelWindow& a, const PixelWindow& b) {
    const int64_t x = std::max(a.x, b.x);
    const int64_t y = std::max(a.y, b.y);
    return {x, y, std::max<int64_t>(0, std::min(a.x + a.width, b.x + b.width) - x),
            std::max<int64_t>(0, std::min(a.y + a.height, b.y + b.height) - y)};
}

class CpuPositions;

// The points of the destination that a warp asks the positions of: pixel centres, or the corners
// between pixels (and the middles of pixels' first edges).
enum class PixelPoints { Centres, Corners };

// A point in a pixel, 0 to 1 along each axis.
struct PixelPlace {
    double x, y;
};
// Where the first point of a pixel is in it: 0.5, its centre, or 0, a corner.
inline double FirstPlace(PixelPoints points) { return points == PixelPoints::Centres ? 0.5 : 0.0; }
// Of a row of pixels, beyond one each.
inline int64_t PointsBeyond(PixelPoints points) { return points == PixelPoints::Corners ? 1 : 0; }

class PixelTransform {
  public:
    // The parameter bytes for one launch, and the device memory that they point to.
    struct Bound {
        std::vector<std::byte> parameters;  // of the struct `PixelTransform`, a multiple of 8
        std::vector<std::unique_ptr<gpu::Memory>> memory;
        // What Stream::resident() was given.
        std::vector<std::shared_ptr<const std::vector<std::byte>>> held;
    };

    virtual ~PixelTransform() = default;
    virtual const char* path() const = 0;                     // "tiles", "fused" or "sampled"
    virtual std::string description() const = 0;              // for reports
    virtual const char* precision() const { return "fp64"; }  // of coordinates
    // Adds a struct `PixelTransform` (in the global namespace) with the member
    //     GPU_FUNC bool to_source(long long column, long long row, double place_x, double place_y,
    //                             double& x, double& y) const
    // that maps a point of a destination pixel (column + place_x, row + place_y) to source pixel
    // coordinates as GDAL's transformer with bDstToSrc does; false where the point fails. Places:
    // 0.5 each; for a transform of corners 0 or 1 each, or 0.5 and 0. Adds the kernel
    // `transform_pixels` too, which Check() launches.
    virtual void Emit(gpu::Source& source) const = 0;
    // For a launch over `window` of the destination; this must live until it is through.
    virtual Bound Bind(gpu::Stream& stream, const PixelWindow& window) const = 0;
    // Compares with GDAL's own exact transformer on a grid over `window`, on the device, with a
    // module compiled from a text that Emit() went into. Empty where all agree to 1e-3 pixel and in
    // success; else what differs, for the log.
    virtual std::string Check(gpu::Module& module, gpu::Stream& stream,
                              const PixelWindow& window) const = 0;
    // The same positions on the CPU, for the points of `window`, apart from roundings.
    virtual std::unique_ptr<CpuPositions> OnCpu(const PixelWindow& window) const = 0;
};

// The plans for a transformer, best first: where the operation can be fused, in each of the
// precisions that GDAL_GPU_PRECISION asks for: in fp64 by tiles of the exact positions
// (position_tiles.h), in a lower one, and where geotransforms are all there is, the fused chain.
// Then GDAL's own transformer sampled on the CPU: on an adaptive grid within the transformer's
// error threshold, or at every pixel where that is 0. `reasons` gets why a better plan is missing.
// `whole`, where given, is the destination window that the transform is used in: where PROJ has
// several operations for the CRS pair, only those that it takes there are fused. `points`: what
// they'll be asked for. The transformer must outlive the plans. The plans may be used from several
// threads at once, but this call belongs to the thread that may use the transformer.
std::vector<std::unique_ptr<PixelTransform>> PlanPixelTransform(
    GDALTransformerFunc transformer, void* argument, std::vector<std::string>& reasons,
    const PixelWindow* whole = nullptr, PixelPoints points = PixelPoints::Centres);

}  // namespace gdalgpu
