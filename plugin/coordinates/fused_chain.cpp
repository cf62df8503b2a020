#include "plugin/coordinates/fused_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gdalgpu {
namespace {

using Operation = OperationCandidates::Operation;

void Append(std::vector<std::byte>& bytes, const double* values, size_t count) {
    const auto* first = reinterpret_cast<const std::byte*>(values);
    bytes.insert(bytes.end(), first, first + count * sizeof(double));
}

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

// The operation to fuse where nothing says which points will come: the one at the middle of the
// area of interest.
const Operation* Likely(const ReprojectionDescription& description,
                        const Reprojection& reprojection) {
    const std::optional<AreaOfInterest> area = AreaOf(description);
    if (!area) return &reprojection.candidates->operations().front();
    const auto [west, south, east, north] = *area;
    return reprojection.candidates->SelectAtLongLat(west <= east ? 0.5 * (west + east) : west,
                                                    0.5 * (south + north));
}

}  // namespace

FusedChain::FusedChain(const TransformerDescription& description, bool to_source,
                       const Rectangle* area) {
    if (!description.unfusable.empty()) throw NotFusable(description.unfusable);
    in_ = to_source ? description.destination : description.source;
    out_ = to_source ? description.source_inverse : description.destination_inverse;
    Append(parameters_, in_.data(), in_.size());
    Append(parameters_, out_.data(), out_.size());
    description_ = "geotransform";
    if (description.reprojection) {
        reprojection_ = PlanReprojection(*description.reprojection, to_source);
        if (reprojection_->identity) reprojection_.reset();
    }
    if (reprojection_) {
        const Reprojection& reprojection = *reprojection_;
        if (reprojection.web_mercator) {
            description_ += " web_mercator^-1";
        } else {
            const Operation* chosen =
                area != nullptr
                    ? reprojection.candidates->SelectAll(OperationArea(*area), reprojection.inverse)
                    : Likely(*description.reprojection, reprojection);
            if (chosen == nullptr)
                throw NotFusable("PROJ takes different coordinate operations within the request");
            if (chosen->text.empty())
                throw NotFusable("PROJ has no text for its operation " + chosen->name);
            operation_ = CoordinateOperation::FromPipeline(chosen->text, reprojection.inverse);
            operation_text_ = chosen->text;
            operation_name_ = chosen->name;
            for (const DeviceData& item : operation_->data())
                data_.push_back({parameters_.size() + item.offset, item.bytes});
            parameters_.insert(parameters_.end(), operation_->parameters().begin(),
                               operation_->parameters().end());
            if (!operation_->description().empty()) description_ += " " + operation_->description();
        }
        const double rest[] = {reprojection.time,
                               reprojection.wrap_in ? reprojection.wrap_in->center : 0.0,
                               reprojection.wrap_out ? reprojection.wrap_out->center : 0.0};
        Append(parameters_, rest, 3);
    }
    description_ += " geotransform^-1";
}

void FusedChain::Emit(gpu::Source& source, const std::string& struct_name) const {
    source.include("georef/affine.h").include("georef/longitude.h");
    const std::string operation_name = struct_name + "Operation";
    const bool has_parameters = operation_ && !operation_->parameters().empty();
    if (operation_) operation_->Emit(source, operation_name);
    std::string text = "\nstruct " + struct_name +
                       " {\n    kernels::georef::Affine in;\n    kernels::georef::Affine out;\n";
    if (has_parameters) text += "    " + operation_name + " operation;\n";
    if (reprojection_) text += "    double time;\n    double wrap_in;\n    double wrap_out;\n";
    text +=
        "    GPU_FUNC bool map(double& x, double& y, [[maybe_unused]] double& z) const {\n"
        "        if (x == HUGE_VAL || y == HUGE_VAL) return false;\n"
        "        in.apply(x, y);\n";
    if (reprojection_) {
        text +=
            "        if (!kernels::georef::is_finite(x) || !kernels::georef::is_finite(y)) return "
            "false;\n";
        if (!Trivial(reprojection_->axes_in)) text += AxesText(reprojection_->axes_in);
        if (reprojection_->wrap_in) text += WrapText(*reprojection_->wrap_in, "wrap_in");
        if (reprojection_->web_mercator) {
            text += "        kernels::georef::web_mercator_inverse(x, y);\n";
            if (reprojection_->web_mercator_swap) text += AxesText({2, 1});
        }
        if (operation_) {
            if (!has_parameters) text += "        const " + operation_name + " operation{};\n";
            text +=
                "        double t = time;\n"
                "        if (!operation.apply(x, y, z, t)) return false;\n";
        }
        if (reprojection_->wrap_out) text += WrapText(*reprojection_->wrap_out, "wrap_out");
        if (!Trivial(reprojection_->axes_out)) text += AxesText(reprojection_->axes_out);
    }
    text +=
        "        out.apply(x, y);\n"
        "        return kernels::georef::is_finite(x) && kernels::georef::is_finite(y);\n"
        "    }\n};\n";
    source.append(text);
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

std::string FusedChain::Refuses(const Rectangle& pixels) const {
    if (!operation_) return "";
    const Operation* chosen =
        reprojection_->candidates->SelectAll(OperationArea(pixels), reprojection_->inverse);
    if (chosen == nullptr) return "PROJ takes different coordinate operations within the request";
    if (chosen->text != operation_text_)
        return "PROJ takes the operation " + chosen->name + " here, not " + operation_name_;
    return "";
}

}  // namespace gdalgpu
