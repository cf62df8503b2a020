#include "plugin/options.h"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_string.h"
#include "gpu/fault.h"
#include "gpu/host_compiler.h"
#include "gpu/nvrtc.h"
#include "gpu/per_process.h"
#include "plugin/nearest_name.h"
#include "plugin/report.h"

namespace gdalgpu {

using Type = ConfigOption::Type;

const std::vector<ConfigOption>& ConfigOptions() {
    static const std::vector<ConfigOption> options = {
        {"GDAL_GPU_DEVICE",
         Type::Choice,
         "AUTO",
         "AUTO: CUDA where there is one and the work is worth its start, otherwise GDAL's own "
         "code. CUDA, HOST (the kernels on the processor's cores) or NONE (GDAL's own code): "
         "always that one.",
         {"AUTO", "CUDA", "HOST", "NONE"}},
        {"GDAL_GPU_MEMORY_LIMIT", Type::Bytes, "what is free",
         "Device memory in use at once: bytes, or a number with KB, MB, GB or TB (of 1024). Larger "
         "requests are split."},
        {"GDAL_GPU_MIN_PIXELS", Type::WholeNumber, "none",
         "With AUTO, requests of fewer pixels are left to GDAL's own code, and no others. Not set: "
         "AUTO starts a device once what a process has to do is worth the start."},
        {"GDAL_GPU_PRECISION",
         Type::Choice,
         "fp64",
         "Of the computation of projections: fp64, ds (pairs of floats, 48 bits), fp32, or auto: "
         "the cheapest of them that is within a thousandth of a pixel. One that isn't is not "
         "used.",
         {"fp64", "ds", "fp32", "auto"}},
        {"GDAL_GPU_REPORT", Type::Report, "none",
         "A file, \"stderr\", \"stdout\" or \"-\" (stdout too) that gets one JSON object a line "
         "for each request."},
        {"GDAL_GPU_CACHE_DIR", Type::Folder, "$XDG_CACHE_HOME/gdal-gpu, else ~/.cache/gdal-gpu",
         "Folder of compiled kernels. It must belong to the user and be writable by nobody else."},
        {"GDAL_GPU_READ_THREADS",
         Type::WholeNumber,
         "cores, at most 8",
         "Threads that read a source GeoTIFF; all sources of a process share them. 1: GDAL alone "
         "reads it.",
         {},
         1},
        {"GDAL_GPU_NVRTC", Type::Nvrtc, "looked for",
         "NVRTC's shared library, the compiler of CUDA kernels (libnvrtc.so.12)."},
        {"GDAL_GPU_CXX", Type::Compiler, "c++, g++ or clang++",
         "The compiler of HOST kernels, a path or a name in PATH."},
        {"GDAL_GPU_THREADS", Type::WholeNumber, "one a core", "Threads of HOST.", {}, 1},
        {"GDAL_GPU_FAULT", Type::Fault, "none",
         "For tests: \"allocate\", \"launch\", \"compile\", \"copy\" fails, or a launch loses the "
         "device (\"lose\"); with \":N\" after N that succeed, with \"=N\" the N-th alone."},
    };
    return options;
}

namespace {

const ConfigOption& FindOption(const char* name) {
    for (const ConfigOption& option : ConfigOptions()) {
        if (std::strcmp(option.name, name) == 0) return option;
    }
    throw std::logic_error(std::string("no option ") + name);
}

// The choice as the table spells it; nullptr for anything else.
const char* ParseChoice(const ConfigOption& option, const std::string& text) {
    for (const char* choice : option.choices) {
        if (EQUAL(text.c_str(), choice)) return choice;
    }
    return nullptr;
}

bool ParseNumber(const ConfigOption& option, const std::string& text, int64_t& number) {
    char* end = nullptr;
    errno = 0;
    number = std::strtoll(text.c_str(), &end, 10);
    return end != text.c_str() && *end == '\0' && errno == 0 && number >= option.least;
}

// Bytes of "2GB", "1.5 MB", "4096"; false for anything else.
bool ParseBytes(const std::string& text, uint64_t& bytes) {
    char* end = nullptr;
    const double number = CPLStrtod(text.c_str(), &end);
    if (end == text.c_str() || !std::isfinite(number) || number < 0) {
        return false;
    }
    while (*end == ' ') {
        ++end;
    }
    double factor = 1;
    const std::string unit = end;
    if (EQUAL(unit.c_str(), "KB") || EQUAL(unit.c_str(), "K")) {
        factor = 1024.0;
    } else if (EQUAL(unit.c_str(), "MB") || EQUAL(unit.c_str(), "M")) {
        factor = 1048576.0;
    } else if (EQUAL(unit.c_str(), "GB") || EQUAL(unit.c_str(), "G")) {
        factor = 1073741824.0;
    } else if (EQUAL(unit.c_str(), "TB") || EQUAL(unit.c_str(), "T")) {
        factor = 1099511627776.0;
    } else if (!unit.empty() && !EQUAL(unit.c_str(), "B")) {
        return false;
    }
    if (number * factor >= 9.0e18) {
        return false;
    }
    bytes = static_cast<uint64_t>(number * factor);
    return true;
}

// "AUTO, CUDA, HOST and NONE"
std::string Listed(const std::vector<const char*>& choices) {
    std::string text;
    for (size_t i = 0; i < choices.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == choices.size() ? " and " : ", ") + std::string(choices[i]);
    }
    return text;
}

// The settings and variables whose names aren't an option's, but nearly.
std::vector<std::string> MistakenNames() {
    constexpr char kPrefix[] = "GDAL_GPU_";
    constexpr size_t kPrefixLength = sizeof kPrefix - 1;
    std::vector<std::string> known, problems;
    for (const ConfigOption& option : ConfigOptions()) {
        known.emplace_back(option.name + kPrefixLength);
    }
    const auto check = [&](CSLConstList list) {
        for (; list != nullptr && *list != nullptr; ++list) {
            const std::string text = *list;
            const std::string name = text.substr(0, text.find('='));
            if (!STARTS_WITH_CI(name.c_str(), kPrefix)) continue;
            const std::string rest = name.substr(kPrefixLength);
            const std::string nearest = NearestName(rest, known);
            if (nearest.empty() || EQUAL(nearest.c_str(), rest.c_str())) continue;
            std::string problem = name;
            problem.append(" is not an option; is ").append(kPrefix).append(nearest);
            problems.push_back(problem.append(" meant?"));
        }
    };
    const CPLStringList settings(CPLGetConfigOptions());
    check(settings.List());
    check(environ);
    return problems;
}

thread_local int quiet_scopes = 0;
thread_local std::vector<std::string> held_back;

void GiveHeldBack() {
    const std::vector<std::string> messages = std::exchange(held_back, {});
    for (const std::string& message : messages) {
        CPLError(CE_Warning, CPLE_IllegalArg, "%s", message.c_str());
    }
}

struct Warned {
    std::mutex mutex;
    std::set<std::string> messages;
};

// Never destroyed: threads may still use it while the process ends.
Warned& TheWarned() {
    static auto* per_process = new gpu::PerProcess<Warned>([] { return new Warned; });
    return per_process->get();
}

}  // namespace

