#include "stiction/lcp/scaled_problem.h"

#include <algorithm>
#include <cmath>

#include "stiction/linalg/equilibrate.h"

namespace stiction::lcp {

void ScaledProblem::load(const Problem& problem) {
  const Index n = problem.size();
  linalg::equilibrate(problem.M, row_scale, column_scale);
  M.setZero(n, n);
  q.resize(n);
  lower.resize(n);
  upper.resize(n);
  for (Index j = 0; j < n; ++j) {
    problem.M.for_each_in_column(j, [&](Index i, double value) { M(i, j) = value * row_scale[i] * column_scale[j]; });
    q[j] = problem.q[j] * row_scale[j];
    lower[j] = problem.lower_bound(j) / column_scale[j];
    upper[j] = problem.upper_bound(j) / column_scale[j];
  }
}

double ScaledProblem::resting_value(Index i, Place place) const {
  if (is_free(i)) return 0.0;
  return place == Place::upper ? upper[i] : lower[i];
}

void ScaledProblem::residual(const Vector& z, Vector& w) const {
  w = q;
  for (Index j = 0; j < size(); ++j)
    if (z[j] != 0.0) w += z[j] * M.col(j);
}

double ScaledProblem::magnitude(const Vector& z) const {
  if (size() == 0) return 1.0;
  const double largest = std::max(z.cwiseAbs().maxCoeff(), q.cwiseAbs().maxCoeff());
  return largest > 0.0 ? largest : 1.0;
}

double ScaledProblem::natural_residual(const Vector& z, const Vector& w) const {
  double residual = 0.0;
  for (Index i = 0; i < size(); ++i)
    residual = std::max(residual, std::abs(std::clamp(w[i], z[i] - upper[i], z[i] - lower[i])));
  return residual / magnitude(z);
}

void ScaledProblem::unscale(const Problem& problem, const Vector& z, Vector& result) const {
  result.resize(size());
  for (Index i = 0; i < size(); ++i)
    result[i] = std::clamp(z[i] * column_scale[i], problem.lower_bound(i), problem.upper_bound(i));
}

void guess_places(const ScaledProblem& problem, const Vector& z, const Vector& w, std::vector<Place>& places) {
  places.resize(static_cast<std::size_t>(problem.size()));
  for (Index i = 0; i < problem.size(); ++i) {
    if (problem.is_fixed(i) || z[i] - w[i] <= problem.lower[i])
      places[i] = Place::lower;
    else
      places[i] = z[i] - w[i] >= problem.upper[i] ? Place::upper : Place::basic;
  }
}

}  // namespace stiction::lcp
