#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/result.h"

namespace stiction {

/// A formula such as `8*cos(t) - 0.5*vx` over named variables, for forces and targets in a scene file. It is read once
/// into a short program for a stack machine: nothing else can run, and reading and evaluating are bounded in time and
/// memory by the limits below, whatever the text is.
///
///     + - * / ^  ( )    ^ binds tightest and to the right; -2^2 = -4
///     constants         pi, e
///     functions         sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs sign step floor
///                       atan2(y, x) min(a, b) max(a, b) clamp(x, low, high)
///
/// step(x) is 0 below zero and 1 from it on; sign(0) is 0. Evaluating allocates nothing and may be done from several
/// threads.
class Expression {
 public:
  static constexpr std::size_t most_bytes = 4096;
  static constexpr int most_operations = 1000;
  static constexpr int most_depth = 64;  ///< Of nesting, and so of the stack.

  /// Zero.
  Expression() = default;
  static Expression constant(double value);
  /// Errors name the column (from 1), what was found and what was expected.
  static Result<Expression> parse(std::string_view text, std::span<const std::string_view> variables);

  /// `variables` in the order given to parse. Division by zero and the like give infinities and NaN: the caller checks.
  [[nodiscard]] double value(std::span<const double> variables) const;
  /// Also the derivatives with respect to the variables (of the same number), exact up to rounding; zero for sign,
  /// step and floor, one-sided where min, max, abs and clamp have a corner.
  double value_and_gradient(std::span<const double> variables, std::span<double> gradient) const;

  [[nodiscard]] bool is_constant() const { return variables_used_ == 0; }
  /// Whether the variable of this index occurs.
  [[nodiscard]] bool uses(int variable) const { return (variables_used_ >> variable & 1U) != 0; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  friend class ExpressionParser;
  enum class Operation : std::uint8_t;
  struct Instruction {
    Operation operation;
    int variable = 0;
    double number = 0.0;
  };

  template <class Number>
  [[nodiscard]] Number run(std::span<const Number> variables) const;

  std::vector<Instruction> program_;
  std::string text_ = "0";
  std::uint64_t variables_used_ = 0;
};

}  // namespace stiction
