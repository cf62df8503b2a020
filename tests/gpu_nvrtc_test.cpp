// Every kernel header goes through NVRTC. What templates become where they are used is tested with
// the components that put kernels together (*_nvrtc_test.cpp).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nvrtc_sweep.h"

namespace gpu {
namespace {

std::vector<std::string> Headers() {
    std::vector<std::string> headers;
    for (const auto& [path, text] : EmbeddedKernels()) headers.push_back(path);
    return headers;
}

class NvrtcSweep : public testing::TestWithParam<std::string> {};

// Alone, so that each includes what it needs.
TEST_P(NvrtcSweep, HeaderCompilesForEveryArchitecture) {
    GPU_NEED_NVRTC();
    Source source;
    source.include(GetParam());
    ExpectCompilesForEveryArchitecture(source, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Kernels, NvrtcSweep, testing::ValuesIn(Headers()),
                         [](const auto& info) { return TestName(info.param); });

TEST(Nvrtc, EmbedsTheKernelHeaders) { EXPECT_EQ(EmbeddedKernels().count("core/core.h"), 1u); }

TEST(Nvrtc, SaysWhatIsWrongInAKernel) {
    GPU_NEED_NVRTC();
    Source source;
    source.include("core/core.h").append("GPU_FUNC int wrong() { return undeclared_name; }\n");
    try {
        CompileForArchitecture(source.text(), "sm_80");
        FAIL() << "compiled";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::Compile);
        EXPECT_NE(std::string(error.what()).find("undeclared_name"), std::string::npos)
            << error.what();
    }
}

TEST(Nvrtc, FusesMultiplicationsUnlessTheTextForbidsIt) {
    GPU_NEED_NVRTC();
    const std::string kernel =
        "struct P { double* v; };\nGPU_KERNEL(k, P, p) { p.v[0] = p.v[1] * p.v[2] + p.v[3]; }\n";
    Source fused, unfused;
    fused.include("core/core.h").append(kernel);
    unfused.include("core/core.h").append("\n#define GPU_UNFUSED\n" + kernel);
    EXPECT_NE(CompileForArchitecture(fused.text(), "sm_80"),
              CompileForArchitecture(unfused.text(), "sm_80"));
}

TEST(Nvrtc, RefusesUnknownArchitectures) {
    GPU_NEED_NVRTC();
    for (const char* architecture : {"sm_1", "sm_12", "80", "", "sm_80x", "compute_80"}) {
        try {
            CompileForArchitecture("", architecture);
            ADD_FAILURE() << architecture << " was accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), Error::Kind::InvalidArgument) << error.what();
        }
    }
}

}  // namespace
}  // namespace gpu
