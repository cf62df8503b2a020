// Hillshade and slope beside GDALDEMProcessing, the judge; on the CPU over all options, types,
// sizes and kinds of nodata, and on HOST (a kernel for each variant and type) bit for bit as the
// CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <random>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "gdal_priv.h"
#include "gdal_utils.h"
#include "plugin/gdal_rules.h"
#include "plugin/raster/algorithm.h"
#include "tests/raster_device.h"

namespace gdalgpu {
namespace {

using testing::HasSubstr;
using Arguments = std::vector<std::pair<std::string, std::string>>;

struct Variant {
    const char* algorithm;
    std::vector<const char*> gdaldem;
    Arguments arguments;
};

const std::vector<Variant>& Variants() {
    static const std::vector<Variant> variants = {
        {"hillshade", {}, {}},
        {"hillshade",
         {"-az", "40", "-alt", "12", "-z", "3", "-s", "2"},
         {{"azimuth", "40"}, {"altitude", "12"}, {"z", "3"}, {"scale", "2"}}},
        {"hillshade", {"-alg", "ZevenbergenThorne"}, {{"alg", "zevenbergenthorne"}}},
        {"hillshade", {"-combined", "-z", "2"}, {{"combined", ""}, {"z", "2"}}},
        {"hillshade",
         {"-combined", "-alg", "ZevenbergenThorne"},
         {{"combined", "YES"}, {"alg", "ZevenbergenThorne"}}},
        {"hillshade", {"-igor", "-az", "200"}, {{"igor", ""}, {"azimuth", "200"}}},
        {"hillshade",
         {"-igor", "-alg", "ZevenbergenThorne"},
         {{"igor", ""}, {"alg", "ZevenbergenThorne"}}},
        {"hillshade",
         {"-multidirectional", "-alt", "30"},
         {{"multidirectional", ""}, {"altitude", "30"}}},
        {"hillshade",
         {"-multidirectional", "-alg", "ZevenbergenThorne"},
         {{"multidirectional", ""}, {"alg", "ZevenbergenThorne"}}},
        {"slope", {}, {}},
        {"slope", {"-p", "-s", "4"}, {{"format", "percent"}, {"scale", "4"}}},
        {"slope", {"-alg", "ZevenbergenThorne"}, {{"alg", "ZevenbergenThorne"}}},
        {"slope",
         {"-p", "-alg", "ZevenbergenThorne"},
         {{"format", "PERCENT"}, {"alg", "ZevenbergenThorne"}}},
    };
    return variants;
}

enum class Pixels { Square, Oblong, None };

struct Dem {
    GDALDataType type = GDT_Float32;
    int width = 37;
    int height = 29;
    Pixels pixels = Pixels::Square;
    std::optional<double> nodata;
    double hole = 0;  // the value of about one pixel in 25, where holes is true
    bool holes = false;
};

// Hills, noise, a plain and a cliff.
GDALDatasetUniquePtr MakeDem(const Dem& dem) {
    auto* driver = GetGDALDriverManager()->GetDriverByName("MEM");
    GDALDatasetUniquePtr dataset(driver->Create("", dem.width, dem.height, 1, dem.type, nullptr));
    double square[6] = {1000, 30, 0, 5000, 0, -30};
    double oblong[6] = {1000, 10, 0, 5000, 0, -20};
    if (dem.pixels != Pixels::None)
        dataset->SetGeoTransform(dem.pixels == Pixels::Square ? square : oblong);
    const double base = dem.type == GDT_Byte ? 128 : dem.type == GDT_Int16 ? -100 : 500;
    const double height = GDALGetDataTypeSizeBytes(dem.type) == 1 ? 40 : 300;
    std::mt19937 random(17);
    std::uniform_real_distribution<double> noise(-4, 4);
    std::vector<double> values;
    for (int y = 0; y < dem.height; ++y)
        for (int x = 0; x < dem.width; ++x) {
            double value = base + height * std::sin(x / 7.0) * std::cos(y / 5.0) + noise(random);
            if (x % 20 >= 12) value = base + (x % 20 >= 16 ? 10 : 0);
            if (dem.holes && random() % 25 == 0) value = dem.hole;
            values.push_back(value);
        }
    EXPECT_EQ(
        dataset->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, dem.width, dem.height, values.data(),
                                            dem.width, dem.height, GDT_Float64, 0, 0, nullptr),
        CE_None);
    if (dem.nodata) dataset->GetRasterBand(1)->SetNoDataValue(*dem.nodata);
    return dataset;
}

std::vector<float> ReadAll(GDALDataset& dataset) {
    const int width = dataset.GetRasterXSize();
    const int height = dataset.GetRasterYSize();
    std::vector<float> values(static_cast<size_t>(width) * height);
    EXPECT_EQ(dataset.GetRasterBand(1)->RasterIO(GF_Read, 0, 0, width, height, values.data(), width,
                                                 height, GDT_Float32, 0, 0, nullptr),
              CE_None);
    return values;
}

std::vector<float> Judge(GDALDataset& dem, const Variant& variant, bool compute_edges) {
    CPLStringList arguments;
    arguments.AddString("-of");
    arguments.AddString("MEM");
    for (const char* argument : variant.gdaldem) arguments.AddString(argument);
    if (compute_edges) arguments.AddString("-compute_edges");
    GDALDEMProcessingOptions* options = GDALDEMProcessingOptionsNew(arguments.List(), nullptr);
    int usage_error = FALSE;
    GDALDatasetUniquePtr result(GDALDataset::FromHandle(GDALDEMProcessing(
        "", GDALDataset::ToHandle(&dem), variant.algorithm, nullptr, options, &usage_error)));
    GDALDEMProcessingOptionsFree(options);
    EXPECT_TRUE(result);
    return ReadAll(*result);
}

std::unique_ptr<WindowOperation> MakeOperation(GDALDataset& dem, const Variant& variant,
                                               bool compute_edges) {
    const Algorithm& algorithm = FindAlgorithm(variant.algorithm);
    Arguments arguments = variant.arguments;
    if (compute_edges) arguments.emplace_back("compute_edges", "");
    const SourceBand source = DescribeBand(dem, 1);
    return algorithm.make(ParseArguments(algorithm, arguments), source);
}

struct Result {
    std::vector<unsigned char> bytes;
    std::string device;
    std::string reason;

