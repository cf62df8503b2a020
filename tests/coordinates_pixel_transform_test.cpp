// Pixel transforms that are fused: the same positions as GDALGenImgProjTransform.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "coordinates_fixture.h"
#include "plugin/coordinates/cpu_positions.h"
#include "plugin/coordinates/fused_chain.h"
#include "plugin/coordinates/grid_file.h"
#include "plugin/coordinates/pixel_transform.h"
#include "plugin/coordinates/point_transform.h"
#include "plugin/coordinates/transformer_description.h"

namespace gdalgpu {
namespace {

struct Pair {
    const char* name;
    const char* source;
    GeoTransform geotransform;
    int width, height;
    const char* target;
};

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.name; }

const Pair kPairs[] = {
    {"utm_to_web_mercator",
     "EPSG:32633",
     {300000, 10, 0, 5900000, 0, -10},
     1098,
     1098,
     "EPSG:3857"},
    {"utm_to_laea", "EPSG:32633", {300000, 10, 0, 5900000, 0, -10}, 1098, 1098, "EPSG:3035"},
    {"utm_to_utm", "EPSG:32633", {700000, 10, 0, 5900000, 0, -10}, 1098, 1098, "EPSG:32634"},
    {"degrees_to_laea", "EPSG:4326", {5, 0.01, 0, 55, 0, -0.01}, 900, 700, "EPSG:3035"},
    {"degrees_to_antarctic", "EPSG:4326", {-180, 0.25, 0, -60, 0, -0.25}, 1440, 120, "EPSG:3031"},
    {"degrees_to_conus", "EPSG:4326", {-110, 0.02, 0, 45, 0, -0.02}, 900, 700, "EPSG:5070"},
    {"degrees_to_lambert", "EPSG:4326", {1, 0.005, 0, 49, 0, -0.005}, 900, 700, "EPSG:2154"},
    {"degrees_to_britain", "EPSG:4326", {-3, 0.005, 0, 53, 0, -0.005}, 700, 500, "EPSG:27700"},
    {"britain_to_degrees", "EPSG:27700", {350000, 50, 0, 400000, 0, -50}, 1000, 1200, "EPSG:4326"},
    {"web_mercator_to_degrees",
     "EPSG:3857",
     {1000000, 100, 0, 6000000, 0, -100},
     1000,
     1000,
     "EPSG:4326"},
    {"degrees_to_web_mercator", "EPSG:4326", {10, 0.01, 0, 50, 0, -0.01}, 500, 500, "EPSG:3857"},
    {"world_to_web_mercator", "EPSG:4326", {-180, 0.5, 0, 85, 0, -0.5}, 720, 340, "EPSG:3857"},
    {"rotated_source", "EPSG:32633", {300000, 8, 3, 5900000, 2.5, -9}, 800, 700, "EPSG:3857"},
    {"south_up_source", "EPSG:32633", {300000, 10, 0, 5800000, 0, 10}, 800, 700, "EPSG:3857"},
    {"from_0_to_360_degrees", "EPSG:4326", {0, 0.5, 0, 80, 0, -0.5}, 720, 320, "EPSG:3857"},
    {"from_0_to_360_degrees_in_one_crs",
     "EPSG:4326",
     {0, 0.5, 0, 80, 0, -0.5},
     720,
     320,
     "EPSG:4326"},
    {"over_the_antimeridian", "EPSG:4326", {170, 0.02, 0, 70, 0, -0.02}, 1000, 400, "EPSG:32601"},
    {"other_datum_in_degrees", "EPSG:4258", {5, 0.01, 0, 55, 0, -0.01}, 900, 700, "EPSG:32632"},
    {"southern_utm", "EPSG:32733", {300000, 30, 0, 8000000, 0, -30}, 900, 900, "EPSG:4326"},
};

class FusedPair : public testing::TestWithParam<Pair> {
  protected:
    // The destination that gdalwarp would make.
    void SetUp() override {
        const Pair& pair = GetParam();
        source_ = MakeRaster(pair.width, pair.height, &pair.geotransform, pair.source);
        CPLStringList options;
        options.SetNameValue("DST_SRS", pair.target);
        const Transformer suggest(*source_, nullptr, options);
        ASSERT_NE(suggest.exact, nullptr);
        GeoTransform geotransform{};
        ASSERT_EQ(GDALSuggestedWarpOutput(source_.get(), GDALGenImgProjTransform, suggest.exact,
                                          geotransform.data(), &width_, &height_),
                  CE_None);
        destination_ = MakeRaster(width_, height_, &geotransform, pair.target);
    }

