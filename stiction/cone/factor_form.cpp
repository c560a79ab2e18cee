#include "stiction/cone/factor_form.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <new>

#include "stiction/cone/factor_certificate.h"
#include "stiction/cone/factor_parts.h"
#include "stiction/cone/joint_elimination.h"

namespace stiction::cone {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

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

/// What joints hold altogether keeps a little of what it has alone, as its certificate has it, or W is rounding there,
/// with a diagonal of any sign.
void keep_mobile(const Vector& alone, SparseMatrix& W) {
  constexpr JointAgreement agreement;
  for (Index i = 0; i < alone.size(); ++i) {
    const double least = agreement.mobility * alone[i];
    if (W.coeff(i, i) < least) W.coeffRef(i, i) = least;
  }
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

/// Whether A'B has more entries than the limit, without forming it.
bool has_more_entries(const SparseMatrix& A, const SparseMatrix& B, Index limit) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_row = A;
  std::vector<Index> seen(static_cast<std::size_t>(A.cols()), -1);
  Index count = 0;
  for (Index j = 0; j < B.cols(); ++j)
    for (SparseMatrix::InnerIterator it(B, j); it; ++it)
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator other(by_row, it.row()); other; ++other) {
        if (seen[static_cast<std::size_t>(other.col())] == j) continue;
        seen[static_cast<std::size_t>(other.col())] = j;
        if (++count > limit) return true;
      }
  return false;
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
  if (has_more_entries(J, MJ, limits.entries))
    return Error{"entries of W: more than the " + std::to_string(limits.entries) +
                 " that are condensed; take fewer contacts or joints at once"};
  reduced.W = alpha * SparseMatrix(SparseMatrix(J.transpose()) * MJ);
  std::vector<FactorPart> unshifted = parts;
  for (FactorPart& part : unshifted) part.shift = 0.0;
  reduced.q = find_offsets(form, parts);
  reduced.free = find_offsets(form, unshifted);
  if (form.v0.size() != 0 && alpha != 1.0) {  // what v_alpha has of v0 whatever happens
    reduced.q += (1.0 - alpha) * (J.transpose() * form.v0);
    reduced.free += (1.0 - alpha) * (J.transpose() * form.v0);
  }
  reduced.q += alpha * (J.transpose() * free);
  reduced.free += alpha * (J.transpose() * untouched);

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
    const Vector alone = reduced.W.diagonal();
    if (std::string defect = eliminate_joints(reduced, limits); !defect.empty()) return Error{std::move(defect)};
    keep_mobile(alone, reduced.W);
  }
  add_laws(form, parts, reduced);
  Problem problem{.name = form.name, .expect = form.expect, .dimension = form.dimension, .q = std::move(reduced.q)};
  if (reduced.is_contradictory) {
    FactorJudge judge;
    if (std::string defect = judge.prepare(form); !defect.empty()) return Error{std::move(defect)};
    problem.contradiction = judge.problem().contradiction;
    problem.disagreement = judge.problem().disagreement;
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
