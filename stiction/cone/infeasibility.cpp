#include "stiction/cone/infeasibility.h"

#include <Eigen/QR>
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "stiction/lcp/lemke.h"

namespace stiction::cone {

namespace {

// That are searched together: the cost is that of a dense problem of so many unknowns.
constexpr int most_contacts = 300;

/// Column j is row n of contact c = contacts[j] in W, so that W'y = A y_n where the others have none; the last row is
/// q_n. All in the scaled problem's units.
DenseMatrix make_system(const ScaledProblem& problem, const std::vector<int>& contacts) {
  std::vector<Index> row_of(static_cast<std::size_t>(problem.contacts()), -1);
  Index rows = 0;
  for (const int c : contacts)
    for (auto block = problem.begin(c); block != problem.end(c); ++block) {
      Index& row = row_of[static_cast<std::size_t>(block.column())];
      if (row < 0) row = std::exchange(rows, rows + problem.width());
    }
  DenseMatrix A = DenseMatrix::Zero(rows + 1, static_cast<Index>(contacts.size()));
  for (std::size_t j = 0; j < contacts.size(); ++j) {
    const int c = contacts[j];
    if (problem.is_borne(c)) continue;
    const auto column = static_cast<Index>(j);
    for (auto block = problem.begin(c); block != problem.end(c); ++block)
      for (int k = 0; k < problem.width(); ++k)
        A(row_of[static_cast<std::size_t>(block.column())] + k, column) = block.a[k];
    A(rows, column) = problem.q()[3 * static_cast<Index>(c)];
  }
  return A;
}

/// `most_contacts` contacts around one of them, the nearest in the graph of W's blocks.
std::vector<int> find_around(const ScaledProblem& problem, int centre) {
  std::vector<int> found{centre};
  std::vector<char> is_found(static_cast<std::size_t>(problem.contacts()), 0);
  is_found[static_cast<std::size_t>(centre)] = 1;
  for (std::size_t next = 0; next < found.size() && found.size() < most_contacts; ++next)
    for (auto block = problem.begin(found[next]); block != problem.end(found[next]); ++block) {
      char& is_in = is_found[static_cast<std::size_t>(block.column())];
      if (is_in == 0 && found.size() < most_contacts) found.push_back(block.column());
      is_in = 1;
    }
  std::sort(found.begin(), found.end());
  return found;
}

/// The `most_contacts` contacts with the largest of these numbers.
std::vector<int> find_largest(const Vector& numbers) {
  std::vector<int> found(static_cast<std::size_t>(numbers.size()));
  std::iota(found.begin(), found.end(), 0);
  const auto end = found.begin() + most_contacts;
  std::nth_element(found.begin(), end, found.end(), [&](int a, int b) { return numbers[a] > numbers[b]; });
  found.erase(end, found.end());
  std::sort(found.begin(), found.end());
  return found;
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
                                            Index worst, Vector& y) {
  Search search(problem, y);
  Vector pushed = Vector::Zero(problem.contacts());
  if (r.size() == problem.size())
    for (Index c = 0; c < problem.contacts(); ++c)
      if (!problem.is_borne(c)) pushed[c] = std::max(0.0, r[c * problem.dimension]);
  search.show(pushed);

  const auto search_among = [&](const std::vector<int>& contacts) {
    DenseMatrix A = make_system(scaled, contacts);
    const auto solve_and_show = [&](const Vector& rough, double share) {
      Vector found;
      if (!solve_on(A, find_support(rough, share), found)) return;
      Vector normal = Vector::Zero(scaled.contacts());
      for (std::size_t j = 0; j < contacts.size(); ++j)
        normal[contacts[j]] = found[static_cast<Index>(j)] * scaled.metric(contacts[j]);
      search.show(normal);
    };
    solve_and_show(pushed(contacts), 1e-3);
    for (int way = 0; way < 2; ++way) {
      const Vector rough = solve_roughly(A);
      for (const double share : {1e-9, 1e-6, 1e-3}) solve_and_show(rough, share);
      // Slow contacts beside fast ones are below the rounding of their squares: once more with all as fast.
      for (double& speed : A.row(A.rows() - 1)) speed = speed < 0.0 ? -1.0 : 0.0;
    }
  };
  if (scaled.contacts() <= most_contacts) {
    std::vector<int> all(static_cast<std::size_t>(scaled.contacts()));
    std::iota(all.begin(), all.end(), 0);
    search_among(all);
    return search.proof();
  }
  if (worst >= 0) search_among(find_around(scaled, static_cast<int>(worst)));
  search_among(find_largest(pushed));
  return search.proof();
}

}  // namespace stiction::cone