    std::vector<float> values(GDALDataType type) const {
        std::vector<float> floats(bytes.size() / GDALGetDataTypeSizeBytes(type));
        GDALCopyWords64(bytes.data(), type, GDALGetDataTypeSizeBytes(type), floats.data(),
                        GDT_Float32, 4, static_cast<GPtrDiff_t>(floats.size()));
        return floats;
    }
};

Result Compute(const WindowOperation& operation, GDALDataset& dem, const RasterWindow& window) {
    Result result;
    result.bytes.resize(static_cast<size_t>(window.width) * window.height *
                        GDALGetDataTypeSizeBytes(operation.output_type));
    Report report("algorithm", "test");
    ComputeWindow(operation, *dem.GetRasterBand(1), window, result.bytes.data(), report);
    result.device = report.device;
    result.reason = report.reason;
    return result;
}

Result ComputeAll(const WindowOperation& operation, GDALDataset& dem) {
    return Compute(operation, dem, {0, 0, dem.GetRasterXSize(), dem.GetRasterYSize()});
}

// Nodata in the same places; Byte equal or one apart, floats within 1e-5 of their size.
void ExpectAsJudged(const std::vector<float>& ours, const std::vector<float>& judged,
                    const WindowOperation& operation, const std::string& what) {
    ASSERT_EQ(ours.size(), judged.size());
    const float nodata = static_cast<float>(*operation.output_nodata);
    // Igor's darkest grey is 0 too, where one apart makes nodata of it; nowhere else.
    const bool zero_is_grey = operation.kernel.find("Igor") != std::string::npos;
    int wrong = 0;
    size_t first = 0;
    for (size_t i = 0; i < ours.size(); ++i) {
        const float a = ours[i];
        const float b = judged[i];
        const bool same_nodata = zero_is_grey || (a == nodata) == (b == nodata);
        const bool close =
            operation.output_type == GDT_Byte
                ? std::fabs(a - b) <= 1
                : std::fabs(a - b) <= 1e-5f * std::fabs(b) || (std::isnan(a) && std::isnan(b));
        if (!(same_nodata && close) && wrong++ == 0) first = i;
    }
    EXPECT_EQ(wrong, 0) << what << ": pixel " << first << " is " << ours[first] << ", not "
                        << judged[first];
}

// HOST: bit for bit. CUDA: Byte equal or one apart, floats but for the last bits.
void ExpectAsOnTheCpu(const Result& result, const Result& cpu, const WindowOperation& operation,
                      const std::string& what) {
    const std::vector<float> a = result.values(operation.output_type);
    const std::vector<float> b = cpu.values(operation.output_type);
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) {
        const bool close = AsOnTheCpu(a[i], b[i], 1e-6) ||
                           (TestDevice() == "CUDA" && operation.output_type == GDT_Byte &&
                            std::fabs(a[i] - b[i]) <= 1);
        ASSERT_TRUE(close) << what << ": pixel " << i << " is " << a[i] << ", not " << b[i];
    }
}

