#include "plugin/doors/command.h"

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpl_port.h"
#include "gpu/disk_cache.h"
#include "plugin/doors/pixel_functions.h"
#include "plugin/raster/algorithm.h"
#include "plugin/runtime.h"

namespace gdalgpu {

int WrongArgument(const std::string& subcommand, const std::string& argument) {
    std::fprintf(stderr, "gdal-gpu: %s doesn't know %s; see gdal-gpu --help\n", subcommand.c_str(),
                 argument.c_str());
    return 2;
}

bool OutputIsWritten() {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
    std::fprintf(stderr, "gdal-gpu: the output can't be written\n");
    return false;
}

namespace {

int HelpCommand(const std::string& algorithm) {
    if (EQUAL(algorithm.c_str(), "gpu_expression")) {
        std::fputs(PixelFunctionHelp().c_str(), stdout);
        return 0;
    }
    try {
        std::fputs(AlgorithmHelp(algorithm).c_str(), stdout);
        return 0;
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "gdal-gpu: %s\n", error.what());
        return 2;
    }
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
