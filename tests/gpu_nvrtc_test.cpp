// Every kernel header goes through NVRTC for each generation of GPUs; no GPU is needed.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

#include "gpu/error.h"
#include "gpu/nvrtc.h"
#include "gpu/source.h"

namespace gpu {
namespace {

constexpr const char* kArchitectures[] = {"sm_75", "sm_80", "sm_90"};

// Skips where there is no NVRTC, but in CI, where there must be one.
#define GPU_NEED_NVRTC()                                                     \
    try {                                                                    \
        Nvrtc::Find("", 0);                                                  \
    } catch (const Error& error) {                                           \
        ASSERT_EQ(error.kind(), Error::Kind::Unavailable) << error.what();   \
        const char* ci = std::getenv("CI");                                  \
        if (ci && std::string(ci) == "true")                                 \
            FAIL() << "CI checks kernels with NVRTC: " << error.what();      \
        GTEST_SKIP() << "KERNELS AREN'T CHECKED FOR CUDA: " << error.what(); \
    }

std::vector<std::string> Headers() {
    std::vector<std::string> headers;
    for (const auto& [path, text] : EmbeddedKernels()) headers.push_back(path);
    return headers;
}

class NvrtcSweep : public testing::TestWithParam<std::string> {};

// Each header alone, so that each includes what it needs. Inline functions that nothing calls are
// still parsed and checked; kernels are compiled to the binary.
TEST_P(NvrtcSweep, HeaderCompilesForEveryArchitecture) {
    GPU_NEED_NVRTC();
    Source source;
    source.include(GetParam());
    for (const char* architecture : kArchitectures) {
        try {
            EXPECT_FALSE(CompileForArchitecture(source.text(), architecture).empty());
        } catch (const Error& error) {
            ADD_FAILURE() << GetParam() << " for " << architecture << ": " << error.what();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, NvrtcSweep, testing::ValuesIn(Headers()), [](const auto& info) {
    std::string name = info.param.substr(0, info.param.rfind('.'));
    for (char& c : name) {
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    }
    return name;
});

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
