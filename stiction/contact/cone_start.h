#pragma once

#include <span>
#include <vector>

#include "stiction/cone/cascade.h"
#include "stiction/contact/islands.h"
#include "stiction/contact/step_problem.h"
#include "stiction/linalg/sparse_lu.h"
#include "stiction/linalg/triplets.h"

namespace stiction {

/// An island as a cone problem u = W r + q (stiction/cone), solved by its cascade as far as Lemke's method: a start for
/// Newton's method where Lemke's path would be long. Joints are eliminated with the velocities,
///
///     W = alpha J K^-1 J',   K = [M, -nu; alpha nu', compliance],
///
/// a little soft, so that joints that say the same twice do no harm. Nothing is promised of what is found: the step's
/// problem decides.
///
/// Friction whose radius is not mu times the normal impulse of the same contact (torsional, rolling and dry friction;
/// drives with bounds) is a cone contact too, with a normal row that is no motion but a copy of its radius,
///
///     u_n = d (r_n - mu c_n - hf),   mu of the cone 1,
///
/// with c_n >= 0 of the contact that bears it: u_n >= 0, r_n >= 0, u_n r_n = 0 leave r_n = mu c_n + hf alone. W is then
/// not symmetric.
class ConeStart {
 public:
  /// Contacts of an island from which on it comes before Newton's method from nothing, and before Lemke's.
  static constexpr std::size_t worth_it = 6;

  /// Starts from the impulses of `solution` and writes the island's velocities and impulses found. False, and nothing
  /// changed, where the island has what a cone problem has not (drives with a bound on one side alone) or no answer was
  /// found.
  bool find(const StepProblem& problem, const Islands& islands, int island, StepSolution& solution);

  /// The island with the true cone, for whoever stores it. Empty contacts where it has no such form.
  [[nodiscard]] const cone::Problem& condense(const StepProblem& problem, const Islands& islands, int island);

 private:
  /// One contact of the cone problem.
  struct Part {
    int contact = -1;           ///< Of the step's problem,
    int drive = -1;             ///< or a row of nu.
    bool bears = false;         ///< Has the normal of that contact,
    bool rubs = false;          ///< its friction.
    int carrier = -1;           ///< The part whose normal impulse bounds its friction, where that is another one,
    double mu = 0.0, hf = 0.0;  ///< by mu c_n + hf.
    double center = 0.0;        ///< Of a drive's bounds.
  };

  /// What moves along an axis of a part; nothing for a copy, and where there is no friction.
  struct Row {
    const linalg::Rows* rows = nullptr;
    int index = 0;
    double offset = 0.0;
    [[nodiscard]] std::span<const int> columns() const {
      return rows != nullptr ? std::span<const int>(rows->columns(index)) : std::span<const int>();
    }
    [[nodiscard]] std::span<const double> values() const {
      return rows != nullptr ? std::span<const double>(rows->values(index)) : std::span<const double>();
    }
  };

  [[nodiscard]] static Row row_of(const StepProblem& problem, const Part& part, int axis);
  [[nodiscard]] bool divide(const StepProblem& problem, const Islands& islands, int island);
  void add_contact(const StepProblem& problem, int j);
  void factorise(const StepProblem& problem, const Islands& islands);
  void fill_matrix(const StepProblem& problem, const Islands& islands);
  void add_radius(const StepProblem& problem, int at);
  void fill_vectors(const StepProblem& problem, const Islands& islands);
  void load(const StepProblem& problem, const StepSolution& solution);
  void write(StepSolution& solution) const;
  /// free_ = K^-1 (M v + k + J'r, -b_nu - ...).
  void find_velocity(const StepProblem& problem, const Islands& islands, const Vector* r);

  std::span<const int> velocities_, contacts_;
  std::vector<int> joints_;  ///< Rows of nu without bounds.
  std::vector<Part> parts_;
  std::vector<double> mobility_;  ///< By part: the larger of its friction's rows; d above.
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
