// The account of each request: one JSON object a line into GDAL_GPU_REPORT (a file, "stderr",
// "stdout" or "-"), and the same in short under CPL_DEBUG=GPU.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace gdalgpu {

// Why GDAL_GPU_REPORT=target can't be written, as the warning says it; empty where it can, or only
// writing would show it. Writes nothing.
std::string WhyNoReport(const std::string& target);

class Report {
  public:
    // door: "warped_vrt", "transformer", "pixel_function", "algorithm", "preload", "api";
    // operation: "warp", ... Warns of wrong options.
    Report(std::string door, std::string operation);
    // Writes the line; never throws.
    ~Report();
    Report(const Report&) = delete;
    Report& operator=(const Report&) = delete;

    std::string device = "GDAL";  // "CUDA", "HOST" or "GDAL"
    std::string kernel;           // what ran: "warp<bilinear,uint16> utm^-1 merc"
    std::string path;             // of coordinates: "fused", "sampled" or empty
    std::string precision;        // of coordinates: "fp64", "ds", "fp32" or empty
    std::string reason;           // where the device is "GDAL", or a plan was dropped
    unsigned long long pixels = 0;
    int compiled = 0;
    // Seconds by stage ("plan", "compile", "upload", "kernel", "download", ...); "total" is added.
    std::map<std::string, double> seconds;

    // Adds the time of its own life to report.seconds[stage].
    class Stage {
      public:
        Stage(Report& report, const char* stage);
        ~Stage();

      private:
        Report& report_;
        const char* stage_;
        std::chrono::steady_clock::time_point start_;
    };

  private:
    std::string door_;
    std::string operation_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace gdalgpu
