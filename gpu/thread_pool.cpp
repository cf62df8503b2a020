#include "gpu/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace gpu {

struct ThreadPool::Job {
    int64_t count = 0;
    int64_t next = 0;     // first piece that nobody has taken
    int64_t running = 0;  // pieces being worked on
    const std::function<void(int64_t)>* piece = nullptr;
    std::exception_ptr error;
    std::condition_variable finished;
};

struct ThreadPool::State {
    explicit State(int worker_count) : workers(worker_count) {}

    ~State() {
        {
            std::lock_guard<std::mutex> lock(mutex);
            ending = true;
        }
        work.notify_all();
        for (std::thread& thread : threads) {
            thread.join();
        }
    }

    // Works on one piece of `job`; `lock` is held before and after.
    void work_on(Job& job, std::unique_lock<std::mutex>& lock) {
        const int64_t index = job.next++;
        ++job.running;
        if (job.next == job.count) {
            jobs.erase(std::find(jobs.begin(), jobs.end(), &job));
        }
        lock.unlock();
        std::exception_ptr error;
        try {
            (*job.piece)(index);
        } catch (...) {
            error = std::current_exception();
        }
        lock.lock();
        --job.running;
        if (error) {
            if (!job.error) {
                job.error = error;
            }
            if (job.next < job.count) {
                job.next = job.count;
                jobs.erase(std::find(jobs.begin(), jobs.end(), &job));
            }
        }
        if (job.next == job.count && job.running == 0) {
            job.finished.notify_all();
        }
    }

    void worker() {
        std::unique_lock<std::mutex> lock(mutex);
        for (;;) {
            work.wait(lock, [&] { return ending || !jobs.empty(); });
            if (ending) {
                return;
            }
            Job* job = jobs.front();
            jobs.pop_front();
            jobs.push_back(job);
            work_on(*job, lock);
        }
    }

    // Signals are the application's: its handlers run on its own threads. `lock` is held by the
    // caller.
    void start() {
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        while (static_cast<int>(threads.size()) < workers) {
            try {
                threads.emplace_back([this] { worker(); });
            } catch (const std::system_error&) {
                workers = static_cast<int>(
                    threads.size());  // no more to be had: those there are do the work
            }
        }
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    std::mutex mutex;
    std::condition_variable work;
    std::deque<Job*> jobs;  // those with pieces that nobody has taken, the next in turn first
    std::vector<std::thread> threads;
    int workers;
    bool ending = false;
};

int CoreCount() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0) {
        return std::max(1, CPU_COUNT(&set));
    }
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

ThreadPool::ThreadPool(int threads)
    : threads_(threads > 0 ? threads : CoreCount()),
      state_([this] { return new State(threads_ - 1); }) {}

ThreadPool::~ThreadPool() = default;

void ThreadPool::run(int64_t count, const std::function<void(int64_t)>& piece) {
    if (count == 1 || threads_ == 1) {
        for (int64_t i = 0; i < count; ++i) {
            piece(i);
        }
        return;
    }
    if (count <= 0) {
        return;
    }
    State& state = state_.get();
    Job job;
    job.count = count;
    job.piece = &piece;
    std::unique_lock<std::mutex> lock(state.mutex);
    if (static_cast<int>(state.threads.size()) < state.workers) {
        state.start();
    }
    state.jobs.push_back(&job);
    for (int64_t i = std::min<int64_t>(count - 1, state.workers); i > 0; --i) {
        state.work.notify_one();
    }
    while (job.next < job.count) {
        state.work_on(job, lock);
    }
    job.finished.wait(lock, [&] { return job.running == 0; });
    if (job.error) {
        std::rethrow_exception(job.error);
    }
}

namespace {

constexpr size_t kCopyPiece = size_t{4} << 20;

int64_t CopyPieces(size_t bytes) {
    return static_cast<int64_t>((bytes + kCopyPiece - 1) / kCopyPiece);
}

}  // namespace

void ParallelCopy(ThreadPool& pool, void* target, const void* source, size_t bytes) {
    pool.run(CopyPieces(bytes), [&](int64_t i) {
        const size_t begin = i * kCopyPiece;
        std::memcpy(static_cast<char*>(target) + begin, static_cast<const char*>(source) + begin,
                    std::min(kCopyPiece, bytes - begin));
    });
}

void ParallelFill(ThreadPool& pool, void* target, int byte, size_t bytes) {
    pool.run(CopyPieces(bytes), [&](int64_t i) {
        const size_t begin = i * kCopyPiece;
        std::memset(static_cast<char*>(target) + begin, byte, std::min(kCopyPiece, bytes - begin));
    });
}

}  // namespace gpu
