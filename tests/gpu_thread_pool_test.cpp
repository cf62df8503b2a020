#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "gpu/thread_pool.h"

namespace gpu {
namespace {

TEST(ThreadPool, RunsEveryPieceOnce) {
    for (const int threads : {1, 2, 7}) {
        ThreadPool pool(threads);
        for (const int64_t count : {0, 1, 2, 3, 1000}) {
            std::vector<std::atomic<int>> runs(count);
            pool.run(count, [&](int64_t i) { ++runs[i]; });
            for (const auto& run : runs) {
                ASSERT_EQ(run, 1);
            }
        }
    }
}

TEST(ThreadPool, JobsOfManyCallersRunSideBySide) {
    ThreadPool pool(4);
    std::atomic<long long> sum{0};
    std::vector<std::thread> callers;
    callers.reserve(16);
    for (int c = 0; c < 16; ++c) {
        callers.emplace_back([&] {
            for (int round = 0; round < 200; ++round) {
                pool.run(10, [&](int64_t i) { sum += i; });
            }
        });
    }
    for (std::thread& caller : callers) {
        caller.join();
    }
    EXPECT_EQ(sum, 16 * 200 * 45);
}

TEST(ThreadPool, ALongJobDoesNotShutOutAShortOne) {
    ThreadPool pool(2);
    std::atomic<bool> short_done{false};
    std::atomic<int> after{0};
    std::thread slow([&] {
        pool.run(400, [&](int64_t) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            after += short_done;
        });
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    pool.run(20, [](int64_t) {});
    short_done = true;
    slow.join();
    EXPECT_GT(after, 100);
}

TEST(ThreadPool, TheFirstExceptionReachesTheCallerAndThePoolGoesOn) {
    ThreadPool pool(3);
    for (int round = 0; round < 50; ++round) {
        EXPECT_THROW(pool.run(100,
                              [](int64_t i) {
                                  if (i % 7 == 3) throw std::runtime_error("a piece fails");
                              }),
                     std::runtime_error);
    }
    std::atomic<int> runs{0};
    pool.run(100, [&](int64_t) { ++runs; });
    EXPECT_EQ(runs, 100);
}

TEST(ThreadPool, UsesItsThreads) {
    ThreadPool pool(3);
    std::mutex mutex;
    std::set<std::thread::id> seen;
    pool.run(60, [&](int64_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        std::lock_guard<std::mutex> lock(mutex);
        seen.insert(std::this_thread::get_id());
    });
    EXPECT_EQ(seen.size(), 3u);
}

}  // namespace
}  // namespace gpu
