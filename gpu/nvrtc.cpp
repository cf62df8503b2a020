#include "gpu/nvrtc.h"

#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "gpu/error.h"

namespace gpu {

namespace {

using Program = struct NvrtcProgramObject*;

constexpr size_t kMessageBytes = 4000;

// The paths of a pattern, those of the newest version first.
std::vector<std::string> Matches(const std::string& pattern) {
    std::vector<std::string> paths;
    glob_t found;
    if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
        paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    globfree(&found);
    const auto name = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
    std::stable_sort(paths.begin(), paths.end(),
                     [&](const std::string& a, const std::string& b) { return name(a) > name(b); });
    return paths;
}

// A path as a pattern that is that path alone.
std::string Literally(const std::string& path) {
    std::string pattern;
    for (const char letter : path) {
        if (std::strchr("*?[\\", letter) != nullptr) pattern += '\\';
        pattern += letter;
    }
    return pattern;
}

// An environment variable that is an absolute path; empty for others.
std::string FolderVariable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && value[0] == '/' ? Literally(value) : "";
}

// Where Python's packages are: of the environment that is active, or whose interpreter this
// process is, of the user, and of the machine.
std::vector<std::string> PythonPrefixes() {
    std::vector<std::string> prefixes = {FolderVariable("VIRTUAL_ENV"),
                                         FolderVariable("CONDA_PREFIX")};
    const std::string program = program_invocation_name;  // <prefix>/bin/python
    const size_t name = program.rfind('/');
    const size_t bin = name == std::string::npos || name == 0 ? name : program.rfind('/', name - 1);
    if (bin != std::string::npos &&
        access((program.substr(0, bin) + "/pyvenv.cfg").c_str(), R_OK) == 0) {
        prefixes.push_back(Literally(program.substr(0, bin)));
    }
    const std::string home = FolderVariable("HOME");
    prefixes.push_back(home.empty() ? "" : home + "/.local");
    prefixes.emplace_back("/usr/local");
    prefixes.erase(std::remove(prefixes.begin(), prefixes.end(), ""), prefixes.end());
    return prefixes;
}

}  // namespace

// What the loader finds by itself, then the usual folders. pip's packages nvidia-cuda-nvrtc-cu12
// and nvidia-cuda-nvrtc (CUDA 13) lie in site-packages/nvidia/cuda_nvrtc/lib and nvidia/cu13/lib.
std::vector<std::string> Nvrtc::Candidates() {
    std::vector<std::string> candidates = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                           "libnvrtc.so"};
    std::vector<std::string> folders;
    for (const std::string& prefix : PythonPrefixes()) {
        for (const char* packages : {"site-packages", "dist-packages"}) {
            folders.push_back(prefix + "/lib/python3*/" + packages + "/nvidia/*/lib");
        }
    }
    if (const std::string conda = FolderVariable("CONDA_PREFIX"); !conda.empty()) {
        folders.insert(folders.end(), {conda + "/lib", conda + "/targets/*/lib"});
    }
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        const std::string folder = FolderVariable(variable);
        if (!folder.empty()) folders.push_back(folder + "/lib64");
    }
    folders.insert(folders.end(),
                   {"/usr/local/cuda/lib64", "/usr/local/cuda-*/lib64", "/opt/cuda/lib64"});
    for (const std::string& folder : folders) {
        for (std::string& path : Matches(folder + "/libnvrtc.so*")) {
            candidates.push_back(std::move(path));
        }
    }
    return candidates;
}

void Nvrtc::Check(const std::string& library) {
    if (library.find('/') != std::string::npos && access(library.c_str(), R_OK) != 0) {
        throw Error(Error::Kind::InvalidArgument,
                    "GDAL_GPU_NVRTC=" + library + " can't be opened: " + std::strerror(errno));
    }
}

struct Nvrtc::Functions {
    int (*version)(int*, int*) = nullptr;
    int (*create)(Program*, const char*, const char*, int, const char* const*,
                  const char* const*) = nullptr;
    int (*compile)(Program, int, const char* const*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    int (*cubin_size)(Program, size_t*) = nullptr;
    int (*cubin)(Program, char*) = nullptr;
    int (*ptx_size)(Program, size_t*) = nullptr;
    int (*ptx)(Program, char*) = nullptr;
    int (*log_size)(Program, size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*architecture_count)(int*) = nullptr;
    int (*architectures)(int*) = nullptr;
    const char* (*error_text)(int) = nullptr;
};

std::shared_ptr<const Nvrtc> Nvrtc::Open(const std::string& library) {
    // Never closed: it keeps threads and caches of its own.
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        return nullptr;
    }
    auto functions = std::make_shared<Functions>();
    bool complete = true;
    const auto load = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, name));
        complete = complete && function != nullptr;
    };
    load(functions->version, "nvrtcVersion");
    load(functions->create, "nvrtcCreateProgram");
    load(functions->compile, "nvrtcCompileProgram");
    load(functions->destroy, "nvrtcDestroyProgram");
    load(functions->cubin_size, "nvrtcGetCUBINSize");
    load(functions->cubin, "nvrtcGetCUBIN");
    load(functions->ptx_size, "nvrtcGetPTXSize");
    load(functions->ptx, "nvrtcGetPTX");
    load(functions->log_size, "nvrtcGetProgramLogSize");
    load(functions->log, "nvrtcGetProgramLog");
    load(functions->architecture_count, "nvrtcGetNumSupportedArchs");
    load(functions->architectures, "nvrtcGetSupportedArchs");
    load(functions->error_text, "nvrtcGetErrorString");
    auto nvrtc = std::make_shared<Nvrtc>();
    int count = 0;
    if (!complete || functions->version(&nvrtc->major_, &nvrtc->minor_) != 0 ||
        functions->architecture_count(&count) != 0 || count <= 0) {
        return nullptr;
    }
    nvrtc->architectures_.resize(count);
    functions->architectures(nvrtc->architectures_.data());
    std::sort(nvrtc->architectures_.begin(), nvrtc->architectures_.end());
    Dl_info info;
    const bool known = dladdr(reinterpret_cast<void*>(functions->version), &info) != 0 &&
                       info.dli_fname != nullptr;
    nvrtc->path_ = known ? info.dli_fname : library;
    nvrtc->functions_ = functions;
    return nvrtc;
}

