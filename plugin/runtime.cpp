#include "plugin/runtime.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_string.h"
#include "gpu/per_process.h"
#include "plugin/options.h"

namespace gdalgpu {

namespace {

constexpr char kNone[] = "GDAL_GPU_DEVICE=NONE";

// A device, or why there is none.
struct Slot {
    std::mutex mutex;  // held while the device is made
    bool tried = false;
    bool told = false;  // the log
    std::shared_ptr<gpu::Device> device;
    std::string reason;
    bool wrong_option = false;  // the reason is an option's value
    std::atomic<bool> made{false};
};

// One device a kind and set of options: GDAL's options may differ from thread to thread.
struct State {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<Slot>> slots;
    double seconds_without = 0;  // of work that AUTO left to GDAL
};

// Never destroyed: threads may still use it while the process ends.
State& TheState() {
    static auto* state = new gpu::PerProcess<State>([] { return new State; });
    return state->get();
}

std::string Fingerprint(const gpu::Options& options) {
    std::string text;
    for (const std::string& part :
         {options.cache_directory, std::to_string(options.cache_limit),
          std::to_string(options.memory_limit), std::to_string(options.threads),
          options.nvrtc_library, options.cxx, options.fault}) {
        text += part + '\n';
    }
    return text;
}

std::shared_ptr<Slot> SlotOf(gpu::Device::Kind kind, const gpu::Options& options) {
    State& state = TheState();
    std::lock_guard<std::mutex> lock(state.mutex);
    std::shared_ptr<Slot>& found =
        state.slots[(kind == gpu::Device::Kind::Cuda ? "CUDA\n" : "HOST\n") + Fingerprint(options)];
    if (!found) {
        found = std::make_shared<Slot>();
    }
    return found;
}

// tell: the log gets what became of it; not on a thread that GDAL may be gone before.
Selection Select(gpu::Device::Kind kind, const gpu::Options& options, bool tell = true) {
    const bool cuda = kind == gpu::Device::Kind::Cuda;
    const std::shared_ptr<Slot> slot = SlotOf(kind, options);
    std::lock_guard<std::mutex> lock(slot->mutex);
    if (!slot->tried) {
        slot->tried = true;
        try {
            slot->device = cuda ? gpu::MakeCudaDevice(options) : gpu::MakeHostDevice(options);
            slot->made = true;
        } catch (const gpu::Error& error) {
            slot->reason = error.what();
            slot->wrong_option = error.kind() == gpu::Error::Kind::InvalidArgument;
        } catch (const std::exception& error) {
            slot->reason = error.what();
        }
    }
    if (tell && !slot->told) {
        slot->told = true;
        if (slot->device) {
            CPLDebug("GPU", "device %s: %s, %s, kernels by %s", slot->device->kind_name(),
                     slot->device->name().c_str(), slot->device->architecture().c_str(),
                     slot->device->compiler().c_str());
        } else {
            CPLDebug("GPU", "no device: %s", slot->reason.c_str());
            if (slot->wrong_option) WarnOnce(slot->reason);
        }
    }
    if (slot->device && slot->device->lost()) {
        return {nullptr, std::string("the ") + slot->device->kind_name() +
                             " device is lost after an earlier error"};
    }
    return {slot->device, slot->reason};
}

enum class Mode { Auto, Cuda, Host, None };

Mode ConfiguredMode() {
    CheckOptions();
    const std::string mode = OptionChoice("GDAL_GPU_DEVICE", "AUTO");
    if (mode == "CUDA") return Mode::Cuda;
    if (mode == "HOST") return Mode::Host;
    return mode == "NONE" ? Mode::None : Mode::Auto;
}

// A device that was asked for by name and isn't there: the user hears of it, unless the reason has
// been said.
void WarnOfMissingDevice(Mode mode, const std::string& reason) {
    if ((mode != Mode::Cuda && mode != Mode::Host) || HasWarned(reason)) return;
    WarnOnce(std::string("GDAL_GPU_DEVICE=") + (mode == Mode::Cuda ? "CUDA" : "HOST") + ": " +
             reason + "; GDAL and PROJ do the work on the CPU");
}

// Why AUTO doesn't start a device for this work; empty where it does, or has one. charge: the work
// counts from now on as done without.
std::string WhyNotWorthADevice(const Work& work, bool charge) {
    if (!OptionText("GDAL_GPU_MIN_PIXELS").empty()) {
        const auto least = static_cast<uint64_t>(OptionNumber("GDAL_GPU_MIN_PIXELS", 0));
        return work.pixels >= least
                   ? ""
                   : std::to_string(work.pixels) + " pixels are fewer than GDAL_GPU_MIN_PIXELS (" +
                         std::to_string(least) + ")";
    }
    if (SlotOf(gpu::Device::Kind::Cuda, DeviceOptions())->made) {
        return "";
    }
    State& state = TheState();
    std::lock_guard<std::mutex> lock(state.mutex);
    if (state.seconds_without + work.whole_seconds >= kDeviceStartSeconds) {
        return "";
    }
    if (charge) {
        state.seconds_without += work.seconds;
    }
    return CPLSPrintf("the work so far, about %.3f s, isn't worth the start of a device, %.2f s",
                      state.seconds_without + (charge ? 0 : work.whole_seconds),
                      kDeviceStartSeconds);
}

// Why a request is not for a device at all; empty where it is.
std::string WhyGdal(Mode mode, const Work& work, bool charge = false) {
    if (mode == Mode::None) {
        return kNone;
    }
    return mode == Mode::Auto ? WhyNotWorthADevice(work, charge) : "";
}

gpu::Device::Kind KindOf(Mode mode) {
    return mode == Mode::Host ? gpu::Device::Kind::Host : gpu::Device::Kind::Cuda;
}

// The thread that makes a device before it is needed: one in the life of a process.
class WarmUp {
  public:
    static void Start(std::function<void()> work) {
        static auto* warm_ups = new gpu::PerProcess<WarmUp>([] { return new WarmUp; });
        WarmUp& warm_up = warm_ups->get();
        std::lock_guard<std::mutex> lock(warm_up.mutex_);
        if (running_in_ != getpid()) {
            // At exit it is waited for, before the driver's own handlers, which are older, take the
            // driver down.
            thread_ = new std::thread(std::move(work));
            running_in_ = getpid();
            std::atexit(Join);
        }
    }

