#include "plugin/coordinates/cpu_positions.h"
#include "plugin/coordinates/parameter_bytes.h"
#include "plugin/coordinates/pixel_transform_plans.h"
#include "plugin/coordinates/position_tiles.h"

namespace gdalgpu {
namespace {

using kernels::georef::Tiles;

class TiledPixelTransform : public PixelTransform {
  public:
    TiledPixelTransform(std::string description, std::shared_ptr<ExactTransformer> exact,
                        std::shared_ptr<PositionTiles> tiles, PixelPoints points)
        : description_(std::move(description)),
          exact_(std::move(exact)),
          tiles_(std::move(tiles)),
          points_(points) {}

    const char* path() const override { return "tiles"; }
    std::string description() const override { return description_; }

    void Emit(gpu::Source& source) const override {
        source.include("georef/tiles.h");
        source.append("\nstruct PixelTransform : kernels::georef::Tiles {};\n");
        EmitTransformPixels(source);
    }

    Bound Bind(gpu::Stream& stream, const PixelWindow& window) const override {
        Bound bound;
        Tiles tiles{};
        if (window.width > 0 && window.height > 0) {
            const PositionTiles::Table table = tiles_->Of(window);
            tiles = table.tiles;
            tiles.tile_of_cell = Upload(stream, table.tile_of_cell, bound);
            tiles.tiles = Upload(stream, table.list, bound);
            tiles.numbers = Upload(stream, table.numbers, bound);
            stream.synchronize();
        }
        bound.parameters = Bytes(tiles);
        return bound;
    }

    // The tiles are made of GDAL's own positions and compared with them; what is left to check is
    // the device's part, for which a piece of the window does.
    std::string Check(gpu::Module& module, gpu::Stream& stream,
                      const PixelWindow& window) const override {
        const PixelWindow piece = MiddleOf(window);
        return CompareWithExact(*exact_, module, stream, Bind(stream, piece), piece, points_, 1e-6);
    }

    std::unique_ptr<CpuPositions> OnCpu(const PixelWindow& window) const override {
        return MakeTilePositions(*tiles_, window);
    }

  private:
    const std::string description_;
    const std::shared_ptr<ExactTransformer> exact_;
    const std::shared_ptr<PositionTiles> tiles_;
    const PixelPoints points_;
};

}  // namespace

std::unique_ptr<PixelTransform> MakeTiledPixelTransform(std::string description,
                                                        std::shared_ptr<ExactTransformer> exact,
                                                        std::shared_ptr<PositionTiles> tiles,
                                                        PixelPoints points) {
    return std::make_unique<TiledPixelTransform>(std::move(description), std::move(exact),
                                                 std::move(tiles), points);
}

}  // namespace gdalgpu
