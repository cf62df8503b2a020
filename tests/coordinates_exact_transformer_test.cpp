#include <atomic>

#include "coordinates_fixture.h"
#include "cpl_conv.h"
#include "plugin/coordinates/exact_transformer.h"

namespace gdalgpu {
namespace {

class ExactTransformerOfWorld : public testing::Test {
  protected:
    void SetUp() override {
        const GeoTransform from{-180, 1, 0, 90, 0, -1}, to{-6000000, 20000, 0, 6000000, 0, -20000};
        source_ = MakeRaster(360, 180, &from, "EPSG:4326");
        destination_ = MakeRaster(600, 600, &to, "EPSG:3031");
    }

    Positions Exactly(const Transformer& transformer, const CPLXMLNode& tree) {
        ExactTransformer exact(transformer.function(), transformer.argument(), &tree,
                               DescribeTransformer(tree));
        Positions result;
        result.x.resize(360000);
        result.y.resize(360000);
        exact.Run(600, [&](ExactTransformer::Lease& lease, int64_t row) {
            double* x = &result.x[row * 600];
            double* y = &result.y[row * 600];
            for (int i = 0; i < 600; ++i) {
                x[i] = i + 0.5;
                y[i] = static_cast<double>(row) + 0.5;
            }
            lease.ToSource(600, x, y);
        });
        for (const double x : result.x) result.success.push_back(!std::isnan(x));
        return result;
    }

    GDALDatasetUniquePtr source_, destination_;
};

TEST_F(ExactTransformerOfWorld, leaves_out_the_approximation) {
    const Transformer exact(*source_, destination_.get()),
        approximate(*source_, destination_.get(), {}, 100);
    const PixelWindow window{0, 0, 600, 600};
    const Positions expected = ByGdal(GDALGenImgProjTransform, exact.exact, window);
    EXPECT_GT(
        LargestError(ByGdal(approximate.function(), approximate.argument(), window), expected), 1);
    const CPLXMLTreeCloser tree =
        SerializeTransformer(approximate.function(), approximate.argument());
    EXPECT_LE(LargestError(Exactly(approximate, *tree), expected), 1e-9);
}

TEST_F(ExactTransformerOfWorld, asks_gdal_where_the_transformer_is_on_the_device) {
    const Transformer transformer(*source_, destination_.get());
    const CPLXMLTreeCloser tree =
        SerializeTransformer(transformer.function(), transformer.argument());
    CPLFree(tree->pszValue);
    tree->pszValue = CPLStrdup("GPUGenImgProjTransformer");
    const Positions expected = ByGdal(GDALGenImgProjTransform, transformer.exact, {0, 0, 600, 600});
    static std::atomic<int> calls;
    calls = 0;
    const GDALTransformerFunc counted = [](void* argument, int to_source, int count, double* x,
                                           double* y, double* z, int* success) {
        ++calls;
        return GDALGenImgProjTransform(argument, to_source, count, x, y, z, success);
    };
    ExactTransformer exact(counted, transformer.exact, tree.get(), DescribeTransformer(*tree));
    exact.Run(1, [&](ExactTransformer::Lease& lease, int64_t) {
        double x = 300.5, y = 200.5;
        lease.ToSource(1, &x, &y);
        EXPECT_NEAR(x, expected.x[200 * 600 + 300], 1e-9);
        EXPECT_NEAR(y, expected.y[200 * 600 + 300], 1e-9);
    });
    EXPECT_EQ(calls, 0);
}

TEST_F(ExactTransformerOfWorld, passes_on_an_exception) {
    const Transformer transformer(*source_, destination_.get());
    const CPLXMLTreeCloser tree =
        SerializeTransformer(transformer.function(), transformer.argument());
    ExactTransformer exact(transformer.function(), transformer.argument(), tree.get(),
                           DescribeTransformer(*tree));
    EXPECT_THROW(exact.Run(100,
                           [&](ExactTransformer::Lease&, int64_t i) {
                               if (i == 50) throw std::bad_alloc();
                           }),
                 std::bad_alloc);
    EXPECT_EQ(Exactly(transformer, *tree).x.size(), 360000u);
}

}  // namespace
}  // namespace gdalgpu