  private:
    static void Join() {
        if (running_in_ == getpid() && thread_->joinable()) {
            thread_->join();
        }
    }

    static inline pid_t running_in_ = 0;
    static inline std::thread* thread_ = nullptr;
    std::mutex mutex_;
};

}  // namespace

gpu::ThreadPool& HostThreads() {
    // Never destroyed: datasets may be read until the process ends.
    static auto* threads = new gpu::ThreadPool(0);
    return *threads;
}

gpu::Options DeviceOptions() {
    gpu::Options options;
    options.cache_directory = CacheDirectory();
    options.memory_limit = OptionBytes("GDAL_GPU_MEMORY_LIMIT", 0);
    options.threads =
        static_cast<int>(std::min<int64_t>(OptionNumber("GDAL_GPU_THREADS", 0), 4096));
    options.nvrtc_library = OptionText("GDAL_GPU_NVRTC");
    options.cxx = OptionText("GDAL_GPU_CXX");
    options.fault = OptionText("GDAL_GPU_FAULT");
    options.warn = WarnOnce;
    return options;
}

std::string CacheDirectory() {
    std::string configured = OptionText("GDAL_GPU_CACHE_DIR");
    if (!configured.empty()) {
        return configured;
    }
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && cache[0] == '/') {
        return std::string(cache) + "/gdal-gpu";
    }
    const char* home = std::getenv("HOME");
    return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache/gdal-gpu" : "";
}

Selection SelectDevice(const Work& work) {
    try {
        const Mode mode = ConfiguredMode();
        const std::string reason = WhyGdal(mode, work, /*charge=*/true);
        if (!reason.empty()) return {nullptr, reason};
        Selection selection = Select(KindOf(mode), DeviceOptions());
        if (selection.device == nullptr) WarnOfMissingDevice(mode, selection.reason);
        return selection;
    } catch (const std::exception& error) {
        return {nullptr, error.what()};
    }
}

std::string WhyNoDevice() {
    Mode mode = Mode::Auto;
    try {
        mode = ConfiguredMode();
        if (mode == Mode::None) {
            return kNone;
        }
        if (mode != Mode::Host) {
            gpu::OpenCudaDriver();
        }
        return "";
    } catch (const std::exception& error) {
        WarnOfMissingDevice(mode, error.what());
        return error.what();
    }
}

void WarmUpDevice(const Work& work) {
    try {
        const Mode mode = ConfiguredMode();
        if (!WhyGdal(mode, work).empty()) {
            return;
        }
        if (mode != Mode::Host) {
            gpu::OpenCudaDriver();
        }
        WarmUp::Start([kind = KindOf(mode), options = DeviceOptions()] {
            Select(kind, options, /*tell=*/false);
        });
    } catch (const std::exception& error) {
        CPLDebug("GPU", "no warm-up: %s", error.what());
    }
}

}  // namespace gdalgpu
