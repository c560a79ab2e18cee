#include "stiction/model/force_formula.h"

#include <algorithm>
#include <utility>

namespace stiction {

VectorFormula::VectorFormula(const Vec3& constant)
    : components_{Expression::constant(constant[0]), Expression::constant(constant[1]),
                  Expression::constant(constant[2])},
      constant_(constant) {}

VectorFormula::VectorFormula(std::array<Expression, 3> components) : components_(std::move(components)) {
  is_constant_ = std::all_of(components_.begin(), components_.end(), [](const auto& e) { return e.is_constant(); });
  if (is_constant_) constant_ = {components_[0].value({}), components_[1].value({}), components_[2].value({})};
}

Vec3 VectorFormula::value(std::span<const double> variables) const {
  if (is_constant_) return constant_;
  return {components_[0].value(variables), components_[1].value(variables), components_[2].value(variables)};
}

double TimeFormula::rate(double t) const {
  if (is_constant()) return 0.0;
  double rate = 0.0;
  expression_.value_and_gradient(std::span(&t, 1), std::span(&rate, 1));
  return rate;
}

}  // namespace stiction
