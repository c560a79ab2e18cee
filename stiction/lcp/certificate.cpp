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

double distance_from_zero(double low, double high) {
  return std::max({low, -high, 0.0});
}

// What certify_infeasible forgives, asks for, and asks for again (see there).
constexpr double rounding = 1e-13;
constexpr double least_radius = 1e6;
constexpr double least_gap = 1e-7;

}  // namespace

Certificate certify(const Problem& problem, const Vector& z, CertifyWork& work) {
  Certificate certificate;
  const Index n = problem.size();
  if (z.size() != n || !z.allFinite()) return certificate;
  linalg::equilibrate(problem.M, work.row_scale, work.column_scale);
  residual_vector(problem, z, work.w);
  if (!work.w.allFinite()) return certificate;

  double largest_z = 0.0, largest_q = 0.0, data = 0.0, largest_error = 0.0, violation = 0.0, equality = 0.0;
  Index worst = n > 0 ? 0 : -1;
  for (Index i = 0; i < n; ++i) {
    const double column = work.column_scale[i];
    const double zi = z[i] / column;
    const double wi = work.w[i] * work.row_scale[i];
    const double low = problem.lower_bound(i) / column;
    const double high = problem.upper_bound(i) / column;
    largest_z = std::max(largest_z, std::abs(zi));
    largest_q = std::max(largest_q, std::abs(problem.q[i] * work.row_scale[i]));
    data = std::max(data, distance_from_zero(low, high));
    violation = std::max({violation, low - zi, zi - high});
    if (problem.is_free(i)) equality = std::max(equality, std::abs(wi));
    const double error = std::abs(zi - std::clamp(zi - wi, low, high));
    if (error > largest_error) {
      largest_error = error;
      worst = i;
    }
  }
  data = std::max(data, largest_q);
  const double largest = std::max(largest_z, largest_q);
  const double divisor = largest > 0.0 ? largest : 1.0;
  certificate.residual = largest_error / divisor;
  certificate.data_residual = largest_error / (data > 0.0 ? data : divisor);
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

  // In equilibrated units y^_i = y_i / R_i, so that y^'w^ = y'w.
  long double size = 0.0L, constant = 0.0L, data = 0.0L;
  for (Index i = 0; i < n; ++i) {
    const double low = problem.lower_bound(i), high = problem.upper_bound(i);
    const bool w_may_be_negative = high < infinity;  // on the upper bound
    const bool w_may_be_positive = low > -infinity;  // on the lower bound
    if ((w_may_be_negative && y[i] > 0.0) || (w_may_be_positive && y[i] < 0.0)) return proof;
    size += std::abs(static_cast<long double>(y[i]) / row_scale[i]);
    constant += static_cast<long double>(y[i]) * problem.q[i];
    data = std::max({data, std::abs(static_cast<long double>(problem.q[i]) * row_scale[i]),
                     static_cast<long double>(distance_from_zero(low, high)) / column_scale[i]});
  }
  if (size == 0.0L) return proof;

  // The largest of slope * z_j over [lower, upper]: where the slope points to an infinite bound it should have been
  // zero, and the other bound, or zero for a free variable, is where z_j's distance is counted from.
  long double largest_slope = 0.0L;
  for (Index j = 0; j < n; ++j) {
    long double slope = 0.0L;
    problem.M.for_each_in_column(j, [&](Index i, double value) { slope += static_cast<long double>(y[i]) * value; });
    if (slope == 0.0L) continue;
    const double ahead = slope > 0.0L ? problem.upper_bound(j) : problem.lower_bound(j);
    const double behind = slope > 0.0L ? problem.lower_bound(j) : problem.upper_bound(j);
    if (std::isfinite(ahead)) {
      constant += slope * ahead;
    } else {
      if (std::isfinite(behind)) constant += slope * behind;
      largest_slope = std::max(largest_slope, std::abs(slope) * column_scale[j]);
    }
  }
  proof.gap = static_cast<double>(-constant / size);
  proof.slope = static_cast<double>(largest_slope / size);
  if (!(proof.gap > 0.0)) return proof;
  proof.radius = largest_slope > 0.0L ? static_cast<double>(-constant / largest_slope) : infinity;
  const auto unit = static_cast<double>(data);
  proof.valid = proof.slope <= rounding && proof.radius >= least_radius * unit && proof.gap >= least_gap * unit;
  return proof;
}

}  // namespace stiction::lcp
