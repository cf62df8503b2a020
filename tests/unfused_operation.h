// A coordinate operation that stays without a kernel: PROJ's tinshift.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace gdalgpu {

// A pipeline from UTM zone 33 to a projection, with a triangulation before it that moves nothing.
// Its file goes with the guard.
class UnfusedOperation {
  public:
    explicit UnfusedOperation(const std::string& projection)
        : file_(testing::TempDir() + "/gdal_gpu_triangulation_" + std::to_string(getpid()) +
                ".json"),
          pipeline_("+proj=pipeline +step +proj=tinshift +file=" + file_ +
                    " +step +inv +proj=utm +zone=33 +ellps=WGS84 +step " + projection) {
        std::ofstream(file_) << R"({
            "file_type": "triangulation_file", "format_version": "1.0",
            "transformed_components": ["horizontal"],
            "vertices_columns": ["source_x", "source_y", "target_x", "target_y"],
            "triangles_columns": ["idx_vertex1", "idx_vertex2", "idx_vertex3"],
            "vertices": [[-4e7, -4e7, -4e7, -4e7], [4e7, -4e7, 4e7, -4e7],
                         [4e7, 4e7, 4e7, 4e7], [-4e7, 4e7, -4e7, 4e7]],
            "triangles": [[0, 1, 2], [0, 2, 3]]})";
    }
    ~UnfusedOperation() { std::remove(file_.c_str()); }
    UnfusedOperation(const UnfusedOperation&) = delete;
    UnfusedOperation& operator=(const UnfusedOperation&) = delete;

    const std::string& pipeline() const { return pipeline_; }

  private:
    std::string file_;
    std::string pipeline_;
};

}  // namespace gdalgpu
