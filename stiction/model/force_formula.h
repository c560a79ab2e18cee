#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "stiction/linalg/pose.h"
#include "stiction/model/expression.h"

namespace stiction {

/// What the formulas of a force may use, in this order: the time; the place of the force's point and that point's
/// velocity; the body's angular velocity; its turn about the world's z, in (-pi, pi]. World frame.
inline constexpr std::array<std::string_view, 11> force_variables = {"t",  "x",  "y",  "z",  "vx",   "vy",
                                                                     "vz", "wx", "wy", "wz", "angle"};

/// A vector whose components are formulas of `force_variables`. A plain vector is one.
class VectorFormula {
 public:
  VectorFormula() : VectorFormula(Vec3(Vec3::Zero())) {}
  VectorFormula(const Vec3& constant);  // NOLINT(google-explicit-constructor): a vector is a formula
  VectorFormula(double x, double y, double z) : VectorFormula(Vec3(x, y, z)) {}
  explicit VectorFormula(std::array<Expression, 3> components);

  [[nodiscard]] bool is_constant() const { return is_constant_; }
  [[nodiscard]] Vec3 value(std::span<const double> variables) const;
  /// Of a constant one.
  [[nodiscard]] const Vec3& constant() const { return constant_; }
  [[nodiscard]] const std::array<Expression, 3>& components() const { return components_; }

 private:
  std::array<Expression, 3> components_;
  Vec3 constant_ = Vec3::Zero();
  bool is_constant_ = true;
};

/// What the targets of motors and servos may use.
inline constexpr std::array<std::string_view, 1> time_variables = {"t"};

/// A formula of `time_variables`. A plain number is one.
class TimeFormula {
 public:
  TimeFormula(double constant = 0.0)  // NOLINT(google-explicit-constructor): a number is a formula
      : expression_(Expression::constant(constant)) {}
  explicit TimeFormula(Expression expression) : expression_(std::move(expression)) {}

  [[nodiscard]] bool is_constant() const { return expression_.is_constant(); }
  [[nodiscard]] double value(double t) const { return expression_.value(std::span(&t, 1)); }
  /// d value/dt.
  [[nodiscard]] double rate(double t) const;

 private:
  Expression expression_;
};

}  // namespace stiction
