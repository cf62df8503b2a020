// gpu_expression: the parser, the values beside C++ written out by hand, HOST beside the CPU bit
// for bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "cpl_conv.h"
#include "gdal.h"
#include "plugin/pixel_type.h"
#include "plugin/raster/expression.h"
#include "plugin/raster/expression_run.h"
#include "tests/raster_device.h"

namespace gdalgpu {
namespace {

using testing::HasSubstr;

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

Expression::Names TwoSources() {
    Expression::Names names;
    names.sources = 2;
    names.arguments = {{"k", 3}, {"gain", 0.5}};
    return names;
}

// The value where B1 is 5 and B2 is 2.
double Value(const std::string& text, const Expression::Names& names = TwoSources()) {
    const Expression expression = Expression::Parse(text, names);
    ExpressionEvaluator evaluator(expression);
    const double pixels[] = {5, 2};
    std::vector<const double*> sources;
    for (int source : expression.sources()) sources.push_back(&pixels[source]);
    double value = 0;
    evaluator.Evaluate(sources.data(), &value, 1);
    return value;
}

TEST(ExpressionValue, FollowsPrecedenceAndAssociation) {
    const std::pair<const char*, double> cases[] = {
        {"1+2*3", 7},
        {"(1+2)*3", 9},
        {"10-4-3", 3},
        {"100/10/5", 2},
        {"17%5%2", 0},
        {"2*7%4", 2},
        {"2^3^2", 512},
        {"2**3**2", 512},
        {"-2^2", -4},
        {"(-2)^2", 4},
        {"2^-1", 0.5},
        {"-2^-2", -0.25},
        {"- -3", 3},
        {"+-+3", -3},
        {"!0", 1},
        {"!5", 0},
        {"!!5", 1},
        {"!1+1", 1},
        {"1<2", 1},
        {"2<=2", 1},
        {"3>4", 0},
        {"3>=4", 0},
        {"3==3", 1},
        {"3!=3", 0},
        {"1+1<3", 1},
        {"1<2 && 2<3", 1},
        {"1<2 && 3<2", 0},
        {"0 && 1 || 1", 1},
        {"1 || 0 && 0", 1},
        {"0 ? 1 : 2", 2},
        {"1 ? 2 : 0 ? 3 : 4", 2},
        {"0 ? 2 : 0 ? 3 : 4", 4},
        {"1 ? 0 ? 6 : 7 : 8", 7},
        {"1 || 0 ? 3 : 4", 3},
        {"1.5e2", 150},
        {".5", 0.5},
        {"5.", 5},
        {"1E-2", 0.01},
        {"B1", 5},
        {"b2", 2},
        {"B1/B2", 2.5},
        {"(B1-B2)/(B1+B2)", 3.0 / 7},
        {"k*B1 + GAIN", 15.5},
        {"pi", 3.14159265358979323846},
        {"-inf", -kInf},
        {"\t1 +\r\n 2 ", 3},
    };
    for (const auto& [text, value] : cases) EXPECT_EQ(Value(text), value) << text;
}

TEST(ExpressionValue, HasTheUsualFunctions) {
    const std::pair<const char*, double> cases[] = {
        {"abs(-3)", 3},
        {"sqrt(B1)", std::sqrt(5.0)},
        {"exp(1)", std::exp(1.0)},
        {"log(B1)", std::log(5.0)},
        {"log10(B1)", std::log10(5.0)},
        {"log2(8)", 3},
        {"pow(B1, 3)", 125},
        {"B1^2", 25},
        {"B1^0.5", std::pow(5.0, 0.5)},
        {"sin(B1)", std::sin(5.0)},
        {"cos(B1)", std::cos(5.0)},
        {"tan(B1)", std::tan(5.0)},
        {"asin(0.3)", std::asin(0.3)},
        {"acos(0.3)", std::acos(0.3)},
        {"atan(B1)", std::atan(5.0)},
        {"atan2(B1, -B2)", std::atan2(5.0, -2.0)},
        {"sinh(B2)", std::sinh(2.0)},
        {"cosh(B2)", std::cosh(2.0)},
        {"tanh(B2)", std::tanh(2.0)},
        {"hypot(B1, B2)", std::hypot(5.0, 2.0)},
        {"floor(-1.5)", -2},
        {"ceil(-1.5)", -1},
        {"round(2.5)", 3},
        {"round(-2.5)", -3},
        {"trunc(-1.5)", -1},
        {"min(3)", 3},
        {"min(3, B1, B2, 4)", 2},
        {"max(3, B1, B2, 4)", 5},
        {"min(nan, 3)", 3},
        {"min(3, nan)", 3},
        {"max(nan, 3)", 3},
        {"max(3, nan)", 3},
        {"clamp(B1, 0, 4)", 4},
        {"clamp(-1, 0, 4)", 0},
        {"sign(-7)", -1},
        {"sign(0)", 0},
        {"isnan(nan)", 1},
        {"isnan(B1)", 0},
        {"mod(17, 5)", 2},
        {"mod(-17, 5)", -2},
        {"SQRT(4)", 2},
    };
    // The compiler folds some of the right-hand sides with another rounding than the C library's.
    for (const auto& [text, value] : cases) EXPECT_DOUBLE_EQ(Value(text), value) << text;
}

TEST(ExpressionValue, IsIeeeWhereItIsNotANumber) {
    EXPECT_EQ(Value("1/0"), kInf);
    EXPECT_EQ(Value("-1/0"), -kInf);
    for (const char* nan : {"0/0", "sqrt(-1)", "log(-1)", "5 % 0", "inf - inf", "sign(nan)",
                            "clamp(nan, 0, 1)", "nan + 1", "asin(2)"})
        EXPECT_TRUE(std::isnan(Value(nan))) << nan;
    EXPECT_EQ(Value("nan == nan"), 0);
    EXPECT_EQ(Value("nan != nan"), 1);
    EXPECT_EQ(Value("nan ? 1 : 2"), 1);  // not 0, as in C
    EXPECT_EQ(Value("!nan"), 0);
}

TEST(ExpressionValue, KnowsNodataWhereItIsGiven) {
    Expression::Names names = TwoSources();
    names.nodata = 5;
    EXPECT_EQ(Value("nodata + 1", names), 6);
    EXPECT_EQ(Value("isnodata(B1)", names), 1);
    EXPECT_EQ(Value("isnodata(B2) ? 1 : B2", names), 2);
    const Expression expression = Expression::Parse("isnodata(B2) ? B1 : B2", names);
    EXPECT_EQ(expression.sources(), (std::vector<int>{1, 0}));
    EXPECT_EQ(expression.masked(), (std::vector<bool>{false, true}));
}

struct Bad {
    std::string text;
    int column;
    const char* message;
};

void ExpectRefused(const Bad& bad, const Expression::Names& names) {
    try {
        Expression::Parse(bad.text, names);
        ADD_FAILURE() << "accepted: " << bad.text.substr(0, 60);
    } catch (const ExpressionError& error) {
        EXPECT_EQ(error.column(), bad.column) << bad.text.substr(0, 60) << ": " << error.what();
        EXPECT_THAT(error.what(), HasSubstr(bad.message));
        EXPECT_THAT(error.what(), HasSubstr("column " + std::to_string(bad.column) + ":"));
    }
}

TEST(ExpressionError, NamesTheColumnAndWhatWasExpected) {
    const Bad cases[] = {
        {"", 1, "expected a number, a name, a function or \"(\", found the end"},
        {"   ", 4, "found the end"},
        {"B1 +", 5, "found the end"},
        {"B1 + * 2", 6, "found \"*\""},
        {"(B1", 4, "expected \")\" for the \"(\" at column 1, found the end"},
        {"B1)", 3, "expected an operator or the end, found \")\""},
        {"B1 B2", 4, "expected an operator or the end, found \"B2\""},
        {"2B1", 2, "found \"B1\""},
        {"1.2.3", 4, "found \".3\""},
        {"1e", 1, "malformed number \"1e\""},
        {"3 + 1e+", 5, "malformed number \"1e+\""},
        {".", 1, "malformed number"},
        {"1e999", 1, "too large"},
        {"B1 = 2", 4, "write \"==\""},
        {"B1 & 2", 4, "write \"&&\""},
        {"B1 | 2", 4, "write \"||\""},
        {"B1 < 2 < 3", 8, "can't be chained"},
        {"B1 == B2 != 1", 10, "can't be chained"},
        {"B1 ? 2", 7, "expected \":\" of the \"?\" at column 4"},
        {"B1 ? : 2", 6, "found \":\""},
        {"B3", 1, "there is no B3: the band has 2 sources"},
        {"B0 + 1", 1, "there is no B0"},
        {"B99999999999999999999", 1, "the band has 2 sources"},
        {"B01", 1, "there is no B01"},
        {"red + 1", 1, "unknown name \"red\"; known are B1 to B2, pi, nan, inf, k, gain"},
        {"1 + sqrt", 5, "\"sqrt\" is a function: write sqrt(...)"},
        {"foo(1)", 1, "unknown function \"foo\"; known are abs, acos"},
        {"sqrt()", 6, "sqrt takes 1 argument, found none"},
        {"sqrt(1, 2)", 9, "sqrt takes 1 argument, found more"},
        {"pow(1)", 6, "pow takes 2 arguments, found 1"},
        {"clamp(1, 2)", 11, "clamp takes 3 arguments, found 2"},
        {"min()", 5, "min takes one or more arguments, found none"},
        {"max(1, )", 8, "found \")\""},
        {"max(1 2)", 7, "expected \",\" or \")\" in the arguments of max, found \"2\""},
        {"nodata", 1, "needs the argument nodata"},
        {"isnodata(B1)", 1, "needs the argument nodata"},
        {"B1 # 2", 4, "unexpected character \"#\""},
        {"B1 \xC3\x97 2", 4, "unexpected byte 0xC3"},
        {std::string("B1\0+1", 5), 3, "unexpected byte 0x00"},
        {"B1; system(1)", 3, "unexpected character \";\""},
    };
    for (const Bad& bad : cases) ExpectRefused(bad, TwoSources());
    Expression::Names names = TwoSources();
    names.nodata = 0;
    ExpectRefused({"isnodata(3)", 10, "isnodata takes a source, such as B1, found \"3\""}, names);
    ExpectRefused({"isnodata(B1 + 1)", 13, "expected \")\" after the source of isnodata"}, names);
    ExpectRefused({"isnodata(B7)", 10, "there is no B7"}, names);
}

TEST(ExpressionError, RefusesArgumentsNamedAsWhatThereIs) {
    for (const char* taken : {"B1", "b77", "pi", "NaN", "nodata", "sqrt", "MIN"}) {
        Expression::Names names;
        names.arguments = {{taken, 1}};
        ExpectRefused({"1", 1, "is taken"}, names);
    }
}

std::string Repeat(const std::string& text, int times) {
    std::string repeated;
    for (int i = 0; i < times; ++i) repeated += text;
    return repeated;
}

TEST(ExpressionError, BoundsSizeAndDepth) {
    const int many = 20000;
    for (const std::string& hostile :
         {Repeat("(", many), Repeat("-", many), Repeat("!", many) + "1", Repeat("abs(", many),
          Repeat("2^", many) + "2", Repeat("1?1:", many) + "1", Repeat("1?", many),
          Repeat("(1+", many), Repeat("min(1,", many / 2), Repeat("1+", many) + "1",
          "max(" + Repeat("1,", many) + "1)", std::string(Expression::kMaxLength + 1, ' '),
          std::string(Expression::kMaxLength + 1, '1'), Repeat("B1*", many) + "B1"})
        EXPECT_THROW(Expression::Parse(hostile, TwoSources()), ExpressionError)
            << hostile.substr(0, 20);
    // What is allowed works.
    EXPECT_EQ(Value(Repeat("(", Expression::kMaxDepth - 1) + "7" +
                    Repeat(")", Expression::kMaxDepth - 1)),
              7);
    EXPECT_EQ(Value("1" + Repeat("+1", 499)), 500);
    EXPECT_EQ(Value("max(" + Repeat("1,", 400) + "9)"), 9);
}

// Whatever the text, there is a value or an ExpressionError.
TEST(ExpressionError, NoTextCrashesTheParser) {
    const char* const words[] = {
        "B1",        "B2",     "B",  "k",  "1",  "2.5", "1e3",  "+",    "-",      "*",
        "/",         "%",      "^",  "**", "(",  ")",   ",",    "?",    ":",      "<",
        "<=",        "==",     "!=", "!",  "&&", "||",  "sqrt", "min(", "clamp(", "pow(",
        "isnodata(", "nodata", "pi", " ",  "e",  ".",   "=",    "\"",   "\\",     "\xFF"};
    std::mt19937 random(3);
    Expression::Names names = TwoSources();
    names.nodata = 1;
    int valid = 0;
    for (int i = 0; i < 60000; ++i) {
        std::string text;
        const int length = 1 + static_cast<int>(random() % 14);
        for (int k = 0; k < length; ++k)
            text += i % 4 == 0 ? std::string(1, static_cast<char>(random() % 256))
                               : words[random() % std::size(words)];
        try {
            const double value = Value(text, names);
            static_cast<void>(value);
            EXPECT_FALSE(Expression::Parse(text, names).DeviceText().empty());
            ++valid;
        } catch (const ExpressionError& error) {
            EXPECT_GE(error.column(), 1);
            EXPECT_LE(error.column(), static_cast<int>(text.size()) + 1) << text;
        }
    }
    EXPECT_GT(valid, 500);
}

TEST(ExpressionDeviceText, DependsOnTheStructureAlone) {
    Expression::Names other = TwoSources();
    other.arguments = {{"k", 77}, {"gain", -1}};
    EXPECT_EQ(Expression::Parse("B1*k + 2.5", TwoSources()).DeviceText(),
              Expression::Parse("B1*K+3e9", other).DeviceText());
    EXPECT_NE(Expression::Parse("B1*k", TwoSources()).DeviceText(),
              Expression::Parse("B2+k", TwoSources()).DeviceText());
}

// Requests.

std::vector<unsigned char> Convert(const std::vector<double>& values, GDALDataType type) {
    std::vector<unsigned char> bytes(values.size() * GDALGetDataTypeSizeBytes(type));
    GDALCopyWords64(values.data(), GDT_Float64, 8, bytes.data(), type,
                    GDALGetDataTypeSizeBytes(type), static_cast<GPtrDiff_t>(values.size()));
    // GDAL 3.6 lets UInt64 overflow to 0.
    for (size_t i = 0; type == GDT_UInt64 && i < values.size(); ++i)
        if (values[i] >= 18446744073709551616.0) std::memset(&bytes[i * 8], 0xFF, 8);
    return bytes;
}

std::vector<double> Widen(const std::vector<unsigned char>& bytes, GDALDataType type) {
    std::vector<double> values(bytes.size() / GDALGetDataTypeSizeBytes(type));
    GDALCopyWords64(bytes.data(), type, GDALGetDataTypeSizeBytes(type), values.data(), GDT_Float64,
                    8, static_cast<GPtrDiff_t>(values.size()));
    return values;
}

constexpr int kWidth = 61;
constexpr int kHeight = 23;
constexpr size_t kPixels = size_t{kWidth} * kHeight;

class ExpressionRequestTest : public testing::Test {
  protected:
    void TearDown() override {
        for (const char* option : {"GDAL_GPU_DEVICE", "GDAL_GPU_MEMORY_LIMIT", "GDAL_GPU_FAULT"})
            CPLSetConfigOption(option, nullptr);
    }
    static void use(const std::string& device) {
        CPLSetConfigOption("GDAL_GPU_DEVICE", device.c_str());
    }

