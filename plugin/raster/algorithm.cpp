#include "plugin/raster/algorithm.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "plugin/nearest_name.h"

namespace gdalgpu {

namespace {

std::string Quoted(const std::string& text) { return '"' + text + '"'; }

std::string Join(const std::vector<std::string>& words, const char* separator) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
    return text;
}

std::string Format(double number) { return CPLSPrintf("%.15g", number); }

// "more than 0", "0 to 90"; empty where any number will do.
std::string Range(const Argument& argument) {
    const bool low = std::isfinite(argument.minimum);
    const bool high = std::isfinite(argument.maximum);
    if (low && high) return Format(argument.minimum) + " to " + Format(argument.maximum);
    if (low)
        return (argument.above_minimum ? "more than " : "at least ") + Format(argument.minimum);
    if (high) return "at most " + Format(argument.maximum);
    return "";
}

std::string CheckedNumber(const Argument& argument, const std::string& text) {
    char* end = nullptr;
    const double number = CPLStrtod(text.c_str(), &end);
    bool good = !text.empty() && end && !*end && std::isfinite(number);
    good = good && number >= argument.minimum && number <= argument.maximum;
    good = good && !(argument.above_minimum && number == argument.minimum);
    if (argument.type == Argument::Type::Integer)
        good = good && number == std::floor(number) &&
               std::fabs(number) <= std::numeric_limits<int>::max();
    if (!good)
        throw std::invalid_argument(argument.name + "=" + text + ": " + argument.name + " takes " +
                                    AcceptedValues(argument));
    return text;
}

std::string Checked(const Argument& argument, const std::string& text) {
    switch (argument.type) {
        case Argument::Type::Number:
        case Argument::Type::Integer:
            return CheckedNumber(argument, text);
        case Argument::Type::Flag:
            if (text.empty()) return "YES";
            for (const char* yes : {"YES", "TRUE", "ON", "1"})
                if (EQUAL(text.c_str(), yes)) return "YES";
            for (const char* no : {"NO", "FALSE", "OFF", "0"})
                if (EQUAL(text.c_str(), no)) return "NO";
            break;
        case Argument::Type::Choice:
            for (const std::string& choice : argument.choices)
                if (EQUAL(text.c_str(), choice.c_str())) return choice;
            break;
    }
    throw std::invalid_argument(argument.name + "=" + text + ": " + argument.name + " takes " +
                                AcceptedValues(argument));
}

}  // namespace

std::string AcceptedValues(const Argument& argument) {
    switch (argument.type) {
        case Argument::Type::Number:
            return "a number" + (Range(argument).empty() ? "" : ", " + Range(argument));
        case Argument::Type::Integer:
            return "a whole number" + (Range(argument).empty() ? "" : ", " + Range(argument));
        case Argument::Type::Flag:
            return "YES or NO";
        case Argument::Type::Choice:
            return Join(argument.choices, ", ");
    }
    return "";
}

double ArgumentValues::number(const std::string& name) const { return CPLAtof(text(name).c_str()); }

const ArgumentValues::Value& ArgumentValues::value(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw std::logic_error("no argument " + name);
    return found->second;
}

class ArgumentParser {
  public:
    explicit ArgumentParser(const Algorithm& algorithm) : algorithm_(algorithm) {
        for (const Argument& argument : algorithm.arguments)
            values_.values_[argument.name] = {argument.default_value, false};
    }

    void set(const std::string& key, const std::string& text) {
        const Argument& argument = find(key);
        ArgumentValues::Value& value = values_.values_[argument.name];
        if (value.given) throw std::invalid_argument(argument.name + " is given twice");
        value = {Checked(argument, text), true};
    }

    ArgumentValues finish() {
        if (algorithm_.check) algorithm_.check(values_);
        return std::move(values_);
    }

