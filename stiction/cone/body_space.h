#pragma once

#include <span>
#include <vector>

#include "stiction/cone/body_problem.h"
#include "stiction/linalg/graph_lu.h"

namespace stiction::cone {

/// u = J w of one unit, and x += J'r.
void find_speed(const BodyProblem& problem, const BodyProblem::Unit& unit, const double* w, double* u);
void add_impulse(const BodyProblem& problem, const BodyProblem::Unit& unit, const double* r, double* x);

/// What all methods on a BodyProblem share: its products, its mobilities, and how far an answer is from the laws. The
/// problem must outlive it. Storage is kept.
class BodySpace {
 public:
  using Unit = BodyProblem::Unit;
  using Group = BodyProblem::Group;

  /// Inverts the masses. False where one is singular.
  bool prepare(const BodyProblem& problem);

  [[nodiscard]] const BodyProblem& problem() const { return *problem_; }
  [[nodiscard]] bool is_coupled() const { return !problem_->coupled.empty(); }

  /// Without any impulse: v + M^-1 k.
  [[nodiscard]] const double* w0() const { return w0_.data(); }
  /// w = w0 + M^-1 J'r
  void find_velocities(const double* r, double* w);
  /// u = J w + b + compliance r
  void find_speeds(const double* r, const double* w, double* u) const;
  /// x += J'r, of all units.
  void add_impulses(const double* r, double* x) const;
  /// u = J w of one unit, and x += J'r.
  void unit_speeds(const Unit& unit, const double* w, double* u) const { find_speed(*problem_, unit, w, u); }
  void add_unit_impulse(const Unit& unit, const double* r, double* x) const { add_impulse(*problem_, unit, r, x); }

  /// The block of J M^-1 J' of a unit with M^-1 by its blocks alone, compliance included, row after row.
  [[nodiscard]] const double* mobility(int unit) const { return mobility_.data() + mobility_at_[unit]; }
  /// M^-1 J' of a unit, laid out as J is.
  [[nodiscard]] const double* response(const Unit& unit) const { return response_.data() + unit.jacobian; }
  /// The factor between speed and impulse of a row: dim / tr of its group's mobilities, the normal with the first
  /// group.
  [[nodiscard]] double rho(int row) const { return rho_[row]; }

  /// By how much the law of a unit is broken, in units of speed: the projection of Alart and Curnier 1991.
  [[nodiscard]] double unit_error(const Unit& unit, const double* r, const double* u) const;
  /// The worst of these over its unit's speed.
  [[nodiscard]] double error(const double* r, const double* u) const;
  /// Projects the impulses of all units on what their laws allow, friction after normals.
  void project(double* r) const;

 private:
  template <int W>
  void find_responses();
  void find_rho();
  bool invert_masses();
  /// x = M^-1 x
  void divide_by_masses(double* x) const;

  const BodyProblem* problem_ = nullptr;
  std::vector<double> inverse_;  ///< Of the blocks of M.
  std::vector<double> response_, mobility_, rho_;
  std::vector<std::size_t> mobility_at_;
  linalg::GraphLu masses_;  ///< Where nodes are coupled.
  std::vector<double> w0_;
};

}  // namespace stiction::cone
