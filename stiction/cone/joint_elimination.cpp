#include "stiction/cone/joint_elimination.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "stiction/cone/disjoint_sets.h"

namespace stiction::cone {

namespace {

using Factors = Eigen::CompleteOrthogonalDecomposition<DenseMatrix>;
using Triplets = std::vector<Eigen::Triplet<double>>;

/// The rows of R that belong together: groups[row], numbered by their first row.
std::vector<std::vector<Index>> find_groups(const SparseMatrix& R) {
  DisjointSets sets(R.rows());
  for (Index j = 0; j < R.cols(); ++j)
    for (SparseMatrix::InnerIterator it(R, j); it; ++it) sets.join(it.row(), j);
  std::vector<std::vector<Index>> by_root(static_cast<std::size_t>(R.rows())), groups;
  for (Index i = 0; i < R.rows(); ++i) by_root[static_cast<std::size_t>(sets.root(i))].push_back(i);
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

}  // namespace

std::string too_many(const char* what, Index found, Index limit) {
  return std::string(what) + ": " + std::to_string(found) + ", at most " + std::to_string(limit) +
         " are condensed; take fewer contacts or joints at once";
}

Vector find_scale(const Vector& diagonal) {
  return diagonal.unaryExpr(
      [](double own) { return own != 0.0 && std::isfinite(own) ? std::ldexp(1.0, -std::ilogb(own) / 2) : 1.0; });
}

std::string eliminate_joints(Reduced& reduced, const CondenseLimits& limits) {
  constexpr JointAgreement agreement;
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
    factors.setThreshold(agreement.rank);
    // Only what is cut off asks for the scale: a regular R has better rounding without.
    Vector scale = Vector::Ones(size);
    factors.compute(R);
    if (factors.rank() < size) {
      scale = find_scale(R.diagonal());
      factors.compute(scale.asDiagonal() * R * scale.asDiagonal());
    }
    const auto hold = [&](const DenseMatrix& right) {
      return DenseMatrix(scale.asDiagonal() * factors.solve(scale.asDiagonal() * right));
    };
    const Vector c = hold(s), free_c = hold(reduced.free_s(group));
    const double most =
        std::max(agreement.contradiction * s.stableNorm(), agreement.cancellation * reduced.terms(group).stableNorm());
    if (!((s - R * c).stableNorm() <= most && std::isfinite(most))) reduced.is_contradictory = true;
    const DenseMatrix V = gather(reduced.V, group, rows), V2 = gather(reduced.V2_transposed, group, columns);
    const Index count = static_cast<Index>(changes.size()) + reduced.W.nonZeros() + V.rows() * V2.rows();
    if (count > limits.entries) return too_many("entries of W", count, limits.entries);
    if (rows.empty() && columns.empty()) continue;  // a mechanism that nothing touches
    DenseMatrix change(V.rows(), V2.rows());
    if (!columns.empty()) {
      const DenseMatrix held = hold(V2.transpose());
      change = V * held;
      if (factors.rank() < size)
        reduced.unheld = std::max(reduced.unheld, (R * held - V2.transpose()).norm() / V2.norm());
    }
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

}  // namespace stiction::cone
