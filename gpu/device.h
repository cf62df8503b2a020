// Devices behind one interface: CUDA (driver API and NVRTC, opened at run time) and HOST (the same
// kernel text, compiled by the system's C++ compiler, run on threads). Every function may be called
// from many threads at once, except those of one Stream, which belongs to one thread at a time.
// Failures throw gpu::Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/error.h"
#include "gpu/source.h"

namespace gpu {

// Settings of a device; read once, when the device is made.
struct Options {
    std::string cache_directory;        // compiled kernels; empty: memory alone
    uint64_t cache_limit = 256u << 20;  // bytes on disk; the least recently used go first
    uint64_t memory_limit = 0;  // bytes of device memory in use at once; 0: what the device has
    int threads = 0;            // HOST workers; 0: one a core
    std::string nvrtc_library;  // NVRTC's shared library; empty: looked for
    std::string cxx;            // HOST's compiler; empty: c++, g++ or clang++, first found
    std::string fault;          // for tests, see gpu/fault.h
    // Told of what costs time and nothing else, by the thread that compiles; may be empty.
    std::function<void(const std::string&)> warn;
};

// Items of one launch: GPU_FOR_2D runs over width x height, GPU_FOR_1D over width (with a height of
// 1). It must be the size of the kernel's loops; nothing is launched where it has no items.
struct Extent {
    int64_t width = 1;
    int64_t height = 1;
};

// Device memory; given back, in the order of the stream that allocated it, when it goes out of
// scope. Memory that another stream uses must be kept until that stream is synchronized. An empty
// one has address() nullptr.
class Memory {
  public:
    virtual ~Memory() = default;
    virtual void* address() const = 0;
    virtual size_t size() const = 0;
};

// One entry point of a module.
class Kernel {
  public:
    virtual ~Kernel() = default;
};

// Compiled text; lives as long as anybody holds it. kernel() throws InvalidArgument for an unknown
// name.
class Module {
  public:
    virtual ~Module() = default;
    virtual const Kernel& kernel(const std::string& name) = 0;
};

// What it took to get a module: from memory, from disk, or compiled.
struct CompileInfo {
    int compiled = 0;  // number of compilations (0 or 1)
    double seconds = 0;
};

// Work in order. Host memory given to upload() may be changed as soon as it returns; host memory
// given to download() is filled when synchronize() returns.
class Stream {
  public:
    virtual ~Stream() = default;
    virtual std::unique_ptr<Memory> allocate(size_t bytes) = 0;
    virtual void upload(void* device, const void* host, size_t bytes) = 0;
    virtual void download(void* host, const void* device, size_t bytes) = 0;
    virtual void fill(void* device, int byte, size_t bytes) = 0;
    // Where the device has these bytes, to be read only: uploaded on their first use on the device,
    // and kept there while anybody holds them. Whoever launches with the address must hold them
    // until the stream is synchronized.
    virtual const void* resident(const std::shared_ptr<const std::vector<std::byte>>& bytes) = 0;
    // kernel: of a module that this device compiled, else it throws InvalidArgument. params: the
    // kernel's parameter struct, params_bytes long, copied before the call returns.
    virtual void launch(const Kernel& kernel, Extent extent, const void* params,
                        size_t params_bytes) = 0;
    virtual void synchronize() = 0;
    // CUDA: the CUstream, for libraries that take one; HOST: nullptr.
    virtual void* native() const = 0;
};

class Device {
  public:
    enum class Kind { Cuda, Host };

    virtual ~Device() = default;
    virtual Kind kind() const = 0;
    const char* kind_name() const { return kind() == Kind::Cuda ? "CUDA" : "HOST"; }
    virtual std::string name() const = 0;          // "NVIDIA H200", "16 threads, g++ 12.2.0"
    virtual std::string architecture() const = 0;  // "sm_90", "native"
    virtual std::string compiler() const = 0;  // "NVRTC 12.4, /usr/local/cuda/lib64/libnvrtc.so.12"
    // After a sticky error: every call throws Error (Lost), for the rest of the process.
    virtual bool lost() const = 0;
    // Bytes that one request may use now: the limit or the free memory, less what is in use.
    virtual uint64_t available_memory() const = 0;
    // Compiles, or takes from the memory or disk cache. `info`, where given, is filled.
    virtual std::shared_ptr<Module> compile(const Source& source, CompileInfo* info = nullptr) = 0;
    // A stream from the device's pool; goes back to it when released.
    virtual std::unique_ptr<Stream> stream() = 0;
    // A stream of the caller's own, which stays the caller's: a CUstream (null: the default stream)
    // of the device's primary context. HOST: any value, nullptr by custom.
    virtual std::unique_ptr<Stream> borrow(void* native) = 0;
};

// Make a device. Throws Error (Unavailable) saying what is missing: no driver, no GPU, no NVRTC, no
// compiler.
std::shared_ptr<Device> MakeCudaDevice(const Options& options);
std::shared_ptr<Device> MakeHostDevice(const Options& options);

// Opens the NVIDIA driver's library, and makes no context: what MakeCudaDevice does first. Throws
// Error (Unavailable).
void OpenCudaDriver();

}  // namespace gpu
