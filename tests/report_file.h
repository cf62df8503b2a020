// GDAL_GPU_REPORT, for a test.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "cpl_conv.h"
#include "cpl_json.h"
#include "gpu_test_devices.h"

namespace gdalgpu {

// GDAL_GPU_REPORT set to a new file, as long as it lives.
class ReportFile {
  public:
    ReportFile() { CPLSetConfigOption("GDAL_GPU_REPORT", path().c_str()); }
    ~ReportFile() { CPLSetConfigOption("GDAL_GPU_REPORT", nullptr); }

    // The file's lines, each parsed; fails the test for one that isn't JSON.
    std::vector<CPLJSONObject> lines() const {
        std::vector<CPLJSONObject> objects;
        std::ifstream file(path());
        for (std::string line; std::getline(file, line);) {
            CPLJSONDocument document;
            EXPECT_TRUE(document.LoadMemory(line)) << line;
            objects.push_back(document.GetRoot());
        }
        return objects;
    }

  private:
    std::string path() const { return (folder_.path() / "report").string(); }

    const gpu::TemporaryFolder folder_;
};

}  // namespace gdalgpu
