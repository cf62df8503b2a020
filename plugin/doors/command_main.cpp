// The command gdal-gpu. `run` only sets the environment and becomes the command, so nothing of GDAL
// is loaded for it; the other subcommands live in libgdalgpu.
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <string>

#include "plugin/doors/installation.h"
#include "plugin/doors/subcommands.h"
#include "plugin/doors/takeovers.h"
#include "plugin/nearest_name.h"

namespace {

using gdalgpu::Installation;

constexpr int kUsage = 2;
constexpr int kOwnFailure =
    125;  // as env, timeout and nohup have it, so that it isn't taken for the command's own
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

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

// Where somebody asks what runs on the device, the programs that `run` takes nothing over from say
// so.
void SayWhatIsLeft(const char* command) {
    const std::string debug = Variable("CPL_DEBUG");
    if (Variable("GDAL_GPU_REPORT").empty() &&
        (debug.empty() || strcasecmp(debug.c_str(), "OFF") == 0)) {
        return;
    }
    const char* slash = strrchr(command, '/');
    for (const gdalgpu::ProgramTakeover& program : gdalgpu::kPrograms) {
        if (program.taken_over ||
            strcmp(program.name, slash != nullptr ? slash + 1 : command) != 0) {
            continue;
        }
        const std::string instead = program.instead;
        fprintf(stderr,
                "gdal-gpu: %s's algorithms are not taken over; they run in GDAL's own code%s\n",
                program.name, instead.empty() ? "" : (" (on the device: " + instead + ")").c_str());
    }
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
                "colon; gdalwarp runs on the CPU\n",
                installation.preload.c_str());
    } else {
        setenv("LD_PRELOAD", Prepend(installation.preload, Variable("LD_PRELOAD"), " :").c_str(),
               1);
    }
    SayWhatIsLeft(command[0]);
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

bool IsHelp(const char* argument) {
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

// Whether somebody asks for the subcommand's help; behind run's COMMAND all is the command's own.
bool AsksForHelp(const std::string& subcommand, int count, char** arguments) {
    const int last = subcommand == "run" ? std::min(count, 1) : count;
    return std::any_of(arguments, arguments + last, IsHelp);
}

// `run` and what follows it.
int RunSubcommand(int count, char** arguments) {
    const bool marked = count > 0 && strcmp(arguments[0], "--") == 0;
    if (marked) {
        ++arguments;
        --count;
    }
    if (count == 0 || arguments[0][0] == '\0') {
        fprintf(stderr,
                "gdal-gpu: run needs a command, such as: gdal-gpu run gdalwarp ...; see gdal-gpu "
                "help run\n");
        return kUsage;
    }
    if (!marked && arguments[0][0] == '-') {
        fprintf(stderr,
                "gdal-gpu: run has no argument %s before the command; see gdal-gpu help run\n",
                arguments[0]);
        return kUsage;
    }
    return Run(arguments);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string name = argc > 1 ? argv[1] : "";
    const gdalgpu::Subcommand* subcommand = gdalgpu::FindSubcommand(name);
    if (argc > 1 && (IsHelp(argv[1]) || (name == "help" && argc == 2))) {
        fputs(gdalgpu::CommandHelp().c_str(), stdout);
        return 0;
    }
    if (name == "--version") {
        puts("gdal-gpu " GDALGPU_VERSION);
        return 0;
    }
    if (subcommand == nullptr) {
        fprintf(
            stderr, "gdal-gpu: %s%s See gdal-gpu --help\n",
            name.empty() ? "a subcommand is needed." : ("there is no subcommand " + name).c_str(),
            name.empty() ? ""
                         : gdalgpu::SuggestionOr(name, gdalgpu::SubcommandNames(), ".").c_str());
        return kUsage;
    }
    if (AsksForHelp(name, argc - 2, argv + 2)) {
        fputs(gdalgpu::SubcommandHelp(*subcommand).c_str(), stdout);
        return 0;
    }
    if (name == "help" && argc == 3) {
        if (const gdalgpu::Subcommand* topic = gdalgpu::FindSubcommand(argv[2])) {
            fputs(gdalgpu::SubcommandHelp(*topic).c_str(), stdout);
            return 0;
        }
    }
    return name == "run" ? RunSubcommand(argc - 2, argv + 2) : CallLibrary(argc - 1, argv + 1);
}
