// The manual pages and bash's completion, from the declarations that --help prints: the subcommands
// (subcommands.h), the options (plugin/options.h) and the algorithms (plugin/raster/algorithm.h).
#pragma once

#include <string>

namespace gdalgpu {

// troff text in man's macros: gdal-gpu(1) and gdal-gpu-algorithms(7).
std::string CommandManual();
std::string AlgorithmManual();

// A script for bash-completion.
std::string BashCompletion();

// Prints one of them, of "--man-1", "--man-7" and "--bash-completion"; false for another name.
bool PrintPage(const std::string& name);

}  // namespace gdalgpu
