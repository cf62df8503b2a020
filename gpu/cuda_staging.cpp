#include "gpu/cuda_staging.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace gpu {

namespace {

constexpr size_t kBufferBytes = size_t{4} << 20;
constexpr size_t kBuffers = 32;
constexpr int kMostThreads = 12;

}  // namespace

// A buffer that the copy engine is through with, for one piece.
class CudaStaging::Lease {
  public:
    explicit Lease(CudaStaging& staging) : staging_(staging) {
        std::unique_lock<std::mutex> lock(staging.mutex_);
        staging.given_back_.wait(lock, [&] { return !staging.idle_.empty(); });
        buffer_ = staging.idle_.front();
        staging.idle_.pop_front();
        lock.unlock();
        try {
            wait();
        } catch (...) {
            give_back();
            throw;
        }
    }
    ~Lease() { give_back(); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    char* address() const { return buffer_->address; }
    void record(cuda::Stream stream) const {
        staging_.context_.check(staging_.context_.driver().event_record(buffer_->event, stream),
                                Error::Kind::Copy, "cuEventRecord after a copy");
    }
    void wait() const {
        staging_.context_.check(staging_.context_.driver().event_synchronize(buffer_->event),
                                Error::Kind::Copy, "cuEventSynchronize after a copy");
    }

  private:
    void give_back() {
        {
            std::lock_guard<std::mutex> lock(staging_.mutex_);
            staging_.idle_.push_back(buffer_);
        }
        staging_.given_back_.notify_one();
    }

    CudaStaging& staging_;
    Buffer* buffer_;
};

CudaStaging::CudaStaging(CudaContext& context)
    : context_(context), threads_(std::min(CoreCount(), kMostThreads)), buffers_(kBuffers) {
    const CudaContext::Scope scope(context_);
    const cuda::Driver& driver = context_.driver();
    // Touched memory is registered nine times as fast as new pinned memory is allocated.
    constexpr size_t kBytes = kBufferBytes * kBuffers;
    void* memory =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw Error(Error::Kind::Copy, "no memory for the staging buffers");
    }
    madvise(memory, kBytes, MADV_HUGEPAGE);
    madvise(memory, kBytes, MADV_DONTFORK);
    ParallelFill(threads_, memory, 0, kBytes);
    if (driver.host_register(memory, kBytes, cuda::kHostPortable) != cuda::kSuccess) {
        munmap(memory, kBytes);
        context_.check(driver.host_allocate(&memory, kBytes, cuda::kHostPortable),
                       Error::Kind::Copy, "cuMemHostAlloc of the staging buffers");
    }
    for (size_t i = 0; i < kBuffers; ++i) {
        buffers_[i].address = static_cast<char*>(memory) + i * kBufferBytes;
        context_.check(driver.event_create(&buffers_[i].event,
                                           cuda::kEventBlockingSync | cuda::kEventDisableTiming),
                       Error::Kind::Copy, "cuEventCreate");
        idle_.push_back(&buffers_[i]);
    }
}

void CudaStaging::upload(cuda::Stream stream, cuda::Address device, const void* host,
                         size_t bytes) {
    const int64_t pieces = static_cast<int64_t>((bytes + kBufferBytes - 1) / kBufferBytes);
    threads_.run(pieces, [&](int64_t i) {
        const CudaContext::Scope scope(context_);
        const size_t begin = static_cast<size_t>(i) * kBufferBytes;
        const size_t size = std::min(kBufferBytes, bytes - begin);
        const Lease buffer(*this);
        std::memcpy(buffer.address(), static_cast<const char*>(host) + begin, size);
        context_.check(
            context_.driver().copy_to_device(device + begin, buffer.address(), size, stream),
            Error::Kind::Copy, "cuMemcpyHtoDAsync");
        buffer.record(stream);
    });
}

void CudaStaging::download(cuda::Stream stream, void* host, cuda::Address device, size_t bytes) {
    {
        // Otherwise this copy would hold every buffer while a kernel runs.
        const CudaContext::Scope scope(context_);
        context_.check(context_.driver().stream_synchronize(stream), Error::Kind::Launch,
                       "cuStreamSynchronize before a download");
    }
    const int64_t pieces = static_cast<int64_t>((bytes + kBufferBytes - 1) / kBufferBytes);
    threads_.run(pieces, [&](int64_t i) {
        const CudaContext::Scope scope(context_);
        const size_t begin = static_cast<size_t>(i) * kBufferBytes;
        const size_t size = std::min(kBufferBytes, bytes - begin);
        const Lease buffer(*this);
        context_.check(
            context_.driver().copy_to_host(buffer.address(), device + begin, size, stream),
            Error::Kind::Copy, "cuMemcpyDtoHAsync");
        buffer.record(stream);
        buffer.wait();
        std::memcpy(static_cast<char*>(host) + begin, buffer.address(), size);
    });
}

}  // namespace gpu
