// Arbitrary points between source and destination pixels, in either direction, in bulk on the
// device: what a GDALTransformerFunc does. Fused transforms alone; for all else GDAL's own
// transformer is the better place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cpl_minixml.h"
#include "gpu/device.h"
#include "plugin/coordinates/precision.h"

namespace gdalgpu {

class PointTransform {
  public:
    enum class Direction { ToSource, ToDestination };

    virtual ~PointTransform() = default;
    virtual std::string description() const = 0;  // for reports
    virtual Precision precision() const = 0;
    // Adds a struct `PointTransform` (in the global namespace) with the member
    //     GPU_FUNC bool apply(double& x, double& y, double& z) const
    // that maps pixel coordinates as GDAL's transformer does (false where the point fails), and the
    // kernel `transform_points`, which Run() launches.
    virtual void Emit(gpu::Source& source) const = 0;
    // Transforms `count` points in place, as a GDALTransformerFunc does: where a point fails,
    // success is 0 and x and y are HUGE_VAL. `module`: compiled from a text that Emit() went into.
    // Throws gpu::Error.
    virtual void Run(gpu::Module& module, gpu::Stream& stream, int64_t count, double* x, double* y,
                     double* z, int* success) const = 0;
};

// The transform that a transformer's XML (what GDALSerializeTransformer gives) describes, or null
// with the reason why it can't be fused. `precision`: of the projections in it. `tree`: a
// GenImgProjTransformer or GPUGenImgProjTransformer element, or one of them in an
// ApproxTransformer. Cheap: operations are cached by their CRS pair and options. Thread-safe.
std::unique_ptr<PointTransform> PlanPointTransform(const CPLXMLNode& tree,
                                                   PointTransform::Direction direction,
                                                   Precision precision, std::string& reason);

}  // namespace gdalgpu
