#include <algorithm>

#include "plugin/coordinates/cpu_positions.h"
#include "plugin/coordinates/parameter_bytes.h"
#include "plugin/coordinates/pixel_transform_plans.h"
#include "plugin/coordinates/sample_grid.h"

namespace gdalgpu {
namespace {

using kernels::georef::Sampled;

// Rows sampled on the host at a time, in bytes.
constexpr int64_t strip_bytes = int64_t{64} << 20;

class SampledPixelTransform : public PixelTransform {
  public:
    SampledPixelTransform(std::shared_ptr<ExactTransformer> exact, double threshold, bool smooth,
                          PixelPoints points)
        : exact_(std::move(exact)), threshold_(threshold), smooth_(smooth), points_(points) {}

    const char* path() const override { return "sampled"; }
    std::string description() const override {
        return threshold_ > 0 ? "GDAL's transformer on a grid" : "GDAL's transformer at each pixel";
    }

    void Emit(gpu::Source& source) const override {
        source.include("georef/sampled.h");
        source.append("\nstruct PixelTransform : kernels::georef::Sampled {};\n");
        EmitTransformPixels(source);
    }

    Bound Bind(gpu::Stream& stream, const PixelWindow& window) const override {
        Sampled sampled{};
        sampled.x0 = window.x;
        sampled.y0 = window.y;
        sampled.width = window.width;
        sampled.height = window.height;
        sampled.corners = PointsBeyond(points_);
        Bound bound;
        if (window.width > 0 && window.height > 0) {
            if (threshold_ > 0)
                BindGrid(stream, window, sampled, bound);
            else
                BindEachPixel(stream, window, sampled, bound);
        }
        bound.parameters = Bytes(sampled);
        return bound;
    }

    // By its making it is GDAL's own; what is left to check is the device's part, for which a piece
    // of the window does.
    std::string Check(gpu::Module& module, gpu::Stream& stream,
                      const PixelWindow& window) const override {
        const PixelWindow piece = MiddleOf(window);
        return CompareWithExact(*exact_, module, stream, Bind(stream, piece), piece, points_,
                                std::max(1e-3, threshold_));
    }

    std::unique_ptr<CpuPositions> OnCpu(const PixelWindow& window) const override {
        return threshold_ > 0 ? MakeGridPositions(*exact_, window, threshold_, smooth_, points_)
                              : MakeExactPositions(exact_);
    }

  private:
    void BindGrid(gpu::Stream& stream, const PixelWindow& window, Sampled& sampled,
                  Bound& bound) const {
        const SampleGrid grid = SampleAdaptively(*exact_, window, threshold_, smooth_, points_);
        sampled.blocks = Upload(stream, grid.blocks, bound);
        sampled.nodes = Upload(stream, grid.nodes, bound);
        sampled.block_x0 = grid.block_x0;
        sampled.block_y0 = grid.block_y0;
        sampled.blocks_across = grid.blocks_across;
    }

    void BindEachPixel(gpu::Stream& stream, const PixelWindow& window, Sampled& sampled,
                       Bound& bound) const {
        const int64_t corners = PointsBeyond(points_);
        bound.memory.push_back(
            stream.allocate(kernels::georef::node_count(window.width, window.height, corners) *
                            int64_t{2 * sizeof(double)}));
        auto* nodes = static_cast<double*>(bound.memory.back()->address());
        sampled.nodes = nodes;
        const double first = FirstPlace(points_);
        nodes = UploadEach(stream,
                           {window.x, window.y, window.width + corners, window.height + corners},
                           {first, first}, nodes);
        if (corners) UploadEach(stream, window, {0.5, 0}, nodes);
    }

    // The point of each pixel of a window, from `nodes` on; returns the end.
    double* UploadEach(gpu::Stream& stream, const PixelWindow& window, PixelPlace place,
                       double* nodes) const {
        const int64_t row_bytes = window.width * int64_t{2 * sizeof(double)};
        const int64_t rows = std::clamp<int64_t>(strip_bytes / row_bytes, 1, window.height);
        std::vector<double> strip(rows * window.width * 2);
        for (int64_t row = 0; row < window.height; row += rows) {
            const int64_t now = std::min(rows, window.height - row);
            SampleEachPoint(*exact_, {window.x, window.y + row, window.width, now}, place,
                            strip.data());
            stream.upload(nodes, strip.data(), now * row_bytes);
            nodes += now * window.width * 2;
        }
        return nodes;
    }

    const std::shared_ptr<ExactTransformer> exact_;
    const double threshold_;
    const bool smooth_;
    const PixelPoints points_;
};

}  // namespace

std::unique_ptr<PixelTransform> MakeSampledPixelTransform(std::shared_ptr<ExactTransformer> exact,
                                                          double threshold, bool smooth,
                                                          PixelPoints points) {
    return std::make_unique<SampledPixelTransform>(std::move(exact), threshold, smooth, points);
}

}  // namespace gdalgpu
