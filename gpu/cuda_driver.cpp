#include "gpu/cuda_driver.h"

#include <dlfcn.h>

#include <string>

#include "gpu/error.h"

namespace gpu {
namespace cuda {

namespace {

struct Loaded {
    Driver driver;
    std::string problem;
};

Loaded* Load() {
    auto* loaded = new Loaded;
    // Never closed: the driver keeps threads and handlers of its own.
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        loaded->problem = "no NVIDIA driver: libcuda.so.1 can't be opened";
        return loaded;
    }
#define GDALGPU_CUDA_LOAD(member, name, parameters)                               \
    loaded->driver.member =                                                       \
        reinterpret_cast<decltype(loaded->driver.member)>(dlsym(library, #name)); \
    if (loaded->driver.member == nullptr) {                                       \
        loaded->problem = "the NVIDIA driver is too old: it lacks " #name;        \
        return loaded;                                                            \
    }
    GDALGPU_CUDA_FUNCTIONS(GDALGPU_CUDA_LOAD)
#undef GDALGPU_CUDA_LOAD
    loaded->driver.driver_version(&loaded->driver.version);
    return loaded;
}

}  // namespace

const Driver& LoadDriver() {
    static const Loaded* loaded = Load();
    if (!loaded->problem.empty()) {
        throw Error(Error::Kind::Unavailable, loaded->problem);
    }
    return loaded->driver;
}

const char* ErrorName(const Driver& driver, Result result) {
    const char* name = nullptr;
    driver.error_name(result, &name);
    return name != nullptr ? name : "an unknown CUDA error";
}

}  // namespace cuda
}  // namespace gpu
