// A library that stands in for libcuda.so.1 and NVRTC: copies and allocations work on host memory,
// copies happen late and out of the caller's sight, launches call nothing, and errors come on
// demand. It shows what gpu/cuda_*.cpp do with the driver, not what a GPU does. (NVIDIA's NVRTC
// calls the driver by ways of its own, so it can't be used with this.)
// NOLINTBEGIN(performance-no-int-to-ptr): the driver takes device addresses as integers.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

// Work of a stream runs on a thread of its own, a little later.
struct Stream {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::function<void()>> work;
    bool busy = false;
    Stream() {
        std::thread([this] { run(); }).detach();
    }
    void run() {
        std::unique_lock<std::mutex> lock(mutex);
        for (;;) {
            changed.wait(lock, [&] { return !work.empty(); });
            auto next = std::move(work.front());
            work.pop_front();
            busy = true;
            lock.unlock();
            std::this_thread::sleep_for(std::chrono::microseconds(100));
            next();
            lock.lock();
            busy = false;
            changed.notify_all();
        }
    }
    void add(std::function<void()> item) {
        std::lock_guard<std::mutex> lock(mutex);
        work.push_back(std::move(item));
        changed.notify_all();
    }
    void wait() {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return work.empty() && !busy; });
    }
};
struct Event {
    std::mutex mutex;
    std::condition_variable changed;
    int recorded = 0;
    int reached = 0;
};

// Never destroyed: streams go on while the process ends.
static std::mutex& mutex = *new std::mutex;
static auto& allocations = *new std::map<unsigned long long, size_t>;
static std::atomic<size_t> in_use{0};
static std::atomic<size_t> trimmed{0};
static int error_of_synchronize = 0;
static std::atomic<int> streams_made{0};
static thread_local std::vector<void*> contexts;
static constexpr size_t kTotal = size_t{1} << 30;
static const int kContext = 0;
static unsigned launched[6];
static char launched_params[4096];
static size_t launched_size;

static int NeedContext() { return contexts.empty() ? 201 : 0; }

#define API extern "C" __attribute__((visibility("default"))) int
API fake_set_synchronize_error(int error) {
    error_of_synchronize = error;
    return 0;
}
API fake_in_use() { return (int)in_use; }
API fake_trimmed() { return (int)trimmed; }
API fake_streams() { return streams_made; }
API fake_contexts() { return (int)contexts.size(); }
API fake_launched(unsigned* grid_and_block, void* params, size_t* size) {
    std::memcpy(grid_and_block, launched, sizeof(launched));
    std::memcpy(params, launched_params, launched_size);
    *size = launched_size;
    return 0;
}