std::string Describe(const Variant& variant, const Dem& dem, bool compute_edges) {
    std::string text = variant.algorithm;
    for (const auto& [key, value] : variant.arguments)
        text.append(",").append(key).append("=").append(value);
    text += std::string(" ") + GDALGetDataTypeName(dem.type) + " " + std::to_string(dem.width) +
            "x" + std::to_string(dem.height);
    if (dem.nodata) text += " nodata " + std::to_string(*dem.nodata);
    return text + (compute_edges ? " compute_edges" : "");
}

class Terrain : public testing::Test {
  protected:
    void SetUp() override {
        GDALAllRegister();
        use("NONE");
    }
    void TearDown() override {
        for (const char* option : {"GDAL_GPU_DEVICE", "GDAL_GPU_MEMORY_LIMIT", "GDAL_GPU_FAULT"})
            CPLSetConfigOption(option, nullptr);
    }
    static void use(const std::string& device) {
        CPLSetConfigOption("GDAL_GPU_DEVICE", device.c_str());
    }

    static void compare(const Variant& variant, const Dem& dem) {
        const GDALDatasetUniquePtr dataset = MakeDem(dem);
        for (bool compute_edges : {false, true}) {
            const auto operation = MakeOperation(*dataset, variant, compute_edges);
            const Result ours = ComputeAll(*operation, *dataset);
            EXPECT_EQ(ours.device, "GDAL");
            ExpectAsJudged(ours.values(operation->output_type),
                           Judge(*dataset, variant, compute_edges), *operation,
                           Describe(variant, dem, compute_edges));
        }
    }
};

TEST_F(Terrain, EqualsGdaldemForEveryOptionAndPixelType) {
    for (const Variant& variant : Variants())
        for (GDALDataType type : RealTypes())
            for (Pixels pixels : {Pixels::Square, Pixels::Oblong, Pixels::None}) {
                Dem dem;
                dem.type = type;
                dem.pixels = pixels;
                compare(variant, dem);
            }
}

TEST_F(Terrain, EqualsGdaldemAtEverySize) {
    const int sizes[][2] = {{1, 1}, {1, 5}, {5, 1}, {1, 2}, {2, 1},
                            {2, 2}, {2, 5}, {5, 2}, {3, 3}, {4, 3}};
    for (const Variant& variant : Variants())
        for (GDALDataType type : {GDT_Int16, GDT_Float32})
            for (const auto& size : sizes) {
                Dem dem;
                dem.type = type;
                dem.width = size[0];
                dem.height = size[1];
                compare(variant, dem);
            }
}

