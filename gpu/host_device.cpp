// HOST: kernels compiled by the system's C++ compiler, run on threads, in the machine's own memory.
#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>

#include "gpu/device.h"
#include "gpu/fault.h"
#include "gpu/host_compiler.h"
#include "gpu/kernel_cache.h"
#include "gpu/memory_account.h"
#include "gpu/thread_pool.h"

namespace gpu {

namespace {

using EntryPoint = void (*)(const void* params, long long x_begin, long long x_end,
                            long long y_begin, long long y_end);

constexpr size_t kHugePage = size_t{2} << 20;
constexpr int64_t kPiecesPerThread = 8;
constexpr int64_t kLeastColumns = 1024;  // of a piece, where rows are cut
constexpr long long kEverything = 0x7fffffffffffffffLL;

// What memory and streams need of the device; lives as long as they do.
struct Shared {
    explicit Shared(const Options& options)
        : account(options.memory_limit), fault(options.fault), pool(options.threads) {}
    MemoryAccount account;
    Fault fault;
    ThreadPool pool;
    std::atomic<bool> lost{false};

    void check() const {
        if (lost) {
            throw Error(Error::Kind::Lost, "the HOST device is lost");
        }
    }
};

class HostMemory : public Memory {
  public:
    HostMemory(std::shared_ptr<Shared> shared, size_t bytes)
        : shared_(std::move(shared)), size_(bytes) {
        if (bytes == 0) {
            return;
        }
        shared_->account.add(bytes);
        const size_t alignment = bytes >= kHugePage ? kHugePage : 256;
        if (bytes > SIZE_MAX / 2 || posix_memalign(&address_, alignment, bytes) != 0) {
            shared_->account.remove(bytes);
            throw Error(Error::Kind::OutOfMemory,
                        std::to_string(bytes) + " bytes of memory are not to be had");
        }
        if (bytes >= kHugePage) {
            madvise(address_, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
        }
    }
    ~HostMemory() override {
        if (address_ != nullptr) {
            std::free(address_);
            shared_->account.remove(size_);
        }
    }
    void* address() const override { return address_; }
    size_t size() const override { return size_; }

  private:
    std::shared_ptr<Shared> shared_;
    void* address_ = nullptr;
    size_t size_;
};

struct HostKernel : Kernel {
    explicit HostKernel(EntryPoint entry_point) : entry(entry_point) {}
    EntryPoint entry;
};

class HostModule : public Module {
  public:
    explicit HostModule(void* library) : library_(library) {}
    ~HostModule() override { dlclose(library_); }

    const Kernel& kernel(const std::string& name) override {
        std::lock_guard<std::mutex> lock(mutex_);
        std::unique_ptr<HostKernel>& kernel = kernels_[name];
        if (!kernel) {
            void* entry = dlsym(library_, name.c_str());
            if (entry == nullptr) {
                throw Error(Error::Kind::InvalidArgument,
                            "the module has no kernel '" + name + "'");
            }
            kernel = std::make_unique<HostKernel>(reinterpret_cast<EntryPoint>(entry));
        }
        return *kernel;
    }

