// Every algorithm and expression goes through NVRTC, for every pixel type.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nvrtc_sweep.h"
#include "plugin/pixel_type.h"
#include "plugin/raster/algorithm.h"
#include "plugin/raster/expression_run.h"

namespace gdalgpu {
namespace {

std::vector<GDALDataType> DeviceTypes() {
    std::vector<GDALDataType> types;
    for (int type = GDT_Byte; type < GDT_TypeCount; ++type) {
        if (DeviceTypeName(static_cast<GDALDataType>(type)))
            types.push_back(static_cast<GDALDataType>(type));
    }
    return types;
}

// Each value of each choice and flag of an algorithm, beside the first formula and the second.
std::vector<std::vector<std::pair<std::string, std::string>>> Variants(const Algorithm& algorithm) {
    std::vector<std::vector<std::pair<std::string, std::string>>> variants = {{}};
    for (const char* gradient : {"Horn", "ZevenbergenThorne"}) {
        for (const Argument& argument : algorithm.arguments) {
            if (argument.type == Argument::Type::Flag)
                variants.push_back({{"alg", gradient}, {argument.name, "YES"}});
            if (argument.type != Argument::Type::Choice || argument.name == "alg") continue;
            for (const std::string& choice : argument.choices) {
                variants.push_back({{"alg", gradient}, {argument.name, choice}});
            }
        }
        variants.push_back({{"alg", gradient}});
    }
    return variants;
}

class AlgorithmSweep : public testing::TestWithParam<std::string> {};

TEST_P(AlgorithmSweep, CompilesForEveryArchitecture) {
    GPU_NEED_NVRTC();
    const Algorithm& algorithm = FindAlgorithm(GetParam());
    std::set<std::string> compiled;
    for (const auto& arguments : Variants(algorithm)) {
        // What a pixel's type changes doesn't depend on the arguments.
        const std::vector<GDALDataType> types =
            arguments.empty() ? DeviceTypes() : std::vector<GDALDataType>{GDT_Byte, GDT_Float32};
        for (const GDALDataType type : types) {
            for (const double height : {1.0, 2.0}) {  // square pixels and others
                SourceBand band;
                band.type = type;
                band.width = band.height = 100;
                band.geotransform[5] = -height;
                const auto operation = algorithm.make(ParseArguments(algorithm, arguments), band);
                const gpu::Source source = operation->source();
                if (!compiled.insert(source.text()).second) continue;
                gpu::ExpectCompilesForEveryArchitecture(source, operation->kernel);
            }
        }
    }
    EXPECT_GE(compiled.size(), DeviceTypes().size());
}

std::vector<std::string> AlgorithmNames() {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : Algorithms()) names.push_back(algorithm.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Nvrtc, AlgorithmSweep, testing::ValuesIn(AlgorithmNames()),
                         [](const auto& info) { return gpu::TestName(info.param); });

TEST(RasterNvrtc, ExpressionsCompileForEveryArchitecture) {
    GPU_NEED_NVRTC();
    Expression::Names names;
    names.sources = 3;
    names.nodata = -1;
    // Every function and operator.
    std::string text =
        "B1 >= B2 && !(B1 < B3) || B1 == B2 || B1 != B3 || B1 <= B3 ? -B1 ^ 2 : B2 ^ B3 % 7 > 3";
    for (const std::string& name : FunctionNames()) {
        const int operands = name == "isnodata" ? 1 : FindFunction(name)->arity;
        text += " + " + name + "(" + std::string("B1, B2, B3", 4 * operands - 2) + ")";
    }
    const Expression expression = Expression::Parse(text + " + B1 - B2 * B3 / pi", names);
    gpu::ExpectCompilesForEveryArchitecture(ExpressionSource(expression, GDT_Int16, GDT_Float32),
                                            "all operations");
    const Expression ratio =
        Expression::Parse("B1 + B2 == 0 ? nodata : (B1 - B2) / (B1 + B2)", names);
    for (const GDALDataType type : DeviceTypes()) {
        gpu::ExpectCompilesForEveryArchitecture(ExpressionSource(ratio, type, type),
                                                GDALGetDataTypeName(type));
    }
}

}  // namespace
}  // namespace gdalgpu
