#pragma once

#include <Eigen/Cholesky>

#include "stiction/contact/step_problem.h"
#include "stiction/linalg/triplets.h"
#include "stiction/model/state.h"
#include "stiction/model/system.h"
#include "stiction/schemes/options.h"
#include "stiction/schemes/step_report.h"

namespace stiction {

/// M~ and k~ of the family of 2008 (DESIGN.md, section 1):
///
///     M~ = M - alpha h (F + K_v) - alpha gamma h^2 K_q
///     k~ = h [(1 - alpha) k1(t, q, v) + alpha k1(t + h, q_i, v_i)] + h F v + alpha h^2 K_q (v - w) + alpha h K_v (v -
///     v_i)
///
/// The forces at the end of the step are linearised about q_i = q (+) h w and v_i. With w = 0 and v_i = v that is (4.4)
/// of 2008 and one step of Newton's method for (2.5) of 2006; with the last iterate it is a further one.
class ThetaForces {
 public:
  explicit ThetaForces(const System& system) : system_(system) {}

  struct Step {
    double h = 0.0, alpha = 1.0, gamma = 1.0;
    ForceJacobian jacobian = ForceJacobian::automatic;
    bool has_rows = true;  ///< What is too stiff for M~ is left to rows of the problem.
  };
  /// About which the forces at the end are taken.
  struct Point {
    const Vector &q, &v, &w;
  };

  /// M at one position; for (2.5) of 2006 the mean of two.
  void set_mass(double t, const Vector& q) { system_.mass(t, q, mass_); }
  void set_mean_mass(double t, const Vector& q, double t_end, const Vector& q_end);
  /// Derivatives and values of the forces, into the problem.
  void linearise(const State& state, const Step& step, const Point& about, StepProblem& problem);
  /// What linearise() left out: springs and dampers whose rows the problem must have.
  [[nodiscard]] const DriveSet& stiff_drives() const { return stiff_; }
  /// F at a velocity of the middle of the step, into the problem. False where there is none. A further call replaces
  /// it.
  bool add_gyroscopic(const Vector& q, const Vector& v_middle, StepProblem& problem);
  /// How far the impulse of the forces, linear in v+ as it was posed, is from the one that (2.5) of 2006 has with this
  /// end: as a velocity, the largest over its diagonal of M. Rows left to the problem gave the impulses c.
  [[nodiscard]] double miss(const State& state, const Vector& q_end, const Vector& v_end, const double* c);
  [[nodiscard]] double kinetic_energy(const Vector& v);
  [[nodiscard]] bool has_gyroscopic() const { return gyroscopic_.nonZeros() > 0; }
  [[nodiscard]] JacobianUse used() const { return used_; }

 private:
  void sum_mass(const Step& step);
  void take_stiff(const State& state, const Step& step, StepProblem& problem);
  [[nodiscard]] bool is_definite();
  [[nodiscard]] bool is_dominant();

  const System& system_;
  SparseMatrix mass_, other_mass_, gyroscopic_, K_q_, K_v_;
  SparseMatrix smooth_mass_;  ///< M~ without F.
  Vector start_force_, end_force_, smooth_force_, change_;
  linalg::Triplets triplets_;
  linalg::DenseMatrix symmetric_;
  Eigen::LLT<linalg::DenseMatrix> cholesky_;
  std::vector<double> off_diagonal_;
  DriveSet stiff_;
  Step step_;
  JacobianUse used_ = JacobianUse::none;
};

}  // namespace stiction
