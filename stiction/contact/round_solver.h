#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "stiction/cone/body_problem.h"
#include "stiction/cone/body_solver.h"
#include "stiction/contact/body_islands.h"
#include "stiction/contact/contact_memory.h"
#include "stiction/contact/step_problem.h"

namespace stiction {

/// Solves step problems on the true cone, each island on its bodies (cone::BodySolver), from the last step's impulses.
class RoundSolver {
 public:
  /// Islands with contacts too, or only those with joints alone.
  enum class Share : std::uint8_t { all, without_contacts };

  /// The best answer found, of every island of the share, and which velocities are of islands without one that reaches
  /// the tolerance, or `rough` where that is coarser and the island is hard. True when there are none. `finely`: as
  /// nearly as rounding lets it. `solution` has its sizes and facets already.
  bool solve(const StepProblem& problem, double tolerance, double rough, bool finely, const ContactMemory& memory,
             StepSolution& solution, std::vector<bool>& unsolved, Share share = Share::all);
  /// Whether an island of the last solve was left to the last and longest method, and whether what it found is no
  /// better than roughly right.
  [[nodiscard]] bool was_hard() const { return was_hard_; }
  [[nodiscard]] bool is_rough() const { return is_rough_; }
  [[nodiscard]] const cone::BodySolver::Counts& counts() const { return solver_.counts(); }
  /// Impulses of the rows of nu that the next solve starts from; those of contacts are in its memory.
  void start_rows_from(const std::vector<double>& c_nu) { last_c_nu_ = c_nu; }
  void forget();

 private:
  void start(const StepProblem& problem, const ContactMemory& memory);
  void write(const StepProblem& problem, int island, StepSolution& solution) const;
  void mark(int node, std::vector<bool>& unsolved) const;

  BodyIslands islands_;
  cone::BodyProblem posed_;
  std::vector<BodyIslands::Source> sources_;
  cone::BodySolver solver_;
  /// By the first node of an island: those of two islands in turn are of no use, and do no harm.
  std::array<cone::BodyMemory, 32> memories_;
  std::vector<double> r_, last_c_nu_;
  std::vector<cone::BodyStage> stages_;  ///< What solved the island of each node last.
  bool was_hard_ = false, is_rough_ = false;
};

}  // namespace stiction
