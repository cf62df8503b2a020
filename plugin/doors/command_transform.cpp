// `gdal-gpu transform`: lines of coordinates, in the manner of PROJ's cct.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cpl_conv.h"
#include "plugin/coordinates/coordinate_transform.h"
#include "plugin/doors/command.h"
#include "plugin/doors/subcommands.h"
#include "plugin/runtime.h"

namespace gdalgpu {
namespace {

constexpr size_t kLinesAtOnce = size_t{1} << 20;
constexpr double kDegree = 0.017453292519943295;

struct Arguments {
    std::string source, target, pipeline, device, precision;
    bool inverse = false;
    bool traditional = false;
    std::vector<std::string> files;
};

// A line of the input: coordinates with the text behind them, or, with none, text alone.
struct Line {
    int columns = 0;
    bool unreadable = false;
    std::string rest;
};

Line Parse(const std::string& text, std::array<double, 4>& point) {
    Line line;
    const size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos || text[first] == '#') {
        line.rest = text;
        return line;
    }
    point = {0, 0, 0, HUGE_VAL};
    const char* at = text.c_str();
    while (line.columns < 4) {
        char* end = nullptr;
        const double value = CPLStrtod(at, &end);
        const bool number =
            end != at && (*end == '\0' || std::isspace(static_cast<unsigned char>(*end)));
        if (!number) break;
        point[line.columns++] = value;
        at = end;
    }
    line.rest = at;
    while (!line.rest.empty() && std::isspace(static_cast<unsigned char>(line.rest.back())))
        line.rest.pop_back();
    if (line.columns < 2) {
        line.columns = 0;
        line.unreadable = true;
    }
    return line;
}

class Filter {
  public:
    explicit Filter(const Arguments& arguments) : inverse_(arguments.inverse) {
        CoordinateTransform::Options options;
        options.door = "command";
        options.traditional_axes = arguments.traditional;
        options.precision = arguments.precision;
        transform_ = arguments.pipeline.empty()
                         ? CoordinateTransform::FromCrs(arguments.source, arguments.target, options)
                         : CoordinateTransform::FromOperation(arguments.pipeline, options);
        radians_in_ = transform_->radians_in(inverse_);
        radians_out_ = transform_->radians_out(inverse_);
    }

    // False where a line can't be read.
    bool Run(std::istream& input, const std::string& name, size_t lines_at_once) {
        std::string text;
        size_t number = 0;
        while (std::getline(input, text)) {
            ++number;
            std::array<double, 4> point;
            Line line = Parse(text, point);
            if (line.unreadable) {
                std::fprintf(stderr, "gdal-gpu: %s, line %zu: a line needs two numbers: %s\n",
                             name.c_str(), number, text.substr(0, 80).c_str());
                readable_ = false;
            }
            for (int k = 0; k < 4 && line.columns > 0; ++k) {
                const bool angle = radians_in_ && k < 2;
                values_[k].push_back(angle ? point[k] * kDegree : point[k]);
            }
            lines_.push_back(std::move(line));
            if (lines_.size() >= lines_at_once) Flush();
        }
        Flush();
        return readable_;
    }

    std::string path() const { return transform_->path(inverse_); }

  private:
    void Flush() {
        const size_t count = values_[0].size();
        std::vector<int> success(count);
        transform_->Transform(
            inverse_, static_cast<int64_t>(count),
            {values_[0].data(), values_[1].data(), values_[2].data(), values_[3].data()},
            success.data());
        size_t i = 0;
        for (const Line& line : lines_) {
            if (line.unreadable) {
                std::printf("*%s%s\n", line.rest.empty() ? "" : " ", line.rest.c_str());
                continue;
            }
            if (line.columns == 0) {
                std::printf("%s\n", line.rest.c_str());
                continue;
            }
            if (success[i]) {
                for (int k = 0; k < line.columns; ++k) {
                    const bool angle = radians_out_ && k < 2;
                    std::printf("%s%.17g", k > 0 ? " " : "",
                                angle ? values_[k][i] / kDegree : values_[k][i]);
                }
            } else {
                std::printf("*");
            }
            std::printf("%s\n", line.rest.c_str());
            ++i;
        }
        std::fflush(stdout);
        lines_.clear();
        for (std::vector<double>& values : values_) values.clear();
    }

