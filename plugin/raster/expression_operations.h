// The operations of an expression: one line each, from which parser, device text and CPU evaluation
// come.
#pragma once

#include <string>
#include <vector>

namespace gdalgpu {

struct Operation {
    const char* name;      // as written: "+", "sqrt"
    const char* function;  // in kernels/raster/expression.h
    int arity;      // operands of the device function, 1 to 3 (isnodata: the source, and nodata)
    bool variadic;  // written with one or more operands, folded from the left
    // out[i] = function(a[i], b[i], c[i]) for `count` items; out may be one of the operands.
    void (*evaluate)(const double* a, const double* b, const double* c, double* out, int count);
};

// An operator by its spelling; the unary ones are "-x", "!x" and "x^2", the conditional is "?:".
// Must exist.
const Operation& FindOperator(const std::string& spelling);

// A function by its name, in any case; nullptr where there is none.
const Operation* FindFunction(const std::string& name);

// Names of all functions, sorted.
std::vector<std::string> FunctionNames();

}  // namespace gdalgpu
