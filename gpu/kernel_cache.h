// Compiled kernels, kept in memory and on disk.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gpu/device.h"
#include "gpu/disk_cache.h"
#include "gpu/per_process.h"

namespace gpu {

// What Options::warn is told where DiskCache has a problem.
std::string NotKept(const std::string& problem);

// The kernels of one device. Threads that ask for the same text at once compile it once; a text
// that doesn't compile is not tried again.
class KernelCache {
  public:
    // identity: all that a binary depends on besides the text: device kind, compiler and its
    // version, its options, architecture.
    KernelCache(const Options& options, std::string identity);
    ~KernelCache();

    using Compile = std::function<std::string(const std::string& text)>;
    using Load = std::function<std::shared_ptr<Module>(const std::string& binary)>;

    // The module of `text`: from memory; from disk through `load`; or through `compile` and `load`.
    // A binary from disk that `load` refuses is compiled anew. Throws what they throw.
    std::shared_ptr<Module> get(const std::string& text, const Compile& compile, const Load& load,
                                CompileInfo* info);

    const DiskCache& disk() const { return disk_; }

  private:
    struct Entry;
    struct State;

    std::shared_ptr<Module> make(const std::string& text, const Compile& compile, const Load& load,
                                 CompileInfo& info);

    const std::string identity_;
    const DiskCache disk_;
    const std::function<void(const std::string&)> warn_;
    PerProcess<State> state_;
};

}  // namespace gpu
