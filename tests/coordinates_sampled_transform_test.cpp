// Pixel transforms sampled on the CPU: every transformer that GDAL has, within the threshold of its
// approximation.
#include <cmath>
#include <random>
#include <thread>

#include "coordinates_fixture.h"
#include "cpl_conv.h"
#include "cpl_error.h"
#include "plugin/coordinates/pixel_transform_plans.h"
#include "plugin/coordinates/transformer_description.h"
#include "tests/unfused_operation.h"

namespace gdalgpu {
namespace {

// The sampled plan of a transformer, which must be the last one.
std::unique_ptr<PixelTransform> SampledPlan(GDALTransformerFunc function, void* argument) {
    std::vector<std::string> reasons;
    auto plans = PlanPixelTransform(function, argument, reasons);
    EXPECT_FALSE(plans.empty());
    EXPECT_STREQ(plans.back()->path(), "sampled");
    return std::move(plans.back());
}

// The largest |dx| + |dy|; fails the test where success differs or nothing succeeds. NaN counts as
// failure.
double LargestSum(const Positions& found, const Positions& expected) {
    double largest = 0;
    size_t differing = 0, valid = 0;
    for (size_t i = 0; i < found.success.size(); ++i) {
        const bool ok =
            expected.success[i] && std::isfinite(expected.x[i]) && std::isfinite(expected.y[i]);
        if (ok != (found.success[i] != 0)) {
            ++differing;
            continue;
        }
        if (!ok) continue;
        ++valid;
        largest = std::max(
            largest, std::fabs(found.x[i] - expected.x[i]) + std::fabs(found.y[i] - expected.y[i]));
    }
    EXPECT_EQ(differing, 0u) << "pixels with differing success, of " << found.success.size();
    EXPECT_GT(valid, 0u);
    return largest;
}

size_t BytesOf(const PixelTransform& plan, const PixelWindow& window) {
    const auto stream = HostDevice().stream();
    size_t bytes = 0;
    for (const auto& memory : plan.Bind(*stream, window).memory) bytes += memory->size();
    return bytes;
}

// At each pixel, and on a grid; the whole of the window compared pixel by pixel.
void ExpectGdalsPositions(GDALDataset& source, GDALDataset& destination,
                          const CPLStringList& options, const PixelWindow& window) {
    const Transformer exact(source, &destination, options),
        approximate(source, &destination, options, 0.125);
    ASSERT_NE(exact.exact, nullptr) << CPLGetLastErrorMsg();
    const Positions expected = ByGdal(exact.function(), exact.argument(), window);
    const auto each = SampledPlan(exact.function(), exact.argument());
    const auto each_module = Compile(*each);
    EXPECT_LE(LargestSum(ByDevice(*each, *each_module, window), expected), 1e-9);
    const auto grid = SampledPlan(approximate.function(), approximate.argument());
    const auto grid_module = Compile(*grid);
    EXPECT_LE(LargestSum(ByDevice(*grid, *grid_module, window), expected), 0.125);
    const auto stream = HostDevice().stream();
    EXPECT_EQ(each->Check(*each_module, *stream, window), "");
    EXPECT_EQ(grid->Check(*grid_module, *stream, window), "");
}

std::vector<GDAL_GCP> MakeGcps(std::vector<std::string>& names, double bend) {
    std::vector<GDAL_GCP> result;
    for (int j = 0; j < 5; ++j) {
        for (int i = 0; i < 5; ++i) {
            const double x = i * 100, y = j * 80;
            GDAL_GCP gcp{};
            gcp.pszId = const_cast<char*>("");
            gcp.pszInfo = const_cast<char*>("");
            gcp.dfGCPPixel = x;
            gcp.dfGCPLine = y;
            gcp.dfGCPX = 500000 + 10 * x + bend * std::sin(y / 60) + 1e-3 * bend * x;
            gcp.dfGCPY = 5000000 - 10 * y + bend * std::cos(x / 70);
            result.push_back(gcp);
        }
    }
    names.clear();
    return result;
}

class SampledGcps : public testing::Test {
  protected:
    void SetUp() override {
        std::vector<std::string> names;
        const std::vector<GDAL_GCP> gcps = MakeGcps(names, 60);
        source_ = MakeRaster(400, 320, nullptr, "");
        OGRSpatialReference utm;
        utm.importFromEPSG(32633);
        source_->SetGCPs(static_cast<int>(gcps.size()), gcps.data(), &utm);
        const GeoTransform to{1665000, 15, 0, 5625000, 0, -15};
        destination_ = MakeRaster(380, 330, &to, "EPSG:3857");
    }
    GDALDatasetUniquePtr source_, destination_;
    const PixelWindow window_{0, 0, 380, 330};
};

TEST_F(SampledGcps, polynomial_of_each_order) {
    for (const char* order : {"1", "2", "3"}) {
        SCOPED_TRACE(order);
        CPLStringList options;
        options.SetNameValue("METHOD", "GCP_POLYNOMIAL");
        options.SetNameValue("MAX_GCP_ORDER", order);
        ExpectGdalsPositions(*source_, *destination_, options, window_);
    }
}

TEST_F(SampledGcps, thin_plate_spline) {
    CPLStringList options;
    options.SetNameValue("METHOD", "GCP_TPS");
    ExpectGdalsPositions(*source_, *destination_, options, window_);
}

TEST_F(SampledGcps, reasons_say_what_is_not_fused) {
    const Transformer transformer(*source_, destination_.get());
    std::vector<std::string> reasons;
    EXPECT_EQ(PlanPixelTransform(transformer.function(), transformer.argument(), reasons).size(),
              1u);
    ASSERT_EQ(reasons.size(), 1u);
    EXPECT_EQ(reasons[0], "SrcGCPTransformer is not fused");
}

TEST_F(SampledGcps, uses_the_grid_where_the_transformer_is_smooth) {
    const Transformer exact(*source_, destination_.get()),
        approximate(*source_, destination_.get(), {}, 0.125);
    const size_t each = BytesOf(*SampledPlan(exact.function(), exact.argument()), window_);
    EXPECT_EQ(each, size_t{380} * 330 * 16);
    EXPECT_LT(BytesOf(*SampledPlan(approximate.function(), approximate.argument()), window_),
              each / 10);
}

void SetRpc(GDALDataset& source) {
    const char* const values[][2] = {
        {"LINE_OFF", "160"},
        {"SAMP_OFF", "200"},
        {"LAT_OFF", "45.14"},
        {"LONG_OFF", "15.03"},
        {"HEIGHT_OFF", "300"},
        {"LINE_SCALE", "160"},
        {"SAMP_SCALE", "200"},
        {"LAT_SCALE", "0.02"},
        {"LONG_SCALE", "0.03"},
        {"HEIGHT_SCALE", "500"},
        {"LINE_NUM_COEFF",
         "0.001 0.02 -1.01 0.05 0.002 0.001 0.0003 0.004 -0.003 0 0 0 0 0 0 0 0 0 0 0"},
        {"LINE_DEN_COEFF", "1 0.001 0.002 0.001 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"},
        {"SAMP_NUM_COEFF",
         "0.002 1.02 0.03 -0.04 0.001 0.002 0.0005 -0.003 0.004 0 0 0 0 0 0 0 0 0 0 0"},
        {"SAMP_DEN_COEFF", "1 0.002 0.001 0.001 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"}};
    CPLStringList metadata;
    for (const auto& [key, value] : values) metadata.SetNameValue(key, value);
    source.SetMetadata(metadata.List(), "RPC");
}

TEST(SampledRpc, at_one_height) {
    const auto source = MakeRaster(400, 320, nullptr, "");
    SetRpc(*source);
    const GeoTransform to{15.0, 0.00015, 0, 45.16, 0, -0.000125};
    const auto destination = MakeRaster(400, 320, &to, "EPSG:4326");
    ExpectGdalsPositions(*source, *destination, {}, {0, 0, 400, 320});
}

TEST(SampledRpc, on_an_elevation_model) {
    const char* name = "/vsimem/sampled_rpc_dem.tif";
    const GeoTransform dem{14.95, 0.001, 0, 45.2, 0, -0.001};
    {
        GDALAllRegister();
        GDALDatasetUniquePtr file(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
            name, 160, 120, 1, GDT_Float32, nullptr));
        GeoTransform copy = dem;
        file->SetGeoTransform(copy.data());
        OGRSpatialReference degrees;
        degrees.SetFromUserInput("EPSG:4326");
        file->SetSpatialRef(&degrees);
        std::mt19937 random(7);
        std::uniform_real_distribution<float> height(200, 400);
        std::vector<float> heights(size_t{160} * 120);
        for (float& value : heights) value = height(random);
        ASSERT_EQ(file->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, 160, 120, heights.data(), 160,
                                                   120, GDT_Float32, 0, 0, nullptr),
                  CE_None);
    }
    const auto source = MakeRaster(400, 320, nullptr, "");
    SetRpc(*source);
    const GeoTransform to{15.0, 0.00015, 0, 45.16, 0, -0.000125};
    const auto destination = MakeRaster(400, 320, &to, "EPSG:4326");
    CPLStringList options;
    options.SetNameValue("RPC_DEM", name);
    ExpectGdalsPositions(*source, *destination, options, {0, 0, 400, 320});
    VSIUnlink(name);
}

