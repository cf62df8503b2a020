// A coordinate operation: PROJ's pipeline text as a list of steps, and the device text that runs
// them in one pass.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/source.h"
#include "plugin/coordinates/device_data.h"
#include "plugin/coordinates/precision.h"

namespace gdalgpu {

// Why something can't be fused: what() names the step and the parameter.
class NotFusable : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class CoordinateOperation {
  public:
    // text: what PROJ prints for an operation (proj_as_proj_string): "+proj=pipeline +step ...", or
    // one step. Units at both ends are those of the text itself (degrees where it converts them,
    // else radians and metres). With `inverse`, the steps are taken backwards, as proj_trans does
    // for PJ_INV. precision: of the projections among the steps. Throws NotFusable.
    static CoordinateOperation FromPipeline(const std::string& text, bool inverse = false,
                                            Precision precision = Precision::Fp64);

    // Adds the kernels that the steps need, and a struct of that name with the member
    //     GPU_FUNC bool apply(double& x, double& y, double& z, double& t) const
    // (false where PROJ refuses the point; then the coordinates are undefined). As with proj_trans,
    // NaN is no error unless a step makes it one; or it makes a point of NaNs, by the rule, unless
    // the operation is one of several from which PROJ chooses.
    void Emit(gpu::Source& source, const std::string& struct_name,
              bool one_of_several = false) const;

    // The bytes of that struct: a multiple of 8, at least 8. Operations that differ in these alone
    // emit the same text.
    const std::vector<std::byte>& parameters() const { return parameters_; }

    // What the parameters point to: WithAddresses() makes them ready for a launch. Without their
    // addresses all points are refused.
    const std::vector<DeviceData>& data() const { return data_; }

    // As asked for; fp64 where there is no projection among the steps. Operations in one source
    // have the same.
    Precision precision() const { return precision_; }

    // For reports: "unitconvert axisswap utm^-1 webmerc".
    const std::string& description() const { return description_; }

  private:
    std::vector<std::string> headers_;
    std::string members_;
    std::string body_;
    std::vector<std::byte> parameters_;
    std::vector<DeviceData> data_;
    std::string description_;
    Precision precision_ = Precision::Fp64;
};

}  // namespace gdalgpu
