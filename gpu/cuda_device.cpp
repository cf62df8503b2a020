// CUDA: kernels compiled by NVRTC, run through the driver API.
#include <algorithm>
#include <cstring>
#include <future>
#include <map>
#include <mutex>
#include <vector>

#include "gpu/cuda_context.h"
#include "gpu/cuda_staging.h"
#include "gpu/device.h"
#include "gpu/fault.h"
#include "gpu/kernel_cache.h"
#include "gpu/memory_account.h"
#include "gpu/nvrtc.h"
#include "gpu/resident_data.h"

namespace gpu {

namespace {

constexpr size_t kSmallCopy = size_t{64} << 10;  // bytes that the driver itself stages
// Blocks end at different times: smaller ones fill the gaps.
constexpr int kMostThreadsOfBlock = 256;
constexpr int kWarp = 32;
constexpr int64_t kMostBlocksX = 0x7fffffff;
constexpr int64_t kMostBlocksY = 65535;
constexpr uint64_t kReserve = uint64_t{256} << 20;  // left to the driver and to other programs

// What memory and streams need of the device; lives as long as they do.
struct Shared {
    Shared(const Options& options, CudaContext& cuda_context)
        : context(cuda_context), account(options.memory_limit), fault(options.fault) {}
    CudaContext& context;
    MemoryAccount account;
    Fault fault;
    std::atomic<bool> lost{false};  // by a fault; a real loss is the context's

    void check() const {
        context.check_usable();
        if (lost) {
            throw Error(Error::Kind::Lost, "the CUDA device is lost");
        }
    }
};

cuda::Address ToAddress(const void* pointer) { return reinterpret_cast<cuda::Address>(pointer); }

class CudaMemory : public Memory {
  public:
    CudaMemory(std::shared_ptr<Shared> shared, cuda::Stream stream, size_t bytes)
        : shared_(std::move(shared)), stream_(stream), size_(bytes) {
        if (bytes == 0) {
            return;
        }
        shared_->account.add(bytes);
        try {
            allocate();
        } catch (...) {
            shared_->account.remove(bytes);
            throw;
        }
    }
    ~CudaMemory() override {
        if (address_ == 0) {
            return;
        }
        shared_->account.remove(size_);
        CudaContext& context = shared_->context;
        if (context.lost()) {
            return;
        }
        try {
            const CudaContext::Scope scope(context);
            if (context.pool() != nullptr) {
                context.check(context.driver().pool_free(address_, stream_), Error::Kind::Launch,
                              "cuMemFreeAsync");
            } else {
                context.check(context.driver().stream_synchronize(stream_), Error::Kind::Launch,
                              "cuStreamSynchronize");
                context.check(context.driver().free(address_), Error::Kind::Launch, "cuMemFree");
            }
        } catch (const Error&) {
            // A sticky error has marked the context; the next call says so.
        }
    }
    void* address() const override {
        return reinterpret_cast<void*>(address_);  // NOLINT(performance-no-int-to-ptr): CUDA's type
    }
    size_t size() const override { return size_; }

  private:
    void allocate() {
        CudaContext& context = shared_->context;
        const cuda::Driver& driver = context.driver();
        const CudaContext::Scope scope(context);
        const auto attempt = [&] {
            return context.pool() != nullptr
                       ? driver.pool_allocate(&address_, size_, context.pool(), stream_)
                       : driver.allocate(&address_, size_);
        };
        cuda::Result result = attempt();
        if (result == cuda::kOutOfMemory) {
            // What other streams have given back can be had when they are through.
            context.check(driver.synchronize_context(), Error::Kind::Launch, "cuCtxSynchronize");
            if (context.pool() != nullptr) {
                context.check(driver.pool_trim(context.pool(), 0), Error::Kind::Launch,
                              "cuMemPoolTrimTo");
            }
            result = attempt();
        }
        if (result != cuda::kSuccess) {
            address_ = 0;
        }
        const std::string call = "allocation of " + std::to_string(size_) + " bytes";
        context.check(result, Error::Kind::OutOfMemory, call.c_str());
    }

    std::shared_ptr<Shared> shared_;
    cuda::Stream stream_;
    cuda::Address address_ = 0;
    size_t size_;
};

struct CudaKernel : Kernel {
    std::string name;
    cuda::Function function = nullptr;
    int block = 0;  // threads
};

class CudaModule : public Module {
  public:
    CudaModule(CudaContext& context, const std::string& binary) : context_(context) {
        const CudaContext::Scope scope(context_);
        context_.check(context_.driver().module_load(&module_, binary.c_str()),
                       Error::Kind::Compile, "cuModuleLoadData");
    }
    ~CudaModule() override {
        if (!context_.lost()) {
            try {
                const CudaContext::Scope scope(context_);
                context_.driver().module_unload(module_);
            } catch (const Error&) {
                // The context is gone, and the module with it.
            }
        }
    }

