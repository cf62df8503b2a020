// `gdal-gpu transform`: lines of coordinates, in the manner of PROJ's cct.
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
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

namespace gdalgpu {
namespace {

constexpr size_t kLinesAtOnce = size_t{1} << 20;
constexpr double kDegree = 0.017453292519943295;

struct Arguments {
    std::string source, target, pipeline, device, precision;
    bool inverse = false;
    bool traditional = false;
    bool help = false;
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
                std::fprintf(stderr, "gdal-gpu: %s, line %zu: not coordinates: %s\n", name.c_str(),
                             number, text.substr(0, 80).c_str());
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

constexpr char kHelp[] =
    "Usage: gdal-gpu transform (-s_srs CRS -t_srs CRS | --pipeline TEXT) [-I] [OPTION...] "
    "[FILE...]\n"
    "\n"
    "Transforms lines \"x y [z [t]]\" of the files, or of the standard input, and prints them with "
    "17 significant\n"
    "digits; * for a point that fails. What follows the coordinates, empty lines and lines with # "
    "pass unchanged.\n"
    "\n"
    "  -s_srs CRS, -t_srs CRS   from one CRS to another: whatever GDAL takes for a CRS\n"
    "  --pipeline TEXT          through an operation: a PROJ string, PROJJSON, WKT or code. Angles "
    "are in degrees\n"
    "                           where the operation's own are in radians\n"
    "  -I, --inverse            the other way round\n"
    "  --axes crs|xy            axes as the CRSs say (crs, the default: latitude first where they "
    "say so), or x first\n"
    "  --device CUDA|HOST|NONE  where it runs; NONE: PROJ itself\n"
    "  --precision NAME         of the projections: fp64, ds (pairs of floats, about 1e-4 m), fp32 "
    "(about 10 m) or auto,\n"
    "                           which is fp64 here, where there are no pixels to measure by\n";

// The exit status, where the arguments settle it.
std::optional<int> Read(const std::vector<std::string>& words, Arguments& arguments) {
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--help" || word == "-h") {
            std::fputs(kHelp, stdout);
            return 0;
        }
        if (word == "-I" || word == "--inverse") {
            arguments.inverse = true;
            continue;
        }
        const bool takes_value = word == "-s_srs" || word == "-t_srs" || word == "--pipeline" ||
                                 word == "--axes" || word == "--device" || word == "--precision";
        if (!takes_value) {
            if (word.size() > 1 && word[0] == '-') return WrongArgument("transform", word);
            arguments.files.push_back(word);
            continue;
        }
        if (i + 1 == words.size()) {
            std::fprintf(stderr, "gdal-gpu: %s needs a value\n", word.c_str());
            return 2;
        }
        const std::string& value = words[++i];
        if (word == "-s_srs") {
            arguments.source = value;
        } else if (word == "-t_srs") {
            arguments.target = value;
        } else if (word == "--pipeline") {
            arguments.pipeline = value;
        } else if (word == "--axes" && (value == "crs" || value == "xy")) {
            arguments.traditional = value == "xy";
        } else if (word == "--device" &&
                   (EQUAL(value.c_str(), "CUDA") || EQUAL(value.c_str(), "HOST") ||
                    EQUAL(value.c_str(), "NONE"))) {
            arguments.device = value;
        } else if (word == "--precision" && !PrecisionsOfName(value, false).empty()) {
            arguments.precision = value;
        } else {
            return WrongArgument("transform", std::string(word).append(" ").append(value));
        }
    }
    const bool crs = !arguments.source.empty() && !arguments.target.empty();
    if (crs == !arguments.pipeline.empty() ||
        (!crs && (!arguments.source.empty() || !arguments.target.empty()))) {
        std::fprintf(stderr,
                     "gdal-gpu: transform needs -s_srs and -t_srs, or --pipeline; see gdal-gpu "
                     "transform --help\n");
        return 2;
    }
    return std::nullopt;
}

}  // namespace

int TransformCommand(const std::vector<std::string>& words) {
    Arguments arguments;
    if (const std::optional<int> status = Read(words, arguments)) return *status;
    if (!arguments.device.empty()) CPLSetConfigOption("GDAL_GPU_DEVICE", arguments.device.c_str());
    Filter filter(arguments);
    bool good = true;
    if (arguments.files.empty()) {
        good = filter.Run(std::cin, "standard input", isatty(STDIN_FILENO) ? 1 : kLinesAtOnce);
    }
    for (const std::string& name : arguments.files) {
        std::ifstream file(name);
        if (!file) {
            std::fprintf(stderr, "gdal-gpu: %s can't be read\n", name.c_str());
            good = false;
            continue;
        }
        good = filter.Run(file, name, kLinesAtOnce) && good;
        if (file.bad()) {
            std::fprintf(stderr, "gdal-gpu: %s can't be read\n", name.c_str());
            good = false;
        }
    }
    const std::string path = filter.path();
    if (!arguments.device.empty() && !EQUAL(arguments.device.c_str(), "NONE") &&
        path.compare(0, 6, "PROJ: ") == 0) {
        std::fprintf(stderr, "gdal-gpu: computed by PROJ on the CPU: %s\n", path.c_str() + 6);
    }
    return OutputIsWritten() && good ? 0 : 1;
}

}  // namespace gdalgpu
