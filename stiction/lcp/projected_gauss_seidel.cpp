#include "stiction/lcp/projected_gauss_seidel.h"

#include <algorithm>
#include <cmath>

#include "stiction/linalg/equilibrate.h"

namespace stiction::lcp {

void ProjectedGaussSeidel::load(const Problem& problem) {
  const Index n = problem.size();
  linalg::equilibrate(problem.M, row_scale_, column_scale_);
  diagonal_.setZero(n);
  row_starts_.assign(static_cast<std::size_t>(n) + 1, 0);
  for (Index j = 0; j < n; ++j)
    problem.M.for_each_in_column(j, [&](Index i, double) { row_starts_[i + 1] += i == j ? 0 : 1; });
  for (Index i = 0; i < n; ++i) row_starts_[i + 1] += row_starts_[i];
  row_columns_.resize(static_cast<std::size_t>(row_starts_[n]));
  row_values_.resize(row_columns_.size());
  row_ends_.assign(row_starts_.begin(), row_starts_.end() - 1);
  for (Index j = 0; j < n; ++j)
    problem.M.for_each_in_column(j, [&](Index i, double value) {
      if (i == j) {
        diagonal_[j] = value;
        return;
      }
      const Index p = row_ends_[i]++;
      row_columns_[p] = j;
      row_values_[p] = value;
    });
}

double ProjectedGaussSeidel::row_times(Index i, const Vector& z) const {
  double sum = diagonal_[i] * z[i];
  for (Index p = row_starts_[i]; p < row_starts_[i + 1]; ++p) sum += row_values_[p] * z[row_columns_[p]];
  return sum;
}

double ProjectedGaussSeidel::sweep(const Problem& problem, Vector& z, double& largest_z) const {
  double residual = 0.0;
  largest_z = 0.0;
  for (Index i = 0; i < problem.size(); ++i) {
    const double w = row_times(i, z) + problem.q[i];
    const double low = problem.lower_bound(i), high = problem.upper_bound(i), unit = column_scale_[i];
    const double zi = z[i] / unit;
    residual = std::max(residual, std::abs(std::clamp(w * row_scale_[i], zi - high / unit, zi - low / unit)));
    if (diagonal_[i] > 0.0)
      z[i] = std::clamp(z[i] - options_.relaxation * w / diagonal_[i], low, high);
    else if (w > 0.0 && low != -infinity)
      z[i] = low;
    else if (w < 0.0 && high != infinity)
      z[i] = high;
    largest_z = std::max(largest_z, std::abs(z[i]) / unit);
  }
  return residual;
}

void ProjectedGaussSeidel::write_places(const Problem& problem, Solution& solution) const {
  solution.basis.resize(static_cast<std::size_t>(problem.size()));
  for (Index i = 0; i < problem.size(); ++i) {
    const double z = solution.z[i] / column_scale_[i];
    const double moved = z - row_scale_[i] * (row_times(i, solution.z) + problem.q[i]);
    if (moved <= problem.lower_bound(i) / column_scale_[i])
      solution.basis[i] = Place::lower;
    else
      solution.basis[i] = moved >= problem.upper_bound(i) / column_scale_[i] ? Place::upper : Place::basic;
  }
}

void ProjectedGaussSeidel::run(const Problem& problem, Solution& solution) {
  if (!(options_.relaxation > 0.0 && options_.relaxation < 2.0)) return;
  const Index n = problem.size();
  load(problem);
  Vector& z = solution.z;
  if (z.size() != n || !z.allFinite()) z.setZero(n);
  double scale = 0.0;
  for (Index i = 0; i < n; ++i) {
    z[i] = std::clamp(z[i], problem.lower_bound(i), problem.upper_bound(i));
    scale = std::max({scale, std::abs(z[i]) / column_scale_[i], std::abs(problem.q[i]) * row_scale_[i]});
  }

  solution.status = Status::iteration_limit;
  for (int s = 0; s < options_.max_sweeps && solution.status == Status::iteration_limit; ++s) {
    double largest_z = 0.0;
    const double residual = sweep(problem, z, largest_z);
    solution.iterations = s + 1;
    if (residual <= options_.stop_at * tolerance * std::max(largest_z, scale))
      solution.status = Status::solved;
    else if (!(largest_z <= options_.divergence * scale))
      solution.status = Status::ray;
  }
  write_places(problem, solution);
}

}  // namespace stiction::lcp
