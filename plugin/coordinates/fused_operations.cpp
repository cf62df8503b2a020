#include "plugin/coordinates/fused_operations.h"

#include <limits>

#include "kernels/step/coordinates.h"
#include "plugin/coordinates/coordinate_pieces.h"
#include "plugin/coordinates/parameter_bytes.h"
#include "plugin/coordinates/proj_rules.h"

namespace gdalgpu {

namespace {

// What a kernel's parameters may take on every device is 4 KB, of which the rest of a kernel, a
// warp above all, needs less than 700. More are put into the device's memory.
constexpr size_t kMostParameterBytes = 3392;
constexpr size_t kMostShapes = 16;  // compiled together

kernels::step::Area ToArea(const Rectangle& r) { return {r.min_x, r.min_y, r.max_x, r.max_y}; }

bool Meet(const Rectangle& a, const Rectangle& b) {
    return a.min_x <= b.max_x && b.min_x <= a.max_x && a.min_y <= b.max_y && b.min_y <= a.max_y;
}

}  // namespace

FusedOperations::FusedOperations(const OperationCandidates& candidates, bool inverse, bool swap_in,
                                 bool swap_out, const Rectangle* area, Precision precision)
    : swap_in_(swap_in), swap_out_(swap_out) {
    const auto& all = candidates.operations();
    const std::vector<bool> reachable = area != nullptr ? candidates.Reachable(*area, inverse)
                                                        : std::vector<bool>(all.size(), true);
    Places places;
    std::map<std::string, int64_t> numbers;  // of shapes, by emitted text
    for (size_t i = 0; i < all.size(); ++i) {
        const OperationCandidates::Operation& operation = all[i];
        if (!reachable[i] || places.count(operation.text) > 0) continue;
        if (operation.text.empty())
            throw NotFusable("PROJ has no text for its operation " + operation.name);
        CoordinateOperation fused =
            CoordinateOperation::FromPipeline(operation.text, inverse, precision);
        gpu::Source alone;
        fused.Emit(alone, "Operation");
        const auto [number, fresh] =
            numbers.emplace(alone.text(), static_cast<int64_t>(numbers.size()));
        if (fresh) {
            if (numbers.size() > kMostShapes)
                throw NotFusable("more than " + std::to_string(kMostShapes) +
                                 " kinds of operations to choose from");
            if (fused.precision() != Precision::Fp64) precision_ = fused.precision();
            shapes_.emplace_back();
            description_ += (description_.empty() ? "" : " | ") + fused.description();
        }
        std::vector<CoordinateOperation>& shape = shapes_[static_cast<size_t>(number->second)];
        places[operation.text] = {number->second, static_cast<int64_t>(shape.size())};
        shape.push_back(std::move(fused));
    }
    if (places.empty()) throw NotFusable("PROJ has no operation for any point of the request");
    for (const std::vector<CoordinateOperation>& shape : shapes_) {
        for (const CoordinateOperation& operation : shape) {
            for (const DeviceData& item : operation.data())
                data_.push_back({parameters_.size() + item.offset, item.bytes});
            parameters_.insert(parameters_.end(), operation.parameters().begin(),
                               operation.parameters().end());
        }
    }
    const bool choice = all.size() > 1 && (places.size() > 1 || candidates.Fallback() < 0);
    if (choice) AppendCandidates(candidates, places, inverse, area);
}

void FusedOperations::AppendCandidates(const OperationCandidates& candidates, const Places& places,
                                       bool inverse, const Rectangle* area) {
    const auto& all = candidates.operations();
    const int last = candidates.Fallback();
    kernels::int64 fallback = -1;
    const bool by_extent = RulesOfProj().smaller_area_is_chosen;
    for (size_t i = 0; i < all.size(); ++i) {
        const OperationCandidates::Operation& operation = all[i];
        const Rectangle& used = inverse ? operation.target_area : operation.source_area;
        const bool is_last = static_cast<int>(i) == last;
        if (area != nullptr && !is_last && !Meet(used, *area)) continue;
        // One that no point comes to takes part in the choice all the same.
        const auto place = places.find(operation.text);
        const auto [shape, index] = place != places.end() ? place->second : Place{-1, 0};
        AppendBytes(parameters_,
                    kernels::step::Candidate{
                        ToArea(used), ToArea(operation.source_area), operation.accuracy,
                        !operation.offshore && (by_extent || operation.accuracy >= 0), shape, index,
                        by_extent ? operation.extent : std::numeric_limits<double>::quiet_NaN(),
                        operation.area_known, operation.keeps_place});
        if (is_last) fallback = static_cast<kernels::int64>(candidates_);
        ++candidates_;
    }
    AppendBytes(parameters_, fallback);
}

FusedOperations::Bound FusedOperations::Bind(gpu::Stream& stream) const {
    Bound bound;
    bound.parameters = WithAddresses(parameters_, data_, stream);
    if (parameters_.size() > kMostParameterBytes) {
        bound.held = std::make_shared<const std::vector<std::byte>>(std::move(bound.parameters));
        bound.parameters.clear();
        AppendBytes(bound.parameters, stream.resident(bound.held));
    }
    return bound;
}

void FusedOperations::Emit(gpu::Source& source, const std::string& struct_name) const {
    EmitPrecision(source, precision_);
    if (candidates_ > 0) source.include("step/coordinates.h");
    std::string members, cases;
    for (size_t i = 0; i < shapes_.size(); ++i) {
        const std::string number = std::to_string(i);
        const std::string type = std::string(struct_name).append("Operation").append(number);
        shapes_[i].front().Emit(source, type, candidates_ > 0);
        members.append("    ")
            .append(type)
            .append(" operations")
            .append(number)
            .append("[")
            .append(std::to_string(shapes_[i].size()))
            .append("];\n");
        cases.append("            case ")
            .append(number)
            .append(": return operations")
            .append(number)
            .append("[index].apply(x, y, z, t);\n");
    }
    std::string call = "operations0[0].apply(x, y, z, t)";
    std::string run;
    if (candidates_ > 0) {
        members += "    kernels::step::Candidate candidates[" + std::to_string(candidates_) +
                   "];\n    kernels::int64 fallback;\n";
        run =
            "    GPU_FUNC bool run(kernels::int64 shape, kernels::int64 index, double& x, "
            "double& y, double& z, double& t) const {\n        switch (shape) {\n" +
            cases + "            default: return false;\n        }\n    }\n";
        call = "kernels::step::apply_candidates(*this, candidates, fallback, x, y, z, t)";
    }
    const std::string apply =
        "    GPU_FUNC bool apply(double& x, double& y, double& z, double& t) const {\n";
    const std::string swap = "        { const double first = x; x = y; y = first; }\n";
    const bool in_memory = parameters_.size() > kMostParameterBytes;
    const std::string struct_of_all = struct_name + (in_memory ? "Data" : "");
    source.append("\nstruct " + struct_of_all + " {\n" + members + run + apply +
                  (swap_in_ ? swap : "") + "        if (!" + call + ") return false;\n" +
                  (swap_out_ ? swap : "") + "        return true;\n    }\n};\n");
    if (in_memory)
        source.append("\nstruct " + struct_name + " {\n    const " + struct_of_all + "* data;\n" +
                      apply + "        return data->apply(x, y, z, t);\n    }\n};\n");
}

void FusedOperations::EmitKernel(gpu::Source& source, const std::string& struct_name) const {
    Emit(source, struct_name);
    EmitCoordinatesKernel(source, "transform_coordinates", struct_name);
}

}  // namespace gdalgpu
