#pragma once

#include <vector>

#include "stiction/lcp/complementary_basis.h"
#include "stiction/lcp/standard_form.h"

namespace stiction::lcp {

/// The point of a complementary basis: fresh factors, one linear solve and two steps of refinement. Every answer of
/// Lemke's method is one of these, and a basis known from the last step needs no more than this (1997, section 6).
class BasicPoint {
 public:
  /// z_j is basic where basic[j]. False when the basis is singular, unless by free variables alone: those that depend
  /// on others are then held at zero.
  bool evaluate(const StandardForm& form, const std::vector<bool>& basic);

  /// z of the standard form; what is below zero by rounding, or because the basis is not feasible, is put on zero.
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  ComplementaryBasis basis_;
  std::vector<double> x_, correction_, values_;
};

}  // namespace stiction::lcp
