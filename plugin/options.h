// GDAL's configuration options that this project reads: the one table that code, `gdal-gpu info`
// and README share, and how their values are read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gdalgpu {

struct ConfigOption {
    const char* name;
    const char* default_value;  // as text for people: "400000", "$XDG_CACHE_HOME/gdal-gpu"
    const char* help;           // one sentence
};

const std::vector<ConfigOption>& ConfigOptions();

// The value of an option; empty where it isn't set.
std::string OptionText(const char* name);

// A whole number of at least `least`. `otherwise` where the option isn't set, and, with a CPLError
// (CE_Warning) once, where it is something else.
int64_t OptionNumber(const char* name, int64_t least, int64_t otherwise);

// A CPLError (CE_Warning) about an option, once in the life of a process.
void WarnOnce(const std::string& message);

}  // namespace gdalgpu