TEST_F(Terrain, EqualsGdaldemAroundNodata) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    struct Case {
        GDALDataType type;
        double nodata;
        double hole;
    };
    const Case cases[] = {
        {GDT_Byte, 0, 0},
        {GDT_Byte, 300, 255},  // 300: no Byte, so no nodata at all
        {GDT_Byte, 7.004, 7},
        {GDT_Byte, 7.4, 7},  // gdaldem takes a hundredth for rounding
        {GDT_Int16, -32768, -32768},
        {GDT_Int16, -99, -99},  // extrapolation meets -99 by accident
        {GDT_UInt16, 65535, 65535},
        {GDT_Int32, -9999, -9999},
        {GDT_Float32, -9999, -9999},
        {GDT_Float32, -9999, -9999.002},  // equal within two epsilons
        {GDT_Float32, nan, nan},
        {GDT_Float64, nan, nan},
        {GDT_Float64, -1.7976931348623157e308, -1.7976931348623157e308},
        {GDT_Float32, -3.4028234663852886e38, -3.4028234663852886e38},
        {GDT_Float32, 0.1, 0.1},
        {GDT_Float32, 0, 1e-40},
        {GDT_Float32, -3.4028234663852886e38, -1e33},  // their sum overflows, so it's nodata
        {GDT_Float32, -9999, -9998.9951},
        {GDT_Float32, -9999, -9999.0049},
        {GDT_Float32, 500, 500.0001},
    };
    for (const Variant& variant : Variants())
        for (const Case& c : cases) {
            const bool near = c.type == GDT_Float32 && c.hole != c.nodata && c.hole == c.hole;
            if (near && LoadedGdalRules().dem_near_nodata_depends_on_rows) continue;
            Dem dem;
            dem.type = c.type;
            dem.nodata = c.nodata;
            dem.hole = c.hole;
            dem.holes = true;
            compare(variant, dem);
        }
}

// Extrapolated beyond the west border, a ramp meets the nodata value; it isn't nodata there.
TEST_F(Terrain, ExtrapolationToTheNodataValueEqualsGdaldem) {
    for (const Variant& variant : Variants())
        for (GDALDataType type : {GDT_Int16, GDT_Float32}) {
            Dem dem;
            dem.type = type;
            const GDALDatasetUniquePtr dataset = MakeDem(dem);
            std::vector<double> ramp;
            for (int y = 0; y < dem.height; ++y)
                for (int x = 0; x < dem.width; ++x) ramp.push_back(30.0 * x);
            GDALRasterBand& band = *dataset->GetRasterBand(1);
            ASSERT_EQ(band.RasterIO(GF_Write, 0, 0, dem.width, dem.height, ramp.data(), dem.width,
                                    dem.height, GDT_Float64, 0, 0, nullptr),
                      CE_None);
            band.SetNoDataValue(-30);
            const auto operation = MakeOperation(*dataset, variant, true);
            ExpectAsJudged(ComputeAll(*operation, *dataset).values(operation->output_type),
                           Judge(*dataset, variant, true), *operation,
                           Describe(variant, dem, true));
        }
}

TEST_F(Terrain, NanWithoutNodataSpreadsAsInGdaldem) {
    for (const Variant& variant : Variants()) {
        Dem dem;
        dem.hole = std::numeric_limits<double>::quiet_NaN();
        dem.holes = true;
        compare(variant, dem);
    }
}

