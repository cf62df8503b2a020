#include "plugin/raster/expression_operations.h"

#include <algorithm>
#include <stdexcept>

#include "cpl_string.h"
#include "raster/expression.h"

namespace gdalgpu {

namespace {

namespace device = kernels::expression;

template <double (*F)(double)>
void Unary(const double* a, const double*, const double*, double* out, int count) {
    for (int i = 0; i < count; ++i) out[i] = F(a[i]);
}

template <double (*F)(double, double)>
void Binary(const double* a, const double* b, const double*, double* out, int count) {
    for (int i = 0; i < count; ++i) out[i] = F(a[i], b[i]);
}

template <double (*F)(double, double, double)>
void Ternary(const double* a, const double* b, const double* c, double* out, int count) {
    for (int i = 0; i < count; ++i) out[i] = F(a[i], b[i], c[i]);
}

#define UNARY(name, function) \
    { name, #function, 1, false, Unary<device::function> }
#define BINARY(name, function) \
    { name, #function, 2, false, Binary<device::function> }
#define TERNARY(name, function) \
    { name, #function, 3, false, Ternary<device::function> }
#define VARIADIC(name, function) \
    { name, #function, 2, true, Binary<device::function> }

const Operation kOperators[] = {
    TERNARY("?:", Select),      BINARY("||", Or),    BINARY("&&", And),       BINARY("==", Equal),
    BINARY("!=", NotEqual),     BINARY("<", Less),   BINARY("<=", LessEqual), BINARY(">", Greater),
    BINARY(">=", GreaterEqual), BINARY("+", Add),    BINARY("-", Subtract),   BINARY("*", Multiply),
    BINARY("/", Divide),        BINARY("%", Modulo), BINARY("^", Pow),        UNARY("x^2", Square),
    UNARY("-x", Negate),        UNARY("!x", Not),
};

const Operation kFunctions[] = {
    UNARY("abs", Abs),       UNARY("acos", Acos),
    UNARY("asin", Asin),     UNARY("atan", Atan),
    BINARY("atan2", Atan2),  UNARY("ceil", Ceil),
    TERNARY("clamp", Clamp), UNARY("cos", Cos),
    UNARY("cosh", Cosh),     UNARY("exp", Exp),
    UNARY("floor", Floor),   BINARY("hypot", Hypot),
    UNARY("isnan", IsNan),   BINARY("isnodata", IsNodataValue),
    UNARY("log", Log),       UNARY("log10", Log10),
    UNARY("log2", Log2),     VARIADIC("max", Max),
    VARIADIC("min", Min),    BINARY("mod", Modulo),
    BINARY("pow", Pow),      UNARY("round", Round),
    UNARY("sign", Sign),     UNARY("sin", Sin),
    UNARY("sinh", Sinh),     UNARY("sqrt", Sqrt),
    UNARY("tan", Tan),       UNARY("tanh", Tanh),
    UNARY("trunc", Trunc),
};

}  // namespace

const Operation& FindOperator(const std::string& spelling) {
    for (const Operation& operation : kOperators)
        if (spelling == operation.name) return operation;
    throw std::logic_error("no operator " + spelling);
}

const Operation* FindFunction(const std::string& name) {
    for (const Operation& operation : kFunctions)
        if (EQUAL(name.c_str(), operation.name)) return &operation;
    return nullptr;
}

std::vector<std::string> FunctionNames() {
    std::vector<std::string> names;
    for (const Operation& operation : kFunctions) names.emplace_back(operation.name);
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace gdalgpu
