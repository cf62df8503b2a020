#include "gpu/cuda_context.h"

#include <unistd.h>

#include "gpu/cuda_staging.h"
#include "gpu/per_process.h"

namespace gpu {

namespace {

// Errors after which every later call on the context fails too.
bool Sticky(cuda::Result result) {
    switch (result) {
        case 3:    // NOT_INITIALIZED: a forked child
        case 4:    // DEINITIALIZED: the process is ending
        case 46:   // DEVICE_UNAVAILABLE
        case 201:  // INVALID_CONTEXT
        case 214:  // ECC_UNCORRECTABLE
        case 220:  // NVLINK_UNCORRECTABLE
        case 226:  // CONTAINED
        case 700:  // ILLEGAL_ADDRESS
        case 702:  // LAUNCH_TIMEOUT
        case 709:  // CONTEXT_IS_DESTROYED
        case 710:  // ASSERT
        case 714:  // HARDWARE_STACK_ERROR
        case 715:  // ILLEGAL_INSTRUCTION
        case 716:  // MISALIGNED_ADDRESS
        case 717:  // INVALID_ADDRESS_SPACE
        case 718:  // INVALID_PC
        case 719:  // LAUNCH_FAILED
        case 721:  // TENSOR_MEMORY_LEAK
        case 805:  // MPS_CONNECTION_FAILED
        case 806:  // MPS_RPC_FAILURE
        case 810:  // MPS_CLIENT_TERMINATED
        case 911:  // EXTERNAL_DEVICE
        case 999:  // UNKNOWN
            return true;
        default:
            return false;
    }
}

struct Holder {
    std::mutex mutex;
    CudaContext* context = nullptr;
    std::string problem;
};

std::atomic<pid_t> initialized_in{0};

}  // namespace

CudaContext& CudaContext::Get() {
    static auto* holders = new PerProcess<Holder>([] { return new Holder; });
    Holder& holder = holders->get();
    std::lock_guard<std::mutex> lock(holder.mutex);
    if (holder.context == nullptr && holder.problem.empty()) {
        try {
            const cuda::Driver& driver = cuda::LoadDriver();
            const pid_t process = initialized_in.exchange(getpid());
            if (process != 0 && process != getpid()) {
                throw Error(Error::Kind::Unavailable,
                            "CUDA can't be used in a child forked from a process that uses it");
            }
            holder.context = new CudaContext(driver);
        } catch (const Error& error) {
            holder.problem = error.what();
        }
    }
    if (holder.context == nullptr) {
        throw Error(Error::Kind::Unavailable, holder.problem);
    }
    return *holder.context;
}

CudaContext::CudaContext(const cuda::Driver& driver) : driver_(driver), process_(getpid()) {
    constexpr Error::Kind kUnavailable = Error::Kind::Unavailable;
    check(driver_.init(0), kUnavailable, "cuInit");
    int count = 0;
    check(driver_.device_count(&count), kUnavailable, "cuDeviceGetCount");
    if (count == 0) {
        throw Error(kUnavailable, "the NVIDIA driver finds no GPU");
    }
    cuda::Device device = 0;
    check(driver_.device_get(&device, 0), kUnavailable, "cuDeviceGet");
    char name[256] = {};
    check(driver_.device_name(name, sizeof(name) - 1, device), kUnavailable, "cuDeviceGetName");
    name_ = name;
    int major = 0;
    int minor = 0;
    int has_pools = 0;
    check(driver_.device_attribute(&major, cuda::kComputeCapabilityMajor, device), kUnavailable,
          "cuDeviceGetAttribute");
    check(driver_.device_attribute(&minor, cuda::kComputeCapabilityMinor, device), kUnavailable,
          "cuDeviceGetAttribute");
    check(driver_.device_attribute(&has_pools, cuda::kMemoryPoolsSupported, device), kUnavailable,
          "cuDeviceGetAttribute");
    compute_capability_ = 10 * major + minor;
    if (compute_capability_ < 75) {
        throw Error(kUnavailable, name_ + " has compute capability " + std::to_string(major) + "." +
                                      std::to_string(minor) + "; 7.5 or newer is needed");
    }
    check(driver_.primary_context(&context_, device), kUnavailable, "cuDevicePrimaryCtxRetain");
    if (has_pools != 0) {
        // A pool of our own, so that the default pool of other libraries keeps its settings.
        const Scope scope(*this);
        cuda::MemoryPoolProperties properties;
        properties.location_id = device;
        check(driver_.pool_create(&pool_, &properties), kUnavailable, "cuMemPoolCreate");
        uint64_t keep_everything = ~uint64_t{0};
        check(driver_.pool_set(pool_, cuda::kPoolReleaseThreshold, &keep_everything), kUnavailable,
              "cuMemPoolSetAttribute");
    }
}

CudaStaging& CudaContext::staging() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (staging_ == nullptr) {
        staging_ = new CudaStaging(*this);
    }
    return *staging_;
}

bool CudaContext::is_pinned(const void* host, size_t bytes) const {
    const Scope scope(*this);
    const auto pinned = [this](cuda::Address address) {
        // Stays 0 for memory that the driver doesn't know.
        unsigned type = 0;
        int attribute = cuda::kPointerMemoryType;
        void* value = &type;
        return driver_.pointer_attributes(1, &attribute, &value, address) == cuda::kSuccess &&
               type == cuda::kMemoryTypeHost;
    };
    const auto first = reinterpret_cast<cuda::Address>(host);
    return bytes > 0 && pinned(first) && pinned(first + bytes - 1);
}

bool CudaContext::lost() const { return lost_ || process_ != getpid(); }

void CudaContext::check_usable() const {
    if (process_ != getpid()) {
        throw Error(Error::Kind::Lost,
                    "CUDA can't be used in a child forked from a process that uses it");
    }
    if (lost_) {
        throw Error(Error::Kind::Lost, "the CUDA device is lost after an earlier error");
    }
}

void CudaContext::check(cuda::Result result, Error::Kind kind, const char* call) const {
    if (result == cuda::kSuccess) {
        return;
    }
    const char* text = nullptr;
    driver_.error_text(result, &text);
    std::string what = std::string(call) + ": " + cuda::ErrorName(driver_, result);
    if (text != nullptr) {
        what += std::string(" (") + text + ")";
    }
    if (result == cuda::kOutOfMemory) {
        kind = kind == Error::Kind::Unavailable ? kind : Error::Kind::OutOfMemory;
    } else if (context_ != nullptr && Sticky(result)) {
        lost_ = true;
        kind = Error::Kind::Lost;
    }
    throw Error(kind, what);
}

cuda::Stream CudaContext::take_stream() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!streams_.empty()) {
            const cuda::Stream stream = streams_.back();
            streams_.pop_back();
            return stream;
        }
    }
    const Scope scope(*this);
    cuda::Stream stream = nullptr;
    check(driver_.stream_create(&stream, cuda::kStreamNonBlocking), Error::Kind::Launch,
          "cuStreamCreate");
    return stream;
}

void CudaContext::give_stream(cuda::Stream stream) {
    if (process_ == getpid()) {
        std::lock_guard<std::mutex> lock(mutex_);
        streams_.push_back(stream);
    }
}

CudaContext::Scope::Scope(const CudaContext& context) : context_(context) {
    context.check_usable();
    context.check(context.driver_.push_context(context.context_), Error::Kind::Lost,
                  "cuCtxPushCurrent");
}

CudaContext::Scope::~Scope() {
    cuda::Context popped = nullptr;
    context_.driver_.pop_context(&popped);
}

}  // namespace gpu