TEST(SampledGeolocation, array_of_longitudes_and_latitudes) {
    const char* names[] = {"/vsimem/sampled_longitudes.tif", "/vsimem/sampled_latitudes.tif"};
    GDALAllRegister();
    for (int which = 0; which < 2; ++which) {
        GDALDatasetUniquePtr file(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
            names[which], 60, 50, 1, GDT_Float64, nullptr));
        std::vector<double> values;
        for (int j = 0; j < 50; ++j)
            for (int i = 0; i < 60; ++i)
                values.push_back(which == 0 ? 10 + 0.01 * i + 0.001 * j + 0.002 * std::sin(j / 9.0)
                                            : 50 - 0.01 * j + 0.0012 * i);
        ASSERT_EQ(file->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, 60, 50, values.data(), 60, 50,
                                                   GDT_Float64, 0, 0, nullptr),
                  CE_None);
    }
    const auto source = MakeRaster(60, 50, nullptr, "");
    CPLStringList metadata;
    metadata.SetNameValue("X_DATASET", names[0]);
    metadata.SetNameValue("X_BAND", "1");
    metadata.SetNameValue("Y_DATASET", names[1]);
    metadata.SetNameValue("Y_BAND", "1");
    metadata.SetNameValue("PIXEL_OFFSET", "0");
    metadata.SetNameValue("LINE_OFFSET", "0");
    metadata.SetNameValue("PIXEL_STEP", "1");
    metadata.SetNameValue("LINE_STEP", "1");
    metadata.SetNameValue("SRS", SRS_WKT_WGS84_LAT_LONG);
    source->SetMetadata(metadata.List(), "GEOLOCATION");
    const GeoTransform to{10.0, 0.004, 0, 50.05, 0, -0.004};
    const auto destination = MakeRaster(170, 150, &to, "EPSG:4326");
    ExpectGdalsPositions(*source, *destination, {}, {0, 0, 170, 150});
    for (const char* name : names) VSIUnlink(name);
}

