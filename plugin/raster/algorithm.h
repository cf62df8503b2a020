// The algorithms, each declaring its arguments once: from the declaration come GPU: names, help and
// the README's table.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/raster/window_operation.h"

namespace gdalgpu {

struct Argument {
    enum class Type { Number, Integer, Flag, Choice };

    std::string name;
    Type type;
    std::string default_value;
    std::string help;
    std::vector<std::string> aliases;
    std::vector<std::string> choices;  // Choice: in any case
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    bool above_minimum = false;  // the minimum itself is refused
};

// What an argument takes, in words: "a number, 0 to 90", "YES or NO", "degree, percent".
std::string AcceptedValues(const Argument& argument);

// Checked values of an algorithm's arguments; defaults where none was given. Asking for an argument
// that the algorithm doesn't declare is a programming error (std::logic_error).
class ArgumentValues {
  public:
    double number(const std::string& name) const;
    int integer(const std::string& name) const { return static_cast<int>(number(name)); }
    bool flag(const std::string& name) const { return text(name) == "YES"; }
    // As the declaration spells it.
    const std::string& choice(const std::string& name) const { return text(name); }
    bool given(const std::string& name) const { return value(name).given; }

  private:
    friend class ArgumentParser;
    struct Value {
        std::string text;
        bool given;
    };
    const Value& value(const std::string& name) const;
    const std::string& text(const std::string& name) const { return value(name).text; }

    std::map<std::string, Value> values_;
};

struct Algorithm {
    std::string name;
    std::string title;
    std::string output;  // of the result: "Byte, nodata 0"
    std::vector<Argument> arguments;
    // Throws std::invalid_argument where arguments exclude each other.
    std::function<void(const ArgumentValues&)> check;
    std::function<std::unique_ptr<WindowOperation>(const ArgumentValues&, const SourceBand&)> make;
};

const std::vector<Algorithm>& Algorithms();

// By name, in any case. Throws std::invalid_argument listing those there are.
const Algorithm& FindAlgorithm(std::string_view name);

// Keys and values as written; a flag may stand without a value (empty). Throws
// std::invalid_argument: an unknown or repeated key (with the keys there are), a malformed value,
// one out of range or not among the choices, arguments that exclude each other.
ArgumentValues ParseArguments(const Algorithm& algorithm,
                              const std::vector<std::pair<std::string, std::string>>& arguments);

// GPU:<algorithm>[,key=value...]:<dataset>. The dataset is all that follows the first colon behind
// the algorithm, so that it may have colons and commas itself; double quotes around it are taken
// off. Throws std::invalid_argument.
struct AlgorithmName {
    std::string algorithm;
    std::vector<std::pair<std::string, std::string>> arguments;
    std::string dataset;
};
AlgorithmName ParseAlgorithmName(const std::string& name);

// Text for a terminal: what the algorithm does, its arguments with ranges, choices and defaults, an
// example. Throws as FindAlgorithm.
std::string AlgorithmHelp(const std::string& name);

}  // namespace gdalgpu
