// The operations between two CRSs, in one direction, as one struct of device text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "gpu/source.h"
#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/device_data.h"
#include "plugin/coordinates/operation_candidates.h"

namespace gdalgpu {

class FusedOperations {
  public:
    // swap_in, swap_out: x and y change places before and after the operation. Several candidates
    // are compiled together and chosen point by point, as proj_trans() does. area: where all points
    // lie, in the CRS that they come from (null: anywhere); candidates that none of them comes to
    // are left out, and one that is left is used without a choice. Throws NotFusable: the reason of
    // the first candidate that can't be fused, or that they are too many.
    FusedOperations(const OperationCandidates& candidates, bool inverse, bool swap_in,
                    bool swap_out, const Rectangle* area = nullptr,
                    Precision precision = Precision::Fp64);

    // Adds the kernels needed, and a struct of that name with the member
    //     GPU_FUNC bool apply(double& x, double& y, double& z, double& t) const
    void Emit(gpu::Source& source, const std::string& struct_name) const;

    // The same, and the kernel `transform_coordinates` over
    // kernels::step::TransformCoordinatesParams<it>.
    void EmitKernel(gpu::Source& source, const std::string& struct_name) const;

    // That struct, for launches on one device.
    struct Bound {
        std::vector<std::byte> parameters;  // its bytes, a multiple of 8
        // What they point to in the device's memory. To be held as long as they are used.
        std::shared_ptr<const std::vector<std::byte>> held;
    };
    // This must live as long as what it returns. Throws gpu::Error.
    Bound Bind(gpu::Stream& stream) const;

    // As asked for; fp64 where no projection is among the steps.
    Precision precision() const { return precision_; }

    // For reports: "unitconvert axisswap utm", several with a "|" between.
    const std::string& description() const { return description_; }

  private:
    // Where an operation is: in shapes_[shape], at index.
    struct Place {
        int64_t shape, index;
    };
    using Places = std::map<std::string, Place>;  // by the operation's text

    // What a point's operation is chosen by.
    void AppendCandidates(const OperationCandidates& candidates, const Places& places, bool inverse,
                          const Rectangle* area);

    // The operations that share a text, and so a struct, with their parameters alone between them.
    std::vector<std::vector<CoordinateOperation>> shapes_;
    size_t candidates_ = 0;  // to choose from; 0: there is one operation, used everywhere
    bool swap_in_;
    bool swap_out_;
    std::vector<std::byte> parameters_;
    std::vector<DeviceData> data_;
    std::string description_;
    Precision precision_ = Precision::Fp64;
};

}  // namespace gdalgpu
