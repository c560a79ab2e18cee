#include "stiction/cone/factor_form.h"

#include <Eigen/QR>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <new>
#include <numeric>

#include "stiction/cone/contradiction.h"
#include "stiction/cone/factor_parts.h"

namespace stiction::cone {

namespace {

// Joints that contradict each other by more than this part of what they ask for have no velocity,
constexpr double contradiction = 1e-8;
// unless that is the rounding of speeds of which they ask for a difference.
constexpr double cancellation = 1e-13;
// Pivots below this part of the largest are zero: rows that depend on each other do so to about 1e-15.
constexpr double rank_tolerance = 1e-11;

using Factors = Eigen::CompleteOrthogonalDecomposition<DenseMatrix>;
using Triplets = std::vector<Eigen::Triplet<double>>;

/// u = W r + V c + q with 0 = V2 r + R c + s. V2 by columns is V2' by rows.
struct Reduced {
  SparseMatrix W, V, V2_transposed, R;
  Vector q, s;
  Vector free, free_s;   ///< The same without the middles of bounds.
  Vector terms;          ///< The sizes of what s was summed from.
  Vector contradiction;  ///< y with R'y = 0 and s'y not zero, where joints contradict each other. Otherwise empty.
};

/// The rows of R that belong together: groups[row], numbered by their first row.
std::vector<std::vector<Index>> find_groups(const SparseMatrix& R) {
  std::vector<Index> parent(static_cast<std::size_t>(R.rows()));
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index i) {
    while (parent[static_cast<std::size_t>(i)] != i)
      i = parent[static_cast<std::size_t>(i)] = parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(i)])];
    return i;
  };
  for (Index j = 0; j < R.cols(); ++j)
    for (SparseMatrix::InnerIterator it(R, j); it; ++it) {
      const Index a = root(it.row()), b = root(j);
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  std::vector<std::vector<Index>> by_root(parent.size()), groups;
  for (Index i = 0; i < R.rows(); ++i) by_root[static_cast<std::size_t>(root(i))].push_back(i);
  for (auto& group : by_root)
    if (!group.empty()) groups.push_back(std::move(group));
  return groups;
}

/// The rows of A that columns `group` touch, and those columns as a dense matrix over these rows.
DenseMatrix gather(const SparseMatrix& A, const std::vector<Index>& group, std::vector<Index>& rows) {
  std::vector<char> is_touched(static_cast<std::size_t>(A.rows()), 0);
  for (const Index j : group)
    for (SparseMatrix::InnerIterator it(A, j); it; ++it) is_touched[static_cast<std::size_t>(it.row())] = 1;
  std::vector<Index> place(is_touched.size(), -1);
  rows.clear();
  for (std::size_t i = 0; i < is_touched.size(); ++i) {
    if (is_touched[i] == 0) continue;
    place[i] = static_cast<Index>(rows.size());
    rows.push_back(static_cast<Index>(i));
  }
  DenseMatrix dense = DenseMatrix::Zero(static_cast<Index>(rows.size()), static_cast<Index>(group.size()));
  for (std::size_t k = 0; k < group.size(); ++k)
    for (SparseMatrix::InnerIterator it(A, group[k]); it; ++it)
      dense(place[static_cast<std::size_t>(it.row())], static_cast<Index>(k)) = it.value();
  return dense;
}

std::string too_many(const char* what, Index found, Index limit) {
  return std::string(what) + ": " + std::to_string(found) + ", at most " + std::to_string(limit) +
         " are condensed; take fewer contacts or joints at once";
}

