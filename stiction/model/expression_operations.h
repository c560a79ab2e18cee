#pragma once

#include <algorithm>
#include <cmath>

#include "stiction/model/expression.h"

/// The operations of formulas on numbers and on dual numbers. Internal to Expression.
namespace stiction {

inline constexpr std::size_t most_variables = 64;

enum class Expression::Operation : std::uint8_t {
  number,
  variable,
  add,
  subtract,
  multiply,
  divide,
  power,
  negate,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  sign,
  step,
  floor,
  atan2,
  min,
  max,
  clamp,
};

/// A value and its derivative along one direction.
struct Dual {
  double value = 0.0, slope = 0.0;

  Dual() = default;
  explicit Dual(double v, double s = 0.0) : value(v), slope(s) {}
};

/// How many the operation takes from the stack.
template <class Operation>
int operands_of(Operation operation) {
  switch (operation) {
    case Operation::number:
    case Operation::variable:
      return 0;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::atan2:
    case Operation::min:
    case Operation::max:
      return 2;
    case Operation::clamp:
      return 3;
    default:
      return 1;
  }
}

template <class Operation>
double apply(Operation operation, const double* a) {
  switch (operation) {
    case Operation::add:
      return a[0] + a[1];
    case Operation::subtract:
      return a[0] - a[1];
    case Operation::multiply:
      return a[0] * a[1];
    case Operation::divide:
      return a[0] / a[1];
    case Operation::power:
      return std::pow(a[0], a[1]);
    case Operation::negate:
      return -a[0];
    case Operation::sin:
      return std::sin(a[0]);
    case Operation::cos:
      return std::cos(a[0]);
    case Operation::tan:
      return std::tan(a[0]);
    case Operation::asin:
      return std::asin(a[0]);
    case Operation::acos:
      return std::acos(a[0]);
    case Operation::atan:
      return std::atan(a[0]);
    case Operation::sinh:
      return std::sinh(a[0]);
    case Operation::cosh:
      return std::cosh(a[0]);
    case Operation::tanh:
      return std::tanh(a[0]);
    case Operation::exp:
      return std::exp(a[0]);
    case Operation::log:
      return std::log(a[0]);
    case Operation::sqrt:
      return std::sqrt(a[0]);
    case Operation::abs:
      return std::abs(a[0]);
    case Operation::sign:
      return a[0] > 0.0 ? 1.0 : a[0] < 0.0 ? -1.0 : a[0];  // NaN stays NaN
    case Operation::step:
      return a[0] >= 0.0 ? 1.0 : a[0] < 0.0 ? 0.0 : a[0];
    case Operation::floor:
      return std::floor(a[0]);
    case Operation::atan2:
      return std::atan2(a[0], a[1]);
    case Operation::min:
      return a[1] < a[0] || std::isnan(a[1]) ? a[1] : a[0];
    case Operation::max:
      return a[1] > a[0] || std::isnan(a[1]) ? a[1] : a[0];
    case Operation::clamp:
      return a[0] < a[1] ? a[1] : a[0] > a[2] ? a[2] : a[0];
    default:
      return 0.0;
  }
}

/// By the chain rule.
template <class Operation>
Dual apply(Operation operation, const Dual* a) {
  const double x = a[0].value, dx = a[0].slope;
  const int operands = operands_of(operation);
  const double y = operands > 1 ? a[1].value : 0.0, dy = operands > 1 ? a[1].slope : 0.0;
  const double z = operands > 2 ? a[2].value : 0.0;
  const double values[] = {x, y, z};
  const double value = apply(operation, values);
  const auto with = [&](double slope) { return Dual(value, slope); };
  switch (operation) {
    case Operation::add:
      return with(dx + dy);
    case Operation::subtract:
      return with(dx - dy);
    case Operation::multiply:
      return with(dx * y + x * dy);
    case Operation::divide:
      return with((dx - value * dy) / y);
    case Operation::power: {
      const double by_base = dx == 0.0 ? 0.0 : y * std::pow(x, y - 1.0) * dx;
      return with(by_base + (dy == 0.0 ? 0.0 : value * std::log(x) * dy));
    }
    case Operation::negate:
      return with(-dx);
    case Operation::sin:
      return with(std::cos(x) * dx);
    case Operation::cos:
      return with(-std::sin(x) * dx);
    case Operation::tan:
      return with((1.0 + value * value) * dx);
    case Operation::asin:
      return with(dx / std::sqrt(1.0 - x * x));
    case Operation::acos:
      return with(-dx / std::sqrt(1.0 - x * x));
    case Operation::atan:
      return with(dx / (1.0 + x * x));
    case Operation::sinh:
      return with(std::cosh(x) * dx);
    case Operation::cosh:
      return with(std::sinh(x) * dx);
    case Operation::tanh:
      return with((1.0 - value * value) * dx);
    case Operation::exp:
      return with(value * dx);
    case Operation::log:
      return with(dx / x);
    case Operation::sqrt:
      return with(dx == 0.0 ? 0.0 : 0.5 * dx / value);
    case Operation::abs:
      return with(x < 0.0 ? -dx : dx);
    case Operation::atan2:
      return with((y * dx - x * dy) / (x * x + y * y));
    case Operation::min:
      return with(y < x ? dy : dx);
    case Operation::max:
      return with(y > x ? dy : dx);
    case Operation::clamp:
      return with(x < y ? dy : x > z ? a[2].slope : dx);
    default:
      return with(0.0);
  }
}

}  // namespace stiction
