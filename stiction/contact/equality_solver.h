#pragma once

#include <Eigen/LU>

#include "stiction/contact/islands.h"
#include "stiction/contact/step_problem.h"

namespace stiction {

/// Islands with joints alone, without bounds: the step problem is then one linear system,
///
///     M v+ - nu c = M v + k,    alpha nu'v+ + compliance c = -(1 - alpha) nu'v - b.
///
/// Solved directly where it is small and well conditioned; redundant joints are left to others.
class EqualitySolver {
 public:
  /// Writes the island's part of the solution; false, and nothing written, where the island is not of this kind or the
  /// answer is not good to rounding.
  bool solve(const StepProblem& problem, const Islands& islands, int island, StepSolution& solution);

 private:
  [[nodiscard]] static bool is_equality(const StepProblem& problem, const Islands& islands, int island);
  void assemble(const StepProblem& problem, const Islands& islands, int island);

  linalg::DenseMatrix A_;
  linalg::Vector b_, x_, rest_, change_;
  Eigen::PartialPivLU<linalg::DenseMatrix> lu_;
};

}  // namespace stiction
