// GDAL's configuration options that this project reads: the one table that code, `gdal-gpu info`
// and README share.
#pragma once

#include <vector>

namespace gdalgpu {

struct ConfigOption {
    const char* name;
    const char* default_value;  // as text for people: "250000", "$XDG_CACHE_HOME/gdal-gpu"
    const char* help;           // one sentence
};

const std::vector<ConfigOption>& ConfigOptions();

}  // namespace gdalgpu
