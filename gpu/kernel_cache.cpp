#include "gpu/kernel_cache.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

namespace gpu {

struct KernelCache::Entry {
    std::mutex mutex;  // held while the module is made
    std::shared_ptr<Module> module;
    std::optional<Error> failure;
};

struct KernelCache::State {
    std::mutex mutex;
    std::unordered_map<std::string, std::shared_ptr<Entry>> entries;
};

std::string NotKept(const std::string& problem) {
    return "compiled kernels are not kept, so that each process compiles them again: " + problem;
}

KernelCache::KernelCache(const Options& options, std::string identity)
    : identity_(std::move(identity)),
      disk_(options.cache_directory, options.cache_limit),
      warn_(options.warn),
      state_([] { return new State; }) {}

KernelCache::~KernelCache() = default;

std::shared_ptr<Module> KernelCache::get(const std::string& text, const Compile& compile,
                                         const Load& load, CompileInfo* info) {
    const auto start = std::chrono::steady_clock::now();
    CompileInfo made;
    State& state = state_.get();
    std::shared_ptr<Entry> entry;
    {
        std::lock_guard<std::mutex> lock(state.mutex);
        std::shared_ptr<Entry>& slot = state.entries[text];
        if (!slot) {
            slot = std::make_shared<Entry>();
        }
        entry = slot;
    }
    std::lock_guard<std::mutex> lock(entry->mutex);
    if (entry->failure) {
        throw *entry->failure;
    }
    if (!entry->module) {
        try {
            entry->module = make(text, compile, load, made);
        } catch (const Error& error) {
            if (error.kind() == Error::Kind::Compile) {
                entry->failure = error;
            }
            throw;
        }
    }
    if (info != nullptr) {
        made.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        *info = made;
    }
    return entry->module;
}

std::shared_ptr<Module> KernelCache::make(const std::string& text, const Compile& compile,
                                          const Load& load, CompileInfo& info) {
    const std::string key = identity_ + '\0' + text;
    if (const std::optional<std::string> binary = disk_.load(key)) {
        try {
            return load(*binary);
        } catch (const Error& error) {
            if (error.kind() == Error::Kind::Lost) {
                throw;
            }
        }
    }
    const std::string binary = compile(text);
    info.compiled = 1;
    std::shared_ptr<Module> module = load(binary);
    const std::string problem = disk_.store(key, binary);
    if (!problem.empty() && warn_) {
        warn_(NotKept(problem));
    }
    return module;
}

}  // namespace gpu