  private:
    void* library_;
    std::mutex mutex_;
    std::map<std::string, std::unique_ptr<HostKernel>> kernels_;
};

// Loads a shared library from its bytes, through a file of a new name that is gone afterwards.
std::shared_ptr<Module> LoadLibrary(const std::string& binary, const DiskCache& disk) {
    static std::atomic<unsigned> loaded{0};
    std::string reason;
    // A folder whose file system forbids execution, or is full, won't do; then the next one may.
    for (const std::string& start : disk.temporary_starts()) {
        const PrivateFolder folder({start}, binary.size());
        if (folder.path().empty()) {
            reason = folder.problem();
            continue;
        }
        const std::string path = folder.file("kernel" + std::to_string(loaded++) + ".so");
        const std::string problem = WriteNewFile(path, binary);
        if (!problem.empty()) {
            reason = folder.path() + ": " + problem;
            continue;
        }
        if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
            return std::make_shared<HostModule>(library);
        }
        const char* message = dlerror();
        reason = message != nullptr ? message : "dlopen failed";
    }
    throw Error(Error::Kind::Compile, "a compiled kernel can't be loaded: " + reason);
}

void Launch(ThreadPool& pool, EntryPoint entry, Extent extent, const void* params) {
    // Cut into bands of rows; where the rows are few, also into columns. The last piece of each
    // direction is open, so that a loop larger than the extent runs whole, as it does on CUDA.
    const int64_t wanted = pool.threads() == 1 ? 1 : pool.threads() * kPiecesPerThread;
    const int64_t rows = std::min(extent.height, wanted);
    const int64_t most =
        extent.height == 1 ? extent.width : (extent.width + kLeastColumns - 1) / kLeastColumns;
    const int64_t columns = std::clamp<int64_t>(wanted / rows, 1, most);
    const auto edge = [](int64_t i, int64_t pieces, int64_t size) -> long long {
        // size * i / pieces without overflow
        return i == pieces ? kEverything : size / pieces * i + size % pieces * i / pieces;
    };
    pool.run(rows * columns, [&](int64_t piece) {
        const int64_t row = piece / columns;
        const int64_t column = piece % columns;
        entry(params, edge(column, columns, extent.width), edge(column + 1, columns, extent.width),
              edge(row, rows, extent.height), edge(row + 1, rows, extent.height));
    });
}

class HostStream : public Stream {
  public:
    explicit HostStream(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

    std::unique_ptr<Memory> allocate(size_t bytes) override {
        shared_->check();
        shared_->fault.check("allocate");
        return std::make_unique<HostMemory>(shared_, bytes);
    }
    void upload(void* device, const void* host, size_t bytes) override {
        copy(device, host, bytes);
    }
    void download(void* host, const void* device, size_t bytes) override {
        copy(host, device, bytes);
    }
    void fill(void* device, int byte, size_t bytes) override {
        shared_->check();
        ParallelFill(shared_->pool, device, byte, bytes);
    }
    // The machine's own memory is the device's.
    const void* resident(const std::shared_ptr<const std::vector<std::byte>>& bytes) override {
        shared_->check();
        return bytes->data();
    }
    void launch(const Kernel& kernel, Extent extent, const void* params,
                size_t params_bytes) override {
        shared_->check();
        shared_->fault.check("launch");
        if (shared_->fault.strikes("lose")) {
            shared_->lost = true;
            shared_->check();
        }
        if (extent.width <= 0 || extent.height <= 0) {
            return;
        }
        const auto* host_kernel = dynamic_cast<const HostKernel*>(&kernel);
        if (host_kernel == nullptr) {
            throw Error(Error::Kind::InvalidArgument,
                        "launch: the kernel is another device's; compile it on the HOST device");
        }
        // The structs inside want their alignment, which the caller's bytes may lack.
        std::vector<std::max_align_t> aligned(params_bytes / sizeof(std::max_align_t) + 1);
        std::memcpy(aligned.data(), params, params_bytes);
        Launch(shared_->pool, host_kernel->entry, extent, aligned.data());
    }
    void synchronize() override { shared_->check(); }
    void* native() const override { return nullptr; }

  private:
    void copy(void* target, const void* source, size_t bytes) {
        shared_->check();
        shared_->fault.check("copy");
        ParallelCopy(shared_->pool, target, source, bytes);
    }

    std::shared_ptr<Shared> shared_;
};

class HostDevice : public Device {
  public:
    HostDevice(const Options& options, HostCompiler compiler)
        : shared_(std::make_shared<Shared>(options)),
          compiler_(std::move(compiler)),
          cache_(options, HostCompilerIdentity(compiler_)) {}

    Kind kind() const override { return Kind::Host; }
    std::string name() const override {
        return std::to_string(shared_->pool.threads()) + " threads, " + compiler_.version;
    }
    std::string architecture() const override { return "native"; }
    std::string compiler() const override { return compiler_.description(); }
    bool lost() const override { return shared_->lost; }

    uint64_t available_memory() const override {
        std::ifstream meminfo("/proc/meminfo");
        uint64_t free = 0;
        for (std::string line; std::getline(meminfo, line);) {
            if (line.compare(0, 13, "MemAvailable:") == 0) {
                free = std::strtoull(line.c_str() + 13, nullptr, 10) * 1024;
            }
        }
        return shared_->account.available(free);
    }

    std::shared_ptr<Module> compile(const Source& source, CompileInfo* info) override {
        shared_->check();
        shared_->fault.check("compile");
        return cache_.get(
            source.text(),
            [this](const std::string& text) {
                return CompileForHost(compiler_, text, cache_.disk());
            },
            [this](const std::string& binary) { return LoadLibrary(binary, cache_.disk()); }, info);
    }

    std::unique_ptr<Stream> stream() override {
        shared_->check();
        return std::make_unique<HostStream>(shared_);
    }

    std::unique_ptr<Stream> borrow(void*) override { return stream(); }

  private:
    std::shared_ptr<Shared> shared_;
    const HostCompiler compiler_;
    KernelCache cache_;
};

}  // namespace

std::shared_ptr<Device> MakeHostDevice(const Options& options) {
    return std::make_shared<HostDevice>(options, FindHostCompiler(options.cxx));
}

}  // namespace gpu