API cuInit(unsigned) { return 0; }
API cuDriverGetVersion(int* version) {
    *version = 13000;
    return 0;
}
API cuGetErrorName(int error, const char** name) {
    *name = error == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
            : error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                           : "CUDA_ERROR_OTHER";
    return 0;
}
API cuGetErrorString(int, const char** text) {
    *text = "as asked";
    return 0;
}
API cuDeviceGetCount(int* count) {
    *count = 1;
    return 0;
}
API cuDeviceGet(int* device, int) {
    *device = 0;
    return 0;
}
API cuDeviceGetName(char* name, int size, int) {
    std::snprintf(name, size, "Fake GPU");
    return 0;
}
API cuDeviceGetAttribute(int* value, int attribute, int) {
    *value = attribute == 75 ? 9 : attribute == 76 ? 0 : std::getenv("FAKE_WITHOUT_POOLS") ? 0 : 1;
    return 0;
}
API cuDevicePrimaryCtxRetain(void** context, int) {
    *context = (void*)&kContext;
    return 0;
}
API cuCtxPushCurrent_v2(void* context) {
    contexts.push_back(context);
    return 0;
}
API cuCtxPopCurrent_v2(void** context) {
    if (contexts.empty()) return 201;
    *context = contexts.back();
    contexts.pop_back();
    return 0;
}
API cuCtxSynchronize() { return NeedContext(); }
API cuMemGetInfo_v2(size_t* free, size_t* total) {
    *total = kTotal;
    *free = kTotal - in_use;
    return NeedContext();
}
// Memory unknown to CUDA: the values stay as they are.
API cuPointerGetAttributes(unsigned, int*, void**, unsigned long long) { return 0; }
static int Allocate(unsigned long long* address, size_t bytes) {
    if (NeedContext()) return 201;
    std::lock_guard<std::mutex> lock(mutex);
    if (bytes > kTotal - in_use) return 2;
    *address = (unsigned long long)std::malloc(bytes);
    allocations[*address] = bytes;
    in_use += bytes;
    return 0;
}
static int Free(unsigned long long address) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = allocations.find(address);
    if (found == allocations.end()) std::abort();
    in_use -= found->second;
    allocations.erase(found);
    std::free((void*)address);
    return 0;
}
API cuMemAlloc_v2(unsigned long long* address, size_t bytes) { return Allocate(address, bytes); }
API cuMemFree_v2(unsigned long long address) { return NeedContext() ? 201 : Free(address); }
API cuMemPoolCreate(void** pool, const void*) {
    *pool = (void*)&kContext;
    return NeedContext();
}
API cuMemPoolSetAttribute(void*, int, void*) { return NeedContext(); }
API cuMemPoolGetAttribute(void*, int, void* value) {
    *(unsigned long long*)value = 0;
    return NeedContext();
}
API cuMemPoolTrimTo(void*, size_t) {
    ++trimmed;
    return NeedContext();
}
API cuMemAllocFromPoolAsync(unsigned long long* address, size_t bytes, void*, Stream*) {
    return Allocate(address, bytes);
}
API cuMemFreeAsync(unsigned long long address, Stream* stream) {
    if (NeedContext()) return 201;
    stream->add([address] { Free(address); });
    return 0;
}
API cuMemHostAlloc(void** address, size_t bytes, unsigned) {
    *address = std::malloc(bytes);
    return NeedContext();
}
API cuMemHostRegister_v2(void*, size_t, unsigned) {
    if (NeedContext()) return 201;
    return std::getenv("FAKE_WITHOUT_REGISTER") ? 801 : 0;
}
API cuMemcpyHtoDAsync_v2(unsigned long long to, const void* from, size_t bytes, Stream* stream) {
    if (NeedContext()) return 201;
    if (bytes <= 65536) {  // pageable: staged by the driver
        std::vector<char> copy((const char*)from, (const char*)from + bytes);
        stream->add([=] { std::memcpy((void*)to, copy.data(), bytes); });
    } else {
        stream->add([=] { std::memcpy((void*)to, from, bytes); });
    }
    return 0;
}
API cuMemcpyDtoHAsync_v2(void* to, unsigned long long from, size_t bytes, Stream* stream) {
    if (NeedContext()) return 201;
    stream->add([=] { std::memcpy(to, (void*)from, bytes); });
    return 0;
}
API cuMemsetD8Async(unsigned long long to, unsigned char byte, size_t bytes, Stream* stream) {
    if (NeedContext()) return 201;
    stream->add([=] { std::memset((void*)to, byte, bytes); });
    return 0;
}
API cuStreamCreate(Stream** stream, unsigned flags) {
    if (flags != 1) return 1;
    ++streams_made;
    *stream = new Stream;
    return NeedContext();
}
API cuStreamSynchronize(Stream* stream) {
    if (NeedContext()) return 201;
    stream->wait();
    return error_of_synchronize;
}
API cuEventCreate(Event** event, unsigned) {
    *event = new Event;
    return NeedContext();
}
API cuEventRecord(Event* event, Stream* stream) {
    if (NeedContext()) return 201;
    int number;
    {
        std::lock_guard<std::mutex> lock(event->mutex);
        number = ++event->recorded;
    }
    stream->add([=] {
        std::lock_guard<std::mutex> lock(event->mutex);
        event->reached = number;
        event->changed.notify_all();
    });
    return 0;
}
API cuEventSynchronize(Event* event) {
    if (NeedContext()) return 201;
    std::unique_lock<std::mutex> lock(event->mutex);
    event->changed.wait(lock, [&] { return event->reached == event->recorded; });
    return 0;
}
API cuModuleLoadData(void** module, const void* image) {
    *module = (void*)&kContext;
    return std::strstr((const char*)image, "--gpu-architecture=sm_90 ") ? NeedContext() : 200;
}
API cuModuleUnload(void*) { return NeedContext(); }
API cuModuleGetFunction(void** function, void*, const char* name) {
    *function = (void*)&kContext;
    return std::strcmp(name, "none") == 0 ? 500 : NeedContext();
}
API cuOccupancyMaxPotentialBlockSize(int* grid, int* block, void*, size_t (*)(int), size_t,
                                     int limit) {
    *grid = 132;
    *block = limit;
    return NeedContext();
}
API cuLaunchKernel(void*, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned, Stream*, void**, void** extra) {
    const unsigned shape[] = {gx, gy, gz, bx, by, bz};
    std::memcpy(launched, shape, sizeof(shape));
    launched_size = *(size_t*)extra[3];
    std::memcpy(launched_params, extra[1], launched_size);
    if (extra[0] != (void*)1 || extra[2] != (void*)2 || extra[4] != nullptr) return 1;
    return NeedContext();
}

struct Program {
    std::string text;
    std::string options;
};
API nvrtcVersion(int* major, int* minor) {
    *major = 13;
    *minor = 0;
    return 0;
}
API nvrtcGetNumSupportedArchs(int* count) {
    *count = 2;
    return 0;
}
API nvrtcGetSupportedArchs(int* architectures) {
    architectures[0] = 90;
    architectures[1] = 75;
    return 0;
}
API nvrtcCreateProgram(Program** program, const char* text, const char*, int, const char* const*,
                       const char* const*) {
    *program = new Program{text, ""};
    return 0;
}
API nvrtcDestroyProgram(Program** program) {
    delete *program;
    *program = nullptr;
    return 0;
}
API nvrtcCompileProgram(Program* program, int count, const char* const* options) {
    for (int i = 0; i < count; ++i) program->options += std::string(options[i]) + " ";
    return program->text.find("no code") == std::string::npos ? 0 : 6;
}
API nvrtcGetCUBINSize(Program* program, size_t* size) {
    *size = program->options.size() + 1;
    return 0;
}
API nvrtcGetCUBIN(Program* program, char* binary) {
    std::memcpy(binary, program->options.c_str(), program->options.size() + 1);
    return 0;
}
API nvrtcGetPTXSize(Program*, size_t*) { return 7; }
API nvrtcGetPTX(Program*, char*) { return 7; }
API nvrtcGetProgramLogSize(Program*, size_t* size) {
    *size = 7;
    return 0;
}
API nvrtcGetProgramLog(Program*, char* log) {
    std::memcpy(log, "a log\n", 7);
    return 0;
}
extern "C" __attribute__((visibility("default"))) const char* nvrtcGetErrorString(int) {
    return "NVRTC_ERROR_X";
}
// NOLINTEND(performance-no-int-to-ptr)
