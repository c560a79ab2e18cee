#pragma once

#include <cstdint>

#include "stiction/contact/local_speed.h"
#include "stiction/contact/step_problem.h"

namespace stiction {

/// What a step is worth, from the problem and the answer alone, by the laws that the problem states. All dimensionless.
///
/// Two residuals are needed. `residual` measures velocities against the largest speed of the step (or of what the
/// impulses could cause) and impulses through the effective mass of their row. It can be bought with a large impulse,
/// and hides one slow contact that is wrong among fast ones. `contact_residual` is that of the worst contact, drive or
/// joint against the speeds around it (LocalSpeed), which no impulse can raise: of a contact of the true cone K
///
///     |r - P_K(r - rho (u + mu |u_T| n))| / (rho V),   rho = dim / tr W_ii,
///
/// evaluated so that a large r does not swallow u; of a joint |u| / V. With friction that another contact bears, that
/// needs no normal force, or with facets, the normal and the tangential part are projected each by itself, which is the
/// same law. Friction of two blocks that share one set is projected on a ball of up to four dimensions, in the metric
/// in which the set is one, once for each block: the impulse of the other in the units of the one, and the one's mass.
struct StepCertificate {
  double residual = 0.0;           ///< Complementarity: natural map over normals, facets and cones.
  double contact_residual = 0.0;   ///< Of the worst contact or row against what happens around it.
  double cone_violation = 0.0;     ///< By which the tangential impulse leaves the true elliptic cone.
  double equality_residual = 0.0;  ///< nu'v_alpha + b_nu.
  double momentum_defect = 0.0;    ///< Of the momentum balance, relative to its largest term.
  double energy_defect = 0.0;      ///< Of v_alpha'(M(v+ - v) - k) = -sum lambda (mu c_n + hf) - c'b, likewise.
  double misalignment = 0.0;       ///< Largest angle between friction and the opposite of sliding, radians: what the
                                   ///< polyhedral cone leaves to be desired. Not part of certified().
  double friction_loss = 0.0;  ///< Largest share by which friction against sliding falls short of the true cone's, at
                               ///< most 1 - cos(pi/k) with k facets. Seen where misalignment is not: halfway between
                               ///< two facets friction opposes sliding, but is too small. Not part of certified().
  std::uint64_t worst_contact = 0;
  bool has_worst = false;
  /// The answer is one of the weaker problem with the facets it was found for, and all of the above is of that problem:
  bool polyhedral = false;
  double own_residual = 0.0;    ///< then this is the larger of the two residuals by the problem's own law,
  std::uint64_t own_worst = 0;  ///< and where.

  /// The laws hold: both residuals <= tolerance; joints, momentum and energy to 1e-10.
  [[nodiscard]] bool certified(double tolerance = 1e-8) const;
  /// The scheme's own law holds, not a weaker one.
  [[nodiscard]] bool is_full(double tolerance = 1e-8) const { return certified(tolerance) && !polyhedral; }
  /// The scheme's own law holds roughly: every measure is within 1e-5.
  [[nodiscard]] bool is_loose() const;
  /// Keeps the larger of each.
  void merge(const StepCertificate& other);
};

/// Reusable storage: a second call of the same size allocates nothing.
struct StepCertifyWork {
  Vector change, impulse, v_alpha, product;
  judge::Mobilities mobilities;
  LocalSpeed local_speed;
};

/// Independent of every solver: reads only the problem and the answer.
[[nodiscard]] StepCertificate certify(const StepProblem& problem, const StepSolution& solution, StepCertifyWork& work);
[[nodiscard]] StepCertificate certify(const StepProblem& problem, const StepSolution& solution);

/// The same for the weaker problem in which contacts whose answer has facets have the cone of those. `own_residual` is
/// left to whoever has judged the answer by the problem's own law first.
[[nodiscard]] StepCertificate certify_polyhedral(const StepProblem& problem, const StepSolution& solution,
                                                 StepCertifyWork& work);

}  // namespace stiction
