#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <thread>
#include <vector>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_json.h"
#include "plugin/report.h"
#include "report_file.h"

namespace gdalgpu {
namespace {

void CPL_STDCALL KeepWarning(CPLErr kind, CPLErrorNum, const char* text) {
    if (kind == CE_Warning) {
        static_cast<std::vector<std::string>*>(CPLGetErrorHandlerUserData())->emplace_back(text);
    }
}

TEST(Report, HoldsWhatARequestDid) {
    const ReportFile file;
    {
        Report report("preload", "warp");
        report.device = "HOST";
        report.kernel = "warp<bilinear,uint16> utm^-1 merc";
        report.path = "fused";
        report.pixels = 120560400;
        report.compiled = 1;
        report.seconds["kernel"] = 1.2345678901e-05;
        report.reason = "a \"quoted\"\nreason, \xc3\xa9";
    }
    const std::vector<CPLJSONObject> lines = file.lines();
    ASSERT_EQ(lines.size(), 1u);
    const CPLJSONObject& line = lines[0];
    EXPECT_EQ(line.GetString("door"), "preload");
    EXPECT_EQ(line.GetString("operation"), "warp");
    EXPECT_EQ(line.GetString("device"), "HOST");
    EXPECT_EQ(line.GetString("kernel"), "warp<bilinear,uint16> utm^-1 merc");
    EXPECT_EQ(line.GetString("path"), "fused");
    EXPECT_EQ(line.GetLong("pixels"), 120560400);
    EXPECT_EQ(line.GetInteger("compiled"), 1);
    EXPECT_EQ(line.GetString("reason"), "a \"quoted\"\nreason, \xc3\xa9");
    EXPECT_EQ(line.GetDouble("seconds/kernel"), 1.2345678901e-05);
    EXPECT_GE(line.GetDouble("seconds/total", -1), 0);
}

TEST(Report, WithoutAnythingSaidItIsGdals) {
    const ReportFile file;
    { const Report report("warped_vrt", "warp"); }
    ASSERT_EQ(file.lines().size(), 1u);
    EXPECT_EQ(file.lines()[0].GetString("device"), "GDAL");
    EXPECT_EQ(file.lines()[0].GetInteger("compiled", -1), 0);
}

TEST(Report, StagesOfTheSameNameAddUp) {
    const ReportFile file;
    {
        Report report("api", "warp");
        for (int i = 0; i < 3; ++i) {
            const Report::Stage stage(report, "upload");
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
    const CPLJSONObject line = file.lines().at(0);
    EXPECT_GE(line.GetDouble("seconds/upload"), 0.03);
    EXPECT_GE(line.GetDouble("seconds/total"), line.GetDouble("seconds/upload"));
}

TEST(Report, LinesOfManyThreadsStayWhole) {
    const ReportFile file;
    std::vector<std::thread> threads;
    threads.reserve(8);
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([t] {
            for (int i = 0; i < 50; ++i) {
                Report report("preload", "warp");
                report.pixels = t * 50 + i;
                report.kernel = std::string(5000, 'k');
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    std::set<int64_t> seen;
    for (const CPLJSONObject& line : file.lines()) {
        seen.insert(line.GetLong("pixels"));
    }
    EXPECT_EQ(seen.size(), 400u);
}

TEST(Report, GoesToStderrWhereAsked) {
    const CPLConfigOptionSetter setter("GDAL_GPU_REPORT", "stderr", false);
    testing::internal::CaptureStderr();
    { const Report report("algorithm", "hillshade"); }
    const std::string text = testing::internal::GetCapturedStderr();
    CPLJSONDocument document;
    ASSERT_TRUE(document.LoadMemory(text)) << text;
    EXPECT_EQ(document.GetRoot().GetString("operation"), "hillshade");
    EXPECT_EQ(text.back(), '\n');
}

TEST(Report, GoesToStdoutWhereAsked) {
    for (const char* name : {"stdout", "-"}) {
        const CPLConfigOptionSetter setter("GDAL_GPU_REPORT", name, false);
        testing::internal::CaptureStdout();
        { const Report report("algorithm", "slope"); }
        const std::string text = testing::internal::GetCapturedStdout();
        CPLJSONDocument document;
        ASSERT_TRUE(document.LoadMemory(text)) << text;
        EXPECT_EQ(document.GetRoot().GetString("operation"), "slope");
        EXPECT_EQ(text.back(), '\n');
        EXPECT_FALSE(std::filesystem::exists(name)) << "a file of this name";
        EXPECT_EQ(WhyNoReport(name), "");
    }
}

TEST(Report, AFileThatCannotBeWrittenToWarnsOnce) {
    const std::string path = "/no/such/folder/report";
    std::vector<std::string> texts;
    CPLPushErrorHandlerEx(KeepWarning, &texts);
    for (int i = 0; i < 2; ++i) {
        const CPLConfigOptionSetter setter("GDAL_GPU_REPORT", path.c_str(), false);
        const Report report("api", "warp");
    }
    CPLPopErrorHandler();
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_EQ(texts[0], WhyNoReport(path)) << "as it is said before anything is written";
    EXPECT_EQ(texts[0], "GDAL_GPU_REPORT=" + path + " can't be written: No such file or directory");
}

TEST(Report, TellsBeforehandWhatCannotBeWritten) {
    const std::string folder = std::filesystem::temp_directory_path();
    EXPECT_EQ(WhyNoReport(folder + "/a-new-report"), "");
    EXPECT_FALSE(std::filesystem::exists(folder + "/a-new-report"));
    EXPECT_EQ(WhyNoReport("a-new-report"), "");
    EXPECT_EQ(WhyNoReport(""), "");
    EXPECT_EQ(WhyNoReport("/dev/stderr"), "");
    EXPECT_EQ(WhyNoReport(folder),
              "GDAL_GPU_REPORT=" + folder + " can't be written: Is a directory");
}

TEST(Report, DoesNotWaitForTheReaderOfAFifo) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("report-fifo-" + std::to_string(getpid()));
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    const CPLConfigOptionSetter setter("GDAL_GPU_REPORT", path.c_str(), false);
    CPLPushErrorHandler(CPLQuietErrorHandler);
    { const Report unread("api", "warp"); }
    CPLPopErrorHandler();
    const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    { const Report report("api", "warp"); }
    char line[1000];
    EXPECT_GT(read(reader, line, sizeof line), 0);
    close(reader);
    std::filesystem::remove(path);
}

TEST(Report, IsNotWrittenWhereNobodyAsked) {
    const CPLConfigOptionSetter setter("GDAL_GPU_REPORT", nullptr, false);
    testing::internal::CaptureStderr();
    { const Report report("api", "warp"); }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace gdalgpu
