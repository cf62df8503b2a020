// The handles of source files are bounded for the whole process.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cpl_conv.h"
#include "gpu_test_devices.h"
#include "plugin/warp/parallel_source.h"
#include "plugin/warp/source_handles.h"

namespace gdalgpu {
namespace {

namespace fs = std::filesystem;

constexpr int kSize = 3000;  // 9 million samples: enough to be read by threads

class SourceHandle : public testing::Test {
  protected:
    void SetUp() override { GDALAllRegister(); }

    std::string Path(const std::string& name) const { return (folder_.path() / name).string(); }

    // A GeoTIFF of one value; returns its path.
    std::string Make(const std::string& name, int value = 1, int size = 64) const {
        GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
        const char* const options[] = {"COMPRESS=DEFLATE", "TILED=YES", nullptr};
        const GDALDatasetUniquePtr dataset(driver->Create(Path(name).c_str(), size, size, 1,
                                                          GDT_Byte, const_cast<char**>(options)));
        EXPECT_EQ(dataset->GetRasterBand(1)->Fill(value), CE_None);
        return Path(name);
    }

    static GDALDatasetUniquePtr Open(const std::string& path) {
        return GDALDatasetUniquePtr(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER));
    }

    SourceFile File(const std::string& name) const { return SourceFile::Of(*Open(Make(name))); }

