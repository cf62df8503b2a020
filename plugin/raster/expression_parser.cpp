#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "plugin/raster/expression.h"

namespace gdalgpu {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

struct Token {
    enum class Kind { End, Number, Name, Symbol };
    Kind kind = Kind::End;
    std::string text;
    double value = 0;  // Number
    int column = 1;

    bool is(const char* symbol) const { return kind == Kind::Symbol && text == symbol; }
    std::string quoted() const { return kind == Kind::End ? "the end" : '"' + text + '"'; }
};

// Text to tokens, one at a time.
class Lexer {
  public:
    explicit Lexer(const std::string& text) : text_(text) {}

    Token next() {
        while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) && text_[at_]) ++at_;
        Token token;
        token.column = static_cast<int>(at_) + 1;
        if (at_ == text_.size()) return token;
        const char c = text_[at_];
        if (IsDigit(c) || c == '.') {
            read_number(token);
        } else if (IsNameStart(c)) {
            token.kind = Token::Kind::Name;
            const size_t begin = at_;
            while (at_ < text_.size() && (IsNameStart(text_[at_]) || IsDigit(text_[at_]))) ++at_;
            token.text = text_.substr(begin, at_ - begin);
        } else {
            read_symbol(token);
        }
        return token;
    }

  private:
    void read_number(Token& token) {
        const size_t begin = at_;
        const auto digits = [this] {
            const size_t first = at_;
            while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
            return at_ > first;
        };
        bool good = digits();
        if (at_ < text_.size() && text_[at_] == '.') {
            ++at_;
            good = digits() || good;
        }
        if (good && at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            ++at_;
            if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
            good = digits();
        }
        token.text = text_.substr(begin, at_ - begin);
        if (!good) throw ExpressionError(token.column, "malformed number \"" + token.text + '"');
        token.kind = Token::Kind::Number;
        token.value = CPLAtof(token.text.c_str());
        if (!std::isfinite(token.value))
            throw ExpressionError(token.column,
                                  "the number " + token.text + " is too large for a double");
    }

    void read_symbol(Token& token) {
        static const char* const kSymbols[] = {
            "**", "&&", "||", "==", "!=", "<=", ">=", "+", "-", "*", "/",
            "%",  "^",  "<",  ">",  "!",  "?",  ":",  "(", ")", ","};
        token.kind = Token::Kind::Symbol;
        for (const char* symbol : kSymbols) {
            if (text_.compare(at_, std::strlen(symbol), symbol) == 0) {
                token.text = symbol;
                at_ += std::strlen(symbol);
                return;
            }
        }
        const char c = text_[at_];
        if (c == '=')
            throw ExpressionError(token.column,
                                  "\"=\" is not an operator: write \"==\" to compare");
        if (c == '&' || c == '|')
            throw ExpressionError(
                token.column,
                std::string("\"") + c + "\" is not an operator: write \"" + c + c + '"');
        const bool printable = c > ' ' && c < 0x7F;
        throw ExpressionError(
            token.column,
            printable ? std::string("unexpected character \"") + c + '"'
                      : CPLSPrintf("unexpected byte 0x%02X", static_cast<unsigned char>(c)));
    }

    const std::string& text_;
    size_t at_ = 0;
};

// The number of a name like B12; 0 where it isn't one.
int SourceNumber(const std::string& name) {
    if (name.size() < 2 || name.size() > 8 || (name[0] != 'B' && name[0] != 'b') || name[1] == '0')
        return 0;
    for (size_t i = 1; i < name.size(); ++i)
        if (!IsDigit(name[i])) return 0;
    return std::atoi(name.c_str() + 1);
}

bool IsSourceName(const std::string& name) {
    return name.size() > 1 && (name[0] == 'B' || name[0] == 'b') &&
           std::all_of(name.begin() + 1, name.end(), IsDigit);
}

constexpr double kPi = 3.14159265358979323846;

const std::pair<const char*, double> kNamedConstants[] = {
    {"pi", kPi},
    {"nan", std::numeric_limits<double>::quiet_NaN()},
    {"inf", std::numeric_limits<double>::infinity()},
};

std::string Join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

}  // namespace

// Recursive descent, with precedence climbing for the binary operators.
class ExpressionParser {
  public:
    ExpressionParser(const std::string& text, const Expression::Names& names)
        : lexer_(text), names_(names) {
        check_arguments();
        if (text.size() > Expression::kMaxLength)
            throw ExpressionError(Expression::kMaxLength + 1,
                                  "an expression is at most " +
                                      std::to_string(Expression::kMaxLength) + " bytes long");
        expression_.nodata_ = names.nodata;
        expression_.source_nodata_ = names.source_nodata ? names.source_nodata : names.nodata;
        advance();
    }

