#include "stiction/cone/contradiction.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stiction/cone/factor_parts.h"
#include "stiction/cone/precise_sum.h"

namespace stiction::cone {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

bool is_bounded(const FactorForm& form, Index row) {
  return form.lower.size() != 0 && (std::isfinite(form.lower[row]) || std::isfinite(form.upper[row]));
}

/// p = J pushes + G y, each number made larger by what rounding may have taken from it.
Vector find_momentum(const SparseMatrix& J, const Vector& pushes, const SparseMatrix& G, const Vector& y) {
  std::vector<PreciseSum> sums(static_cast<std::size_t>(J.rows()));
  const auto add = [&](const SparseMatrix& A, const Vector& x) {
    for (Index j = 0; j < x.size(); ++j)
      for (SparseMatrix::InnerIterator it(A, j); it; ++it)
        if (x[j] != 0.0) sums[static_cast<std::size_t>(it.row())].add(it.value(), x[j]);
  };
  add(J, pushes);
  add(G, y);
  Vector p(J.rows());
  for (Index i = 0; i < p.size(); ++i) {
    const PreciseSum& sum = sums[static_cast<std::size_t>(i)];
    p[i] = sum.value() + std::copysign(sum.rounding(), sum.value());
  }
  return p;
}

/// The larger axis of the cone of a contact.
double find_friction(const FactorForm& form, Index contact) {
  return form.mu2.size() == 0 ? form.mu[contact] : std::max(form.mu[contact], form.mu2[contact]);
}

/// Zero or more where something bears, zero elsewhere.
bool is_push(const FactorForm& form, const std::vector<FactorPart>& parts, const Vector& pushes) {
  if (pushes.size() != static_cast<Index>(parts.size()) * form.dimension || !pushes.allFinite()) return false;
  for (Index i = 0; i < pushes.size(); ++i) {
    const bool bears = i % form.dimension == 0 && parts[static_cast<std::size_t>(i / form.dimension)].bears;
    if (bears ? pushes[i] < 0.0 : pushes[i] != 0.0) return false;
  }
  return true;
}

/// What y is multiplied with, and how much of it there is.
class Combination {
 public:
  Combination(const Vector& free, double speed) : free_(free), speed_(speed) {}
  void add(double y, double offset, const SparseMatrix& columns, Index column, double weight) {
    if (y == 0.0) return;
    constant_.add(offset, y);
    double size = std::abs(offset);
    for (SparseMatrix::InnerIterator it(columns, column); it; ++it) size += std::abs(it.value() * free_[it.row()]);
    speed_ = std::max(speed_, size);
    size_ += weight * std::abs(y);
  }
  [[nodiscard]] const PreciseSum& constant() const { return constant_; }
  [[nodiscard]] double speed() const { return speed_; }
  [[nodiscard]] double size() const { return size_; }

 private:
  const Vector& free_;
  PreciseSum constant_;
  double speed_, size_ = 0.0;
};

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

InfeasibilityProof certify_contradiction(const FactorForm& form, const Vector& y, const Vector& pushes, double speed) {
  InfeasibilityProof proof;
  if (y.size() != form.rows() || !y.allFinite()) return proof;
  for (Index row = 0; row < form.rows(); ++row)
    if (y[row] != 0.0 && is_bounded(form, row)) return proof;
  const std::vector<FactorPart> parts = find_parts(form);
  const bool has_pushes = pushes.size() != 0;
  if (has_pushes && !is_push(form, parts, pushes)) return proof;
  Eigen::SparseLU<SparseMatrix> factors(form.M);
  if (factors.info() != Eigen::Success) return proof;

  const int dimension = form.dimension;
  const SparseMatrix J = find_pushes(form, parts);
  const Vector offsets = find_offsets(form, parts);
  Vector momentum = form.f, compliance = Vector::Zero(J.cols());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const FactorPart& part = parts[i];
    if (part.row < 0) continue;
    momentum += part.shift * form.G.col(part.row);
    if (form.compliance.size() != 0)
      compliance[static_cast<Index>(i) * dimension + axis_of_row(part)] = form.compliance[part.row];
  }
  Vector free = form.alpha * factors.solve(momentum);
  if (form.v0.size() != 0) free += form.v0;
  const Vector p = find_momentum(J, pushes, form.G, y);

  Combination all(free, speed);
  double unsure = 0.0;  // offsets of rows with a compliance are rounded
  for (Index row = 0; row < form.rows(); ++row) all.add(y[row], form.d[row], form.G, row, 2.0);
  for (Index i = 0; i < pushes.size(); ++i) {
    const FactorPart& part = parts[static_cast<std::size_t>(i / dimension)];
    const double mu = part.contact >= 0 && part.rubs ? find_friction(form, part.contact) : 0.0;
    all.add(pushes[i], offsets[i], J, i, 2.0 * std::sqrt(1.0 + mu * mu));
    if (compliance[i] > 0.0)
      unsure += 2.0 * eps * pushes[i] * (std::abs(offsets[i]) + std::abs(part.shift * compliance[i]));
  }
  const double constant = all.constant().value();
  const double gap = (has_pushes ? -constant : std::abs(constant)) - all.constant().rounding() - unsure -
                     p.cwiseAbs().dot(free.cwiseAbs());
  if (!(gap > 0.0)) return proof;

  const Vector moved = form.alpha * factors.transpose().solve(p);
  Vector on_contacts = J.transpose() * moved, on_joints = form.G.transpose() * moved;
  if (has_pushes) on_contacts += compliance.cwiseProduct(pushes);
  if (form.compliance.size() != 0) on_joints += form.compliance.cwiseProduct(y);
  // The last digits of M^-1 are not known.
  const double length = 1.01 * std::hypot(on_contacts.stableNorm(), on_joints.stableNorm());
  proof.bound = gap / length;
  const double unseen = find_reach(form, factors, J, on_contacts, dimension, compliance) +
                        find_reach(form, factors, form.G, on_joints, 1, form.compliance);
  const double reach = all.speed() * (all.size() + 1.01 * unseen / eps);
  if (std::isfinite(reach) && reach > 0.0) proof.least_tolerance = gap / reach;
  if (!(proof.least_tolerance > 0.0)) proof.bound = 0.0;
  return proof;
}

}  // namespace stiction::cone
