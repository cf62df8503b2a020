// The devices that tests of gpu/ run on, and folders for their files.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <system_error>

#include "gpu/device.h"

namespace gpu {

// For test names.
inline void PrintTo(Device::Kind kind, std::ostream* out) {
    *out << (kind == Device::Kind::Cuda ? "CUDA" : "HOST");
}

inline std::shared_ptr<Device> MakeDevice(Device::Kind kind, const Options& options) {
    return kind == Device::Kind::Cuda ? MakeCudaDevice(options) : MakeHostDevice(options);
}

// A test on HOST and on CUDA, which is skipped where there is none, unless GDAL_GPU_DEVICE=CUDA
// asks for it.
class EachDevice : public testing::TestWithParam<Device::Kind> {
  protected:
    void SetUp() override {
        try {
            device_ = MakeDevice(GetParam(), {});
        } catch (const Error& error) {
            const char* wanted = std::getenv("GDAL_GPU_DEVICE");
            const bool required = wanted != nullptr && std::string(wanted) == "CUDA";
            if (GetParam() == Device::Kind::Host || required ||
                error.kind() != Error::Kind::Unavailable) {
                throw;
            }
            GTEST_SKIP() << "no CUDA device here: " << error.what();
        }
    }

    std::shared_ptr<Device> device_;
};

#define GPU_INSTANTIATE_EACH_DEVICE(suite)                                       \
    INSTANTIATE_TEST_SUITE_P(                                                    \
        Devices, suite, testing::Values(Device::Kind::Host, Device::Kind::Cuda), \
        [](const auto& info) { return info.param == Device::Kind::Cuda ? "CUDA" : "HOST"; })

// The statement throws Error of that kind.
#define GPU_EXPECT_ERROR(statement, expected_kind)                                 \
    try {                                                                          \
        statement;                                                                 \
        ADD_FAILURE() << #statement << " doesn't throw";                           \
    } catch (const Error& error) {                                                 \
        EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(expected_kind)) \
            << error.what();                                                       \
    }

// A folder of its own (mode 0700), removed at the end.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string path = (std::filesystem::temp_directory_path() / "gpu-test-XXXXXX").string();
        if (mkdtemp(path.data()) == nullptr) {
            throw std::runtime_error("no temporary folder");
        }
        path_ = path;
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

// How often this process has the file of `path` open, by whatever name.
inline int TimesOpen(const std::filesystem::path& path) {
    int count = 0;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
        count += std::filesystem::equivalent(entry.path(), path, ignored);
    return count;
}

inline size_t CountFiles(const std::filesystem::path& folder, const std::string& start,
                         const std::string& extension) {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        count += name.compare(0, start.size(), start) == 0 &&
                 (extension.empty() || entry.path().extension() == extension);
    }
    return count;
}

}  // namespace gpu