std::string OptionText(const char* name) {
    const char* value = CPLGetConfigOption(name, nullptr);
    return value != nullptr ? value : "";
}

std::string OptionProblem(const ConfigOption& option, const std::string& value) {
    if (value.empty()) return "";
    const std::string setting = std::string(option.name) + "=" + value;
    int64_t number = 0;
    uint64_t bytes = 0;
    try {
        switch (option.type) {
            case Type::Choice:
                if (ParseChoice(option, value) != nullptr) return "";
                return setting + " is none of " + Listed(option.choices) + "; it counts as " +
                       option.default_value;
            case Type::WholeNumber:
                if (ParseNumber(option, value, number)) return "";
                return setting + " is not a whole number of at least " +
                       std::to_string(option.least) + "; it counts as not set";
            case Type::Bytes:
                if (ParseBytes(value, bytes)) return "";
                return setting +
                       " is not a number of bytes, nor one with KB, MB, GB or TB; it counts as not "
                       "set";
            case Type::Report:
                return WhyNoReport(value);
            case Type::Nvrtc:
                gpu::Nvrtc::Check(value);
                return "";
            case Type::Compiler:
                gpu::CheckHostCompiler(value);
                return "";
            case Type::Fault:
                gpu::Fault{value};
                return "";
            case Type::Folder:
                return "";  // only a compiled kernel shows whether it can be kept there
        }
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

namespace {

// The text of an option that is set and right; empty otherwise, with a warning where it is wrong.
std::string CheckedText(const ConfigOption& option) {
    std::string text = OptionText(option.name);
    const std::string problem = OptionProblem(option, text);
    if (problem.empty()) return text;
    WarnOnce(problem);
    return "";
}

}  // namespace

std::string OptionChoice(const char* name, const char* otherwise) {
    const ConfigOption& option = FindOption(name);
    const std::string text = CheckedText(option);
    return text.empty() ? otherwise : ParseChoice(option, text);
}

int64_t OptionNumber(const char* name, int64_t otherwise) {
    const ConfigOption& option = FindOption(name);
    const std::string text = CheckedText(option);
    int64_t number = otherwise;
    if (!text.empty()) ParseNumber(option, text, number);
    return number;
}

uint64_t OptionBytes(const char* name, uint64_t otherwise) {
    const std::string text = CheckedText(FindOption(name));
    uint64_t bytes = otherwise;
    if (!text.empty()) ParseBytes(text, bytes);
    return bytes;
}

void CheckOptions() {
    struct Checked {
        std::mutex mutex;
        std::string values;
    };
    static auto* per_process = new gpu::PerProcess<Checked>([] { return new Checked; });
    std::string values = "checked";
    for (const ConfigOption& option : ConfigOptions()) {
        values += '\n' + OptionText(option.name);
    }
    {
        Checked& checked = per_process->get();
        std::lock_guard<std::mutex> lock(checked.mutex);
        if (checked.values == values) return;
        checked.values = values;
    }
    for (const ConfigOption& option : ConfigOptions()) CheckedText(option);
    for (const std::string& problem : MistakenNames()) WarnOnce(problem);
}

void WarnOnce(const std::string& message) {
    Warned& warned = TheWarned();
    {
        std::lock_guard<std::mutex> lock(warned.mutex);
        if (!warned.messages.insert(message).second) {
            return;
        }
    }
    held_back.push_back(message);
    if (quiet_scopes == 0) GiveHeldBack();
}

QuietErrors::QuietErrors() {
    ++quiet_scopes;
    CPLPushErrorHandler(CPLQuietErrorHandler);
}

QuietErrors::~QuietErrors() {
    CPLPopErrorHandler();
    if (--quiet_scopes == 0) GiveHeldBack();
}

bool HasWarned(const std::string& message) {
    Warned& warned = TheWarned();
    std::lock_guard<std::mutex> lock(warned.mutex);
    return warned.messages.count(message) > 0;
}

}  // namespace gdalgpu
