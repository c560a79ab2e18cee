#include "stiction/lcp/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stiction/linalg/equilibrate.h"

namespace stiction::lcp {

namespace {

/// w = M z + q, each component summed in extended precision and rounded once, and the size of its terms.
void residual_vector(const Problem& problem, const Vector& z, Vector& w, Vector& terms) {
  struct Sum {
    long double value = 0.0L;
    double terms = 0.0;
  };
  const Index n = problem.size();
  thread_local std::vector<Sum> sums;
  sums.assign(static_cast<std::size_t>(n), {});
  for (Index j = 0; j < n; ++j) {
    if (z[j] == 0.0) continue;
    const long double zj = z[j];
    problem.M.for_each_in_column(j, [&](Index i, double value) {
      Sum& sum = sums[static_cast<std::size_t>(i)];
      sum.value += static_cast<long double>(value) * zj;
      sum.terms += std::abs(value * z[j]);
    });
  }
  w.resize(n);
  terms.resize(n);
  for (Index i = 0; i < n; ++i) {
    const Sum& sum = sums[static_cast<std::size_t>(i)];
    w[i] = static_cast<double>(sum.value + static_cast<long double>(problem.q[i]));
    terms[i] = sum.terms + std::abs(problem.q[i]);
  }
}

double distance_from_zero(double low, double high) {
  return std::max({low, -high, 0.0});
}

/// How far z is from zero and from its bound, whichever is nearer, where it may go to infinity.
double unbounded_part(double z, double low, double high) {
  if (low > -infinity && high < infinity) return 0.0;
  return std::min({std::abs(z), std::abs(z - low), std::abs(high - z)});
}

/// Sizes that fit one another and bounds that leave room: without them there is nothing to measure.
bool is_measurable(const Problem& problem, const Vector& z) {
  const Index n = problem.size();
  if (z.size() != n || problem.M.rows() != n || problem.M.cols() != n || !z.allFinite()) return false;
  if ((problem.lower.size() != 0 && problem.lower.size() != n) ||
      (problem.upper.size() != 0 && problem.upper.size() != n))
    return false;
  for (Index i = 0; i < n; ++i)
    if (!(problem.lower_bound(i) <= problem.upper_bound(i))) return false;
  return true;
}

// A row whose terms are all smaller than this part of the largest value is measured against that instead.
constexpr double least_row = 1e-6;
// What certify_infeasible forgives in M'y, equilibrated and with |y^|_1 = 1: the last bits of M.
// The least gap, beside the data: answers may be wrong by less.
constexpr double least_gap = 1e-7;
constexpr double last_bits = 8.0 * std::numeric_limits<double>::epsilon();

}  // namespace

Certificate certify(const Problem& problem, const Vector& z, CertifyWork& work) {
  Certificate certificate;
  if (!is_measurable(problem, z)) return certificate;
  const Index n = problem.size();
  linalg::equilibrate(problem.M, work.row_scale, work.column_scale);
  residual_vector(problem, z, work.w, work.terms);

  double largest_z = 0.0, largest_q = 0.0, data = 0.0, distance = 0.0;
  double largest_error = 0.0, violation = 0.0, equality = 0.0;
  Index worst = n > 0 ? 0 : -1;
  work.error.resize(n);
  for (Index i = 0; i < n; ++i) {
    const double row = work.row_scale[i], column = work.column_scale[i];
    const double zi = z[i] / column, wi = work.w[i] * row;
    const double low = problem.lower_bound(i) / column, high = problem.upper_bound(i) / column;
    // z - mid(l, u, z - w), written so that a w that is small beside z is not lost.
    const double error = work.error[i] = std::abs(std::clamp(wi, zi - high, zi - low));
    if (!std::isfinite(error) || !std::isfinite(zi) || !std::isfinite(work.terms[i] * row)) return certificate;
    largest_z = std::max(largest_z, std::abs(zi));
    largest_q = std::max(largest_q, std::abs(problem.q[i] * row));
    data = std::max(data, distance_from_zero(low, high));
    distance += unbounded_part(zi, low, high);
    violation = std::max({violation, low - zi, zi - high});
    if (problem.is_free(i)) equality = std::max(equality, std::abs(wi));
    if (error > largest_error) {
      largest_error = error;
      worst = i;
    }
  }
  data = std::max(data, largest_q);
  const double largest = std::max(largest_z, largest_q);
  const double divisor = largest > 0.0 ? largest : 1.0;
  certificate.row_residual = 0.0;
  for (Index i = 0; i < n; ++i) {
    const double terms = work.terms[i] * work.row_scale[i] + std::abs(z[i]) / work.column_scale[i];
    certificate.row_residual = std::max(certificate.row_residual, work.error[i] / (terms + least_row * divisor));
  }
  certificate.residual = largest_error / divisor;
  certificate.data_residual = largest_error / (data > 0.0 ? data : divisor);
  certificate.distance = data > 0.0 ? distance / data : 0.0;
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
  if (!is_measurable(problem, y)) return proof;
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

  // Each term of M'y may be off by the last bits of M. The largest of slope * z_j over [lower, upper]: where the slope
  // points to an infinite bound it should have been zero, and z_j is counted from zero or from its bound.
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
      if (std::isfinite(behind)) constant += std::max(slope * behind, 0.0L);
      largest_slope = std::max(largest_slope, std::abs(slope) * column_scale[j]);
    }
  }
  proof.gap = static_cast<double>(-constant / size);
  proof.slope = static_cast<double>(largest_slope / size);
  if (!(proof.gap > 0.0)) return proof;
  proof.radius = largest_slope > 0.0L ? static_cast<double>(-constant / largest_slope) : infinity;
  const auto unit = static_cast<double>(data);
  proof.valid = proof.slope <= last_bits && proof.radius > Certificate::farthest * unit && proof.gap > least_gap * unit;
  return proof;
}

}  // namespace stiction::lcp