class SampledRobinson : public testing::Test {
  protected:
    // The whole world: beyond its outline the transformer fails, and the source has a seam at the
    // antimeridian.
    void SetUp() override {
        const GeoTransform from{-180, 0.5, 0, 90, 0, -0.5},
            to{-18000000, 50000, 0, 9500000, 0, -50000};
        source_ = MakeRaster(720, 360, &from, "EPSG:4326");
        destination_ =
            MakeRaster(720, 380, &to, "+proj=robin +lon_0=30 +datum=WGS84 +units=m +no_defs");
    }
    GDALDatasetUniquePtr source_, destination_;
    const PixelWindow window_{0, 0, 720, 380};
};

TEST_F(SampledRobinson, the_world_with_its_outline_and_seam) {
    ExpectGdalsPositions(*source_, *destination_, {}, window_);
}

TEST(SampledWorld, projections_with_outlines_seams_and_cuts) {
    const GeoTransform from{-180, 0.25, 0, 90, 0, -0.25};
    const auto source = MakeRaster(1440, 720, &from, "EPSG:4326");
    const struct {
        const char* projection;
        double west, north, pixel;
        int width, height;
    } worlds[] = {
        {"+proj=igh +datum=WGS84", -20100000, 10100000, 60100, 670, 336},
        {"+proj=ortho +lat_0=40 +lon_0=-100 +R=6371000", -6500000, 6500000, 20300, 640, 640},
        {"+proj=moll +lon_0=-70 +datum=WGS84", -18100000, 9100000, 51000, 711, 357},
        {"+proj=aeqd +lat_0=90 +datum=WGS84", -10000000, 10000000, 40000, 500, 500},
        {"+proj=healpix +datum=WGS84", -20100000, 10100000, 60100, 670, 336},
        {"+proj=gnom +lat_0=-20 +lon_0=170 +R=6371000", -9000000, 9000000, 37000, 487, 487}};
    for (const auto& world : worlds) {
        SCOPED_TRACE(world.projection);
        const GeoTransform to{world.west, world.pixel, 0, world.north, 0, -world.pixel};
        const auto destination = MakeRaster(world.width, world.height, &to, world.projection);
        ExpectGdalsPositions(*source, *destination, {}, {0, 0, world.width, world.height});
    }
}

