#include "plugin/raster/expression.h"

#include <algorithm>

namespace gdalgpu {

std::string Expression::DeviceText() const {
    const auto operand = [this](int i) {
        const Node& node = nodes_[i];
        switch (node.kind) {
            case Node::Kind::Constant:
                return "p.value[" + std::to_string(node.index) + "]";
            case Node::Kind::Source:
                return "s" + std::to_string(node.index);
            default:
                return "t" + std::to_string(i);
        }
    };
    std::string text;
    for (size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        if (node.kind != Node::Kind::Operation) continue;
        text += "        const double t" + std::to_string(i) +
                " = expression::" + node.operation->function + "(";
        for (int k = 0; k < node.operation->arity; ++k)
            text += (k ? ", " : "") + operand(node.operands[k]);
        text += ");\n";
    }
    return text + "        const double result = " + operand(static_cast<int>(nodes_.size()) - 1) +
           ";\n";
}

ExpressionEvaluator::ExpressionEvaluator(const Expression& expression) : expression_(expression) {
    for (double value : expression.constants()) constants_.insert(constants_.end(), kBlock, value);
    int depth = 0;
    int deepest = 1;
    for (const Expression::Node& node : expression.nodes()) {
        depth += node.kind == Expression::Node::Kind::Operation ? 1 - node.operation->arity : 1;
        deepest = std::max(deepest, depth);
    }
    intermediates_.resize(static_cast<size_t>(deepest) * kBlock);
    stack_.reserve(deepest);
}

void ExpressionEvaluator::Evaluate(const double* const* sources, double* result, int count) {
    stack_.clear();
    for (const Expression::Node& node : expression_.nodes()) {
        switch (node.kind) {
            case Expression::Node::Kind::Constant:
                stack_.push_back(&constants_[static_cast<size_t>(node.index) * kBlock]);
                break;
            case Expression::Node::Kind::Source:
                stack_.push_back(sources[node.index]);
                break;
            case Expression::Node::Kind::Operation: {
                const int arity = node.operation->arity;
                const size_t base = stack_.size() - arity;
                const double* const a = stack_[base];
                const double* const b = arity > 1 ? stack_[base + 1] : nullptr;
                const double* const c = arity > 2 ? stack_[base + 2] : nullptr;
                double* const out = &intermediates_[base * kBlock];
                node.operation->evaluate(a, b, c, out, count);
                stack_.resize(base);
                stack_.push_back(out);
                break;
            }
        }
    }
    std::copy(stack_.back(), stack_.back() + count, result);
}

}  // namespace gdalgpu