    const Kernel& kernel(const std::string& name) override {
        std::lock_guard<std::mutex> lock(mutex_);
        std::unique_ptr<CudaKernel>& slot = kernels_[name];
        if (!slot) {
            const CudaContext::Scope scope(context_);
            auto kernel = std::make_unique<CudaKernel>();
            kernel->name = name;
            context_.check(
                context_.driver().module_function(&kernel->function, module_, name.c_str()),
                Error::Kind::InvalidArgument, ("cuModuleGetFunction of '" + name + "'").c_str());
            int grid = 0;
            context_.check(context_.driver().occupancy(&grid, &kernel->block, kernel->function,
                                                       nullptr, 0, kMostThreadsOfBlock),
                           Error::Kind::Launch, "cuOccupancyMaxPotentialBlockSize");
            slot = std::move(kernel);
        }
        return *slot;
    }

  private:
    CudaContext& context_;
    cuda::Module module_ = nullptr;
    std::mutex mutex_;
    std::map<std::string, std::unique_ptr<CudaKernel>> kernels_;
};

class CudaStream : public Stream {
  public:
    CudaStream(std::shared_ptr<Shared> shared, std::shared_ptr<ResidentData> resident)
        : shared_(std::move(shared)),
          resident_(std::move(resident)),
          context_(shared_->context),
          stream_(context_.take_stream()),
          borrowed_(false) {}
    // On a stream that stays the caller's.
    CudaStream(std::shared_ptr<Shared> shared, std::shared_ptr<ResidentData> resident,
               cuda::Stream borrowed)
        : shared_(std::move(shared)),
          resident_(std::move(resident)),
          context_(shared_->context),
          stream_(borrowed),
          borrowed_(true) {}
    ~CudaStream() override {
        if (!borrowed_) context_.give_stream(stream_);
    }
    CudaStream(const CudaStream&) = delete;
    CudaStream& operator=(const CudaStream&) = delete;

    std::unique_ptr<Memory> allocate(size_t bytes) override {
        shared_->check();
        shared_->fault.check("allocate");
        return std::make_unique<CudaMemory>(shared_, stream_, bytes);
    }

    void upload(void* device, const void* host, size_t bytes) override {
        shared_->check();
        shared_->fault.check("copy");
        if (bytes > kSmallCopy && context_.is_pinned(host, bytes)) {
            const CudaContext::Scope scope(context_);
            context_.check(
                context_.driver().copy_to_device(ToAddress(device), host, bytes, stream_),
                Error::Kind::Copy, "cuMemcpyHtoDAsync of pinned memory");
            context_.check(context_.driver().stream_synchronize(stream_), Error::Kind::Copy,
                           "cuStreamSynchronize after a copy of pinned memory");
        } else if (bytes > kSmallCopy) {
            context_.staging().upload(stream_, ToAddress(device), host, bytes);
        } else if (bytes > 0) {
            // From pageable memory for certain, which the driver has read when the call returns.
            small_.assign(static_cast<const char*>(host), static_cast<const char*>(host) + bytes);
            const CudaContext::Scope scope(context_);
            context_.check(
                context_.driver().copy_to_device(ToAddress(device), small_.data(), bytes, stream_),
                Error::Kind::Copy, "cuMemcpyHtoDAsync");
        }
    }

    void download(void* host, const void* device, size_t bytes) override {
        shared_->check();
        shared_->fault.check("copy");
        if (bytes > kSmallCopy && !context_.is_pinned(host, bytes)) {
            context_.staging().download(stream_, host, ToAddress(device), bytes);
        } else if (bytes > 0) {
            const CudaContext::Scope scope(context_);
            context_.check(context_.driver().copy_to_host(host, ToAddress(device), bytes, stream_),
                           Error::Kind::Copy, "cuMemcpyDtoHAsync");
        }
    }

    void fill(void* device, int byte, size_t bytes) override {
        shared_->check();
        if (bytes > 0) {
            const CudaContext::Scope scope(context_);
            context_.check(context_.driver().fill(ToAddress(device),
                                                  static_cast<unsigned char>(byte), bytes, stream_),
                           Error::Kind::Launch, "cuMemsetD8Async");
        }
    }

    const void* resident(const std::shared_ptr<const std::vector<std::byte>>& bytes) override {
        shared_->check();
        // By a stream of the device's own pool, which the memory goes back by one day.
        return resident_->get(bytes,
                              [this] { return std::make_unique<CudaStream>(shared_, resident_); });
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
        const auto* cuda_kernel = dynamic_cast<const CudaKernel*>(&kernel);
        if (cuda_kernel == nullptr) {
            throw Error(Error::Kind::InvalidArgument,
                        "launch: the kernel is another device's; compile it on the CUDA device");
        }
        // One row: all threads along it. Else a warp along x. The kernels' loops reach what the
        // grid doesn't.
        const int64_t block_x = extent.height == 1 ? cuda_kernel->block : kWarp;
        const int64_t block_y = extent.height == 1 ? 1 : std::max(1, cuda_kernel->block / kWarp);
        const int64_t grid_x = std::min((extent.width - 1) / block_x + 1, kMostBlocksX);
        const int64_t grid_y = std::min((extent.height - 1) / block_y + 1, kMostBlocksY);
        // CU_LAUNCH_PARAM_BUFFER_POINTER, its value, CU_LAUNCH_PARAM_BUFFER_SIZE, its value,
        // CU_LAUNCH_PARAM_END
        void* extra[] = {reinterpret_cast<void*>(1), const_cast<void*>(params),
                         reinterpret_cast<void*>(2), &params_bytes, nullptr};
        const CudaContext::Scope scope(context_);
        context_.check(context_.driver().launch(
                           cuda_kernel->function, static_cast<unsigned>(grid_x),
                           static_cast<unsigned>(grid_y), 1, static_cast<unsigned>(block_x),
                           static_cast<unsigned>(block_y), 1, 0, stream_, nullptr, extra),
                       Error::Kind::Launch, ("cuLaunchKernel of " + cuda_kernel->name).c_str());
    }