/// Mechanism by mechanism, so that W stays sparse. Empty on success.
std::string eliminate_joints(Reduced& reduced, const CondenseLimits& limits) {
  Triplets changes;
  std::vector<Index> rows, columns;
  for (const std::vector<Index>& group : find_groups(reduced.R)) {
    const auto size = static_cast<Index>(group.size());
    if (size > limits.joints) return too_many("rows of joints of one mechanism", size, limits.joints);
    DenseMatrix R(size, size);
    const Vector s = reduced.s(group);
    for (Index j = 0; j < size; ++j)
      for (Index i = 0; i < size; ++i)
        R(i, j) = reduced.R.coeff(group[static_cast<std::size_t>(i)], group[static_cast<std::size_t>(j)]);
    Factors factors;
    factors.setThreshold(rank_tolerance);
    factors.compute(R);
    const Vector c = factors.solve(s), free_c = factors.solve(reduced.free_s(group));
    const double least = cancellation * reduced.terms(group).norm();
    if (Vector rest = s - R * c; rest.norm() > std::max(contradiction * s.norm(), least)) {
      rest -= R * factors.solve(rest);  // of the first difference only the leading digits are right
      if (reduced.contradiction.size() == 0) reduced.contradiction.setZero(reduced.s.size());
      if (reduced.contradiction.isZero(0.0)) reduced.contradiction(group) = rest / rest.norm();
    }
    const DenseMatrix V = gather(reduced.V, group, rows), V2 = gather(reduced.V2_transposed, group, columns);
    const Index count = static_cast<Index>(changes.size()) + reduced.W.nonZeros() + V.rows() * V2.rows();
    if (count > limits.entries) return too_many("entries of W", count, limits.entries);
    if (rows.empty()) continue;  // a mechanism that nothing touches
    DenseMatrix change(V.rows(), V2.rows());
    if (!columns.empty()) change = V * factors.solve(V2.transpose());
    const Vector moved = V * c, free_moved = V * free_c;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      reduced.q[rows[i]] -= moved[static_cast<Index>(i)];
      reduced.free[rows[i]] -= free_moved[static_cast<Index>(i)];
      for (std::size_t j = 0; j < columns.size(); ++j)
        changes.emplace_back(rows[i], columns[j], -change(static_cast<Index>(i), static_cast<Index>(j)));
    }
  }
  SparseMatrix change(reduced.W.rows(), reduced.W.cols());
  change.setFromTriplets(changes.begin(), changes.end());
  reduced.W += change;
  return {};
}

/// The normal rows of parts that have none of their own, and the compliance of rows.
void add_laws(const FactorForm& form, const std::vector<FactorPart>& parts, Reduced& reduced) {
  Triplets triplets;
  const int dimension = form.dimension;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const FactorPart& part = parts[p];
    const Index first = static_cast<Index>(p) * dimension;
    const double compliance = part.row >= 0 && form.compliance.size() != 0 ? form.compliance[part.row] : 0.0;
    if (part.bears) {
      if (compliance > 0.0) triplets.emplace_back(first, first, compliance);
      continue;
    }
    if (compliance > 0.0) triplets.emplace_back(first + 1, first + 1, compliance);
    double mobility = compliance;
    for (int axis = 1; axis < dimension; ++axis)
      mobility = std::max(mobility, reduced.W.coeff(first + axis, first + axis));
    if (!(mobility > 0.0)) mobility = 1.0;
    triplets.emplace_back(first, first, mobility);
    if (part.carrier >= 0) triplets.emplace_back(first, part.carrier * dimension, -part.mu * mobility);
    reduced.q[first] = -mobility * part.hf;
    reduced.free[first] = 0.0;
  }
  SparseMatrix laws(reduced.W.rows(), reduced.W.cols());
  laws.setFromTriplets(triplets.begin(), triplets.end());
  reduced.W += laws;
}

SparseMatrix find_joint_columns(const FactorForm& form, std::vector<Index>& joints) {
  Triplets triplets;
  for (Index row = 0; row < form.rows(); ++row) {
    if (!is_joint(form, row)) continue;
    for (SparseMatrix::InnerIterator it(form.G, row); it; ++it)
      triplets.emplace_back(it.row(), static_cast<Index>(joints.size()), it.value());
    joints.push_back(row);
  }
  SparseMatrix columns(form.velocities(), static_cast<Index>(joints.size()));
  columns.setFromTriplets(triplets.begin(), triplets.end());
  return columns;
}

