#pragma once

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

/// row diag(M)^-1 row': what a unit impulse along the row makes it move, as a scale. Zero for a row without entries.
inline double mobility(const StepProblem& problem, const linalg::Rows& rows, int row) {
  const auto columns = rows.columns(row);
  const auto values = rows.values(row);
  double sum = 0.0;
  for (std::size_t p = 0; p < columns.size(); ++p)
    sum += values[p] * values[p] / problem.M.coeff(columns[p], columns[p]);
  return sum;
}

/// row' v_alpha
inline double speed(const StepProblem& problem, const linalg::Rows& rows, int row, const Vector& v_plus) {
  return problem.alpha * dot(rows, row, v_plus) + (1.0 - problem.alpha) * dot(rows, row, problem.v);
}

}  // namespace stiction::judge
