#pragma once

#include <vector>

#include "stiction/contact/force_set.h"
#include "stiction/contact/term_sum.h"

namespace stiction {

/// The impulses of a set that are nearest to a point, in the length of the forces themselves:
///
///     min 1/2 x'W x - target'x   subject to   A x = load,   x in its cones and bounds,
///
/// W = diag(weights). By Newton's method on the dual: x(y) = argmin 1/2 x'W x - (target + A'y)'x within cones and
/// bounds alone is known in closed form, contact by contact, and load'y - max(...) is concave and smooth with the
/// gradient load - A x(y). Its second derivative is a sum of one term u u' for each component that can move, sparse as
/// the contacts are. x(y) is within its cones at any y; the answer does not depend on the order of contacts.
///
/// There is no answer y where all x of the set lie on the rims of round cones; then momentum is met by what is found
/// only roughly.
class ForceProjection {
 public:
  /// True when A x = load holds to 2e-12 of the largest impulse, or of `scale` where that is larger.
  bool solve(const ForceSet& set, const std::vector<double>& target, double scale = 0.0);
  [[nodiscard]] const std::vector<double>& x() const { return x_; }
  [[nodiscard]] int iterations() const { return iterations_; }

 private:
  /// One term of the second derivative: weight u u'.
  struct Term {
    int begin = 0, end = 0;  ///< Of parts_.
    double weight = 0.0;
  };
  struct Part {
    int component = 0;
    double factor = 0.0;
  };

  void scale_rows(const ForceSet& set);
  void start(const ForceSet& set, const std::vector<double>& target);
  /// x, residual_, value_ and terms_ at y; the residual's length.
  double evaluate(const ForceSet& set, const std::vector<double>& target, const std::vector<double>& y);
  void evaluate_group(const ForceSet& set, const ForceSet::Group& group);
  double find_normal(const ForceSet& set, const ForceSet::Group& group) const;
  [[nodiscard]] double pushed(int first, int directions) const;
  void add_term(double weight);
  bool find_step(const ForceSet& set, double softness);
  void refine(const ForceSet& set, const std::vector<double>& target);
  bool move(const ForceSet& set, const std::vector<double>& target);

  int iterations_ = 0;
  std::vector<double> scale_;            ///< Of the rows of A.
  std::vector<double> x_, z_, weights_;  ///< By component.
  std::vector<double> y_, tried_, residual_, step_;
  double value_ = 0.0, length_ = 0.0;
  std::vector<Term> terms_;
  std::vector<Part> parts_;
  int term_begin_ = 0;
  TermSum system_;
  TermSum::Entries u_;
  std::vector<int> place_;  ///< Of a velocity in u_, or -1.
};

}  // namespace stiction
