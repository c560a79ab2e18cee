#pragma once

#include <vector>

#include "stiction/lcp/complementary_basis.h"
#include "stiction/lcp/standard_form.h"

namespace stiction::lcp {

/// The point of a complementary basis: fresh factors, one linear solve and its refinement. Every answer of Lemke's
/// method is one of these, and a basis known from the last step needs no more than this (1997, section 6).
class BasicPoint {
 public:
  /// The problem's z when y_j is basic where basic[j]. Components that the basis puts on the wrong side of their
  /// bounds, by rounding or because it is not feasible, are put on them. False when the basis is singular, unless by
  /// free variables alone: those that depend on others are then held at zero.
  bool evaluate(const StandardForm& form, const std::vector<bool>& basic, Vector& z);

 private:
  void refine_problem(const StandardForm& form, Vector& z);

  ComplementaryBasis basis_;
  std::vector<double> x_, correction_, values_;
};

}  // namespace stiction::lcp
