#pragma once

#include <vector>

#include "stiction/contact/force_set.h"
#include "stiction/contact/force_system.h"

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
  /// The same, starting from the y and the factors of the last call where that was of bundles on the same nodes: a set
  /// that changed little needs no new ones.
  bool resume(const ForceSet& set, const std::vector<double>& target);
  [[nodiscard]] const std::vector<double>& x() const { return x_; }
  /// Linear systems factorised in the last call.
  [[nodiscard]] int iterations() const { return iterations_; }

 private:
  void take(const ForceSet& set);
  bool find_scale(const ForceSet& set);
  bool start(const ForceSet& set, const std::vector<double>& target);
  bool newton(const ForceSet& set, const std::vector<double>& target, double scale, int most);
  /// x, z, residual_ and value_ at y; the residual's length.
  double evaluate(const ForceSet& set, const std::vector<double>& target, const std::vector<double>& y);
  void evaluate_group(const ForceSet& set, const ForceSet::Group& group);
  double find_normal(const ForceSet& set, const ForceSet::Group& group) const;
  /// What A x = load is measured against.
  [[nodiscard]] double size(double scale) const;
  void add_terms(const ForceSet& set, const ForceSet::Group& group);
  bool find_step(const ForceSet& set, double softness);
  bool factorise();
  bool refine(const ForceSet& set, const std::vector<double>& target);
  bool move(const ForceSet& set, const std::vector<double>& target);

  int iterations_ = 0;
  bool has_factors_ = false;             ///< system_ is that of the last call, at a y near the last one.
  std::vector<double> scale_, lengths_;  ///< Of the rows of A; reciprocals of their lengths.
  double load_ = 0.0;                    ///< Largest.
  std::vector<double> x_, z_, weights_;  ///< By component.
  std::vector<double> pushed_;           ///< How far friction is pushed, by block.
  std::vector<double> y_, tried_, scaled_, residual_, step_;
  double value_ = 0.0, length_ = 0.0;
  ForceSystem system_;
};

}  // namespace stiction