// One kernel for each variant, and for each type of one hillshade and one slope.
TEST_F(Terrain, DeviceGivesTheValuesOfTheCpu) {
    std::vector<std::pair<const Variant*, Dem>> cases;
    for (const Variant& variant : Variants())
        for (GDALDataType type : RealTypes()) {
            const bool plain = variant.arguments.empty();
            const GDALDataType chosen =
                (&variant - Variants().data()) % 2 ? GDT_Int16 : GDT_Float32;
            if (!plain && type != chosen) continue;
            Dem dem;
            dem.type = type;
            dem.nodata = type == GDT_Byte ? 7 : 77;
            dem.hole = *dem.nodata;
            dem.holes = true;
            cases.emplace_back(&variant, dem);
        }
    for (const auto& [variant, dem] : cases) {
        const GDALDatasetUniquePtr dataset = MakeDem(dem);
        for (bool compute_edges : {false, true}) {
            const auto operation = MakeOperation(*dataset, *variant, compute_edges);
            use("NONE");
            const Result cpu = ComputeAll(*operation, *dataset);
            EXPECT_EQ(cpu.device, "GDAL");
            EXPECT_EQ(cpu.reason, "GDAL_GPU_DEVICE=NONE");
            use(TestDevice());
            const Result host = ComputeAll(*operation, *dataset);
            EXPECT_EQ(host.device, TestDevice()) << host.reason;
            ExpectAsOnTheCpu(host, cpu, *operation, Describe(*variant, dem, compute_edges));
        }
    }
}

TEST_F(Terrain, GivesTheSameBytesHoweverItIsCut) {
    Dem dem;
    dem.width = 211;
    dem.height = 157;
    dem.nodata = 77;
    dem.hole = 77;
    dem.holes = true;
    const GDALDatasetUniquePtr dataset = MakeDem(dem);
    for (const std::string& device : {std::string("NONE"), TestDevice()}) {
        for (const char* name : {"hillshade", "slope"}) {
            use(device);
            CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", nullptr);
            const Variant variant{name, {}, {}};
            const auto operation = MakeOperation(*dataset, variant, true);
            const Result whole = ComputeAll(*operation, *dataset);
            const size_t pixel = GDALGetDataTypeSizeBytes(operation->output_type);
            std::mt19937 random(5);
            for (int i = 0; i < 40; ++i) {
                RasterWindow window;
                window.x = static_cast<int>(random() % dem.width);
                window.y = static_cast<int>(random() % dem.height);
                window.width = 1 + static_cast<int>(random() % (dem.width - window.x));
                window.height = 1 + static_cast<int>(random() % (dem.height - window.y));
                const Result part = Compute(*operation, *dataset, window);
                for (size_t y = 0; y < static_cast<size_t>(window.height); ++y)
                    ASSERT_EQ(
                        std::memcmp(&part.bytes[y * window.width * pixel],
                                    &whole.bytes[((window.y + y) * dem.width + window.x) * pixel],
                                    window.width * pixel),
                        0);
            }
            CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", "140000");
            const Result pieces = ComputeAll(*operation, *dataset);
            EXPECT_EQ(pieces.bytes, whole.bytes);
            EXPECT_EQ(pieces.device, whole.device) << pieces.reason;
        }
    }
}

// Longer rows than the device's memory holds three of: cut in columns too.
TEST_F(Terrain, RowsThatDontFitTheDeviceAreCut) {
    Dem dem;
    dem.width = 40000;
    dem.height = 5;
    const GDALDatasetUniquePtr dataset = MakeDem(dem);
    const auto operation = MakeOperation(*dataset, {"hillshade", {}, {}}, true);
    const Result cpu = ComputeAll(*operation, *dataset);
    use(TestDevice());
    CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", "140000");
    const Result host = ComputeAll(*operation, *dataset);
    EXPECT_EQ(host.device, TestDevice()) << host.reason;
    ExpectAsOnTheCpu(host, cpu, *operation, "long rows");
}

