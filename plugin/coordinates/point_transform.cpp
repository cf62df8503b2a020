#include "plugin/coordinates/point_transform.h"

#include <utility>

#include "plugin/coordinates/fused_chain.h"
#include "plugin/coordinates/parameter_bytes.h"

namespace gdalgpu {
namespace {

class FusedPointTransform : public PointTransform {
  public:
    explicit FusedPointTransform(FusedChain chain) : chain_(std::move(chain)) {}

    std::string description() const override { return chain_.description(); }
    Precision precision() const override { return chain_.precision(); }

    void Emit(gpu::Source& source) const override {
        chain_.Emit(source, "PointChain");
        source.include("georef/transform.h");
        source.append(
            "\nstruct PointTransform {\n"
            "    PointChain chain;\n"
            "    GPU_FUNC bool apply(double& x, double& y, double& z) const { return chain.map(x, "
            "y, z); }\n};\n"
            "\nGPU_KERNEL(transform_points, "
            "kernels::georef::TransformPointsParams<PointTransform>, p) {\n"
            "    GPU_FOR_1D(i, p.count) { p.run(i); }\n}\n");
    }

    void Run(gpu::Module& module, gpu::Stream& stream, int64_t count, double* x, double* y,
             double* z, int* success) const override {
        if (count <= 0) return;
        const size_t bytes = count * sizeof(double);
        std::vector<std::unique_ptr<gpu::Memory>> memory;
        const FusedChain::Bound bound = chain_.Bind(stream);
        std::vector<std::byte> arguments = bound.parameters;
        for (double* values : {x, y, z}) {
            memory.push_back(stream.allocate(bytes));
            stream.upload(memory.back()->address(), values, bytes);
            AppendBytes(arguments, memory.back()->address());
        }
        memory.push_back(stream.allocate(count * sizeof(int64_t)));
        AppendBytes(arguments, memory.back()->address());
        AppendBytes(arguments, count);
        stream.launch(module.kernel("transform_points"), {count, 1}, arguments.data(),
                      arguments.size());
        std::vector<int64_t> flags(count);
        stream.download(x, memory[0]->address(), bytes);
        stream.download(y, memory[1]->address(), bytes);
        stream.download(z, memory[2]->address(), bytes);
        stream.download(flags.data(), memory[3]->address(), count * sizeof(int64_t));
        stream.synchronize();
        for (int64_t i = 0; i < count; ++i) success[i] = flags[i] != 0;
    }

  private:
    const FusedChain chain_;
};

}  // namespace

std::unique_ptr<PointTransform> PlanPointTransform(const CPLXMLNode& tree,
                                                   PointTransform::Direction direction,
                                                   Precision precision, std::string& reason) {
    try {
        TransformerDescription description = DescribeTransformer(tree);
        description.inverse_checked = InverseIsChecked();
        return std::make_unique<FusedPointTransform>(FusedChain(
            description, direction == PointTransform::Direction::ToSource, nullptr, precision));
    } catch (const NotFusable& why) {
        reason = why.what();
        return nullptr;
    }
}

}  // namespace gdalgpu