    // Two sources of that type, with some of `special` in both.
    void fill(GDALDataType type, double special) {
        std::mt19937 random(11);
        std::uniform_real_distribution<double> value(-40, 300);
        source_type_ = type;
        for (auto& source : sources_) {
            std::vector<double> values(kPixels);
            for (double& v : values) v = random() % 9 == 0 ? special : value(random);
            source = Convert(values, type);
        }
    }

    std::vector<unsigned char> run(const std::string& text, GDALDataType output,
                                   std::optional<double> nodata = {}) {
        Expression::Names names = TwoSources();
        names.nodata = nodata;
        if (nodata) names.source_nodata = HeldNodata(*nodata, source_type_);
        const Expression expression = Expression::Parse(text, names);
        std::vector<unsigned char> bytes(kPixels * GDALGetDataTypeSizeBytes(output));
        ExpressionRequest request;
        request.sources = {sources_[0].data(), sources_[1].data()};
        request.source_type = source_type_;
        request.width = kWidth;
        request.height = kHeight;
        request.output = bytes.data();
        request.output_type = output;
        request.pixel_space = GDALGetDataTypeSizeBytes(output);
        request.line_space = request.pixel_space * kWidth;
        Report report("pixel_function", "test");
        RunExpression(expression, request, report);
        device_ = report.device;
        reason_ = report.reason;
        return bytes;
    }