  private:
    const gpu::TemporaryFolder folder_;
};

TEST_F(SourceHandle, StayOpenForTheNextReadUntilNobodyUsesTheFile) {
    SourceHandles handles(10);
    const SourceFile file = File("a.tif");
    int first = 0;
    int second = 0;
    const GDALDataset* lent = nullptr;
    {
        auto loan = handles.Borrow(file, &first, 2);
        ASSERT_EQ(loan.size(), 2u);
        EXPECT_NE(&loan[0], &loan[1]);
        EXPECT_EQ(loan[0].GetRasterXSize(), 64);
        lent = &loan[0];
    }
    EXPECT_EQ(gpu::TimesOpen(file.path), 2);
    {
        auto loan = handles.Borrow(file, &second, 3);
        EXPECT_EQ(loan.size(), 3u);
        EXPECT_TRUE(&loan[0] == lent || &loan[1] == lent) << "one of those before";
        EXPECT_EQ(handles.open(), 3u);
    }
    handles.Release(file, &first);
    handles.Release(file, &first);
    EXPECT_EQ(gpu::TimesOpen(file.path), 3);
    handles.Release(file, &second);
    EXPECT_EQ(gpu::TimesOpen(file.path), 0);
    EXPECT_EQ(handles.open(), 0u);
}

TEST_F(SourceHandle, OfTheFilesUsedLastStayWithinTheBound) {
    SourceHandles handles(5);
    int user = 0;
    const SourceFile a = File("a.tif"), b = File("b.tif"), c = File("c.tif");
    EXPECT_EQ(handles.Borrow(a, &user, 2).size(), 2u);
    EXPECT_EQ(handles.Borrow(b, &user, 2).size(), 2u);
    EXPECT_EQ(handles.Borrow(a, &user, 2).size(), 2u);
    EXPECT_EQ(handles.Borrow(c, &user, 3).size(), 3u);
    EXPECT_EQ(gpu::TimesOpen(a.path), 2);
    EXPECT_EQ(gpu::TimesOpen(b.path), 0) << "the one used longest ago";
    EXPECT_EQ(gpu::TimesOpen(c.path), 3);
    EXPECT_EQ(handles.Borrow(b, &user, 99).size(), 5u);
    EXPECT_EQ(handles.open(), 5u);
}

TEST_F(SourceHandle, ThatAreLentCountToo) {
    SourceHandles handles(5);
    int user = 0;
    const SourceFile a = File("a.tif"), b = File("b.tif");
    {
        auto first = handles.Borrow(a, &user, 4);
        auto second = handles.Borrow(b, &user, 4);
        auto third = handles.Borrow(b, &user, 4);
        EXPECT_EQ(first.size(), 4u);
        EXPECT_EQ(second.size(), 1u);
        EXPECT_EQ(third.size(), 0u);
    }
    EXPECT_EQ(handles.Borrow(b, &user, 4).size(), 4u);
    EXPECT_EQ(handles.open(), 5u);
}

TEST_F(SourceHandle, ExceedTheBoundForOneLoanAlone) {
    SourceHandles handles(3, 6);
    int user = 0;
    const SourceFile a = File("a.tif"), b = File("b.tif");
    EXPECT_EQ(handles.Borrow(a, &user, 2).size(), 2u);
    {
        auto loan = handles.Borrow(b, &user, 9);
        EXPECT_EQ(loan.size(), 6u);
        EXPECT_EQ(handles.Borrow(a, &user, 2).size(), 0u);
    }
    EXPECT_EQ(handles.Borrow(a, &user, 2).size(), 2u);
    EXPECT_EQ(handles.open(), 3u);
}

TEST_F(SourceHandle, AreNotLentForAFileThatChanged) {
    SourceHandles handles(5);
    int user = 0;
    const SourceFile file = File("a.tif");
    EXPECT_EQ(handles.Borrow(file, &user, 2).size(), 2u);
    fs::rename(Make("b.tif", 2), file.path);
    EXPECT_FALSE(file.Unchanged());
    EXPECT_EQ(handles.Borrow(file, &user, 3).size(), 0u);
    EXPECT_EQ(handles.open(), 0u);
    const SourceFile fresh = SourceFile::Of(*Open(file.path));
    EXPECT_EQ(handles.Borrow(fresh, &user, 2).size(), 2u);
    fs::remove(file.path);
    EXPECT_EQ(handles.Borrow(fresh, &user, 3).size(), 0u);
    EXPECT_EQ(handles.open(), 0u);
}

TEST_F(SourceHandle, ThatCannotBeOpenedAreNotCountedAndGiveNoError) {
    SourceHandles handles(5);
    int user = 0;
    SourceFile file = File("a.tif");
    file.driver = "PNG";
    CPLErrorReset();
    EXPECT_EQ(handles.Borrow(file, &user, 3).size(), 0u);
    EXPECT_EQ(CPLGetLastErrorType(), CE_None);
    EXPECT_EQ(handles.open(), 0u);
}

TEST_F(SourceHandle, AreLentToManyThreadsAtOnce) {
    SourceHandles handles(6);
    std::vector<SourceFile> files;
    for (const char* name : {"a.tif", "b.tif", "c.tif"}) files.push_back(File(name));
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (size_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (size_t i = 0; i < 50; ++i) {
                const SourceFile& file = files[(t + i) % files.size()];
                auto loan = handles.Borrow(file, &threads, 1 + i % 3);
                for (size_t k = 0; k < loan.size(); ++k)
                    wrong += loan[k].GetDescription() != file.path;
                wrong += handles.open() > 6;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    for (const SourceFile& file : files) handles.Release(file, &threads);
    EXPECT_EQ(handles.open(), 0u);
}

// What stands for a source, as it is used.
class ManySources : public SourceHandle {
  protected:
    struct Source {
        std::string path;
        GDALDatasetUniquePtr dataset;
        std::unique_ptr<GDALDataset> parallel;
    };

    void SetUp() override {
        SourceHandle::SetUp();
        CPLSetConfigOption("GDAL_GPU_READ_THREADS", "8");
    }
    void TearDown() override { CPLSetConfigOption("GDAL_GPU_READ_THREADS", nullptr); }

    Source MakeOne(const std::string& name, int value) const {
        Source source{Make(name, value, kSize), nullptr, nullptr};
        source.dataset = Open(source.path);
        source.parallel = MakeParallelSource(*source.dataset);
        EXPECT_NE(source.parallel, nullptr);
        return source;
    }

    // Whether all pixels have the value.
    static bool Reads(GDALDataset& dataset, int value) {
        std::vector<GByte> pixels(static_cast<size_t>(kSize) * kSize);
        return dataset.RasterIO(GF_Read, 0, 0, kSize, kSize, pixels.data(), kSize, kSize, GDT_Byte,
                                1, nullptr, 0, 0, 0, nullptr) == CE_None &&
               pixels == std::vector<GByte>(pixels.size(), static_cast<GByte>(value));
    }

    static size_t Count(const char* folder) {
        return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
    }
};

TEST_F(ManySources, ShareThreadsAndHandles) {
    const size_t files = Count("/proc/self/fd"), threads = Count("/proc/self/task");
    {
        std::vector<Source> sources;
        for (int i = 0; i < 12; ++i) {
            sources.push_back(MakeOne("s" + std::to_string(i) + ".tif", i));
            EXPECT_EQ(Count("/proc/self/fd"), files + i + 1 + SourceHandles::OfProcess().open())
                << "none is opened before it is needed";
            EXPECT_TRUE(Reads(*sources.back().parallel, i));
        }
        EXPECT_EQ(gpu::TimesOpen(sources.back().path), 1 + 8);
        EXPECT_LE(Count("/proc/self/fd"), files + sources.size() + 32);
        EXPECT_LE(Count("/proc/self/task"), threads + 7);
        for (int i = 0; i < 12; ++i) EXPECT_TRUE(Reads(*sources[i].parallel, i));
    }
    EXPECT_EQ(Count("/proc/self/fd"), files) << "closed with the datasets";
}

TEST_F(ManySources, AreReadByManyThreadsAtOnce) {
    std::vector<Source> sources;
    sources.reserve(4);
    for (int i = 0; i < 4; ++i) sources.push_back(MakeOne("s" + std::to_string(i) + ".tif", i));
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            for (int round = 0; round < 3; ++round) wrong += !Reads(*sources[i].parallel, i);
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

TEST_F(ManySources, AForkedChildHasHandlesAndThreadsOfItsOwn) {
    const Source source = MakeOne("s.tif", 5);
    EXPECT_TRUE(Reads(*source.parallel, 5));
    ASSERT_EQ(SourceHandles::OfProcess().open(), 8u);
    const pid_t child = fork();
    if (child == 0) {
        bool good = SourceHandles::OfProcess().open() == 0 && Count("/proc/self/task") == 1;
        good = good && Reads(*source.parallel, 5) && SourceHandles::OfProcess().open() == 8;
        _exit(good && Count("/proc/self/task") == 8 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(Reads(*source.parallel, 5));
    EXPECT_EQ(SourceHandles::OfProcess().open(), 8u);
}

}  // namespace
}  // namespace gdalgpu