    const bool inverse_;
    bool radians_in_ = false;
    bool radians_out_ = false;
    bool readable_ = true;
    std::unique_ptr<CoordinateTransform> transform_;
    std::vector<Line> lines_;
    std::array<std::vector<double>, 4> values_;
};

// What an option's value is or may be, as its declaration has it: "CRS", "crs or xy"; empty where
// it takes none.
std::string Accepted(const std::string& name) {
    for (const CommandOption& option : FindSubcommand("transform")->options) {
        if (option.names.front() != name) continue;
        std::string text = option.value;
        const size_t last = text.rfind('|');
        if (last != std::string::npos) text.replace(last, 1, " or ");
        for (size_t bar; (bar = text.find('|')) != std::string::npos;) text.replace(bar, 1, ", ");
        return text;
    }
    return "";
}

// False where the option doesn't take the value.
bool Take(const std::string& option, const std::string& value, Arguments& arguments) {
    if (value.empty()) return false;
    if (option == "-s_srs") {
        arguments.source = value;
    } else if (option == "-t_srs") {
        arguments.target = value;
    } else if (option == "--pipeline") {
        arguments.pipeline = value;
    } else if (option == "--axes") {
        arguments.traditional = value == "xy";
        return value == "crs" || value == "xy";
    } else if (option == "--device") {
        arguments.device = value;
        for (const char* mode : {"AUTO", "CUDA", "HOST", "NONE"}) {
            if (EQUAL(value.c_str(), mode)) return true;
        }
        return false;
    } else if (option == "--precision") {
        arguments.precision = value;
        return !PrecisionsOfName(value, false).empty();
    }
    return true;
}

int Misused(const char* what) {
    std::fprintf(stderr, "gdal-gpu: transform: %s; see gdal-gpu help transform\n", what);
    return 2;
}

// The exit status, where the arguments settle it.
std::optional<int> Read(const std::vector<std::string>& words, Arguments& arguments) {
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "-I" || word == "--inverse") {
            arguments.inverse = true;
        } else if (!Accepted(word).empty()) {
            if (i + 1 == words.size()) return MissingValue(word, Accepted(word));
            const std::string& value = words[++i];
            if (!Take(word, value, arguments)) return WrongValue(word, value, Accepted(word));
        } else if (word.size() > 1 && word[0] == '-') {
            return WrongArgument("transform", word);
        } else {
            arguments.files.push_back(word);
        }
    }
    const bool source = !arguments.source.empty(), target = !arguments.target.empty();
    const bool pipeline = !arguments.pipeline.empty();
    if (pipeline && (source || target)) return Misused("--pipeline goes without -s_srs and -t_srs");
    if (!pipeline && source && !target) return Misused("-t_srs is missing");
    if (!pipeline && target && !source) return Misused("-s_srs is missing");
    if (!pipeline && !source) return Misused("-s_srs and -t_srs, or --pipeline, are needed");
    return std::nullopt;
}

}  // namespace

int TransformCommand(const std::vector<std::string>& words) {
    Arguments arguments;
    if (const std::optional<int> status = Read(words, arguments)) return *status;
    if (!arguments.device.empty()) CPLSetConfigOption("GDAL_GPU_DEVICE", arguments.device.c_str());
    Filter filter(arguments);
    if (arguments.files.empty()) arguments.files.emplace_back("-");
    bool good = true;
    for (const std::string& name : arguments.files) {
        if (name == "-") {
            good =
                filter.Run(std::cin, "standard input", isatty(STDIN_FILENO) ? 1 : kLinesAtOnce) &&
                good;
            continue;
        }
        errno = 0;
        std::ifstream file(name);
        const bool opened = file.is_open();
        good = opened && filter.Run(file, name, kLinesAtOnce) && good;
        if (!opened || file.bad()) {
            std::fprintf(stderr, "gdal-gpu: %s can't be read: %s\n", name.c_str(),
                         std::strerror(errno));
            good = false;
        }
    }
    const std::string path = filter.path();
    const bool asked = !arguments.device.empty() && !EQUAL(arguments.device.c_str(), "NONE");
    // Where there is no such device, a warning has said so.
    if (asked && path.compare(0, 6, "PROJ: ") == 0 && SelectDevice(UINT64_MAX).device != nullptr) {
        std::fprintf(stderr, "gdal-gpu: computed by PROJ on the CPU: %s\n", path.c_str() + 6);
    }
    return OutputIsWritten() && good ? 0 : 1;
}

}  // namespace gdalgpu
