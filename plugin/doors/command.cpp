#include "plugin/doors/command.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "cpl_port.h"
#include "gpu/disk_cache.h"
#include "plugin/doors/command_pages.h"
#include "plugin/doors/pixel_functions.h"
#include "plugin/doors/subcommands.h"
#include "plugin/nearest_name.h"
#include "plugin/raster/algorithm.h"
#include "plugin/runtime.h"

namespace gdalgpu {

constexpr char kPixelFunction[] = "gpu_expression";

int WrongArgument(const std::string& subcommand, const std::string& argument) {
    std::vector<std::string> names;
    if (const Subcommand* known = FindSubcommand(subcommand)) {
        for (const CommandOption& option : known->options) {
            names.insert(names.end(), option.names.begin(), option.names.end());
        }
    }
    const bool repeated = std::find(names.begin(), names.end(), argument) != names.end();
    const std::string problem =
        repeated ? "takes " + argument + " once."
                 : "has no argument " + argument + SuggestionOr(argument, names, ".");
    std::fprintf(stderr, "gdal-gpu: %s %s See gdal-gpu help %s\n", subcommand.c_str(),
                 problem.c_str(), subcommand.c_str());
    return 2;
}

int WrongValue(const std::string& option, const std::string& value, const std::string& accepted) {
    std::fprintf(stderr, "gdal-gpu: %s takes %s, not \"%s\"\n", option.c_str(), accepted.c_str(),
                 value.c_str());
    return 2;
}

int MissingValue(const std::string& option, const std::string& accepted) {
    std::fprintf(stderr, "gdal-gpu: %s needs a value: %s\n", option.c_str(), accepted.c_str());
    return 2;
}

std::vector<std::string> HelpTopics() {
    std::vector<std::string> topics = SubcommandNames();
    for (const Algorithm& algorithm : Algorithms()) topics.push_back(algorithm.name);
    topics.emplace_back(kPixelFunction);
    return topics;
}

bool OutputIsWritten() {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
    std::fprintf(stderr, "gdal-gpu: the output can't be written\n");
    return false;
}

namespace {

// Of an algorithm or the pixel function; the command itself explains its subcommands.
int HelpCommand(const std::string& topic) {
    if (EQUAL(topic.c_str(), kPixelFunction)) {
        std::fputs(PixelFunctionHelp().c_str(), stdout);
        return 0;
    }
    for (const Algorithm& algorithm : Algorithms()) {
        if (EQUAL(topic.c_str(), algorithm.name.c_str())) {
            std::fputs(AlgorithmHelp(topic).c_str(), stdout);
            return 0;
        }
    }
    const std::vector<std::string> topics = HelpTopics();
    std::string listed;
    for (const std::string& name : topics) listed += (listed.empty() ? "" : ", ") + name;
    std::fprintf(stderr, "gdal-gpu: there is no help on \"%s\"%s There is on %s\n", topic.c_str(),
                 SuggestionOr(topic, topics, ".").c_str(), listed.c_str());
    return 2;
}

int CacheCommand(bool clear) {
    const gpu::Options options = DeviceOptions();
    if (options.cache_directory.empty()) {
        std::printf(
            "no cache folder: neither GDAL_GPU_CACHE_DIR nor XDG_CACHE_HOME nor HOME is set\n");
        return clear ? 1 : 0;
    }
    const gpu::DiskCache cache(options.cache_directory, options.cache_limit);
    if (!cache.problem().empty()) {
        std::fprintf(stderr, "gdal-gpu: the cache is off: %s\n", cache.problem().c_str());
        return 1;
    }
    const gpu::DiskCache::Contents contents = clear ? cache.clear() : cache.contents();
    std::printf("%s: %s%llu kernels, %.1f MB\n", cache.directory().c_str(), clear ? "removed " : "",
                static_cast<unsigned long long>(contents.files),
                static_cast<double>(contents.bytes) / 1e6);
    return 0;
}

int Command(const std::string& subcommand, const std::vector<std::string>& arguments) {
    if (subcommand == "transform") {
        return TransformCommand(arguments);
    }
    if (subcommand == "coverage") {
        return CoverageCommand(arguments);
    }
    const std::string argument = arguments.empty() ? "" : arguments.front();
    if (arguments.size() > 1) {
        return WrongArgument(subcommand, arguments[1]);
    }
    if (subcommand == "cache" && (argument.empty() || argument == "--clear")) {
        return CacheCommand(argument == "--clear");
    }
    if (subcommand == "help" && PrintPage(argument)) {
        return 0;
    }
    if (subcommand == "help" && !argument.empty()) {
        return HelpCommand(argument);
    }
    if (subcommand == "info" && argument == "--takeovers") {
        return TakeoverProbe();
    }
    if (subcommand == "info" && (argument.empty() || argument == "--json")) {
        return InfoCommand(argument == "--json");
    }
    return WrongArgument(subcommand, argument);
}

}  // namespace
}  // namespace gdalgpu

int gdalgpu_command_v1(int count, char** arguments) {
    try {
        return gdalgpu::Command(arguments[0],
                                std::vector<std::string>(arguments + 1, arguments + count));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gdal-gpu: %s\n", error.what());
        return 1;
    }
}
