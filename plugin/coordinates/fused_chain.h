// Georeferencing, coordinate operation and georeferencing in one struct of device text.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/source.h"
#include "plugin/coordinates/fused_operations.h"
#include "plugin/coordinates/reprojection.h"
#include "plugin/coordinates/transformer_description.h"

namespace gdalgpu {

class FusedChain {
  public:
    // One direction of a transformer. Where PROJ has several coordinate operations for the CRS
    // pair, those that it takes within `area`, pixels of the side that points come from (null:
    // anywhere), are chosen from point by point. precision: of the projections among the steps.
    // Throws NotFusable: the description's own reason, that of a step, or that the operations are
    // too many.
    FusedChain(const TransformerDescription& description, bool to_source, const Rectangle* area,
               Precision precision = Precision::Fp64);

    // Adds the kernels needed and a struct of that name with the member
    //     GPU_FUNC bool map(double& x, double& y, double& z) const
    // from pixel coordinates to pixel coordinates; false where the point fails.
    void Emit(gpu::Source& source, const std::string& struct_name) const;

    // That struct, for launches on one device.
    struct Bound {
        std::vector<std::byte> parameters;  // its bytes, a multiple of 8
        std::vector<std::shared_ptr<const std::vector<std::byte>>> held;  // as FusedOperations has
    };
    // This must live as long as what it returns. Throws gpu::Error.
    Bound Bind(gpu::Stream& stream) const;

    // As asked for; fp64 where no projection is among the steps.
    Precision precision() const;

    // Whether it is of grids or of several operations, which change from place to place.
    bool is_piecewise() const;

    // The steps, for reports.
    const std::string& description() const { return description_; }

  private:
    // The statements of map() between the two georeferencings.
    std::string ReprojectionText() const;
    // Where pixels are in the CRS that points come from.
    Rectangle OperationArea(const Rectangle& pixels) const;

    TransformerDescription::GeoTransform in_, out_;
    std::optional<Reprojection> reprojection_;
    std::optional<FusedOperations> operations_;
    std::optional<FusedOperations> inverse_;  // checks what operations_ did
    bool inverse_checked_;
    std::string description_;
};

}  // namespace gdalgpu
