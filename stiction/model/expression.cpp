#include "stiction/model/expression.h"

#include <algorithm>
#include <array>

#include "stiction/base/assert.h"
#include "stiction/model/expression_operations.h"

namespace stiction {

Expression Expression::constant(double value) {
  Expression expression;
  expression.program_.push_back({Operation::number, 0, value});
  expression.text_ = std::to_string(value);
  return expression;
}

template <class Number>
Number Expression::run(std::span<const Number> variables) const {
  std::array<Number, most_depth> stack;
  std::size_t top = 0;
  for (const Instruction& instruction : program_) {
    const int operands = operands_of(instruction.operation);
    if (instruction.operation == Operation::number) {
      stack[top++] = Number(instruction.number);
    } else if (instruction.operation == Operation::variable) {
      stack[top++] = variables[static_cast<std::size_t>(instruction.variable)];
    } else {
      top -= static_cast<std::size_t>(operands);
      stack[top] = apply(instruction.operation, &stack[top]);
      ++top;
    }
  }
  return top == 0 ? Number(0.0) : stack[0];
}

double Expression::value(std::span<const double> variables) const {
  return run<double>(variables);
}

double Expression::value_and_gradient(std::span<const double> variables, std::span<double> gradient) const {
  STICTION_ASSERT(variables.size() == gradient.size() && variables.size() <= most_variables, "one slope a variable");
  std::array<Dual, most_variables> duals;
  double value = 0.0;
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (std::size_t i = 0; i < variables.size(); ++i) duals[i] = Dual(variables[i]);
  // One sweep for each variable that occurs: formulas have few.
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (!uses(static_cast<int>(i))) continue;
    duals[i].slope = 1.0;
    const Dual result = run<Dual>(std::span<const Dual>(duals.data(), variables.size()));
    duals[i].slope = 0.0;
    gradient[i] = result.slope;
    value = result.value;
  }
  return is_constant() ? this->value(variables) : value;
}

}  // namespace stiction