TEST_F(Terrain, FailingDeviceLeavesTheWorkToTheCpuAndSaysWhy) {
    const GDALDatasetUniquePtr dataset = MakeDem({});
    const auto operation = MakeOperation(*dataset, {"slope", {}, {}}, false);
    const Result cpu = ComputeAll(*operation, *dataset);
    use(TestDevice());
    for (const char* fault : {"allocate", "launch", "compile", "copy"}) {
        CPLSetConfigOption("GDAL_GPU_FAULT", fault);
        const Result result = ComputeAll(*operation, *dataset);
        EXPECT_EQ(result.device, "GDAL") << fault;
        EXPECT_NE(result.reason, "") << fault;
        EXPECT_EQ(result.bytes, cpu.bytes) << fault;
    }
}

// Two scales do what a geotransform does whose pixels are that much larger.
TEST_F(Terrain, ScalesAlongXAndYActAsThePixelSize) {
    for (const char* algorithm : {"hillshade", "slope"}) {
        const GDALDatasetUniquePtr dataset = MakeDem({});
        const GDALDatasetUniquePtr larger = MakeDem({});
        double geotransform[6] = {1000, 30 * 2.5, 0, 5000, 0, -30 * 0.75};
        larger->SetGeoTransform(geotransform);
        const auto operation =
            MakeOperation(*dataset, {algorithm, {}, {{"xscale", "2.5"}, {"yscale", "0.75"}}}, true);
        ExpectAsJudged(ComputeAll(*operation, *dataset).values(operation->output_type),
                       Judge(*larger, {algorithm, {"-s", "1"}, {}}, true), *operation, algorithm);
    }
}

TEST_F(Terrain, ScaleFromUnitsIsMetresOverElevations) {
    const GDALDatasetUniquePtr dataset = MakeDem({});
    GDALRasterBand& band = *dataset->GetRasterBand(1);
    EXPECT_EQ(ScaleFromUnits(*dataset, 1).x, 1);
    OGRSpatialReference srs;
    srs.importFromEPSG(4326);
    dataset->SetSpatialRef(&srs);
    double geotransform[6] = {10, 0.01, 0, 60, 0, -0.01};  // its middle is at 59.855 degrees
    dataset->SetGeoTransform(geotransform);
    const double degree = 6378137 * 3.14159265358979323846 / 180;
    EXPECT_NEAR(ScaleFromUnits(*dataset, 1).y, degree, 1e-6);
    EXPECT_NEAR(ScaleFromUnits(*dataset, 1).x,
                degree * std::cos(59.855 * 3.14159265358979323846 / 180), 1e-6);
    band.SetUnitType("ft");
    EXPECT_NEAR(ScaleFromUnits(*dataset, 1).y, degree / 0.3048, 1e-6);
    srs.importFromEPSG(32633);
    dataset->SetSpatialRef(&srs);
    EXPECT_NEAR(ScaleFromUnits(*dataset, 1).x, 1 / 0.3048, 1e-12);
    srs.importFromEPSG(2263);  // US survey feet
    dataset->SetSpatialRef(&srs);
    band.SetUnitType("US survey foot");
    EXPECT_NEAR(ScaleFromUnits(*dataset, 1).y, 1, 1e-12);
}

TEST(AlgorithmNames, TakeTheDatasetBehindTheFirstColonAsItIs) {
    const AlgorithmName name =
        ParseAlgorithmName("GPU:hillshade,azimuth=300,combined:C:\\data\\a,b.tif");
    EXPECT_EQ(name.algorithm, "hillshade");
    EXPECT_EQ(name.arguments, (Arguments{{"azimuth", "300"}, {"combined", ""}}));
    EXPECT_EQ(name.dataset, "C:\\data\\a,b.tif");
    EXPECT_EQ(ParseAlgorithmName("GPU:slope:/vsizip/a.zip/b:c.tif").dataset,
              "/vsizip/a.zip/b:c.tif");
    EXPECT_EQ(ParseAlgorithmName("gpu:slope:\"a:b.tif\"").dataset, "a:b.tif");
    EXPECT_EQ(ParseAlgorithmName("GPU:slope:GPU:hillshade:a.tif").dataset, "GPU:hillshade:a.tif");
    EXPECT_EQ(ParseAlgorithmName("GPU:slope:NETCDF:\"a.nc\":z").dataset, "NETCDF:\"a.nc\":z");
}

