#include "stiction/cone/contradiction.h"

#include <Eigen/SparseLU>
#include <cmath>
#include <limits>

#include "stiction/cone/precise_sum.h"

namespace stiction::cone {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

bool is_bounded(const FactorForm& form, Index row) {
  return form.lower.size() != 0 && (std::isfinite(form.lower[row]) || std::isfinite(form.upper[row]));
}

/// p = G y, each number made larger by what rounding may have taken from it.
Vector find_momentum(const FactorForm& form, const Vector& y) {
  std::vector<PreciseSum> sums(static_cast<std::size_t>(form.velocities()));
  for (Index row = 0; row < form.rows(); ++row)
    for (SparseMatrix::InnerIterator it(form.G, row); it; ++it)
      sums[static_cast<std::size_t>(it.row())].add(it.value(), y[row]);
  Vector p(form.velocities());
  for (Index i = 0; i < p.size(); ++i) {
    const PreciseSum& sum = sums[static_cast<std::size_t>(i)];
    p[i] = sum.value() + std::copysign(sum.rounding(), sum.value());
  }
  return p;
}

/// The sum of |z_i| rho_i, i of `width` columns of A each. Nothing is solved for where z is zero.
double find_reach(const FactorForm& form, const Eigen::SparseLU<SparseMatrix>& factors, const SparseMatrix& A,
                  const Vector& z, Index width, const Vector& compliance) {
  double sum = 0.0;
  for (Index first = 0; first < z.size(); first += width) {
    const double size = z.segment(first, width).stableNorm();
    if (size == 0.0) continue;
    double trace = 0.0;
    for (Index j = first; j < first + width; ++j) {
      const Vector column = A.col(j);
      trace += form.alpha * column.dot(factors.solve(column)) + (compliance.size() != 0 ? compliance[j] : 0.0);
    }
    sum += trace > 0.0 ? size * static_cast<double>(width) / trace : std::numeric_limits<double>::infinity();
  }
  return sum;
}

}  // namespace

InfeasibilityProof certify_contradiction(const FactorForm& form, const Vector& y) {
  InfeasibilityProof proof;
  if (y.size() != form.rows() || !y.allFinite()) return proof;
  for (Index row = 0; row < form.rows(); ++row)
    if (y[row] != 0.0 && is_bounded(form, row)) return proof;
  Eigen::SparseLU<SparseMatrix> factors(form.M);
  if (factors.info() != Eigen::Success) return proof;
  Vector free = form.alpha * factors.solve(form.f);
  if (form.v0.size() != 0) free += form.v0;
  const Vector p = find_momentum(form, y);

  PreciseSum constant;
  double speed = 0.0, size = 0.0;
  for (Index row = 0; row < form.rows(); ++row) {
    if (y[row] == 0.0) continue;
    constant.add(form.d[row], y[row]);
    const Vector column = form.G.col(row);
    speed = std::max(speed, std::abs(form.d[row]) + column.cwiseAbs().dot(free.cwiseAbs()));
    size += std::abs(y[row]);
  }
  const double gap = std::abs(constant.value()) - constant.rounding() - p.cwiseAbs().dot(free.cwiseAbs());
  if (!(gap > 0.0)) return proof;

  const Vector moved = form.alpha * factors.transpose().solve(p);
  const Vector on_contacts = form.H.transpose() * moved;
  Vector on_joints = form.G.transpose() * moved;
  if (form.compliance.size() != 0) on_joints += form.compliance.cwiseProduct(y);
  // The last digits of M^-1 are not known.
  const double length = 1.01 * std::hypot(on_contacts.stableNorm(), on_joints.stableNorm());
  proof.bound = gap / length;
  const double unseen = find_reach(form, factors, form.H, on_contacts, form.dimension, {}) +
                        find_reach(form, factors, form.G, on_joints, 1, form.compliance);
  const double reach = speed * (2.0 * size + 1.01 * unseen / eps);
  if (std::isfinite(reach) && reach > 0.0) proof.least_tolerance = gap / reach;
  if (!(proof.least_tolerance > 0.0)) proof.bound = 0.0;
  return proof;
}

}  // namespace stiction::cone
