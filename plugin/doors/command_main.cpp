// The command gdal-gpu. `run` only sets the environment and becomes the command, so nothing of GDAL
// is loaded for it; the other subcommands live in libgdalgpu.
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <string>

#include "plugin/doors/installation.h"

namespace {

using gdalgpu::Installation;

constexpr int kUsage = 2;
constexpr int kOwnFailure =
    125;  // as env, timeout and nohup have it, so that it isn't taken for the command's own
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

constexpr char kHelp[] =
    "Usage: gdal-gpu SUBCOMMAND\n"
    "\n"
    "  run COMMAND [ARGUMENT...]  run a program that uses GDAL (gdalwarp, gdal_translate, python3, "
    "qgis, ...) with\n"
    "                             its pixels on the GPU\n"
    "  info [--json]              devices, compilers, cache, options, and what is taken over from "
    "GDAL\n"
    "  cache [--clear]            the compiled kernels on disk: where, how many; with --clear, "
    "remove them\n"
    "  transform ...              transforms lines of coordinates; see gdal-gpu transform --help\n"
    "  coverage [--auth NAME] [--limit N] [--json | --markdown]\n"
    "                             for each projected CRS that PROJ knows: whether it is fused, and "
    "how close to PROJ;\n"
    "                             --markdown: the README's tables\n"
    "  help ALGORITHM             what an algorithm (GPU:ALGORITHM:dataset) does, and its "
    "arguments;\n"
    "                             help gpu_expression: the pixel function's operators and "
    "functions\n"
    "  --help, --version\n"
    "\n"
    "Exit status: the command's own with run (125: it couldn't be set up, 126: not executable, "
    "127: not found);\n"
    "elsewhere 0, 1 after an error, 2 after a wrong argument.\n";

Installation FindInstallation() {
    const std::string self = gdalgpu::RealPath("/proc/self/exe");
    const std::string prefix = gdalgpu::Folder(gdalgpu::Folder(self));
    Installation first;
    for (const char* library_folder : {"lib", GDALGPU_LIBDIR}) {
        Installation found = gdalgpu::InstallationAt(prefix + "/" + library_folder);
        if (found.problem.empty()) {
            return found;
        }
        if (first.problem.empty()) {
            first = found;
        }
    }
    return first;
}

std::string Variable(const char* name) {
    const char* value = getenv(name);
    return value != nullptr ? value : "";
}

// Puts `path` before the paths in `list`, without those that are the same.
std::string Prepend(const std::string& path, const std::string& list, const char* separators) {
    std::string result = path;
    for (size_t begin = 0; begin < list.size();) {
        const size_t end = std::min(list.find_first_of(separators, begin), list.size());
        const std::string entry = list.substr(begin, end - begin);
        if (!entry.empty() && gdalgpu::RealPath(entry) != gdalgpu::RealPath(path)) {
            result += ":" + entry;
        }
        begin = end + 1;
    }
    return result;
}

int Run(char** command) {
    const Installation installation = FindInstallation();
    if (!installation.problem.empty()) {
        fprintf(stderr, "gdal-gpu: %s\n", installation.problem.c_str());
        return kOwnFailure;
    }
    // A folder list replaces GDAL's default folder, which therefore goes into ours.
    std::string plugins = Variable("GDAL_DRIVER_PATH");
    if (plugins.empty()) {
        plugins = Variable("OGR_DRIVER_PATH");
    }
    if (plugins.empty()) {
        plugins = GDALGPU_GDAL_PLUGIN_FOLDER;
    }
    if (strcasecmp(plugins.c_str(), "disable") != 0) {
        setenv("GDAL_DRIVER_PATH", Prepend(installation.plugins, plugins, ":").c_str(), 1);
    }
    if (installation.preload.find_first_of(" :") != std::string::npos) {
        fprintf(stderr,
                "gdal-gpu: %s can't be preloaded, for LD_PRELOAD takes no path with a space or a "
                "colon; "
                "gdalwarp runs on the CPU\n",
                installation.preload.c_str());
    } else {
        setenv("LD_PRELOAD", Prepend(installation.preload, Variable("LD_PRELOAD"), " :").c_str(),
               1);
    }
    execvp(command[0], command);
    const int error = errno;
    fprintf(stderr, "gdal-gpu: %s: %s\n", command[0],
            error == ENOENT ? "command not found" : strerror(error));
    return error == ENOENT ? kNotFound : kNotExecutable;
}

// The subcommands that need GDAL.
int CallLibrary(int count, char** arguments) {
    const Installation installation = FindInstallation();
    void* library = dlopen(installation.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    using Command = int (*)(int, char**);
    const Command command = library != nullptr
                                ? reinterpret_cast<Command>(dlsym(library, "gdalgpu_command_v1"))
                                : nullptr;
    if (command == nullptr) {
        const char* reason = dlerror();
        fprintf(stderr, "gdal-gpu: %s\n",
                reason != nullptr ? reason : installation.library.c_str());
        return 1;
    }
    return command(count, arguments);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string subcommand = argc > 1 ? argv[1] : "";
    if (subcommand == "--help" || subcommand == "-h" || (subcommand == "help" && argc == 2)) {
        fputs(kHelp, stdout);
        return 0;
    }
    if (subcommand == "--version") {
        puts("gdal-gpu " GDALGPU_VERSION);
        return 0;
    }
    if ((subcommand == "run" || subcommand == "info" || subcommand == "cache" ||
         subcommand == "coverage") &&
        argc > 2 && strcmp(argv[2], "--help") == 0) {
        fputs(kHelp, stdout);
        return 0;
    }
    if (subcommand == "run") {
        if (argc < 3 || argv[2][0] == '-') {
            fprintf(stderr, "gdal-gpu: run needs a command, such as: gdal-gpu run gdalwarp ...\n");
            return kUsage;
        }
        return Run(argv + 2);
    }
    if (subcommand == "info" || subcommand == "cache" || subcommand == "help" ||
        subcommand == "transform" || subcommand == "coverage") {
        return CallLibrary(argc - 1, argv + 1);
    }
    fprintf(stderr, "gdal-gpu: %s; see gdal-gpu --help\n",
            subcommand.empty() ? "a subcommand is needed"
                               : ("unknown subcommand " + subcommand).c_str());
    return kUsage;
}
