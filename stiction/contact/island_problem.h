#pragma once

#include "stiction/contact/islands.h"
#include "stiction/contact/step_problem.h"
#include "stiction/linalg/triplets.h"

namespace stiction {

/// One island as a step problem of its own, with its part of an answer: what certify() says of it depends on no other
/// island. Storage is kept, but for Eigen's where sizes change.
class IslandProblem {
 public:
  /// False where friction is borne by a contact of another island: only a row along which nothing moves can be so.
  bool copy(const StepProblem& problem, const Islands& islands, int island, const StepSolution& solution);

  [[nodiscard]] const StepProblem& problem() const { return problem_; }
  [[nodiscard]] const StepSolution& solution() const { return solution_; }

 private:
  void copy_velocities(const StepProblem& problem, const Islands& islands, int island, const StepSolution& solution);
  void copy_joints(const StepProblem& problem, const Islands& islands, int island, const StepSolution& solution);
  bool copy_contacts(const StepProblem& problem, const Islands& islands, int island, const StepSolution& solution);

  StepProblem problem_;
  StepSolution solution_;
  linalg::Triplets triplets_;
};

}  // namespace stiction
