// Every kernel header goes through NVRTC. What templates become where they are used is tested with
// the components that put kernels together (*_nvrtc_test.cpp).
#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/nvrtc.h"
#include "gpu_test_devices.h"
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

// Environment variables for as long as it lives; nullptr unsets one.
class Environment {
  public:
    explicit Environment(const std::vector<std::pair<const char*, const char*>>& variables) {
        for (const auto& [name, value] : variables) {
            const char* before = std::getenv(name);
            before_.emplace_back(
                name, before != nullptr ? std::optional<std::string>(before) : std::nullopt);
            Set(name, value);
        }
    }
    ~Environment() {
        for (const auto& [name, value] : before_) Set(name, value ? value->c_str() : nullptr);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    static void Set(const char* name, const char* value) {
        value != nullptr ? setenv(name, value, 1) : unsetenv(name);
    }
    std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

// The layouts of pip's packages nvidia-cuda-nvrtc-cu12 12.9 and nvidia-cuda-nvrtc 13.5, and of
// conda-forge's cuda-nvrtc.
TEST(Nvrtc, IsLookedForWherePipAndCondaPutIt) {
    const TemporaryFolder folder;
    const std::string root = (folder.path() / "with [odd] letters*").string();
    const auto add = [&](const std::string& path) {
        const std::filesystem::path file = root + path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << "";
        return file.string();
    };
    const std::string packages = "/lib/python3.12/site-packages/nvidia";
    const std::string pip12 = add("/venv" + packages + "/cuda_nvrtc/lib/libnvrtc.so.12");
    add("/venv" + packages + "/cuda_nvrtc/lib/libnvrtc.alt.so.12");
    add("/venv" + packages + "/cuda_nvrtc/lib/libnvrtc-builtins.so.12.9");
    const std::string pip13 = add("/venv" + packages + "/cu13/lib/libnvrtc.so.13");
    const std::string conda = add("/conda/lib/libnvrtc.so.12");
    const std::string in_conda = add("/conda" + packages + "/cuda_nvrtc/lib/libnvrtc.so.12");
    const std::string toolkit = add("/toolkit/lib64/libnvrtc.so.12");
    const std::string user = add("/home/.local" + packages + "/cuda_nvrtc/lib/libnvrtc.so.12");

    const std::string venv_variable = root + "/venv", conda_variable = root + "/conda";
    const std::string home = root + "/home", toolkit_variable = root + "/toolkit";
    const Environment environment({{"VIRTUAL_ENV", venv_variable.c_str()},
                                   {"CONDA_PREFIX", conda_variable.c_str()},
                                   {"HOME", home.c_str()},
                                   {"CUDA_HOME", toolkit_variable.c_str()},
                                   {"CUDA_PATH", nullptr}});
    std::vector<std::string> ours;
    for (const std::string& candidate : Nvrtc::Candidates()) {
        if (candidate.compare(0, root.size(), root) == 0) ours.push_back(candidate);
    }
    EXPECT_THAT(ours, testing::ElementsAre(pip13, pip12, in_conda, user, conda, toolkit));
    EXPECT_EQ(Nvrtc::Candidates().front(), "libnvrtc.so.13") << "the loader's";
    {
        const Environment inactive(
            {{"VIRTUAL_ENV", nullptr}, {"CONDA_PREFIX", "relative"}, {"HOME", nullptr}});
        for (const std::string& candidate : Nvrtc::Candidates()) {
            EXPECT_TRUE(candidate.compare(0, root.size(), root) != 0 || candidate == toolkit);
        }
        // The environment's own interpreter, without activation.
        std::string program = venv_variable + "/bin/python3";
        char* const before = program_invocation_name;
        program_invocation_name = program.data();
        const std::vector<std::string> without = Nvrtc::Candidates();
        add("/venv/pyvenv.cfg");
        const std::vector<std::string> candidates = Nvrtc::Candidates();
        program_invocation_name = before;
        EXPECT_THAT(without, testing::Not(testing::Contains(pip12)));
        EXPECT_THAT(candidates, testing::Contains(pip12));
    }
}

TEST(Nvrtc, ALibraryThatIsNamedAndCannotBeOpenedIsTheReason) {
    const TemporaryFolder folder;
    const std::string text = (folder.path() / "libnvrtc.so").string();
    std::ofstream(text) << "no library";
    for (const std::string& library :
         {std::string("/no/such/libnvrtc.so"), std::string("libno-such-nvrtc.so"), text,
          std::string("libc.so.6")}) {
        try {
            Nvrtc::Find(library, 0);
            ADD_FAILURE() << library;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), Error::Kind::InvalidArgument);
            EXPECT_EQ(std::string(error.what()).find("GDAL_GPU_NVRTC=" + library + " "), 0u)
                << error.what();
        }
    }
    GPU_EXPECT_ERROR(Nvrtc::Check("/no/such/libnvrtc.so"), Error::Kind::InvalidArgument);
    Nvrtc::Check(text);
    Nvrtc::Check("libnvrtc.so.12");
}

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
