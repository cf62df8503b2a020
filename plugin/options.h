// GDAL's configuration options that this project reads: the one table that code, `gdal-gpu info`
// and README share, how their values are read, and what is said of wrong ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpl_error.h"

namespace gdalgpu {

struct ConfigOption {
    enum class Type {
        Choice,       // one of `choices`, in any case
        WholeNumber,  // at least `least`
        Bytes,        // a number, perhaps with KB, MB, GB or TB (of 1024)
        Report,       // a file to write to, or the name of a stream
        Folder,       // made where it doesn't exist
        Nvrtc,        // a shared library: a path, or a name for the loader
        Compiler,     // a program: a path, or a name in PATH
        Fault,        // see gpu/fault.h
    };

    const char* name;
    Type type;
    const char* default_value;  // as text for people: "$XDG_CACHE_HOME/gdal-gpu"
    const char* help;           // one sentence
    std::vector<const char*> choices = {};
    int64_t least = 0;
};

const std::vector<ConfigOption>& ConfigOptions();

// The value of an option; empty where it isn't set.
std::string OptionText(const char* name);

// These read an option of their type. What isn't set, or is wrong, which gives a CPLError
// (CE_Warning) once, is `otherwise`. A choice comes as the table spells it.
std::string OptionChoice(const char* name, const char* otherwise);
int64_t OptionNumber(const char* name, int64_t otherwise);
uint64_t OptionBytes(const char* name, uint64_t otherwise);

// What is wrong with the value of an option, as its warning says it; empty where nothing is, or
// only its use would show it.
std::string OptionProblem(const ConfigOption& option, const std::string& value);

// Warns of every option whose value is wrong, and of names that are nearly an option's; each once.
// Costs little while the values stay the same.
void CheckOptions();

// A CPLError (CE_Warning), once in the life of a process.
void WarnOnce(const std::string& message);

// Keeps the messages of a scope from the user, in this thread, and the last error as it is. What
// WarnOnce says in it comes at its end.
class QuietErrors {
  public:
    QuietErrors();
    ~QuietErrors();
    QuietErrors(const QuietErrors&) = delete;
    QuietErrors& operator=(const QuietErrors&) = delete;

  private:
    CPLErrorStateBackuper last_error_;
};

// Whether WarnOnce has said it in this process.
bool HasWarned(const std::string& message);

}  // namespace gdalgpu
