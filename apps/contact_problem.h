#pragma once

#include <optional>
#include <string>

#include "stiction/cone/factor_certificate.h"
#include "stiction/cone/factor_solver.h"
#include "stiction/cone/problem_file.h"
#include "stiction/cone/solver.h"

namespace stiction::apps {

/// A stored contact problem before the solvers of `stiction solve`: one of factors stays what it is for `auto`, and is
/// condensed, once, for the others. Where joints hold a body altogether W is rounding, which the condensed certificate
/// takes for data: what a solver of the condensed problem finds is judged on the factors too.
class ContactProblem {
 public:
  /// The stored problem must outlive this.
  explicit ContactProblem(const cone::StoredProblem& stored) : stored_(stored) {}

  /// Empty, or what is wrong with the problem, which a look at its sizes does not show.
  [[nodiscard]] std::string solve(cone::Solver& solver, cone::Solution& solution);
  /// The problem that the last solve() was about; without W where that stayed factors.
  [[nodiscard]] const cone::Problem& solved() const { return *solved_; }

 private:
  /// What the factors refuse is not solved; they may prove that nothing is.
  void judge_on_factors(const cone::FactorForm& form, double tolerance, cone::Solution& solution);

  const cone::StoredProblem& stored_;
  std::optional<cone::Problem> condensed_;
  cone::FactorJudge judge_;  ///< Of the factors that were condensed.
  cone::FactorSolver on_factors_;
  const cone::Problem* solved_ = nullptr;
};

}  // namespace stiction::apps