    void TransformsPointsBothWays();

    GDALDatasetUniquePtr source_, destination_;
    int width_ = 0, height_ = 0;
};

TEST_P(FusedPair, gives_gdals_positions) {
    const Transformer transformer(*source_, destination_.get(), {}, 0.125);
    ASSERT_NE(transformer.exact, nullptr);
    std::vector<std::string> reasons;
    const PixelWindow window{0, 0, width_, height_};
    const auto plans =
        PlanPixelTransform(transformer.function(), transformer.argument(), reasons, &window);
    ASSERT_EQ(plans.size(), 2u) << (reasons.empty() ? "" : reasons[0]);
    EXPECT_STREQ(plans[0]->path(), "tiles");
    EXPECT_STREQ(plans[1]->path(), "sampled");
    EXPECT_TRUE(reasons.empty());
    const auto module = Compile(*plans[0]);
    const int64_t step = std::max(1, std::min(width_, height_) / 200);
    const Positions expected = ByGdal(GDALGenImgProjTransform, transformer.exact, window, step);
    EXPECT_LE(LargestError(ByDevice(*plans[0], *module, window, step), expected), 1e-6);
    const auto stream = HostDevice().stream();
    EXPECT_EQ(plans[0]->Check(*module, *stream, window), "");
}

// Whatever window they are asked for in, to the last bit.
TEST_P(FusedPair, gives_gdals_positions_on_the_cpu_too) {
    const Transformer transformer(*source_, destination_.get(), {}, 0.125);
    std::vector<std::string> reasons;
    const PixelWindow window{0, 0, width_, height_};
    const auto plans =
        PlanPixelTransform(transformer.function(), transformer.argument(), reasons, &window);
    ASSERT_STREQ(plans.at(0)->path(), "tiles");
    const auto positions = plans[0]->OnCpu(window);
    CpuPositions::Bounds bounds{};
    const bool enclosed = positions->Enclose(bounds);
    for (int row = 0; row < height_; row += std::max(1, height_ / 40)) {
        Positions found, expected;
        found.x.resize(width_);
        found.y.resize(width_);
        positions->Row(row, 0, width_, {0.5, 0.5}, found.x.data(), found.y.data());
        std::vector<double> z(width_);
        for (int column = 0; column < width_; ++column) {
            expected.x.push_back(column + 0.5);
            expected.y.push_back(row + 0.5);
            found.success.push_back(!std::isnan(found.x[column]));
        }
        expected.success.resize(width_);
        GDALGenImgProjTransform(transformer.exact, TRUE, width_, expected.x.data(),
                                expected.y.data(), z.data(), expected.success.data());
        ASSERT_LE(LargestError(found, expected), 1e-7) << row;
        for (int column = 0; enclosed && column < width_; ++column) {
            if (!found.success[column]) continue;
            ASSERT_TRUE(bounds.x_min <= found.x[column] && found.x[column] <= bounds.x_max &&
                        bounds.y_min <= found.y[column] && found.y[column] <= bounds.y_max)
                << row << " " << column;
        }
        const int first = width_ / 3, count = width_ / 2;
        std::vector<double> x(count), y(count);
        plans[0]
            ->OnCpu({first, row, count, 1})
            ->Row(row, first, count, {0.5, 0.5}, x.data(), y.data());
        EXPECT_EQ(std::memcmp(x.data(), found.x.data() + first, count * sizeof(double)), 0) << row;
        EXPECT_EQ(std::memcmp(y.data(), found.y.data() + first, count * sizeof(double)), 0) << row;
    }
}

void FusedPair::TransformsPointsBothWays() {
    const Transformer transformer(*source_, destination_.get());
    const CPLXMLTreeCloser tree =
        SerializeTransformer(transformer.function(), transformer.argument());
    ASSERT_NE(tree.get(), nullptr);
    for (const bool to_source : {true, false}) {
        std::string reason;
        const auto plan = PlanPointTransform(*tree,
                                             to_source ? PointTransform::Direction::ToSource
                                                       : PointTransform::Direction::ToDestination,
                                             Precision::Fp64, reason);
        ASSERT_NE(plan, nullptr) << reason;
        gpu::Source text;
        text.include("core/core.h");
        plan->Emit(text);
        const auto module = HostDevice().compile(text);
        const int width = to_source ? width_ : GetParam().width,
                  height = to_source ? height_ : GetParam().height;
        Positions expected, found;
        for (int j = 0; j <= 40; ++j) {
            for (int i = 0; i <= 40; ++i) {
                expected.x.push_back(width * i / 40.0);
                expected.y.push_back(height * j / 40.0);
            }
        }
        const int count = static_cast<int>(expected.x.size());
        found = expected;
        std::vector<double> z(count), found_z(count);
        expected.success.resize(count);
        found.success.resize(count);
        GDALGenImgProjTransform(transformer.exact, to_source, count, expected.x.data(),
                                expected.y.data(), z.data(), expected.success.data());
        plan->Run(*module, *HostDevice().stream(), count, found.x.data(), found.y.data(),
                  found_z.data(), found.success.data());
        EXPECT_LE(LargestError(found, expected), 1e-6)
            << (to_source ? "to source" : "to destination");
    }
}

TEST_P(FusedPair, transforms_points_both_ways) { TransformsPointsBothWays(); }

INSTANTIATE_TEST_SUITE_P(pixel_transform, FusedPair, testing::ValuesIn(kPairs),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(FusedPixelTransform, needs_no_reprojection) {
    const GeoTransform from{100, 2, 0.5, 200, -0.25, -3}, to{90, 1.25, 0, 210, 0, -1.5};
    const auto source = MakeRaster(50, 40, &from, ""), destination = MakeRaster(80, 60, &to, "");
    const Transformer transformer(*source, destination.get());
    std::vector<std::string> reasons;
    const auto plans = PlanPixelTransform(transformer.function(), transformer.argument(), reasons);
    ASSERT_EQ(plans.size(), 2u);
    EXPECT_STREQ(plans[0]->path(), "fused");
    const PixelWindow window{0, 0, 80, 60};
    const auto module = Compile(*plans[0]);
    EXPECT_EQ(LargestError(ByDevice(*plans[0], *module, window),
                           ByGdal(transformer.function(), transformer.argument(), window)),
              0.0);
}

TEST(FusedPixelTransform, honours_a_given_operation) {
    const GeoTransform from{500000, 10, 0, 5000000, 0, -10}, to{500100, 10, 0, 4999900, 0, -10};
    const auto source = MakeRaster(100, 100, &from, "EPSG:32633"),
               destination = MakeRaster(90, 90, &to, "EPSG:32633");
    CPLStringList options;
    options.SetNameValue("COORDINATE_OPERATION", "+proj=affine +xoff=25 +yoff=-7");
    const Transformer transformer(*source, destination.get(), options);
    ASSERT_NE(transformer.exact, nullptr);
    std::vector<std::string> reasons;
    const auto plans = PlanPixelTransform(transformer.function(), transformer.argument(), reasons);
    const PixelWindow window{0, 0, 90, 90};
    for (const auto& plan : plans) {
        const auto module = Compile(*plan);
        EXPECT_LE(LargestError(ByDevice(*plan, *module, window),
                               ByGdal(transformer.function(), transformer.argument(), window)),
                  1e-9);
    }
}

// Rasters in which PROJ takes several operations.
const Pair kSeveral[] = {
    // Shetland lies beyond the area of use of the operation that serves the rest of Britain.
    {"britain_and_shetland", "EPSG:4326", {-10, 0.03, 0, 63, 0, -0.03}, 400, 500, "EPSG:27700"},
    {"britain_and_shetland_back",
     "EPSG:27700",
     {0, 2000, 0, 1250000, 0, -2000},
     350,
     600,
     "EPSG:4326"},
    {"european_datum", "EPSG:4230", {-12, 0.1, 0, 66, 0, -0.1}, 400, 330, "EPSG:3035"},
    {"american_datum", "EPSG:4267", {-180, 0.5, 0, 75, 0, -0.5}, 260, 130, "EPSG:4326"},
    // Within the area of use of a grid, and within and beyond the grid itself.
    {"german_grid", "EPSG:31467", {3450000, 400, 0, 5560000, 0, -400}, 200, 160, "EPSG:25832"},
    {"german_grid_and_beyond",
     "EPSG:31467",
     {3100000, 2000, 0, 6200000, 0, -2000},
     400,
     600,
     "EPSG:4258"},
    {"german_grid_and_beyond_back",
     "EPSG:4258",
     {4, 0.03, 0, 56, 0, -0.03},
     420,
     330,
     "EPSG:31467"},
    {"french_grid_and_beyond", "EPSG:4275", {-7, 0.05, 0, 52.5, 0, -0.05}, 360, 260, "EPSG:2154"},
    {"new_zealand_grid_and_beyond",
     "EPSG:4272",
     {163, 0.05, 0, -32, 0, -0.05},
     380,
     340,
     "EPSG:2193"},
};

// Every pixel of a window: none has a position that GDAL's transformer lacks, nor lacks one.
void ExpectGdalsPositions(const GDALDatasetUniquePtr& source,
                          const GDALDatasetUniquePtr& destination, const PixelWindow& whole) {
    const Transformer transformer(*source, destination.get());
    std::vector<std::string> reasons;
    const auto plans =
        PlanPixelTransform(transformer.function(), transformer.argument(), reasons, &whole);
    ASSERT_EQ(plans.size(), 2u) << (reasons.empty() ? "" : reasons[0]);
    EXPECT_STREQ(plans[0]->path(), "tiles");
    const auto module = Compile(*plans[0]);
    EXPECT_EQ(plans[0]->Check(*module, *HostDevice().stream(), whole), "");
    const Positions expected = ByGdal(transformer.function(), transformer.argument(), whole);
    const Positions found = ByDevice(*plans[0], *module, whole);
    EXPECT_EQ(found.success, expected.success);
    EXPECT_LE(LargestError(found, expected), 1e-7);
}

// The globe is so small that it reaches two pixels into a tile that has nothing else, or lies
// within one.
TEST(TiledPixelTransform, sees_a_little_of_a_map_in_a_tile) {
    const GeoTransform world = {-180, 1, 0, 90, 0, -1};
    const auto source = MakeRaster(360, 180, &world, "EPSG:4326");
    for (const auto& [radius, x, y] :
         {std::tuple(60.0, 453.9, 176.0), std::tuple(4.0, 300.0, 300.0),
          std::tuple(60.0, 571.2, 100.0), std::tuple(1.5, 200.5, 20.5)}) {
        const double pixel = 6378137 / radius;
        const GeoTransform globe = {-x * pixel, pixel, 0, y * pixel, 0, -pixel};
        const auto destination = MakeRaster(800, 400, &globe, "+proj=ortho +lat_0=10 +R=6378137");
        SCOPED_TRACE(radius);
        ExpectGdalsPositions(source, destination, {0, 0, 800, 400});
    }
}

// A grid of Germany in a raster of the world.
TEST(TiledPixelTransform, sees_a_grid_in_a_tile) {
    if (!FindGrid("BETA2007.gsb")) GTEST_SKIP() << "PROJ's grids (proj-data) aren't here";
    const GeoTransform world = {-180, 0.2, 0, 90, 0, -0.2},
                       same = {-179.97, 0.2, 0, 89.96, 0, -0.2};
    const auto source = MakeRaster(1800, 900, &world, "EPSG:4314"),
               destination = MakeRaster(1800, 900, &same, "EPSG:4258");
    ExpectGdalsPositions(source, destination, {0, 0, 1800, 900});
}

class SeveralOperations : public FusedPair {};

TEST_P(SeveralOperations, are_chosen_pixel_by_pixel) {
    const Transformer transformer(*source_, destination_.get());
    std::vector<std::string> reasons;
    const PixelWindow whole{0, 0, width_, height_};
    const auto plans =
        PlanPixelTransform(transformer.function(), transformer.argument(), reasons, &whole);
    ASSERT_EQ(plans.size(), 2u) << reasons[0];
    EXPECT_STREQ(plans[0]->path(), "tiles");
    const auto module = Compile(*plans[0]);
    EXPECT_LE(LargestError(ByDevice(*plans[0], *module, whole),
                           ByGdal(transformer.function(), transformer.argument(), whole)),
              1e-6)
        << plans[0]->description();
    EXPECT_EQ(plans[0]->Check(*module, *HostDevice().stream(), whole), "");
}

TEST_P(SeveralOperations, are_chosen_point_by_point) { TransformsPointsBothWays(); }

INSTANTIATE_TEST_SUITE_P(pixel_transform, SeveralOperations, testing::ValuesIn(kSeveral),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(FusedPixelTransform, takes_one_operation_where_there_is_no_choice) {
    // In the south of Britain; over all of it there are two.
    const GeoTransform from{-6, 0.02, 0, 61, 0, -0.02}, to{0, 2000, 0, 1250000, 0, -2000};
    const auto source = MakeRaster(400, 500, &from, "EPSG:4326"),
               destination = MakeRaster(350, 600, &to, "EPSG:27700");
    const Transformer transformer(*source, destination.get());
    const CPLXMLTreeCloser tree =
        SerializeTransformer(transformer.function(), transformer.argument());
    for (const Rectangle& pixels : {Rectangle{0, 0, 350, 600}, Rectangle{100, 400, 200, 500}}) {
        gpu::Source text;
        FusedChain(DescribeTransformer(*tree), true, &pixels).Emit(text, "Chain");
        EXPECT_EQ(text.text().find("apply_candidates(*this") == std::string::npos,
                  pixels.min_x == 100);
    }
}

// With and without CHECK_WITH_INVERT_PROJ when the transformer is made; how it stands later, when
// the plan is made, doesn't count.
class InverseChecked : public testing::TestWithParam<Pair> {};

TEST_P(InverseChecked, as_when_the_transformer_was_made) {
    const Pair& pair = GetParam();
    const GeoTransform world{-180, 1, 0, 90, 0, -1};
    const auto source = MakeRaster(360, 180, &world, "EPSG:4326"),
               destination = MakeRaster(pair.width, pair.height, &pair.geotransform, pair.target);
    const PixelWindow window{0, 0, pair.width, pair.height};
    int64_t failed[2] = {};
    for (const bool checked : {false, true}) {
        std::unique_ptr<Transformer> transformer;
        {
            const CPLConfigOptionSetter setting("CHECK_WITH_INVERT_PROJ", checked ? "YES" : "NO",
                                                false);
            transformer = std::make_unique<Transformer>(*source, destination.get());
        }
        const Positions expected = ByGdal(transformer->function(), transformer->argument(), window);
        failed[checked] = std::count(expected.success.begin(), expected.success.end(), FALSE);
        for (const char* now : {"NO", "YES"}) {
            const CPLConfigOptionSetter setting("CHECK_WITH_INVERT_PROJ", now, false);
            std::vector<std::string> reasons;
            const auto plans = PlanPixelTransform(transformer->function(), transformer->argument(),
                                                  reasons, &window);
            ASSERT_EQ(plans.size(), 2u) << reasons[0];
            for (const auto& plan : plans) {
                const auto module = Compile(*plan);
                EXPECT_LE(LargestError(ByDevice(*plan, *module, window), expected), 1e-6)
                    << plan->path() << (checked ? " checked" : "") << ", now " << now;
                EXPECT_EQ(plan->Check(*module, *HostDevice().stream(), window), "");
            }
        }
    }
    EXPECT_LT(failed[false], failed[true]);
}

INSTANTIATE_TEST_SUITE_P(
    pixel_transform, InverseChecked,
    testing::Values(
        Pair{"conic", "", {-16000000, 200000, 0, 16000000, 0, -200000}, 160, 160, "EPSG:5070"},
        Pair{"aitoff", "", {-20000000, 300000, 0, 12000000, 0, -300000}, 135, 80, "ESRI:53043"},
        Pair{"mercator_beyond_the_antimeridian",
             "",
             {-30000000, 400000, 0, 20000000, 0, -400000},
             150,
             100,
             "EPSG:3857"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(FusedPixelTransform, check_says_where_and_by_how_much) {
    // A transformer whose description says one thing and whose function another.
    const GeoTransform from{0, 1, 0, 0, 0, -1}, to{0, 1, 0, 0, 0, -1};
    const auto source = MakeRaster(50, 50, &from, ""), destination = MakeRaster(50, 50, &to, "");
    const Transformer transformer(*source, destination.get());
    const GDALTransformerFunc shifted = [](void* argument, int to_source, int count, double* x,
                                           double* y, double* z, int* success) {
        const int result = GDALGenImgProjTransform(argument, to_source, count, x, y, z, success);
        for (int i = 0; i < count; ++i) {
            if (x[i] > 40) x[i] += 0.25;
            if (y[i] > 45) success[i] = FALSE;
        }
        return result;
    };
    std::vector<std::string> reasons;
    const auto plans = PlanPixelTransform(shifted, transformer.argument(), reasons);
    ASSERT_EQ(plans.size(), 2u);
    const auto module = Compile(*plans[0]);
    const auto stream = HostDevice().stream();
    const std::string message = plans[0]->Check(*module, *stream, {0, 0, 50, 50});
    EXPECT_NE(message.find("by up to 0.25 at pixel (4"), std::string::npos) << message;
    EXPECT_NE(message.find("GDAL fails and the device succeeds"), std::string::npos) << message;
    EXPECT_EQ(plans[0]->Check(*module, *stream, {0, 0, 30, 30}), "");
}

}  // namespace
}  // namespace gdalgpu
