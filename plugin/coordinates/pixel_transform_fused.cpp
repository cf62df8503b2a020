#include "plugin/coordinates/cpu_positions.h"
#include "plugin/coordinates/pixel_transform_plans.h"

namespace gdalgpu {
namespace {

// Where GDAL and a fused transform may differ: in rounding alone, with much room for the conditions
// of a projection.
constexpr double check_tolerance = 1e-3;
// A lower precision's errors peak between the points that are checked.
constexpr double low_precision_tolerance = 2.5e-4;

class FusedPixelTransform : public PixelTransform {
  public:
    FusedPixelTransform(FusedChain chain, std::shared_ptr<ExactTransformer> exact,
                        std::shared_ptr<PositionTiles> tiles, PixelPoints points)
        : chain_(std::move(chain)),
          exact_(std::move(exact)),
          tiles_(std::move(tiles)),
          points_(points) {}

    const char* path() const override { return "fused"; }
    std::string description() const override { return chain_.description(); }
    const char* precision() const override { return PrecisionName(chain_.precision()); }

    void Emit(gpu::Source& source) const override {
        chain_.Emit(source, "PixelChain");
        source.append(
            "\nstruct PixelTransform {\n"
            "    PixelChain chain;\n"
            "    GPU_FUNC bool to_source(long long column, long long row, double place_x, "
            "double place_y, double& x, double& y) const {\n"
            "        double z = 0.0;\n"
            "        x = column + place_x;\n"
            "        y = row + place_y;\n"
            "        return chain.map(x, y, z);\n"
            "    }\n};\n");
        EmitTransformPixels(source);
    }

    Bound Bind(gpu::Stream& stream, const PixelWindow&) const override {
        FusedChain::Bound bound = chain_.Bind(stream);
        return {std::move(bound.parameters), {}, std::move(bound.held)};
    }

    std::string Check(gpu::Module& module, gpu::Stream& stream,
                      const PixelWindow& window) const override {
        const bool low = chain_.precision() != Precision::Fp64;
        return CompareWithExact(*exact_, module, stream, Bind(stream, window), window, points_,
                                low ? low_precision_tolerance : check_tolerance,
                                low ? ToleranceUnit::SmallerPixels : ToleranceUnit::SourcePixels);
    }

    // Geotransforms alone often hit the edges of source pixels, where the last digit counts.
    std::unique_ptr<CpuPositions> OnCpu(const PixelWindow& window) const override {
        return tiles_ ? MakeTilePositions(*tiles_, window) : MakeExactPositions(exact_);
    }

  private:
    const FusedChain chain_;
    const std::shared_ptr<ExactTransformer> exact_;
    const std::shared_ptr<PositionTiles> tiles_;
    const PixelPoints points_;
};

}  // namespace

std::unique_ptr<PixelTransform> MakeFusedPixelTransform(FusedChain chain,
                                                        std::shared_ptr<ExactTransformer> exact,
                                                        std::shared_ptr<PositionTiles> tiles,
                                                        PixelPoints points) {
    return std::make_unique<FusedPixelTransform>(std::move(chain), std::move(exact),
                                                 std::move(tiles), points);
}

}  // namespace gdalgpu