TEST(SampledOperation, is_one_that_is_not_fused_and_says_why) {
    const GeoTransform from{400000, 60, 0, 5400000, 0, -60}, to{1200000, 65, 0, 5190000, 0, -65};
    const auto source = MakeRaster(700, 500, &from, "EPSG:32633");
    const auto destination = MakeRaster(640, 480, &to, "+proj=robin +datum=WGS84");
    const UnfusedOperation unfused("+proj=robin +ellps=WGS84");
    CPLStringList options;
    options.SetNameValue("COORDINATE_OPERATION", unfused.pipeline().c_str());
    ExpectGdalsPositions(*source, *destination, options, {0, 0, 640, 480});
    const Transformer transformer(*source, destination.get(), options);
    std::vector<std::string> reasons;
    EXPECT_EQ(PlanPixelTransform(transformer.function(), transformer.argument(), reasons).size(),
              1u);
    ASSERT_EQ(reasons.size(), 1u);
    EXPECT_NE(reasons[0].find("tinshift"), std::string::npos) << reasons[0];
}

TEST_F(SampledRobinson, does_not_depend_on_how_the_window_is_cut) {
    const Transformer transformer(*source_, destination_.get(), {}, 0.125);
    const auto plan = SampledPlan(transformer.function(), transformer.argument());
    const auto module = Compile(*plan);
    const Positions whole = ByDevice(*plan, *module, window_);
    size_t compared = 0;
    for (const PixelWindow& window : {PixelWindow{0, 0, 720, 1},
                                      {0, 0, 1, 380},
                                      {13, 7, 100, 90},
                                      {333, 111, 387, 269},
                                      {650, 20, 64, 64}}) {
        const Positions part = ByDevice(*plan, *module, window);
        for (int64_t j = 0; j < window.height; ++j) {
            for (int64_t i = 0; i < window.width; ++i) {
                const size_t in_part = j * window.width + i,
                             in_whole = (window.y + j) * 720 + window.x + i;
                ASSERT_EQ(part.success[in_part], whole.success[in_whole])
                    << window.x + i << ", " << window.y + j;
                if (!part.success[in_part]) continue;
                ASSERT_EQ(part.x[in_part], whole.x[in_whole])
                    << window.x + i << ", " << window.y + j;
                ASSERT_EQ(part.y[in_part], whole.y[in_whole])
                    << window.x + i << ", " << window.y + j;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 10000u);
}

TEST_F(SampledRobinson, serves_several_threads_at_once) {
    const Transformer transformer(*source_, destination_.get(), {}, 0.125);
    const auto plan = SampledPlan(transformer.function(), transformer.argument());
    const auto module = Compile(*plan);
    const Positions alone = ByDevice(*plan, *module, window_);
    std::vector<Positions> results(4);
    std::vector<std::thread> threads;
    threads.reserve(results.size());
    for (Positions& result : results)
        threads.emplace_back([&] { result = ByDevice(*plan, *module, window_); });
    for (std::thread& thread : threads) thread.join();
    for (const Positions& result : results) {
        EXPECT_EQ(result.success, alone.success);
        EXPECT_EQ(LargestSum(result, alone), 0.0);
    }
}

TEST(SampledUnknown, calls_a_function_that_cannot_be_serialized) {
    struct Wave {
        double height = 3;
    } wave;
    const GDALTransformerFunc function = [](void* argument, int, int count, double* x, double* y,
                                            double*, int* success) {
        for (int i = 0; i < count; ++i) {
            success[i] = x[i] < 90;
            x[i] += static_cast<Wave*>(argument)->height * std::sin(y[i] / 20);
        }
        return 1;
    };
    std::vector<std::string> reasons;
    const auto plans = PlanPixelTransform(function, &wave, reasons);
    ASSERT_EQ(plans.size(), 1u);
    ASSERT_EQ(reasons.size(), 1u);
    EXPECT_EQ(reasons[0], "the transformer can't be serialized");
    const PixelWindow window{0, 0, 100, 70};
    const auto module = Compile(*plans[0]);
    EXPECT_EQ(LargestSum(ByDevice(*plans[0], *module, window), ByGdal(function, &wave, window)),
              0.0);
}

TEST(SampledUnknown, finds_an_end_of_the_domain_between_its_points_of_comparison) {
    // Fails above a parabola, whose tip reaches a pixel's width into a block, between two nodes on
    // the block's edge.
    const GDALTransformerFunc function = [](void*, int, int count, double* x, double* y, double*,
                                            int* success) {
        for (int i = 0; i < count; ++i) success[i] = y[i] > 33 - 0.3 * (x[i] - 34) * (x[i] - 34);
        return 1;
    };
    int nothing = 0;
    void* approximate = GDALCreateApproxTransformer(function, &nothing, 0.125);
    const PixelWindow window{0, 0, 96, 96};
    const auto plan = SampledPlan(GDALApproxTransform, approximate);
    const auto module = Compile(*plan);
    EXPECT_LT(BytesOf(*plan, window), size_t{96} * 96 * 16);
    EXPECT_LE(LargestSum(ByDevice(*plan, *module, window), ByGdal(function, &nothing, window)),
              0.125);
    GDALDestroyApproxTransformer(approximate);
}

TEST(SampledUnknown, keeps_an_axis_mapping_that_the_xml_does_not_say) {
    const GeoTransform from{50, -0.01, 0, 10, 0, 0.01}, to{1100000, 1000, 0, 6400000, 0, -1000};
    const auto source = MakeRaster(300, 300, &from, ""),
               destination = MakeRaster(200, 200, &to, "EPSG:3857");
    OGRSpatialReference latitude_first;
    latitude_first.SetFromUserInput("EPSG:4326");
    latitude_first.SetAxisMappingStrategy(OAMS_AUTHORITY_COMPLIANT);
    source->SetSpatialRef(&latitude_first);
    const PixelWindow window{0, 0, 200, 200};
    const Transformer exact(*source, destination.get()),
        approximate(*source, destination.get(), {}, 0.125);
    const Positions expected = ByGdal(exact.function(), exact.argument(), window);
    const auto plan = SampledPlan(approximate.function(), approximate.argument());
    const auto module = Compile(*plan);
    EXPECT_LE(LargestSum(ByDevice(*plan, *module, window), expected), 0.125);
    std::vector<std::string> reasons;
    const auto plans = PlanPixelTransform(exact.function(), exact.argument(), reasons, &window);
    ASSERT_EQ(plans.size(), 2u);
    const auto tiled = Compile(*plans[0]);
    EXPECT_LE(LargestError(ByDevice(*plans[0], *tiled, window), expected), 1e-7);
    // A fused plan follows the XML, so the check must find it out.
    const CPLXMLTreeCloser tree = SerializeTransformer(exact.function(), exact.argument());
    const TransformerDescription description = DescribeTransformer(*tree);
    const auto fused = MakeFusedPixelTransform(
        FusedChain(description, true, nullptr),
        std::make_shared<ExactTransformer>(exact.function(), exact.argument(), tree.get(),
                                           description, CheckedPixels(window)),
        nullptr, PixelPoints::Centres);
    EXPECT_NE(fused->Check(*Compile(*fused), *HostDevice().stream(), window), "");
}

TEST(SampledUnknown, geotransform_that_is_not_finite) {
    const GeoTransform from{0, 1, 0, 0, 0, 1}, to{NAN, 1, 0, 0, 0, 1};
    const auto source = MakeRaster(10, 10, &from, ""), destination = MakeRaster(10, 10, &to, "");
    const Transformer transformer(*source, destination.get());
    ASSERT_NE(transformer.exact, nullptr);
    std::vector<std::string> reasons;
    const auto plans = PlanPixelTransform(transformer.function(), transformer.argument(), reasons);
    ASSERT_EQ(plans.size(), 1u);
    EXPECT_STREQ(plans[0]->path(), "sampled");
    EXPECT_NE(reasons[0].find("isn't finite"), std::string::npos) << reasons[0];
    const auto module = Compile(*plans[0]);
    for (const int success : ByDevice(*plans[0], *module, {0, 0, 10, 10}).success)
        EXPECT_EQ(success, 0);
}

TEST(SampledUnknown, no_transformer_at_all) {
    std::vector<std::string> reasons;
    EXPECT_TRUE(PlanPixelTransform(nullptr, nullptr, reasons).empty());
    EXPECT_EQ(reasons.size(), 1u);
}

}  // namespace
}  // namespace gdalgpu
