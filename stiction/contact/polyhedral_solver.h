#pragma once

#include <memory>
#include <vector>

#include "stiction/contact/certificate.h"
#include "stiction/contact/contact_memory.h"
#include "stiction/contact/island_solver.h"
#include "stiction/contact/islands.h"
#include "stiction/contact/step_problem.h"

namespace stiction {

/// Solves step problems with polyhedral friction cones, island by island, and remembers for each contact (by id) its
/// facets and its place in the basis as the next start.
class PolyhedralSolver {
 public:
  explicit PolyhedralSolver(const PolyhedralOptions& options) : options_(options) {}

  /// True when every island was solved; `certificate` is that of the whole answer in any case.
  bool solve(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate);

  [[nodiscard]] const SolveCounts& counts() const { return counts_; }
  void forget() { memory_.clear(); }

 private:
  /// Storage for islands of one size: Eigen's vectors are made anew whenever their size changes.
  struct Workspace {
    int unknowns = 0;
    std::unique_ptr<IslandSolver> solver;
  };

  void prepare(const StepProblem& problem, StepSolution& solution);
  [[nodiscard]] IslandSolver& workspace_for(int island, const StepSolution& solution);

  PolyhedralOptions options_;
  Islands islands_;
  std::vector<Workspace> workspaces_;  ///< Ordered by size.
  ContactMemory memory_, next_memory_;
  StepCertifyWork certify_work_;
  SolveCounts counts_;
};

}  // namespace stiction