    std::vector<unsigned char> expected(const std::function<double(double, double)>& function,
                                        GDALDataType output) {
        const std::vector<double> a = Widen(sources_[0], source_type_);
        const std::vector<double> b = Widen(sources_[1], source_type_);
        std::vector<double> values;
        for (size_t i = 0; i < a.size(); ++i) values.push_back(function(a[i], b[i]));
        return Convert(values, output);
    }

    GDALDataType source_type_ = GDT_Unknown;
    std::vector<unsigned char> sources_[2];
    std::string device_;
    std::string reason_;
};

TEST_F(ExpressionRequestTest, ConvertsAsGdalDoesOnDeviceAndCpu) {
    for (const std::string& device : {std::string("NONE"), TestDevice()})
        for (size_t i = 0; i < RealTypes().size(); ++i)
            for (size_t j = 0; j < RealTypes().size(); ++j) {
                // On a device each pair is a kernel to compile: every type once as source, once as
                // output.
                if (device != "NONE" && j != (i + 3) % RealTypes().size()) continue;
                use(device);
                fill(RealTypes()[i], 1e300);
                const auto bytes = run("B1 * 1.25 - B2 * B2", RealTypes()[j]);
                EXPECT_EQ(device_, device == "NONE" ? "GDAL" : device) << reason_;
                EXPECT_EQ(bytes, expected([](double a, double b) { return a * 1.25 - b * b; },
                                          RealTypes()[j]))
                    << device << " " << GDALGetDataTypeName(RealTypes()[i]) << " to "
                    << GDALGetDataTypeName(RealTypes()[j]);
            }
}

TEST_F(ExpressionRequestTest, HalvesRoundAndExtremesSaturateAsGdalConverts) {
    use("NONE");
    source_type_ = GDT_Float64;
    for (auto& source : sources_) {
        std::vector<double> values(kPixels);
        const double special[] = {
            0.5,    -0.5,    1.5,    2.5,   -1.5,  -2.5,   254.5,
            255.5,  kNan,    kInf,   -kInf, 1e20,  -1e20,  3.4028234663852886e38,
            3.5e38, -3.5e38, 1e-320, -0.0,  127.5, -128.5, 32767.5};
        for (size_t i = 0; i < values.size(); ++i) values[i] = special[i % std::size(special)];
        source = Convert(values, GDT_Float64);
    }
    for (GDALDataType type : RealTypes())
        EXPECT_EQ(run("B1", type), expected([](double a, double) { return a; }, type))
            << GDALGetDataTypeName(type);
}

TEST_F(ExpressionRequestTest, DeviceGivesTheValuesOfTheCpuForEveryFunction) {
    const char* const texts[] = {
        "(B1-B2)/(B1+B2)",
        "B1 > 100 && B2 < 50 || !(B1 >= B2) ? B1 % 7 : -B2 ^ 3",
        "abs(B1) + sqrt(B2) + exp(B1/100) + log(B2) + log10(B1) + log2(B2)",
        "sin(B1)*cos(B2) + tan(B1) + asin(B1/300) + acos(B2/300) + atan(B1) + atan2(B1, B2)",
        "sinh(B1/100) + cosh(B2/100) + tanh(B1) + hypot(B1, B2) + pow(abs(B1), 0.3)",
        "floor(B1/3) + ceil(B2/3) + round(B1/7) + trunc(B2/7) + sign(B1) + isnan(B1) + mod(B1, 13)",
        "min(B1, B2, k) * max(B1, 50, B2) + clamp(B1, 0, 100) + B2**2",
        "(B1 == B2) + (B1 != k) * 2 + (B1 <= B2) * 4 + (B1 >= B2) * 8",
        "3 * gain",
    };
    for (const char* text : texts) {
        fill(GDT_Float32, kNan);
        use("NONE");
        const auto cpu = run(text, GDT_Float64);
        EXPECT_EQ(device_, "GDAL");
        EXPECT_EQ(reason_, "GDAL_GPU_DEVICE=NONE");
        use(TestDevice());
        const auto host = run(text, GDT_Float64);
        EXPECT_EQ(device_, TestDevice()) << reason_;
        const std::vector<double> a = Widen(cpu, GDT_Float64);
        const std::vector<double> b = Widen(host, GDT_Float64);
        for (size_t i = 0; i < a.size(); ++i)
            ASSERT_TRUE(AsOnTheCpu(b[i], a[i], 1e-11)) << text << ": " << b[i] << ", not " << a[i];
    }
}

TEST_F(ExpressionRequestTest, NodataInAnySourceGivesNodata) {
    for (const std::string& device : {std::string("NONE"), TestDevice()}) {
        use(device);
        for (double nodata : {-9999.0, 0.1, kNan}) {
            fill(GDT_Float32, nodata);
            // Float32 holds 0.1 as another double; it is nodata all the same.
            const double held = static_cast<double>(static_cast<float>(nodata));
            const auto is_nodata = [&](double v) {
                return v == held || (std::isnan(v) && std::isnan(held));
            };
            EXPECT_EQ(
                run("B1 + B2", GDT_Float32, nodata),
                expected([&](double a,
                             double b) { return is_nodata(a) || is_nodata(b) ? nodata : a + b; },
                         GDT_Float32))
                << nodata;
            EXPECT_EQ(run("isnodata(B1) ? B2 : B1", GDT_Float32, nodata),
                      expected(
                          [&](double a, double b) {
                              return is_nodata(b) ? nodata : is_nodata(a) ? b : a;
                          },
                          GDT_Float32))
                << nodata;
        }
    }
}

TEST_F(ExpressionRequestTest, ResultsThatMeetNodataByAccidentStay) {
    use("NONE");
    fill(GDT_Int16, 50);
    EXPECT_EQ(run("B1 * 0 + 7", GDT_Int16, 7),
              expected([](double, double) { return 7; }, GDT_Int16));
    // Compared as sources, not as results: 1 is nodata, 2 - 1 is not.
    fill(GDT_Int16, 1);
    EXPECT_EQ(run("B1 == 1 ? 99 : B1", GDT_Int16, 1),
              expected([](double a, double) { return a; }, GDT_Int16));
}

TEST_F(ExpressionRequestTest, GivesTheSameBytesInPartsAndWhenADeviceFails) {
    fill(GDT_UInt16, 0);
    use(TestDevice());
    const auto whole = run("(B1 - B2) / (B1 + B2)", GDT_Float32, 0);
    EXPECT_EQ(device_, TestDevice()) << reason_;
    CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", "40000");
    EXPECT_EQ(run("(B1 - B2) / (B1 + B2)", GDT_Float32, 0), whole);
    EXPECT_EQ(device_, TestDevice()) << reason_;
    CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", "1000");
    EXPECT_EQ(run("(B1 - B2) / (B1 + B2)", GDT_Float32, 0), whole);
    EXPECT_EQ(device_, "GDAL");
    EXPECT_NE(reason_, "");
    CPLSetConfigOption("GDAL_GPU_MEMORY_LIMIT", nullptr);
    for (const char* fault : {"allocate", "launch", "compile", "copy"}) {
        CPLSetConfigOption("GDAL_GPU_FAULT", fault);
        EXPECT_EQ(run("(B1 - B2) / (B1 + B2)", GDT_Float32, 0), whole) << fault;
        EXPECT_EQ(device_, "GDAL") << fault;
        EXPECT_NE(reason_, "") << fault;
    }
}

TEST_F(ExpressionRequestTest, WritesAnySpacingAndComplexOutput) {
    use(TestDevice());
    fill(GDT_Byte, 3);
    const Expression expression = Expression::Parse("B1 + B2", TwoSources());
    const std::vector<unsigned char> packed = run("B1 + B2", GDT_UInt16);
    // Pixel interleaved with two others, lines 8 bytes apart more; what lies between stays.
    const int pixel_space = 6;
    const int line_space = kWidth * pixel_space + 8;
    std::vector<unsigned char> spaced(size_t{kHeight} * line_space, 0xAB);
    ExpressionRequest request;
    request.sources = {sources_[0].data(), sources_[1].data()};
    request.source_type = GDT_Byte;
    request.width = kWidth;
    request.height = kHeight;
    request.output = spaced.data();
    request.output_type = GDT_UInt16;
    request.pixel_space = pixel_space;
    request.line_space = line_space;
    Report report("pixel_function", "test");
    RunExpression(expression, request, report);
    EXPECT_EQ(report.device, TestDevice());
    for (int y = 0; y < kHeight; ++y)
        for (int i = 0; i < line_space; ++i) {
            const int x = i / pixel_space;
            const bool pixel = x < kWidth && i % pixel_space < 2;
            ASSERT_EQ(spaced[y * line_space + i],
                      pixel ? packed[(y * kWidth + x) * 2 + i % pixel_space] : 0xAB);
        }
    const std::vector<unsigned char> complex = run("B1 + B2", GDT_CFloat32);
    const std::vector<double> real = Widen(packed, GDT_UInt16);
    for (size_t i = 0; i < kPixels; ++i) {
        float value[2];
        std::memcpy(value, &complex[i * 8], 8);
        ASSERT_EQ(value[0], real[i]);
        ASSERT_EQ(value[1], 0);
    }
}

TEST_F(ExpressionRequestTest, WritesToUnalignedMemory) {
    fill(GDT_Byte, 3);
    const std::vector<unsigned char> packed = run("B1 / B2", GDT_Float64);
    std::vector<unsigned char> shifted(packed.size() + 1);
    ExpressionRequest request;
    request.sources = {sources_[0].data(), sources_[1].data()};
    request.source_type = GDT_Byte;
    request.width = kWidth;
    request.height = kHeight;
    request.output = &shifted[1];
    request.output_type = GDT_Float64;
    request.pixel_space = 8;
    request.line_space = int64_t{8} * kWidth;
    Report report("pixel_function", "test");
    RunExpression(Expression::Parse("B1 / B2", TwoSources()), request, report);
    EXPECT_EQ(std::memcmp(&shifted[1], packed.data(), packed.size()), 0);
}

TEST_F(ExpressionRequestTest, RefusesComplexSources) {
    fill(GDT_CFloat32, 0);
    EXPECT_THROW(run("B1", GDT_Float32), std::invalid_argument);
}

TEST_F(ExpressionRequestTest, ManyConstantsAreLeftToTheCpu) {
    fill(GDT_Float32, 0);
    use(TestDevice());
    const auto bytes = run("B1" + Repeat("+1.5", 499), GDT_Float64);
    EXPECT_EQ(device_, "GDAL");
    EXPECT_THAT(reason_, HasSubstr("constants"));
    EXPECT_EQ(bytes, expected(
                         [](double a, double) {
                             for (int i = 0; i < 499; ++i) a += 1.5;
                             return a;
                         },
                         GDT_Float64));
}

}  // namespace
}  // namespace gdalgpu
