// The expression of `gpu_expression`: parsed to a tree, evaluated on the CPU, or turned into device
// text.
//
// Grammar, loosest first: c ? a : b (from the right), ||, &&, == != < <= > >= (not chained), + -, *
// / %, unary - + !, ^ or ** (from the right, tighter than a minus before it), numbers, B1 to Bn
// (the sources in order), pi, nan, inf, nodata, names of arguments, functions, parentheses. Names
// are in any case. All arithmetic is in double.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "plugin/raster/expression_operations.h"

namespace gdalgpu {

// A malformed expression; what() has the column (from 1, in bytes) and what was expected there.
class ExpressionError : public std::runtime_error {
  public:
    ExpressionError(int column, const std::string& message)
        : std::runtime_error("column " + std::to_string(column) + ": " + message),
          column_(column) {}
    int column() const { return column_; }

  private:
    int column_;
};

class Expression {
  public:
    static constexpr int kMaxLength = 65536;  // bytes of text
    static constexpr int kMaxDepth = 200;     // nested parentheses, calls, ?:, powers and signs
    static constexpr int kMaxNodes = 1000;

    struct Node {
        enum class Kind { Constant, Source, Operation };
        Kind kind;
        int index;                            // Constant: in constants(); Source: in sources()
        const gdalgpu::Operation* operation;  // Operation alone
        int operands[3];                      // Operation: nodes; unused ones are -1
    };

    // What names stand for.
    struct Names {
        int sources = 0;  // B1 to B<sources>
        std::vector<std::pair<std::string, double>> arguments;
        std::optional<double> nodata;
        // nodata as a source's pixel holds it, where that differs: Float32 has another 0.1 than
        // double.
        std::optional<double> source_nodata;
    };

    // Throws ExpressionError. An argument named like a source, a constant or a function is refused.
    static Expression Parse(const std::string& text, const Names& names);

    // Every node after its operands; the last one is the result. Each node but the last is an
    // operand once.
    const std::vector<Node>& nodes() const { return nodes_; }
    // Values of literals and named constants, in order of their appearance.
    const std::vector<double>& constants() const { return constants_; }
    // The sources that are named, counted from 0, in order of their first appearance.
    const std::vector<int>& sources() const { return sources_; }
    // For each of sources(): a nodata value there makes the result nodata. Not so for those under
    // isnodata().
    const std::vector<bool>& masked() const { return masked_; }
    const std::optional<double>& nodata() const { return nodata_; }
    const std::optional<double>& source_nodata() const { return source_nodata_; }

    // A device function's body, after whose last line `double result` is set from `const double s0,
    // s1, ...` (the sources() in order) and `p.value[i]` (the constants()). Its text depends on the
    // structure alone.
    std::string DeviceText() const;

  private:
    friend class ExpressionParser;

    std::vector<Node> nodes_;
    std::vector<double> constants_;
    std::vector<int> sources_;
    std::vector<bool> masked_;
    std::optional<double> nodata_;
    std::optional<double> source_nodata_;
};

// Evaluates an expression on the CPU, a block of pixels at a time. One thread at a time may use it;
// the expression must outlive it.
class ExpressionEvaluator {
  public:
    static constexpr int kBlock = 512;

    explicit ExpressionEvaluator(const Expression& expression);

    // result[i] for `count` <= kBlock pixels, from the sources() in order, each of `count` items.
    // Nodata is not looked at, but by isnodata().
    void Evaluate(const double* const* sources, double* result, int count);

  private:
    const Expression& expression_;
    std::vector<double> constants_;      // each constant kBlock times
    std::vector<double> intermediates_;  // a stack of blocks
    std::vector<const double*> stack_;
};

}  // namespace gdalgpu
