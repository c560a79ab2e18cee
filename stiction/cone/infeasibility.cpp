#include "stiction/cone/infeasibility.h"

#include <Eigen/QR>
#include <algorithm>
#include <vector>

#include "stiction/lcp/lemke.h"

namespace stiction::cone {

namespace {

constexpr int most_contacts = 300;

/// Column c is row n of contact c in W, so that W'y = A y_n; the last row is q_n. All in the scaled problem's units.
DenseMatrix make_system(const ScaledProblem& problem) {
  DenseMatrix A = DenseMatrix::Zero(problem.size() + 1, problem.contacts());
  for (int c = 0; c < problem.contacts(); ++c) {
    if (problem.is_borne(c)) continue;
    for (auto block = problem.begin(c); block != problem.end(c); ++block)
      for (int k = 0; k < problem.width(); ++k) A(3 * static_cast<Index>(block.column()) + k, c) = block.a[k];
    A(problem.size(), c) = problem.q()[3 * static_cast<Index>(c)];
  }
  return A;
}

/// The least |A y - (0, -1)| over y >= 0, up to the digits that the squares leave.
Vector solve_roughly(const DenseMatrix& A) {
  lcp::Problem least_squares;
  least_squares.M = DenseMatrix(A.transpose() * A);
  least_squares.q = A.row(A.rows() - 1).transpose();
  lcp::Solution answer;
  lcp::Lemke lemke({.reuse_basis = false, .prove_infeasible = false});
  lemke.solve(least_squares, answer);
  return answer.z.size() == A.cols() && answer.z.allFinite() ? answer.z : Vector::Zero(A.cols());
}

/// Least squares of A y = (0, -1) over the contacts of `support`, from which those that would pull are taken until none
/// does.
bool solve_on(const DenseMatrix& A, std::vector<Index> support, Vector& y) {
  Vector right = Vector::Zero(A.rows());
  right[A.rows() - 1] = -1.0;
  while (!support.empty()) {
    const Vector found = DenseMatrix(A(Eigen::all, support)).completeOrthogonalDecomposition().solve(right);
    if (!found.allFinite()) return false;
    const double negligible = 1e-9 * found.cwiseAbs().maxCoeff();
    std::vector<Index> kept;
    for (std::size_t k = 0; k < support.size(); ++k)
      if (found[static_cast<Index>(k)] > negligible) kept.push_back(support[k]);
    if (kept.size() == support.size()) {
      y.setZero(A.cols());
      for (std::size_t k = 0; k < kept.size(); ++k) y[kept[k]] = found[static_cast<Index>(k)];
      return true;
    }
    support.swap(kept);
  }
  return false;
}

std::vector<Index> find_support(const Vector& y, double share) {
  std::vector<Index> support;
  const double least = y.size() > 0 ? share * y.maxCoeff() : 0.0;
  for (Index c = 0; c < y.size(); ++c)
    if (y[c] > least) support.push_back(c);
  return support;
}

/// Keeps the best of what it is shown.
class Search {
 public:
  Search(const Problem& problem, Vector& best) : problem_(problem), best_(best) {}
  /// Normal parts, one a contact, in the problem's own units.
  void show(const Vector& normal) {
    const double largest = normal.size() > 0 ? normal.maxCoeff() : 0.0;
    if (!(largest > 0.0) || !normal.allFinite()) return;
    constexpr double steps = 1 << 20;
    show_as_is(normal / largest);
    show_as_is((steps / largest * normal).array().round() / steps);
  }
  [[nodiscard]] const InfeasibilityProof& proof() const { return proof_; }

 private:
  void show_as_is(const Vector& normal) {
    Vector y = Vector::Zero(problem_.size());
    for (Index c = 0; c < normal.size(); ++c) y[c * problem_.dimension] = std::max(0.0, normal[c]);
    const InfeasibilityProof found = certify_infeasible(problem_, y);
    if (!(found.least_tolerance > proof_.least_tolerance)) return;
    proof_ = found;
    best_ = y;
  }

  const Problem& problem_;
  Vector& best_;
  InfeasibilityProof proof_;
};

}  // namespace

InfeasibilityProof find_infeasibility_proof(const Problem& problem, const ScaledProblem& scaled, const Vector& r,
                                            Vector& y) {
  Search search(problem, y);
  Vector pushed = Vector::Zero(problem.contacts());
  if (r.size() == problem.size())
    for (Index c = 0; c < problem.contacts(); ++c)
      if (!problem.is_borne(c)) pushed[c] = std::max(0.0, r[c * problem.dimension]);
  search.show(pushed);
  if (scaled.contacts() > most_contacts) return search.proof();

  DenseMatrix A = make_system(scaled);
  const auto solve_and_show = [&](const Vector& rough, double share) {
    Vector found;
    if (!solve_on(A, find_support(rough, share), found)) return;
    for (int c = 0; c < scaled.contacts(); ++c) found[c] *= scaled.metric(c);
    search.show(found);
  };
  solve_and_show(pushed, 1e-3);
  for (int way = 0; way < 2; ++way) {
    const Vector rough = solve_roughly(A);
    for (const double share : {1e-9, 1e-6, 1e-3}) solve_and_show(rough, share);
    // Slow contacts beside fast ones are below the rounding of their squares: once more with all as fast.
    for (double& speed : A.row(A.rows() - 1)) speed = speed < 0.0 ? -1.0 : 0.0;
  }
  return search.proof();
}

}  // namespace stiction::cone
