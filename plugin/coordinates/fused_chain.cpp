#include "plugin/coordinates/fused_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plugin/coordinates/parameter_bytes.h"

namespace gdalgpu {
namespace {

// x and y after Reprojection::Axes, as text.
std::string AxesText(const Reprojection::Axes& axes) {
    const auto operand = [](int axis) {
        return std::string(axis < 0 ? "-" : "") + (std::abs(axis) == 1 ? "x" : "y");
    };
    return "        {\n            const double first = " + operand(axes[0]) +
           ", second = " + operand(axes[1]) +
           ";\n            x = first;\n            y = second;\n        }\n";
}

void ApplyAxes(const Reprojection::Axes& axes, double& x, double& y) {
    const double values[] = {x, y};
    x = std::copysign(1.0, axes[0]) * values[std::abs(axes[0]) - 1];
    y = std::copysign(1.0, axes[1]) * values[std::abs(axes[1]) - 1];
}

std::string WrapText(const Reprojection::Wrap& wrap, const std::string& member) {
    const std::string axis = wrap.second ? "y" : "x";
    return "        " + axis + " = kernels::georef::wrap_longitude(" + axis + ", " + member +
           ");\n";
}

bool Trivial(const Reprojection::Axes& axes) { return axes[0] == 1 && axes[1] == 2; }

}  // namespace

FusedChain::FusedChain(const TransformerDescription& description, bool to_source,
                       const Rectangle* area, Precision precision) {
    if (!description.unfusable.empty()) throw NotFusable(description.unfusable);
    inverse_checked_ = description.inverse_checked;
    in_ = to_source ? description.destination : description.source;
    out_ = to_source ? description.source_inverse : description.destination_inverse;
    description_ = "geotransform";
    if (description.reprojection) {
        reprojection_ = PlanReprojection(*description.reprojection, to_source);
        if (reprojection_->identity) reprojection_.reset();
    }
    if (reprojection_) {
        if (reprojection_->web_mercator) {
            description_ += " web_mercator^-1";
        } else {
            const Rectangle where = area != nullptr ? OperationArea(*area) : Rectangle{};
            operations_.emplace(*reprojection_->candidates, reprojection_->inverse, false, false,
                                area != nullptr ? &where : nullptr, precision);
            if (!operations_->description().empty())
                description_ += " " + operations_->description();
            if (inverse_checked_) {
                inverse_.emplace(*reprojection_->candidates, !reprojection_->inverse, false, false,
                                 nullptr, precision);
                description_ += " checked";
            }
        }
    }
    description_ += " geotransform^-1";
}

Precision FusedChain::precision() const {
    if (operations_ && operations_->precision() != Precision::Fp64) return operations_->precision();
    return inverse_ ? inverse_->precision() : Precision::Fp64;
}

bool FusedChain::is_piecewise() const {
    for (const char* part : {"gridshift", "deformation", "|"}) {
        if (description_.find(part) != std::string::npos) return true;
    }
    return false;
}

FusedChain::Bound FusedChain::Bind(gpu::Stream& stream) const {
    Bound bound;
    std::vector<std::byte>& all = bound.parameters;
    AppendBytes(all, in_);
    AppendBytes(all, out_);
    for (const std::optional<FusedOperations>* operations : {&operations_, &inverse_}) {
        if (!*operations) continue;
        const FusedOperations::Bound part = (*operations)->Bind(stream);
        all.insert(all.end(), part.parameters.begin(), part.parameters.end());
        bound.held.push_back(part.held);
    }
    if (reprojection_) {
        const double rest[] = {reprojection_->time,
                               reprojection_->wrap_in ? reprojection_->wrap_in->center : 0.0,
                               reprojection_->wrap_out ? reprojection_->wrap_out->center : 0.0,
                               reprojection_->inverse_threshold};
        AppendBytes(all, rest);
    }
    return bound;
}

void FusedChain::Emit(gpu::Source& source, const std::string& struct_name) const {
    source.include("georef/affine.h").include("georef/longitude.h");
    const std::string operations_name = struct_name + "Operations",
                      inverse_name = struct_name + "Inverse";
    EmitPrecision(source, precision());
    if (operations_) operations_->Emit(source, operations_name);
    if (inverse_) inverse_->Emit(source, inverse_name);
    std::string text = "\nstruct " + struct_name +
                       " {\n    kernels::georef::Affine in;\n    kernels::georef::Affine out;\n";
    if (operations_) text += "    " + operations_name + " operations;\n";
    if (inverse_) text += "    " + inverse_name + " inverse;\n";
    if (reprojection_)
        text +=
            "    double time;\n    double wrap_in;\n    double wrap_out;\n    double "
            "inverse_threshold;\n";
    text +=
        "    GPU_FUNC bool map(double& x, double& y, [[maybe_unused]] double& z) const {\n"
        "        if (x == HUGE_VAL || y == HUGE_VAL) return false;\n"
        "        in.apply(x, y);\n";
    if (reprojection_) text += ReprojectionText();
    text +=
        "        out.apply(x, y);\n"
        "        return kernels::georef::is_finite(x) && kernels::georef::is_finite(y);\n"
        "    }\n};\n";
    source.append(text);
}

std::string FusedChain::ReprojectionText() const {
    std::string text =
        "        if (!kernels::georef::is_finite(x) || !kernels::georef::is_finite(y)) return "
        "false;\n";
    if (!Trivial(reprojection_->axes_in)) text += AxesText(reprojection_->axes_in);
    if (reprojection_->wrap_in) text += WrapText(*reprojection_->wrap_in, "wrap_in");
    if (reprojection_->web_mercator) {
        if (inverse_checked_)
            text += "        if (kernels::georef::web_mercator_beyond(x)) return false;\n";
        text += "        kernels::georef::web_mercator_inverse(x, y);\n";
        if (reprojection_->web_mercator_swap) text += AxesText({2, 1});
    }
    if (inverse_) text += "        const double x_in = x, y_in = y;\n";
    if (operations_)
        text +=
            "        double t = time;\n"
            "        if (!operations.apply(x, y, z, t)) return false;\n";
    if (inverse_) {
        // Floats don't come back as exactly as GDAL wants it.
        const std::string slack =
            precision() == Precision::Fp32 ? "1e-5 * (fabs(x_in) + fabs(y_in))" : "0.0";
        text +=
            "        double back_x = x, back_y = y, back_z = z;\n"
            "        if (!inverse.apply(back_x, back_y, back_z, t)) return false;\n"
            "        const double most = inverse_threshold + " +
            slack +
            ";\n"
            "        if (fabs(back_x - x_in) > most || fabs(back_y - y_in) > most) return "
            "false;\n";
    }
    if (reprojection_->wrap_out) text += WrapText(*reprojection_->wrap_out, "wrap_out");
    if (!Trivial(reprojection_->axes_out)) text += AxesText(reprojection_->axes_out);
    return text;
}

Rectangle FusedChain::OperationArea(const Rectangle& pixels) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Rectangle result{infinity, infinity, -infinity, -infinity};
    for (const double column : {pixels.min_x, pixels.max_x}) {
        for (const double row : {pixels.min_y, pixels.max_y}) {
            double x = in_[0] + column * in_[1] + row * in_[2],
                   y = in_[3] + column * in_[4] + row * in_[5];
            ApplyAxes(reprojection_->axes_in, x, y);
            result.min_x = std::min(result.min_x, x);
            result.min_y = std::min(result.min_y, y);
            result.max_x = std::max(result.max_x, x);
            result.max_y = std::max(result.max_y, y);
        }
    }
    if (reprojection_->wrap_in) {
        // Wrapping may take a longitude to anywhere within half a turn of the centre.
        const double center = reprojection_->wrap_in->center;
        double& low = reprojection_->wrap_in->second ? result.min_y : result.min_x;
        double& high = reprojection_->wrap_in->second ? result.max_y : result.max_x;
        if (low < center - 180 || high > center + 180) {
            low = std::min(low, center - 180);
            high = std::max(high, center + 180);
        }
    }
    return result;
}

}  // namespace gdalgpu