    void synchronize() override {
        shared_->check();
        const CudaContext::Scope scope(context_);
        context_.check(context_.driver().stream_synchronize(stream_), Error::Kind::Launch,
                       "cuStreamSynchronize");
    }

    void* native() const override { return stream_; }

  private:
    std::shared_ptr<Shared> shared_;
    std::shared_ptr<ResidentData> resident_;
    CudaContext& context_;
    cuda::Stream stream_;
    const bool borrowed_;
    std::vector<char> small_;
};

std::string Identity(const CudaContext& context, const Nvrtc& nvrtc) {
    std::string identity = "CUDA\nNVRTC " + nvrtc.version() + "\n";
    for (const std::string& option : nvrtc.options(context.compute_capability())) {
        identity += option + " ";
    }
    return identity;
}

class CudaDevice : public Device {
  public:
    CudaDevice(const Options& options, CudaContext& context, std::shared_ptr<const Nvrtc> nvrtc)
        : shared_(std::make_shared<Shared>(options, context)),
          context_(context),
          nvrtc_(std::move(nvrtc)),
          cache_(options, Identity(context, *nvrtc_)) {}

    Kind kind() const override { return Kind::Cuda; }
    std::string name() const override { return context_.name(); }
    std::string architecture() const override {
        return "sm_" + std::to_string(context_.compute_capability());
    }
    std::string compiler() const override { return nvrtc_->description(); }
    bool lost() const override { return shared_->lost || context_.lost(); }

    uint64_t available_memory() const override {
        shared_->check();
        const CudaContext::Scope scope(context_);
        const cuda::Driver& driver = context_.driver();
        size_t free = 0;
        size_t total = 0;
        context_.check(driver.memory_info(&free, &total), Error::Kind::Launch, "cuMemGetInfo");
        uint64_t available = free;
        if (context_.pool() != nullptr) {
            uint64_t reserved = 0;
            uint64_t used = 0;
            context_.check(driver.pool_get(context_.pool(), cuda::kPoolReservedCurrent, &reserved),
                           Error::Kind::Launch, "cuMemPoolGetAttribute");
            context_.check(driver.pool_get(context_.pool(), cuda::kPoolUsedCurrent, &used),
                           Error::Kind::Launch, "cuMemPoolGetAttribute");
            available += reserved > used ? reserved - used : 0;
        }
        return shared_->account.available(available > kReserve ? available - kReserve : 0);
    }

    std::shared_ptr<Module> compile(const Source& source, CompileInfo* info) override {
        shared_->check();
        shared_->fault.check("compile");
        return cache_.get(
            source.text(),
            [this](const std::string& text) {
                return nvrtc_->compile(text, context_.compute_capability());
            },
            [this](const std::string& binary) -> std::shared_ptr<Module> {
                return std::make_shared<CudaModule>(context_, binary);
            },
            info);
    }

    std::unique_ptr<Stream> stream() override {
        shared_->check();
        return std::make_unique<CudaStream>(shared_, resident_);
    }

    std::unique_ptr<Stream> borrow(void* native) override {
        shared_->check();
        return std::make_unique<CudaStream>(shared_, resident_, static_cast<cuda::Stream>(native));
    }

  private:
    std::shared_ptr<Shared> shared_;
    // Apart from Shared, which its memory holds.
    std::shared_ptr<ResidentData> resident_ = std::make_shared<ResidentData>();
    CudaContext& context_;
    std::shared_ptr<const Nvrtc> nvrtc_;
    KernelCache cache_;
};

}  // namespace

void OpenCudaDriver() { cuda::LoadDriver(); }

std::shared_ptr<Device> MakeCudaDevice(const Options& options) {
    const cuda::Driver& driver = cuda::LoadDriver();
    // NVRTC is a large library: it is opened while the driver makes the context.
    std::future<std::shared_ptr<const Nvrtc>> nvrtc = std::async(std::launch::async, [&] {
        return Nvrtc::Find(options.nvrtc_library, driver.version / 1000);
    });
    CudaContext& context = CudaContext::Get();
    context.check_usable();
    auto device = std::make_shared<CudaDevice>(options, context, nvrtc.get());
    context.staging();
    return device;
}

}  // namespace gpu
