// The text of a PROJ operation taken apart: steps, and each step's parameters by name.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "plugin/coordinates/proj_rules.h"

namespace gdalgpu {

// The parameters of one step, as PROJ reads them: the first of a name counts. Keeps account of
// those that were read.
class StepParameters {
  public:
    struct Parameter {
        std::string name;
        std::string value;
        bool has_value = false;
    };

    // where: for messages, "step 2 (utm)".
    StepParameters(std::string where, std::vector<Parameter> parameters);

    bool has(const char* name) const;
    // Nullptr where absent; empty for a parameter without a value.
    const char* text(const char* name) const;
    bool is(const char* name, const char* value) const;
    // A finite number; 0 where absent. Throws NotFusable for anything else, as the next ones do.
    double number(const char* name) const;
    // A number, or a ratio of two ("1/3"), greater than 0.
    double ratio(const char* name) const;
    // Degrees, or degrees, minutes and seconds as PROJ writes them, in radians; 0 where absent.
    double angle(const char* name) const;
    long integer(const char* name) const;
    // Numbers between commas, after an l or not; how many there are. Throws NotFusable for more
    // than `most`.
    int list(const char* name, double* values, int most) const;
    // True where the parameter is there and isn't "F".
    bool flag(const char* name) const;
    [[noreturn]] void fail(const char* name, const std::string& why) const;
    // Throws NotFusable for the first parameter that nobody read.
    void CheckAllRead() const;

    // What the PROJ that is loaded decides where versions differ.
    const ProjRules& rules() const { return RulesOfProj(); }

    const std::string& where() const { return where_; }

  private:
    const Parameter* Find(const char* name) const;

    std::string where_;
    std::vector<Parameter> parameters_;
    mutable std::set<std::string> read_;
};

// A number in PROJ's notation, whatever the locale; throws std::invalid_argument.
double ParseNumber(const std::string& text);

// One step of a pipeline.
struct StepText {
    std::string name;  // "utm"
    bool inverse = false;
    StepParameters parameters;
    bool omit_forward = false;
    bool omit_inverse = false;
    int pipeline = 0;  // which of nested pipelines it belongs to: each has a stack of its own
};

// A pipeline's steps in order, those of nested pipelines among them; an operation that isn't a
// pipeline is one step. +init=file:section is what PROJ finds there, and the only way to nest
// pipelines. Throws NotFusable for text that PROJ would refuse.
std::vector<StepText> ParsePipeline(const std::string& text);

}  // namespace gdalgpu