    Expression parse() {
        conditional();
        if (token_.kind != Token::Kind::End)
            throw ExpressionError(token_.column,
                                  "expected an operator or the end, found " + token_.quoted());
        return std::move(expression_);
    }

  private:
    // Counts how deep the recursion is, so that no text can exhaust the stack.
    class Depth {
      public:
        explicit Depth(ExpressionParser& parser) : parser_(parser) {
            if (++parser_.depth_ > Expression::kMaxDepth)
                throw ExpressionError(
                    parser_.token_.column,
                    "nested more than " + std::to_string(Expression::kMaxDepth) + " deep");
        }
        ~Depth() { --parser_.depth_; }

      private:
        ExpressionParser& parser_;
    };

    void check_arguments() const {
        for (const auto& [name, value] : names_.arguments) {
            bool taken = IsSourceName(name) || FindFunction(name) || EQUAL(name.c_str(), "nodata");
            for (const auto& constant : kNamedConstants)
                taken = taken || EQUAL(name.c_str(), constant.first);
            if (taken)
                throw ExpressionError(
                    1, "the argument name \"" + name + "\" is taken: choose another");
        }
    }

    void advance() { token_ = lexer_.next(); }

    void expect(const char* symbol, const std::string& where) {
        if (!token_.is(symbol))
            throw ExpressionError(token_.column, std::string("expected \"") + symbol + "\" " +
                                                     where + ", found " + token_.quoted());
        advance();
    }

    int add(Expression::Node node, int column) {
        if (expression_.nodes_.size() >= static_cast<size_t>(Expression::kMaxNodes))
            throw ExpressionError(column, "more than " + std::to_string(Expression::kMaxNodes) +
                                              " numbers, names and operations");
        expression_.nodes_.push_back(node);
        return static_cast<int>(expression_.nodes_.size()) - 1;
    }

    int add_operation(const Operation& operation, int column, int a, int b = -1, int c = -1) {
        return add({Expression::Node::Kind::Operation, 0, &operation, {a, b, c}}, column);
    }

    int add_constant(double value, int column) {
        expression_.constants_.push_back(value);
        const int index = static_cast<int>(expression_.constants_.size()) - 1;
        return add({Expression::Node::Kind::Constant, index, nullptr, {-1, -1, -1}}, column);
    }

    int conditional() {
        const Depth depth(*this);
        const int condition = binary(0);
        if (!token_.is("?")) return condition;
        const int column = token_.column;
        advance();
        const int chosen = conditional();
        expect(":", "of the \"?\" at column " + std::to_string(column));
        const int other = conditional();
        return add_operation(FindOperator("?:"), column, condition, chosen, other);
    }