TEST(AlgorithmNames, RefuseWhatNamesNothing) {
    for (const char* bad :
         {"GPU:", "GPU", "", "GPU:slope", "GPU:slope:", "GPU::a.tif", "GPU:slope,:a.tif",
          "GPU:slope,,scale=1:a.tif", "GPU:slope,scale=:a.tif", "GPU:slope:\"\""})
        EXPECT_THROW(ParseAlgorithmName(bad), std::invalid_argument) << bad;
}

std::string WhyRefused(const char* algorithm, const Arguments& arguments) {
    try {
        ParseArguments(FindAlgorithm(algorithm), arguments);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(AlgorithmArguments, SayWhatIsWrongAndWhatThereIs) {
    EXPECT_THAT(
        WhyRefused("hilshade", {}),
        HasSubstr("no algorithm \"hilshade\"; is hillshade meant? There are hillshade, slope"));
    EXPECT_THAT(WhyRefused("slope", {{"azimuth", "3"}}),
                HasSubstr("It has format, scale, xscale, yscale, alg, compute_edges, band"));
    EXPECT_THAT(WhyRefused("slope", {{"format", "grad"}}),
                HasSubstr("format takes degree, percent"));
    EXPECT_THAT(WhyRefused("slope", {{"scale", "0"}}), HasSubstr("a number, more than 0"));
    EXPECT_THAT(WhyRefused("slope", {{"scale", "1x"}}), HasSubstr("scale=1x"));
    EXPECT_THAT(WhyRefused("slope", {{"scale", "nan"}}), HasSubstr("a number"));
    EXPECT_THAT(WhyRefused("slope", {{"scale", "1"}, {"s", "2"}}),
                HasSubstr("scale is given twice"));
    EXPECT_THAT(WhyRefused("slope", {{"xscale", "2"}}), HasSubstr("together"));
    EXPECT_THAT(WhyRefused("slope", {{"xscale", "2"}, {"yscale", "2"}, {"s", "2"}}),
                HasSubstr("scale and xscale"));
    EXPECT_THAT(WhyRefused("slope", {{"band", "1.5"}}), HasSubstr("a whole number"));
    EXPECT_THAT(WhyRefused("slope", {{"band", "0"}}), HasSubstr("at least 1"));
    EXPECT_THAT(WhyRefused("slope", {{"compute_edges", "maybe"}}), HasSubstr("YES or NO"));
    EXPECT_THAT(WhyRefused("hillshade", {{"altitude", "91"}}), HasSubstr("0 to 90"));
    EXPECT_THAT(WhyRefused("hillshade", {{"igor", ""}, {"combined", ""}}),
                HasSubstr("only one of"));
    EXPECT_THAT(WhyRefused("hillshade", {{"multidirectional", ""}, {"az", "1"}}),
                HasSubstr("azimuth"));
    EXPECT_THAT(WhyRefused("hillshade", {{"igor", ""}, {"alt", "1"}}), HasSubstr("altitude"));
    EXPECT_EQ(WhyRefused("HILLSHADE", {{"Combined", "no"}, {"IGOR", "true"}}), "");
}

TEST(AlgorithmHelp, NamesEveryArgumentOfEveryAlgorithm) {
    for (const Algorithm& algorithm : Algorithms()) {
        const std::string help = AlgorithmHelp(algorithm.name);
        EXPECT_THAT(help, HasSubstr(algorithm.title));
        for (const Argument& argument : algorithm.arguments)
            EXPECT_THAT(help, HasSubstr("  " + argument.name + " "));
    }
    EXPECT_THROW(AlgorithmHelp("nothing"), std::invalid_argument);
}

}  // namespace
}  // namespace gdalgpu
