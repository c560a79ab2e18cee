#pragma once

#include <vector>

#include "stiction/contact/step_problem.h"

/// Products of the judge of steps, which shares no code with any solver.
namespace stiction::judge {

/// row . v
inline double dot(const linalg::Rows& rows, int row, const Vector& v) {
  const auto columns = rows.columns(row);
  const auto values = rows.values(row);
  double sum = 0.0;
  for (std::size_t p = 0; p < columns.size(); ++p) sum += values[p] * v[columns[p]];
  return sum;
}

/// row diag(M)^-1 row' of all rows, found once: what a unit impulse along a row makes it move, as a scale. Zero for a
/// row without entries. Storage is kept.
struct Mobilities {
  Vector diagonal;  ///< Of M.
  std::vector<double> nu, n, t1, t2;

  void find(const StepProblem& problem) {
    diagonal.resize(problem.velocities());
    for (int i = 0; i < problem.velocities(); ++i) diagonal[i] = problem.M.coeff(i, i);
    fill(problem.nu, nu);
    fill(problem.n, n);
    fill(problem.t1, t1);
    fill(problem.t2, t2);
  }

 private:
  void fill(const linalg::Rows& rows, std::vector<double>& list) const {
    list.resize(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) {
      const auto columns = rows.columns(row);
      const auto values = rows.values(row);
      double& sum = list[static_cast<std::size_t>(row)];
      sum = 0.0;
      for (std::size_t p = 0; p < columns.size(); ++p) sum += values[p] * values[p] / diagonal[columns[p]];
    }
  }
};

/// row' v_alpha
inline double speed(const StepProblem& problem, const linalg::Rows& rows, int row, const Vector& v_plus) {
  if (problem.alpha == 1.0) return dot(rows, row, v_plus);
  return problem.alpha * dot(rows, row, v_plus) + (1.0 - problem.alpha) * dot(rows, row, problem.v);
}

}  // namespace stiction::judge
