#pragma once

#include <cstdint>

#include "stiction/contact/step_problem.h"

namespace stiction {

/// What a step is worth, from the problem and the answer alone. All dimensionless: velocities are measured against the
/// largest speed of the step (or of what the impulses could cause), impulses through the effective mass of their row.
struct StepCertificate {
  double residual = 0.0;           ///< Complementarity: natural map over normals, facets and cones.
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

  /// The scheme's laws hold: residual <= tolerance; joints, momentum and energy to 1e-10.
  [[nodiscard]] bool certified(double tolerance = 1e-8) const;
  /// Keeps the larger of each.
  void merge(const StepCertificate& other);
};

/// Reusable storage: a second call of the same size allocates nothing.
struct StepCertifyWork {
  Vector change, impulse, v_alpha, product;
};

/// Independent of every solver: reads only the problem and the answer.
[[nodiscard]] StepCertificate certify(const StepProblem& problem, const StepSolution& solution, StepCertifyWork& work);
[[nodiscard]] StepCertificate certify(const StepProblem& problem, const StepSolution& solution);

}  // namespace stiction