    // Levels of the binary operators, loosest first; the power is handled by unary().
    static int level(const Token& token) {
        static const std::vector<std::string> kLevels[] = {
            {"||"}, {"&&"}, {"==", "!=", "<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "%"}};
        if (token.kind == Token::Kind::Symbol)
            for (int i = 0; i < 5; ++i)
                for (const std::string& symbol : kLevels[i])
                    if (token.text == symbol) return i;
        return -1;
    }
    static constexpr int kComparison = 2;

    int binary(int lowest) {
        int left = unary();
        bool compared = false;
        for (int found = level(token_); found >= lowest; found = level(token_)) {
            const Token symbol = token_;
            if (found == kComparison) {
                if (compared)
                    throw ExpressionError(symbol.column,
                                          "comparisons can't be chained: write a < b && b < c");
                compared = true;
            } else if (found < kComparison) {
                compared = false;
            }
            advance();
            const int right = binary(found + 1);
            left = add_operation(FindOperator(symbol.text), symbol.column, left, right);
        }
        return left;
    }

    int unary() {
        const Token symbol = token_;
        if (symbol.is("+") || symbol.is("-") || symbol.is("!")) {
            const Depth depth(*this);
            advance();
            const int operand = unary();
            return symbol.is("+")
                       ? operand
                       : add_operation(FindOperator(symbol.text + "x"), symbol.column, operand);
        }
        const int base = primary();
        if (!token_.is("^") && !token_.is("**")) return base;
        const Depth depth(*this);
        const int column = token_.column;
        advance();
        const int exponent = unary();
        const Expression::Node node = expression_.nodes_[exponent];
        if (node.kind == Expression::Node::Kind::Constant &&
            expression_.constants_[node.index] == 2.0) {
            expression_.nodes_.pop_back();
            expression_.constants_.pop_back();
            return add_operation(FindOperator("x^2"), column, base);
        }
        return add_operation(FindOperator("^"), column, base, exponent);
    }

    int primary() {
        const Token token = token_;
        if (token.kind == Token::Kind::Number) {
            advance();
            return add_constant(token.value, token.column);
        }
        if (token.is("(")) {
            advance();
            const int inner = conditional();
            expect(")", "for the \"(\" at column " + std::to_string(token.column));
            return inner;
        }
        if (token.kind == Token::Kind::Name) {
            advance();
            return token_.is("(") ? call(token) : name(token);
        }
        throw ExpressionError(
            token.column,
            "expected a number, a name, a function or \"(\", found " + token.quoted());
    }

    int name(const Token& token) {
        if (IsSourceName(token.text)) return source(token, true);
        if (EQUAL(token.text.c_str(), "nodata")) {
            if (!names_.nodata)
                throw ExpressionError(token.column, "\"nodata\" needs the argument nodata");
            return add_constant(*names_.nodata, token.column);
        }
        for (const auto& [constant, value] : kNamedConstants)
            if (EQUAL(token.text.c_str(), constant)) return add_constant(value, token.column);
        for (const auto& [argument, value] : names_.arguments)
            if (EQUAL(token.text.c_str(), argument.c_str()))
                return add_constant(value, token.column);
        if (const Operation* function = FindFunction(token.text))
            throw ExpressionError(token.column, '"' + token.text + "\" is a function: write " +
                                                    function->name + "(...)");
        throw ExpressionError(token.column,
                              "unknown name \"" + token.text + "\"; known are " + known_names());
    }

    std::string known_names() const {
        std::vector<std::string> known;
        if (names_.sources == 1) known.push_back("B1");
        if (names_.sources > 1) known.push_back("B1 to B" + std::to_string(names_.sources));
        for (const auto& constant : kNamedConstants) known.push_back(constant.first);
        if (names_.nodata) known.push_back("nodata");
        for (const auto& argument : names_.arguments) known.push_back(argument.first);
        return Join(known);
    }

    int source(const Token& token, bool masked) {
        const int number = SourceNumber(token.text);
        if (number < 1 || number > names_.sources)
            throw ExpressionError(token.column, "there is no " + token.text + ": the band has " +
                                                    std::to_string(names_.sources) +
                                                    (names_.sources == 1 ? " source" : " sources"));
        auto& sources = expression_.sources_;
        const auto found = std::find(sources.begin(), sources.end(), number - 1);
        const int index = static_cast<int>(found - sources.begin());
        if (found == sources.end()) {
            sources.push_back(number - 1);
            expression_.masked_.push_back(true);
        }
        if (!masked) expression_.masked_[index] = false;
        return add({Expression::Node::Kind::Source, index, nullptr, {-1, -1, -1}}, token.column);
    }

    int call(const Token& token) {
        const Operation* function = FindFunction(token.text);
        if (!function)
            throw ExpressionError(token.column, "unknown function \"" + token.text +
                                                    "\"; known are " + Join(FunctionNames()));
        advance();
        if (std::strcmp(function->name, "isnodata") == 0) return is_nodata(token, *function);

        const std::string usage =
            std::string(function->name) + " takes " +
            (function->variadic     ? "one or more arguments"
             : function->arity == 1 ? "1 argument"
                                    : std::to_string(function->arity) + " arguments");
        if (token_.is(")")) throw ExpressionError(token_.column, usage + ", found none");
        int operands[3] = {-1, -1, -1};
        int count = 0;
        for (;;) {
            const int column = token_.column;
            const int operand = conditional();
            if (function->variadic) {
                operands[0] = count == 0
                                  ? operand
                                  : add_operation(*function, token.column, operands[0], operand);
            } else if (count == function->arity) {
                throw ExpressionError(column, usage + ", found more");
            } else {
                operands[count] = operand;
            }
            ++count;
            if (!token_.is(",")) break;
            advance();
        }
        if (!token_.is(")"))
            throw ExpressionError(token_.column, "expected \",\" or \")\" in the arguments of " +
                                                     std::string(function->name) + ", found " +
                                                     token_.quoted());
        if (!function->variadic && count < function->arity)
            throw ExpressionError(token_.column, usage + ", found " + std::to_string(count));
        advance();
        return function->variadic
                   ? operands[0]
                   : add_operation(*function, token.column, operands[0], operands[1], operands[2]);
    }

    int is_nodata(const Token& function_token, const Operation& function) {
        if (!names_.nodata)
            throw ExpressionError(function_token.column, "isnodata needs the argument nodata");
        if (token_.kind != Token::Kind::Name || !IsSourceName(token_.text))
            throw ExpressionError(token_.column,
                                  "isnodata takes a source, such as B1, found " + token_.quoted());
        const int operand = source(token_, false);
        advance();
        expect(")", "after the source of isnodata");
        const int value = add_constant(*expression_.source_nodata_, function_token.column);
        return add_operation(function, function_token.column, operand, value);
    }

    Lexer lexer_;
    const Expression::Names& names_;
    Expression expression_;
    Token token_;
    int depth_ = 0;
};

Expression Expression::Parse(const std::string& text, const Names& names) {
    return ExpressionParser(text, names).parse();
}

}  // namespace gdalgpu
