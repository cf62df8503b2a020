#include "plugin/coordinates/pixel_transform.h"

#include "plugin/coordinates/pixel_transform_plans.h"

namespace gdalgpu {
namespace {

Rectangle PixelsOf(const PixelWindow& window) {
    return {double(window.x), double(window.y), double(window.x + window.width),
            double(window.y + window.height)};
}

}  // namespace

std::vector<std::unique_ptr<PixelTransform>> PlanPixelTransform(GDALTransformerFunc transformer,
                                                                void* argument,
                                                                std::vector<std::string>& reasons,
                                                                const PixelWindow* whole,
                                                                PixelPoints points) {
    std::vector<std::unique_ptr<PixelTransform>> plans;
    if (transformer == nullptr) {
        reasons.push_back("there is no transformer");
        return plans;
    }
    if (IsForWarpedOverview(argument)) {
        reasons.push_back("overviews of a warped VRT are GDAL's");
        return plans;
    }
    const CPLXMLTreeCloser tree = SerializeTransformer(transformer, argument);
    TransformerDescription description;
    if (tree) {
        description = DescribeTransformer(*tree);
    } else {
        description.unfusable = "the transformer can't be serialized";
        description.approximates = true;  // it may hold one that does
    }
    const auto exact = std::make_shared<ExactTransformer>(
        transformer, argument, tree.get(), description,
        whole != nullptr ? CheckedPixels(*whole) : std::vector<int64_t>());
    description.inverse_checked = exact->inverse_checked();
    try {
        std::shared_ptr<PositionTiles> tiles;
        const Rectangle pixels = whole != nullptr ? PixelsOf(*whole) : Rectangle{};
        for (const Precision precision : RequestedPrecisions(true)) {
            FusedChain chain(description, true, whole != nullptr ? &pixels : nullptr, precision);
            if (description.reprojection && tiles == nullptr) {
                tiles = std::make_shared<PositionTiles>(exact, whole, chain.is_piecewise(), points);
            }
            if (chain.precision() != precision) continue;
            // Doubles that a device's functions make differ from the CPU's in the last digit; tiles
            // don't. A geotransform is the same everywhere.
            if (tiles != nullptr && precision == Precision::Fp64) {
                plans.push_back(MakeTiledPixelTransform(chain.description(), exact, tiles, points));
            } else {
                plans.push_back(MakeFusedPixelTransform(std::move(chain), exact, tiles, points));
            }
        }
    } catch (const NotFusable& why) {
        reasons.push_back(why.what());
    }
    plans.push_back(
        MakeSampledPixelTransform(exact, description.threshold, description.smooth, points));
    return plans;
}

}  // namespace gdalgpu
