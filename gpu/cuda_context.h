// The CUDA context of this process, and what all CUDA devices share with it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/cuda_driver.h"
#include "gpu/error.h"

namespace gpu {

class CudaStaging;

// The primary context of the first device (the one that the CUDA runtime, CUB and other libraries
// use too), kept until the process ends. Nothing of it is released at exit: the driver does that
// itself, and may be gone before.
class CudaContext {
  public:
    // Makes it on first use (0.2 to 0.4 s). Throws Error (Unavailable): no driver, no GPU, or a
    // child forked from a process that uses CUDA.
    static CudaContext& Get();

    const cuda::Driver& driver() const { return driver_; }
    const std::string& name() const { return name_; }
    int compute_capability() const { return compute_capability_; }  // 90 for 9.0
    // Null where the device has no stream-ordered memory.
    cuda::MemoryPool pool() const { return pool_; }
    CudaStaging& staging();
    // Whether the copy engine can reach host memory by itself: pinned by whatever library, from the
    // first byte to the last.
    bool is_pinned(const void* host, size_t bytes) const;

    // After a sticky error, for the rest of the process; in a forked child too.
    bool lost() const;
    // Throws Error (Lost) where it is.
    void check_usable() const;
    // Throws for any result but success: Lost (and marks the context) for a sticky error,
    // OutOfMemory, else `kind`. call: the driver's function, with what it was for.
    void check(cuda::Result result, Error::Kind kind, const char* call) const;

    // Streams that nobody uses; they are made when there is none, and never destroyed.
    cuda::Stream take_stream();
    void give_stream(cuda::Stream stream);

    // Makes the context the calling thread's current one for its own life, then gives the former
    // one back.
    class Scope {
      public:
        explicit Scope(const CudaContext& context);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        const CudaContext& context_;
    };

  private:
    explicit CudaContext(const cuda::Driver& driver);

    const cuda::Driver& driver_;
    const pid_t process_;
    cuda::Context context_ = nullptr;
    std::string name_;
    int compute_capability_ = 0;
    cuda::MemoryPool pool_ = nullptr;
    mutable std::atomic<bool> lost_{false};
    std::mutex mutex_;
    std::vector<cuda::Stream> streams_;
    CudaStaging* staging_ = nullptr;  // leaked, as the context is
};

}  // namespace gpu