std::shared_ptr<const Nvrtc> Nvrtc::Find(const std::string& library, int newest_major) {
    if (!library.empty()) {
        Check(library);
        if (std::shared_ptr<const Nvrtc> nvrtc = Open(library)) {
            return nvrtc;
        }
        const char* reason = dlerror();
        throw Error(Error::Kind::InvalidArgument,
                    "GDAL_GPU_NVRTC=" + library + " can't be opened as NVRTC: " +
                        (reason != nullptr ? reason : "it lacks NVRTC's functions"));
    }
    std::shared_ptr<const Nvrtc> newer;
    for (const std::string& candidate : Candidates()) {
        std::shared_ptr<const Nvrtc> nvrtc = Open(candidate);
        if (nvrtc && (newest_major == 0 || nvrtc->major_ <= newest_major)) {
            return nvrtc;
        }
        newer = newer ? newer : nvrtc;
    }
    if (!newer) {
        throw Error(Error::Kind::Unavailable,
                    "no NVRTC: libnvrtc.so.13 or .12 is neither where the loader looks, nor in the "
                    "active Python or conda environment, nor in /usr/local/cuda*; install it (pip "
                    "install nvidia-cuda-nvrtc-cu12, or the toolkit's cuda-nvrtc-12-*), or set "
                    "GDAL_GPU_NVRTC to its path");
    }
    return newer;
}

std::string Nvrtc::version() const { return std::to_string(major_) + "." + std::to_string(minor_); }

std::string Nvrtc::description() const { return "NVRTC " + version() + ", " + path_; }

std::vector<std::string> Nvrtc::options(int architecture) const {
    const auto newer = std::upper_bound(architectures_.begin(), architectures_.end(), architecture);
    const int known = newer == architectures_.begin() ? architectures_.front() : *(newer - 1);
    const char* prefix = known == architecture ? "sm_" : "compute_";
    return {"--std=c++17", "--gpu-architecture=" + std::string(prefix) + std::to_string(known),
            "--disable-warnings"};
}

std::vector<std::string> Nvrtc::options(const std::string& text, int architecture) const {
    std::vector<std::string> all = options(architecture);
    const bool unfused = text.find("\n#define GPU_UNFUSED\n") != std::string::npos;
    all.push_back(unfused ? "--fmad=false" : "--fmad=true");
    return all;
}

std::string Nvrtc::compile(const std::string& text, int architecture) const {
    const auto check = [this](int result, const char* call) {
        if (result != 0) {
            throw Error(Error::Kind::Compile,
                        std::string(call) + ": " + functions_->error_text(result));
        }
    };
    Program program = nullptr;
    check(functions_->create(&program, text.c_str(), "kernel.cu", 0, nullptr, nullptr),
          "nvrtcCreateProgram");
    const std::shared_ptr<void> destroy(nullptr, [&](void*) { functions_->destroy(&program); });
    const std::vector<std::string> texts = options(text, architecture);
    std::vector<const char*> pointers;
    pointers.reserve(texts.size());
    for (const std::string& option : texts) {
        pointers.push_back(option.c_str());
    }
    const int result =
        functions_->compile(program, static_cast<int>(pointers.size()), pointers.data());
    if (result != 0) {
        size_t size = 0;
        std::string log;
        if (functions_->log_size(program, &size) == 0 && size > 1) {
            log.resize(size);
            functions_->log(program, log.data());
            log.resize(std::min(size - 1, kMessageBytes));
        }
        throw Error(Error::Kind::Compile, "NVRTC " + version() + " can't compile a kernel (" +
                                              functions_->error_text(result) + "): " + log);
    }
    size_t size = 0;
    const bool ptx = texts[1].find("compute_") != std::string::npos;
    check((ptx ? functions_->ptx_size : functions_->cubin_size)(program, &size),
          "size of NVRTC's result");
    std::string binary(size, '\0');
    check((ptx ? functions_->ptx : functions_->cubin)(program, binary.data()), "NVRTC's result");
    return binary;
}

std::string CompileForArchitecture(const std::string& text, const std::string& architecture) {
    static std::mutex mutex;
    static auto* found = new std::shared_ptr<const Nvrtc>;
    std::shared_ptr<const Nvrtc> nvrtc;
    {
        std::lock_guard<std::mutex> lock(mutex);
        if (!*found) {
            *found = Nvrtc::Find("", 0);
        }
        nvrtc = *found;
    }
    const std::string digits = architecture.compare(0, 3, "sm_") == 0 ? architecture.substr(3) : "";
    if (digits.size() < 2 || digits.size() > 3 ||
        digits.find_first_not_of("0123456789") != std::string::npos ||
        nvrtc->options(std::stoi(digits))[1] != "--gpu-architecture=" + architecture) {
        throw Error(
            Error::Kind::InvalidArgument,
            "NVRTC " + nvrtc->version() + " doesn't know the architecture '" + architecture + "'");
    }
    return nvrtc->compile(text, std::stoi(digits));
}

}  // namespace gpu
