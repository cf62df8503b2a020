// Copies between the device and pageable host memory, through pinned buffers.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

#include "gpu/cuda_context.h"
#include "gpu/thread_pool.h"

namespace gpu {

// A ring of pinned buffers, made once, that the copies of all streams share. A copy is cut into
// pieces of one buffer; several threads move pieces between host memory and buffers while the
// device's copy engine moves others. A copy asks for one buffer a piece, in turn with all others,
// so that a large one can't shut out a small one.
class CudaStaging {
  public:
    explicit CudaStaging(CudaContext& context);

    // Enqueues the copy; when it returns, `host` may be changed.
    void upload(cuda::Stream stream, cuda::Address device, const void* host, size_t bytes);
    // Waits for the stream's earlier work, and returns when `host` is filled.
    void download(cuda::Stream stream, void* host, cuda::Address device, size_t bytes);

  private:
    struct Buffer {
        char* address = nullptr;
        cuda::Event event = nullptr;  // the last copy from or to it
    };
    class Lease;

    CudaContext& context_;
    ThreadPool threads_;
    std::vector<Buffer> buffers_;
    std::mutex mutex_;
    std::condition_variable given_back_;
    std::deque<Buffer*> idle_;  // the one given back first in front
};

}  // namespace gpu
