#include "stiction/lcp/certificate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/linalg/equilibrate.h"

namespace stiction::lcp {

namespace {

/// w = M z + q, each component summed in extended precision and rounded once.
void residual_vector(const Problem& problem, const Vector& z, Vector& w) {
  const Index n = problem.size();
  thread_local std::vector<long double> sums;
  sums.assign(static_cast<std::size_t>(n), 0.0L);
  for (Index j = 0; j < n; ++j) {
    if (z[j] == 0.0) continue;
    const long double zj = z[j];
    problem.M.for_each_in_column(
        j, [&](Index i, double value) { sums[static_cast<std::size_t>(i)] += static_cast<long double>(value) * zj; });
  }
  w.resize(n);
  for (Index i = 0; i < n; ++i)
    w[i] = static_cast<double>(sums[static_cast<std::size_t>(i)] + static_cast<long double>(problem.q[i]));
}

}  // namespace

Certificate certify(const Problem& problem, const Vector& z, CertifyWork& work) {
  Certificate certificate;
  const Index n = problem.size();
  if (z.size() != n || !z.allFinite()) return certificate;
  linalg::equilibrate(problem.M, work.row_scale, work.column_scale);
  residual_vector(problem, z, work.w);
  if (!work.w.allFinite()) return certificate;

  double divisor = 0.0, residual = 0.0, violation = 0.0, equality = 0.0;
  Index worst = n > 0 ? 0 : -1;
  for (Index i = 0; i < n; ++i) {
    const double column = work.column_scale[i];
    const double zi = z[i] / column;
    const double wi = work.w[i] * work.row_scale[i];
    const double low = problem.lower_bound(i) / column;
    const double high = problem.upper_bound(i) / column;
    divisor = std::max({divisor, std::abs(zi), std::abs(problem.q[i] * work.row_scale[i])});
    violation = std::max({violation, low - zi, zi - high});
    if (problem.is_free(i)) equality = std::max(equality, std::abs(wi));
    const double error = std::abs(zi - std::clamp(zi - wi, low, high));
    if (error > residual) {
      residual = error;
      worst = i;
    }
  }
  if (divisor == 0.0) divisor = 1.0;
  certificate.residual = residual / divisor;
  certificate.bound_violation = violation / divisor;
  certificate.equality_residual = equality / divisor;
  certificate.worst = worst;
  return certificate;
}

Certificate certify(const Problem& problem, const Vector& z) {
  CertifyWork work;
  return certify(problem, z, work);
}

InfeasibilityProof certify_infeasible(const Problem& problem, const Vector& y) {
  InfeasibilityProof proof;
  const Index n = problem.size();
  if (y.size() != n || !y.allFinite()) return proof;
  Vector row_scale, column_scale;
  linalg::equilibrate(problem.M, row_scale, column_scale);

  // In equilibrated units y^_i = y_i / R_i, so that y^'(w^) = y'w.
  long double size = 0.0L, constant = 0.0L, largest_q = 0.0L;
  for (Index i = 0; i < n; ++i) {
    const bool may_be_negative = problem.upper_bound(i) < infinity;   // w_i < 0 is allowed on the upper bound
    const bool may_be_positive = problem.lower_bound(i) > -infinity;  // w_i > 0 is allowed on the lower bound
    if ((may_be_negative && y[i] > 0.0) || (may_be_positive && y[i] < 0.0)) return proof;
    size += std::abs(static_cast<long double>(y[i]) / row_scale[i]);
    constant += static_cast<long double>(y[i]) * problem.q[i];
    largest_q = std::max(largest_q, std::abs(static_cast<long double>(problem.q[i]) * row_scale[i]));
  }
  if (size == 0.0L) return proof;

  // max over z in its bounds of y'(M z + q): a finite bound takes part exactly, an infinite one needs the slope's sign.
  long double slope_left = 0.0L;
  for (Index j = 0; j < n; ++j) {
    long double slope = 0.0L;
    problem.M.for_each_in_column(j, [&](Index i, double value) { slope += static_cast<long double>(y[i]) * value; });
    const double bound = slope > 0.0L ? problem.upper_bound(j) : problem.lower_bound(j);
    if (slope == 0.0L) continue;
    if (std::isfinite(bound)) {
      constant += slope * bound;
    } else {
      const double reach = slope > 0.0L ? problem.lower_bound(j) : problem.upper_bound(j);
      if (std::isfinite(reach)) constant += slope * reach;  // |z_j| below is counted from its finite bound
      slope_left = std::max(slope_left, std::abs(slope) * column_scale[j]);
    }
  }
  proof.gap = static_cast<double>(-constant / size);
  if (!(proof.gap > 0.0)) return proof;
  proof.radius = slope_left > 0.0L ? static_cast<double>(-constant / slope_left) : infinity;
  proof.valid = proof.radius >= 1e6 * std::max(1.0, static_cast<double>(largest_q));
  return proof;
}

}  // namespace stiction::lcp