Result<Problem> condense_checked(const FactorForm& form, const CondenseLimits& limits) {
  const std::vector<FactorPart> parts = find_parts(form);
  if (parts.empty()) return Error{"there is no contact and no row with bounds: nothing to solve for"};
  Eigen::SparseLU<SparseMatrix> factors(form.M);
  if (factors.info() != Eigen::Success) return Error{"M is singular, expected a regular mass matrix"};
  const double alpha = form.alpha;
  const SparseMatrix J = find_pushes(form, parts);
  const SparseMatrix MJ = factors.solve(J);
  Vector momentum = form.f;
  if (form.v0.size() != 0) momentum += form.M * form.v0;
  // With c = middle + r the middles of bounds are forces that act already; the speeds that errors are measured by have
  // none of them.
  const Vector untouched = factors.solve(momentum);
  for (const FactorPart& part : parts)
    if (part.row >= 0) momentum += part.shift * form.G.col(part.row);
  const Vector free = factors.solve(momentum);
  Reduced reduced;
  reduced.W = alpha * SparseMatrix(SparseMatrix(J.transpose()) * MJ);
  if (reduced.W.nonZeros() > limits.entries)
    return Error{too_many("entries of W", reduced.W.nonZeros(), limits.entries)};
  reduced.q = find_offsets(form, parts) + alpha * (J.transpose() * free);
  std::vector<FactorPart> unshifted = parts;
  for (FactorPart& part : unshifted) part.shift = 0.0;
  reduced.free = find_offsets(form, unshifted) + alpha * (J.transpose() * untouched);

  std::vector<Index> joints;
  const SparseMatrix G = find_joint_columns(form, joints);
  if (!joints.empty()) {
    const SparseMatrix MG = factors.solve(G);
    reduced.R = alpha * SparseMatrix(SparseMatrix(G.transpose()) * MG);
    reduced.V = alpha * SparseMatrix(SparseMatrix(J.transpose()) * MG);
    reduced.V2_transposed = alpha * SparseMatrix(SparseMatrix(MJ.transpose()) * G);
    reduced.s = alpha * (G.transpose() * free);
    reduced.free_s = alpha * (G.transpose() * untouched);
    reduced.terms = alpha * (SparseMatrix(G.cwiseAbs()).transpose() * free.cwiseAbs());
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const auto at = static_cast<Index>(i);
      reduced.s[at] += form.d[joints[i]];
      reduced.free_s[at] += form.d[joints[i]];
      reduced.terms[at] += std::abs(form.d[joints[i]]);
      if (form.v0.size() != 0) {
        const double rest = (1.0 - alpha) * form.G.col(joints[i]).dot(form.v0);
        reduced.s[at] += rest;
        reduced.free_s[at] += rest;
        reduced.terms[at] += (1.0 - alpha) * form.G.col(joints[i]).cwiseAbs().dot(form.v0.cwiseAbs());
      }
      if (form.compliance.size() != 0) reduced.R.coeffRef(at, at) += form.compliance[joints[i]];
    }
    if (std::string defect = eliminate_joints(reduced, limits); !defect.empty()) return Error{std::move(defect)};
  }
  add_laws(form, parts, reduced);
  Problem problem{.name = form.name, .expect = form.expect, .dimension = form.dimension, .q = std::move(reduced.q)};
  if (reduced.contradiction.size() != 0) {
    problem.contradiction.y.setZero(form.rows());
    problem.contradiction.y(joints) = reduced.contradiction;
    const InfeasibilityProof proof = certify_contradiction(form, problem.contradiction.y);
    problem.contradiction.bound = proof.bound;
    if (!proof.refutes()) return Error{"joints contradict each other: no velocity satisfies them"};
  }
  problem.W = Matrix(std::move(reduced.W));
  set_friction(form, parts, problem);
  const auto has_radius = [](const FactorPart& part) { return !part.bears; };
  if (std::any_of(parts.begin(), parts.end(), has_radius))
    std::transform(parts.begin(), parts.end(), std::back_inserter(problem.borne), has_radius);
  if (problem.q != reduced.free) problem.free = std::move(reduced.free);
  return problem;
}

}  // namespace

double eliminate(const DenseMatrix& R, const DenseMatrix& V, const DenseMatrix& V2, const Vector& s, DenseMatrix& W,
                 Vector& q) {
  double worst = 0.0;
  for (const std::vector<Index>& group : find_groups(R.sparseView())) {
    Factors factors;
    factors.setThreshold(rank_tolerance);
    const DenseMatrix own_R = R(group, group), own_V = V(Eigen::all, group), own_V2 = V2(group, Eigen::all);
    const Vector own_s = s(group);
    factors.compute(own_R);
    const Vector c = factors.solve(own_s);
    W.noalias() -= own_V * factors.solve(own_V2);
    q.noalias() -= own_V * c;
    const double scale = own_s.norm();
    if (scale > 0.0) worst = std::max(worst, (own_R * c - own_s).norm() / scale);
  }
  return worst;
}

Result<Problem> condense(const FactorForm& form, const CondenseLimits& limits) try {
  std::string defect = find_defect(form);
  if (!defect.empty()) return Error{std::move(defect)};
  Result<Problem> problem = condense_checked(form, limits);
  if (!problem) return problem;
  defect = find_defect(problem.value());
  if (!defect.empty()) return Error{"condensed, " + defect};
  return problem;
} catch (const std::bad_alloc&) {
  return Error{"not enough memory to condense " + std::to_string(form.contacts()) + " contacts on " +
               std::to_string(form.velocities()) + " velocities"};
}

}  // namespace stiction::cone
