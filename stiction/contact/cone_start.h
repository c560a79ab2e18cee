#pragma once

#include <span>
#include <vector>

#include "stiction/cone/cascade.h"
#include "stiction/contact/islands.h"
#include "stiction/contact/step_problem.h"
#include "stiction/linalg/sparse_lu.h"
#include "stiction/linalg/triplets.h"

namespace stiction {

/// An island's contacts as a cone problem u = W r + q (stiction/cone), solved by its cascade as far as Lemke's method:
/// a start for Newton's method where Lemke's path would be long. Joints are eliminated with the velocities,
///
///     W = alpha J K^-1 J',   K = [M, -nu; alpha nu', compliance],
///
/// a little soft, so that joints that say the same twice do no harm. Nothing is promised of what is found: the step's
/// problem decides.
class ConeStart {
 public:
  /// Contacts of an island from which on it comes before Newton's method from nothing, and before Lemke's.
  static constexpr std::size_t worth_it = 6;

  /// Starts from the impulses of `solution` and writes the island's velocities and impulses found. False, and nothing
  /// changed, where the island has what a cone problem has not (drives with bounds, friction without a normal force of
  /// its own) or no answer was found.
  bool find(const StepProblem& problem, const Islands& islands, int island, StepSolution& solution);

  /// The island's contacts with the true cone, for whoever stores it. Empty contacts where it has no such form.
  [[nodiscard]] const cone::Problem& condense(const StepProblem& problem, const Islands& islands, int island);

 private:
  [[nodiscard]] bool has_cone_form(const StepProblem& problem) const;
  void begin(const Islands& islands, int island);
  void factorise(const StepProblem& problem, const Islands& islands);
  void fill_matrix(const StepProblem& problem, const Islands& islands);
  void fill_vectors(const StepProblem& problem, const Islands& islands);
  /// free_ = K^-1 (M v + k + J'r, -b_nu - ...).
  void find_velocity(const StepProblem& problem, const Islands& islands, const Vector* r);

  std::span<const int> velocities_, joints_, contacts_;
  linalg::SparseLu lu_;
  linalg::Triplets triplets_;
  SparseMatrix kkt_;
  std::vector<double> column_, free_;
  std::vector<std::vector<std::pair<int, double>>> touching_;  ///< By velocity: the rows of J and their entries.
  std::vector<double> product_;
  std::vector<int> touched_;
  cone::Problem cone_;
  cone::Solution answer_;
  cone::Cascade cascade_{cone::Cascade::Effort::patient};
};

}  // namespace stiction
