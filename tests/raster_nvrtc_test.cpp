// The generated kernels go through NVRTC for each generation of GPUs; no GPU is needed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "gpu/error.h"
#include "gpu/nvrtc.h"
#include "plugin/raster/algorithm.h"
#include "plugin/raster/expression_run.h"

namespace gdalgpu {
namespace {

const GDALDataType kTypes[] = {
    GDT_Byte,   GDT_UInt16, GDT_Int16,   GDT_UInt32,  GDT_Int32,
    GDT_UInt64, GDT_Int64,  GDT_Float32, GDT_Float64,
#if GDAL_VERSION_NUM >= 3070000
    GDT_Int8,
#endif
};

class RasterNvrtc : public testing::Test {
  protected:
    void SetUp() override {
        try {
            gpu::Nvrtc::Find("", 0);
        } catch (const gpu::Error& error) {
            const char* ci = std::getenv("CI");
            if (ci && std::string(ci) == "true")
                FAIL() << "CI checks kernels with NVRTC: " << error.what();
            GTEST_SKIP() << "KERNELS AREN'T CHECKED FOR CUDA: " << error.what();
        }
    }

    static void compile(const gpu::Source& source, const std::string& what) {
        for (const char* architecture : {"sm_75", "sm_80", "sm_90"}) {
            try {
                EXPECT_FALSE(gpu::CompileForArchitecture(source.text(), architecture).empty());
            } catch (const gpu::Error& error) {
                ADD_FAILURE() << what << " for " << architecture << ": " << error.what();
            }
        }
    }
};

// Each type once; the variants change from type to type, so that all of them come up.
TEST_F(RasterNvrtc, CompilesEveryTerrainKernel) {
    const std::pair<const char*, std::vector<std::pair<std::string, std::string>>> variants[] = {
        {"hillshade", {}},
        {"hillshade", {{"alg", "ZevenbergenThorne"}}},
        {"hillshade", {{"combined", ""}}},
        {"hillshade", {{"igor", ""}}},
        {"hillshade", {{"multidirectional", ""}}},
        {"slope", {}},
        {"slope", {{"format", "percent"}, {"alg", "ZevenbergenThorne"}}},
    };
    for (size_t i = 0; i < std::size(kTypes) + std::size(variants); ++i) {
        const auto& [name, arguments] = variants[i % std::size(variants)];
        const Algorithm& algorithm = FindAlgorithm(name);
        SourceBand source;
        source.type = kTypes[i % std::size(kTypes)];
        source.geotransform[5] = i % 2 ? -1 : 2;  // square pixels have a kernel of their own
        const auto operation = algorithm.make(ParseArguments(algorithm, arguments), source);
        compile(operation->source(), operation->kernel);
    }
}

TEST_F(RasterNvrtc, CompilesEveryOperationOfExpressions) {
    Expression::Names names;
    names.sources = 3;
    names.nodata = 0;
    std::string text = "isnodata(B3) ? !B1 : -B2 % 2 ^ 2 + B1 ** 3";
    for (const char* comparison : {"<", "<=", ">", ">=", "==", "!=", "&&", "||", "-", "*", "/"})
        text += std::string(" + (B1 ") + comparison + " B2)";
    for (const std::string& function : FunctionNames()) {
        const int arity = FindFunction(function)->arity;
        if (function != "isnodata")
            text += " + " + function +
                    (arity == 1   ? "(B1)"
                     : arity == 2 ? "(B1, B2)"
                                  : "(B1, B2, B3)");
    }
    const Expression expression = Expression::Parse(text, names);
    for (size_t i = 0; i < std::size(kTypes); ++i) {
        const Expression& parsed = i == 0 ? expression : Expression::Parse("B1 + B2 * 2", names);
        compile(ExpressionSource(parsed, kTypes[i], kTypes[(i + 4) % std::size(kTypes)]),
                GDALGetDataTypeName(kTypes[i]));
    }
}

}  // namespace
}  // namespace gdalgpu
