// For tests that send kernels through NVRTC for each generation of GPUs; no GPU is needed.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <string>

#include "gpu/error.h"
#include "gpu/nvrtc.h"
#include "gpu/source.h"

namespace gpu {

// Skips a test where there is no NVRTC, but fails it in CI, where there must be one.
#define GPU_NEED_NVRTC()                                                                   \
    try {                                                                                  \
        gpu::Nvrtc::Find("", 0);                                                           \
    } catch (const gpu::Error& error) {                                                    \
        ASSERT_EQ(error.kind(), gpu::Error::Kind::Unavailable) << error.what();            \
        const char* ci = std::getenv("CI");                                                \
        if (ci && std::string(ci) == "true") FAIL() << "CI needs NVRTC: " << error.what(); \
        GTEST_SKIP() << "KERNELS AREN'T CHECKED FOR CUDA: " << error.what();               \
    }

constexpr const char* kArchitectures[] = {"sm_75", "sm_80", "sm_90"};

inline void ExpectCompiles(const Source& source, const char* architecture,
                           const std::string& name) {
    try {
        EXPECT_FALSE(CompileForArchitecture(source.text(), architecture).empty());
    } catch (const Error& error) {
        ADD_FAILURE() << name << " for " << architecture << ": " << error.what();
    }
}

inline void ExpectCompilesForEveryArchitecture(const Source& source, const std::string& name) {
    for (const char* architecture : kArchitectures) ExpectCompiles(source, architecture, name);
}

// Text as the name of a parameterized test.
inline std::string TestName(std::string text) {
    for (char& c : text) {
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    }
    return text;
}

}  // namespace gpu
