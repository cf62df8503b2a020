// The operations between two CRSs, in one direction, as one struct of device text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gpu/source.h"
#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/operation_candidates.h"

namespace gdalgpu {

class FusedOperations {
  public:
    // swap_in, swap_out: x and y change places before and after the operation. Several candidates
    // are compiled together and chosen point by point, as proj_trans() does. Throws NotFusable: the
    // reason of the first candidate that can't be fused, or that they are too many.
    FusedOperations(const OperationCandidates& candidates, bool inverse, bool swap_in,
                    bool swap_out);

    // Adds the kernels needed, a struct of that name with the member
    //     GPU_FUNC bool apply(double& x, double& y, double& z, double& t) const
    // and the kernel `transform_coordinates` over kernels::step::TransformCoordinatesParams<it>.
    void Emit(gpu::Source& source, const std::string& struct_name) const;

    // The bytes of that struct, a multiple of 8.
    const std::vector<std::byte>& parameters() const { return parameters_; }

    // For reports: "unitconvert axisswap utm", several with a "|" between.
    const std::string& description() const { return description_; }

  private:
    std::vector<CoordinateOperation> operations_;  // each differs from the others
    size_t candidates_ = 0;                        // 0: there is one operation, used everywhere
    bool swap_in_;
    bool swap_out_;
    std::vector<std::byte> parameters_;
    std::string description_;
};

}  // namespace gdalgpu
