// `gdal-gpu info`: what this machine and this installation have.
#include <dlfcn.h>
#include <proj.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cpl_conv.h"
#include "cpl_json.h"
#include "gdal.h"
#include "gpu/disk_cache.h"
#include "gpu/host_compiler.h"
#include "gpu/kernel_cache.h"
#include "gpu/nvrtc.h"
#include "plugin/coordinates/projections.h"
#include "plugin/doors/command.h"
#include "plugin/doors/installation.h"
#include "plugin/doors/subcommands.h"
#include "plugin/doors/takeovers.h"
#include "plugin/held_messages.h"
#include "plugin/options.h"
#include "plugin/runtime.h"

extern char** environ;

namespace gdalgpu {
namespace {

Installation OwnInstallation() {
    Dl_info self;
    if (dladdr(reinterpret_cast<void*>(&gdalgpu_command_v1), &self) == 0 ||
        self.dli_fname == nullptr) {
        return Installation{};
    }
    return InstallationAt(Folder(RealPath(self.dli_fname)));
}

// As exec takes them, with a null at the end; valid as long as the texts are.
std::vector<char*> Pointers(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

// What a child process prints; false where it can't be started or fails.
bool Output(const std::string& program, std::vector<std::string> arguments,
            const std::map<std::string, std::string>& changes, std::string& output) {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string text = *variable;
        if (changes.count(text.substr(0, text.find('='))) == 0) {
            variables.push_back(text);
        }
    }
    for (const auto& [name, value] : changes) {
        variables.push_back(std::string(name).append("=").append(value));
    }
    std::vector<char*> argument_list = Pointers(arguments);
    std::vector<char*> variable_list = Pointers(variables);

    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    pid_t child = 0;
    const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, argument_list.data(),
                                  variable_list.data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error == 0) {
        char buffer[4096];
        for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
            output.append(buffer, static_cast<size_t>(got));
        }
    }
    close(ends[0]);
    int status = 0;
    return error == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

// Function -> whether the preload library takes it over in a program that uses this libgdal.
std::map<std::string, bool> Takeovers(const Installation& installation) {
    std::map<std::string, bool> in_effect;
    for (const char* name : kTakeoverNames) in_effect[name] = false;
    std::string output;
    Output("/proc/self/exe", {"gdal-gpu", "info", "--takeovers"},
           {{"LD_PRELOAD", installation.preload},
            {"GDAL_DRIVER_PATH", "disable"},
            {"GDAL_GPU_DEVICE", "NONE"},
            {"GDAL_GPU_REPORT", ""},
            {"CPL_DEBUG", "OFF"}},
           output);
    std::istringstream words(output);
    std::string function;
    for (int calls = 0; words >> function >> calls;) {
        const auto found = in_effect.find(function);
        if (found != in_effect.end()) {
            found->second = calls > 0;
        }
    }
    return in_effect;
}

struct DeviceInfo {
    std::string kind;
    std::string name;  // empty where there is none
    std::string architecture;
    uint64_t available_memory = 0;
    std::string problem;
    std::string compiler;  // with version and path; empty where there is none
    std::string compiler_problem;
};

std::string FindCudaCompiler(const gpu::Options& options) {
    return gpu::Nvrtc::Find(options.nvrtc_library, 0)->description();
}

std::string FindHostCompiler(const gpu::Options& options) {
    return gpu::FindHostCompiler(options.cxx).description();
}

// `find_compiler` tells of the compiler on a machine without the device.
DeviceInfo Describe(const char* kind, std::shared_ptr<gpu::Device> (*make)(const gpu::Options&),
                    std::string (*find_compiler)(const gpu::Options&)) {
    DeviceInfo info;
    info.kind = kind;
    const gpu::Options options = DeviceOptions();
    try {
        const std::shared_ptr<gpu::Device> device = make(options);
        info.compiler = device->compiler();
        info.name = device->name();
        info.architecture = device->architecture();
        info.available_memory = device->available_memory();
    } catch (const std::exception& error) {
        info.problem = error.what();
    }
    try {
        if (info.compiler.empty()) {
            info.compiler = find_compiler(options);
        }
    } catch (const std::exception& error) {
        info.compiler_problem = error.what();
    }
    return info;
}

CPLJSONObject Collect() {
    const HeldMessages warnings_of_gdal;  // what its user would be warned of
    const Installation installation = OwnInstallation();
    CPLJSONObject info;
    info.Add("version", GDALGPU_VERSION);
    info.Add("gdal", GDALVersionInfo("RELEASE_NAME"));
    info.Add("built_for_gdal", GDAL_RELEASE_NAME);
    info.Add("proj", proj_info().version);
    info.Add("library", installation.library);
    info.Add("preload", installation.preload);
    info.Add("plugins", installation.plugins);
    info.Add("problem", installation.problem);
#if defined(GDALGPU_WITH_CUB)
    info.Add("primitives", "CUB, Thrust and the standard library");
#else
    info.Add("primitives", "the standard library (built without a CUDA toolkit)");
#endif

    CPLJSONArray devices;
    for (const DeviceInfo& device : {Describe("CUDA", gpu::MakeCudaDevice, FindCudaCompiler),
                                     Describe("HOST", gpu::MakeHostDevice, FindHostCompiler)}) {
        CPLJSONObject entry;
        entry.Add("kind", device.kind);
        if (device.problem.empty()) {
            entry.Add("name", device.name);
            entry.Add("architecture", device.architecture);
            entry.Add("available_memory", static_cast<GInt64>(device.available_memory));
        } else {
            entry.Add("problem", device.problem);
        }
        entry.Add("compiler", device.compiler);
        entry.Add("compiler_problem", device.compiler_problem);
        devices.Add(entry);
    }
    info.Add("devices", devices);
    const Selection selection = SelectDevice(UINT64_MAX);
    CPLJSONObject selected;
    selected.Add("device", selection.device ? selection.device->kind_name() : "GDAL");
    selected.Add("reason", selection.reason);
    info.Add("selected", selected);

    CPLJSONArray projections;
    for (const std::string& name : ProjectionNames()) {
        projections.Add(name);
    }
    info.Add("projections", projections);

    const gpu::Options options = DeviceOptions();
    const gpu::DiskCache cache(options.cache_directory, options.cache_limit);
    const gpu::DiskCache::Contents contents = cache.contents();
    CPLJSONObject cache_info;
    cache_info.Add("folder", cache.directory());
    cache_info.Add("problem", cache.problem());
    cache_info.Add("kernels", static_cast<GInt64>(contents.files));
    cache_info.Add("bytes", static_cast<GInt64>(contents.bytes));
    cache_info.Add("limit", static_cast<GInt64>(options.cache_limit));
    info.Add("cache", cache_info);
    const std::string write_problem = cache.write_problem();
    if (!write_problem.empty()) WarnOnce(gpu::NotKept(write_problem));

    CPLJSONArray option_list;
    for (const ConfigOption& option : ConfigOptions()) {
        const char* value = CPLGetConfigOption(option.name, nullptr);
        CPLJSONObject entry;
        entry.Add("name", option.name);
        if (value != nullptr) {
            entry.Add("value", value);
        }
        entry.Add("default", option.default_value);
        entry.Add("help", option.help);
        option_list.Add(entry);
    }
    info.Add("options", option_list);

    CPLJSONObject takeovers;
    for (const auto& [function, in_effect] : Takeovers(installation)) {
        takeovers.Add(function, in_effect);
    }
    info.Add("takeovers", takeovers);
    CPLJSONArray programs;
    for (const ProgramTakeover& program : kPrograms) {
        CPLJSONObject entry;
        entry.Add("name", program.name);
        entry.Add("taken_over", program.taken_over);
        entry.Add("instead", program.instead);
        programs.Add(entry);
    }
    info.Add("programs", programs);

    CPLJSONArray warnings;
    for (const HeldMessages::Message& message : warnings_of_gdal.messages())
        warnings.Add(message.text);
    info.Add("warnings", warnings);
    return info;
}

std::string Text(const CPLJSONObject& object, const char* key) { return object.GetString(key); }

void Print(const CPLJSONObject& info) {
    std::printf("gdal-gpu %s, with GDAL %s and PROJ %s\n", Text(info, "version").c_str(),
                Text(info, "gdal").c_str(), Text(info, "proj").c_str());
    if (!Text(info, "problem").empty()) {
        std::printf("  %s\n", Text(info, "problem").c_str());
    }
    std::printf("Plugin folder: %s\nPreload library: %s\nPrimitives: %s\nDevices\n",
                Text(info, "plugins").c_str(), Text(info, "preload").c_str(),
                Text(info, "primitives").c_str());
    for (const CPLJSONObject& device : info.GetArray("devices")) {
        const std::string problem = Text(device, "problem");
        if (problem.empty()) {
            std::printf("  %s: %s, %s, %.1f GB available\n", Text(device, "kind").c_str(),
                        Text(device, "name").c_str(), Text(device, "architecture").c_str(),
                        static_cast<double>(device.GetLong("available_memory")) / 1e9);
        } else {
            std::printf("  %s: none: %s\n", Text(device, "kind").c_str(), problem.c_str());
        }
    }
    const CPLJSONObject selected = info.GetObj("selected");
    const std::string reason = Text(selected, "reason");
    std::printf(
        "  large requests run on: %s%s%s\n",
        Text(selected, "device") == "GDAL" ? "GDAL's own code" : Text(selected, "device").c_str(),
        reason.empty() ? "" : ": ", reason.c_str());
    std::printf("Compilers of kernels\n");
    for (const CPLJSONObject& device : info.GetArray("devices")) {
        const std::string problem = Text(device, "compiler_problem");
        std::printf("  %s: %s%s\n", Text(device, "kind").c_str(),
                    problem.empty() ? Text(device, "compiler").c_str() : "none: ", problem.c_str());
    }
    std::printf("Projections with a kernel:");
    for (const CPLJSONObject& name : info.GetArray("projections")) {
        std::printf(" %s", name.ToString().c_str());
    }
    std::printf("\n");
    const CPLJSONObject cache = info.GetObj("cache");
    if (Text(cache, "problem").empty()) {
        std::printf("Cache: %s, %lld kernels, %.1f of at most %.0f MB\n",
                    Text(cache, "folder").c_str(), static_cast<long long>(cache.GetLong("kernels")),
                    static_cast<double>(cache.GetLong("bytes")) / 1e6,
                    static_cast<double>(cache.GetLong("limit")) / 1e6);
    } else {
        std::printf("Cache: off: %s\n", Text(cache, "problem").c_str());
    }
    std::printf("Options (default)\n");
    for (const CPLJSONObject& option : info.GetArray("options")) {
        if (option.GetObj("value").IsValid()) {
            std::printf("  %s=%s (%s)\n", Text(option, "name").c_str(),
                        Text(option, "value").c_str(), Text(option, "default").c_str());
        } else {
            std::printf("  %s (%s)\n", Text(option, "name").c_str(),
                        Text(option, "default").c_str());
        }
    }
    std::string taken_over, left;
    for (const CPLJSONObject& program : info.GetArray("programs")) {
        const std::string instead = Text(program, "instead");
        std::string& list = program.GetBool("taken_over") ? taken_over : left;
        list += (list.empty() ? "" : ", ") + Text(program, "name") +
                (instead.empty() ? "" : " (on the device: " + instead + ")");
    }
    std::printf("%s%s", Wrapped("Taken over by gdal-gpu run: ", 2, taken_over).c_str(),
                Wrapped("Left to GDAL's own code so far: ", 2, left).c_str());
    std::printf("Functions taken over\n");
    bool all = true;
    for (const CPLJSONObject& takeover : info.GetObj("takeovers").GetChildren()) {
        all = all && takeover.ToBool();
        std::printf("  %s: %s\n", takeover.GetName().c_str(), takeover.ToBool() ? "yes" : "NO");
    }
    if (!all) {
        std::printf(
            "  What isn't taken over runs in GDAL's own code: this libgdal calls its functions "
            "directly (it may be linked with\n  -Bsymbolic-functions). Warped VRTs run on the "
            "device all the same.\n");
    }
    const CPLJSONArray warnings = info.GetArray("warnings");
    if (warnings.Size() > 0) std::printf("Warnings\n");
    for (const CPLJSONObject& text : warnings) std::printf("  %s\n", text.ToString().c_str());
}

}  // namespace

int InfoCommand(bool json) {
    const CPLJSONObject info = Collect();
    if (json) {
        std::printf("%s\n", info.Format(CPLJSONObject::PrettyFormat::Pretty).c_str());
    } else {
        Print(info);
    }
    return 0;
}

}  // namespace gdalgpu
