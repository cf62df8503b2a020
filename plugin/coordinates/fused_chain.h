// Georeferencing, coordinate operation and georeferencing in one struct of device text.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gpu/source.h"
#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/reprojection.h"
#include "plugin/coordinates/transformer_description.h"

namespace gdalgpu {

class FusedChain {
  public:
    // One direction of a transformer. Throws NotFusable: the description's own reason, that of a
    // step, or that PROJ would take different operations within `area`, pixels of the side that
    // points come from (null: the operation at the centre of the area of interest is taken).
    FusedChain(const TransformerDescription& description, bool to_source, const Rectangle* area);

    // Adds the kernels needed and a struct of that name with the member
    //     GPU_FUNC bool map(double& x, double& y, double& z) const
    // from pixel coordinates to pixel coordinates; false where the point fails.
    void Emit(gpu::Source& source, const std::string& struct_name) const;

    // The bytes of that struct, a multiple of 8, with the addresses of its data on the stream's
    // device. This must live until the stream is synchronized. Throws gpu::Error.
    std::vector<std::byte> Bind(gpu::Stream& stream) const {
        return WithAddresses(parameters_, data_, stream);
    }

    // The steps, for reports.
    const std::string& description() const { return description_; }

    // Empty where PROJ takes the operation fused here all over an area of pixels; else what it
    // would take.
    std::string Refuses(const Rectangle& pixels) const;

  private:
    Rectangle OperationArea(const Rectangle& pixels) const;

    TransformerDescription::GeoTransform in_, out_;
    std::optional<Reprojection> reprojection_;
    std::optional<CoordinateOperation> operation_;
    std::string operation_text_;
    std::string operation_name_;
    std::vector<std::byte> parameters_;
    std::vector<DeviceData> data_;
    std::string description_;
};

}  // namespace gdalgpu
