#pragma once

#include <vector>

#include "stiction/cone/body_matrix.h"
#include "stiction/cone/body_newton.h"
#include "stiction/cone/body_space.h"

namespace stiction::cone {

/// A primal-dual interior point method on the bodies. Along its path, of barrier tau,
///
///     r_n p = tau,  p = u_n;     radius lambda + r_g . u_g = tau,  radius u_g + lambda r_g = 0,  radius = mu r_n + hf
///     (r - lower) a = tau,  (upper - r) c = tau,  a - c = u,
///
/// which is Coulomb's law at tau = 0 and friction that is smooth in u_g before. Each step is Newton's for these
/// equations with a predictor and a corrector (Mehrotra 1992), condensed on the bodies: M + J'D J is factorised once a
/// step.
class BodyInterior {
 public:
  struct Options {
    int most_iterations = 40;
    double softness = 1e-9;  ///< About the present impulses, relative to the mobility: bounds steps along impulses
                             ///< that balance each other.
    double least_barrier = 1e-26;  ///< Of the first: beyond is rounding.
    int most_short = 6;            ///< Steps shorter than `short_step` in a row before it gives up.
    double short_step = 0.02;
  };

  /// From the impulses of `state`, with a barrier of `warmth` times that of a cold start; at 1 nothing of them is
  /// used. Leaves the best found there. True when the tolerance is reached.
  bool solve(BodySpace& space, BodyMatrix& matrix, double tolerance, double warmth, BodyState& state);
  [[nodiscard]] int iterations() const { return iterations_; }

  Options options;

 private:
  using Unit = BodyProblem::Unit;
  using Group = BodyProblem::Group;
  void start(BodySpace& space, double warmth, const BodyState& state);
  void find_speeds(BodySpace& space);
  void find_blocks(BodyMatrix& matrix);
  /// The second-order parts of the equations, of the direction at hand, or none.
  void find_corrections(bool any);
  void find_direction(BodySpace& space, const BodyMatrix& matrix, double barrier);
  void aim(double barrier);
  void finish_direction(double barrier);
  [[nodiscard]] double longest_step() const;
  [[nodiscard]] double barrier_after(double share) const;
  void move(double share);
  /// Impulses that the point is near to, within their laws: into trial_.
  void propose(BodySpace& space);
  [[nodiscard]] double radius(const Unit& unit, const Group& group) const {
    return group.mu * (unit.has_normal ? r_[unit.first_row] : 0.0) + group.hf;
  }
  [[nodiscard]] double softness(int row) const {
    return options.softness / space_->rho(row) + problem_->compliance[row];
  }
  void friction_matrix(const Unit& unit, const Group& group, double lambda, double* A, double* slope) const;

  const BodyProblem* problem_ = nullptr;
  const BodySpace* space_ = nullptr;
  int iterations_ = 0, products_ = 0;
  std::vector<double> r_, w_, u_;
  std::vector<double> slack_;   ///< p of normals and a of bounded rows, one a unit,
  std::vector<double> slack2_;  ///< and c.
  std::vector<double> lambda_;  ///< One a group.
  std::vector<double> dr_, dw_, du_, dslack_, dslack2_, dlambda_;
  std::vector<double> soft_du_;  ///< du with what is soft.
  std::vector<double> row_corrections_, slack_corrections_, slack2_corrections_, lambda_corrections_;
  std::vector<double> D_;
  std::vector<std::size_t> D_at_;
  BodyState trial_;
};

}  // namespace stiction::cone