  private:
    const Argument& find(const std::string& key) const {
        std::vector<std::string> names;
        for (const Argument& argument : algorithm_.arguments) {
            names.push_back(argument.name);
            if (EQUAL(key.c_str(), argument.name.c_str())) return argument;
            for (const std::string& alias : argument.aliases)
                if (EQUAL(key.c_str(), alias.c_str())) return argument;
        }
        throw std::invalid_argument(algorithm_.name + " has no argument " + Quoted(key) +
                                    SuggestionOr(key, names, ".") + " It has " + Join(names, ", "));
    }

    const Algorithm& algorithm_;
    ArgumentValues values_;
};

const Algorithm& FindAlgorithm(std::string_view wanted) {
    const std::string name(wanted);
    std::vector<std::string> names;
    for (const Algorithm& algorithm : Algorithms()) {
        names.push_back(algorithm.name);
        if (EQUAL(name.c_str(), algorithm.name.c_str())) return algorithm;
    }
    throw std::invalid_argument("there is no algorithm " + Quoted(name) +
                                SuggestionOr(name, names, ".") + " There are " + Join(names, ", "));
}

ArgumentValues ParseArguments(const Algorithm& algorithm,
                              const std::vector<std::pair<std::string, std::string>>& arguments) {
    ArgumentParser parser(algorithm);
    for (const auto& [key, value] : arguments) parser.set(key, value);
    return parser.finish();
}

AlgorithmName ParseAlgorithmName(const std::string& name) {
    static const std::string kForm = "GPU:<algorithm>[,key=value...]:<dataset>";
    constexpr size_t kPrefix = 4;  // "GPU:"
    const size_t colon = name.size() < kPrefix ? std::string::npos : name.find(':', kPrefix);
    if (colon == std::string::npos)
        throw std::invalid_argument("no dataset is named: write " + kForm);
    AlgorithmName parsed;
    parsed.dataset = name.substr(colon + 1);
    if (parsed.dataset.size() >= 2 && parsed.dataset.front() == '"' && parsed.dataset.back() == '"')
        parsed.dataset = parsed.dataset.substr(1, parsed.dataset.size() - 2);
    if (parsed.dataset.empty()) throw std::invalid_argument("no dataset is named: write " + kForm);

    const std::string specification = name.substr(kPrefix, colon - kPrefix);
    bool first = true;
    for (size_t at = 0; at <= specification.size();) {
        const size_t comma = std::min(specification.find(',', at), specification.size());
        const std::string item = specification.substr(at, comma - at);
        at = comma + 1;
        if (item.empty())
            throw std::invalid_argument(
                (first ? "no algorithm is named: write " : "an empty argument: write ") + kForm);
        if (first) {
            parsed.algorithm = item;
        } else {
            const size_t equals = item.find('=');
            const bool flag = equals == std::string::npos;
            const std::string key = item.substr(0, equals);
            const std::string value = flag ? "" : item.substr(equals + 1);
            if (!flag && value.empty()) throw std::invalid_argument("no value is given for " + key);
            parsed.arguments.emplace_back(key, value);
        }
        first = false;
    }
    return parsed;
}

std::string AlgorithmHelp(const std::string& name) {
    const Algorithm& algorithm = FindAlgorithm(name);
    std::string text = algorithm.name + ": " + algorithm.title + "\nResult: " + algorithm.output +
                       "\n\nArguments:\n";
    size_t widest = 0;
    for (const Argument& argument : algorithm.arguments)
        widest = std::max(widest, argument.name.size());
    for (const Argument& argument : algorithm.arguments) {
        text += "  " + argument.name + std::string(widest + 2 - argument.name.size(), ' ') +
                argument.help + ": " + AcceptedValues(argument) + " (default " +
                argument.default_value + ")";
        if (!argument.aliases.empty()) text += "; also " + Join(argument.aliases, ", ");
        text += '\n';
    }
    return text + "\nExample:\n  gdal_translate GPU:" + algorithm.name + ":dem.tif " +
           algorithm.name + ".tif\n";
}

}  // namespace gdalgpu
