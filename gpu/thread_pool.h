#pragma once

#include <cstdint>
#include <functional>

#include "gpu/per_process.h"

namespace gpu {

// Threads that share the pieces of the jobs of all callers, a piece of each job in turn. They start
// with the first job that has more than one piece, and end with the pool. Usable in a forked child
// too.
class ThreadPool {
  public:
    // threads: those that work on a job, the caller's included; 0: one a core.
    explicit ThreadPool(int threads);
    ~ThreadPool();

    int threads() const { return threads_; }

    // Calls piece(0) ... piece(count - 1), on the caller's thread and the pool's, and returns when
    // all have ended. Rethrows the first exception; the pieces that had not begun by then are left
    // out.
    void run(int64_t count, const std::function<void(int64_t)>& piece);

  private:
    struct State;
    struct Job;

    const int threads_;
    PerProcess<State> state_;
};

// The cores that this process may use.
int CoreCount();

// memcpy and memset by the pool's threads where it pays.
void ParallelCopy(ThreadPool& pool, void* target, const void* source, size_t bytes);
void ParallelFill(ThreadPool& pool, void* target, int byte, size_t bytes);

}  // namespace gpu
