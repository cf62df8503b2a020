#include "plugin/coordinates/fused_operations.h"

#include <map>

#include "kernels/step/coordinates.h"

namespace gdalgpu {

namespace {

// What a kernel's parameters may take on every device: 4 KB, less the arrays' addresses.
constexpr size_t kMostParameterBytes = 4000;
constexpr size_t kMostOperations = 32;  // compiled together

template <class T>
void Append(std::vector<std::byte>& bytes, const T& value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof(T));
}

kernels::step::Area ToArea(const Rectangle& r) { return {r.min_x, r.min_y, r.max_x, r.max_y}; }

}  // namespace

FusedOperations::FusedOperations(const OperationCandidates& candidates, bool inverse, bool swap_in,
                                 bool swap_out)
    : swap_in_(swap_in), swap_out_(swap_out) {
    const auto& all = candidates.operations();
    std::map<std::string, kernels::int64> numbers;
    std::vector<kernels::int64> number_of;
    for (const OperationCandidates::Operation& operation : all) {
        if (operation.text.empty())
            throw NotFusable("PROJ has no text for its operation " + operation.name);
        const auto [found, fresh] =
            numbers.emplace(operation.text, static_cast<kernels::int64>(numbers.size()));
        number_of.push_back(found->second);
        if (!fresh) continue;
        if (numbers.size() > kMostOperations)
            throw NotFusable("more than " + std::to_string(kMostOperations) +
                             " operations to choose from");
        operations_.push_back(CoordinateOperation::FromPipeline(operation.text, inverse));
        const CoordinateOperation& fused = operations_.back();
        parameters_.insert(parameters_.end(), fused.parameters().begin(), fused.parameters().end());
        description_ += (description_.empty() ? "" : " | ") + fused.description();
    }
    if (all.size() > 1) {
        candidates_ = all.size();
        kernels::int64 fallback = -1;
        for (size_t i = 0; i < all.size(); ++i) {
            const OperationCandidates::Operation& operation = all[i];
            Append(parameters_, kernels::step::Candidate{
                                    ToArea(inverse ? operation.target_area : operation.source_area),
                                    ToArea(operation.source_area), operation.accuracy,
                                    operation.accuracy >= 0 && !operation.offshore, number_of[i]});
            if (fallback < 0 && !operation.needs_grid) fallback = number_of[i];
        }
        Append(parameters_, fallback);
    }
    if (parameters_.size() > kMostParameterBytes)
        throw NotFusable("the parameters of " + std::to_string(all.size()) +
                         " operations are more than a kernel takes");
}

void FusedOperations::Emit(gpu::Source& source, const std::string& struct_name) const {
    source.include("step/coordinates.h");
    std::string members, cases;
    std::map<std::string, std::string> types;  // emitted text -> struct
    for (const CoordinateOperation& operation : operations_) {
        const std::string number = std::to_string(&operation - operations_.data());
        gpu::Source alone;
        operation.Emit(alone, "Operation");
        std::string& type = types[alone.text()];
        if (type.empty()) {
            type = struct_name + "Operation" + number;
            operation.Emit(source, type);
        }
        members += "    " + type + " operation" + number + ";\n";
        cases +=
            "            case " + number + ": return operation" + number + ".apply(x, y, z, t);\n";
    }
    std::string call = "operation0.apply(x, y, z, t)";
    std::string run;
    if (candidates_ > 0) {
        members += "    kernels::step::Candidate candidates[" + std::to_string(candidates_) +
                   "];\n    kernels::int64 fallback;\n";
        run =
            "    GPU_FUNC bool run(kernels::int64 number, double& x, double& y, double& z, "
            "double& t) const {\n        switch (number) {\n" +
            cases + "            default: return false;\n        }\n    }\n";
        call = "kernels::step::apply_candidates(*this, candidates, fallback, x, y, z, t)";
    }
    const std::string swap = "        { const double first = x; x = y; y = first; }\n";
    source.append("\nstruct " + struct_name + " {\n" + members + run +
                  "    GPU_FUNC bool apply(double& x, double& y, double& z, double& t) const {\n" +
                  (swap_in_ ? swap : "") + "        if (!" + call + ") return false;\n" +
                  (swap_out_ ? swap : "") + "        return true;\n    }\n};\n" +
                  "\nGPU_KERNEL(transform_coordinates, kernels::step::TransformCoordinatesParams<" +
                  struct_name + ">, p) {\n    GPU_FOR_1D(i, p.count) { p.run(i); }\n}\n");
}

}  // namespace gdalgpu
