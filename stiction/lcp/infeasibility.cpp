#include "stiction/lcp/infeasibility.h"

#include <Eigen/QR>
#include <cmath>
#include <vector>

#include "stiction/lcp/certificate.h"
#include "stiction/lcp/lemke.h"
#include "stiction/linalg/equilibrate.h"

namespace stiction::lcp {

namespace {

/// One row a z + t >= -c of the programme, taken from row `row` of the problem with the given sign.
struct Constraint {
  Index row;
  double sign;
};

std::vector<Constraint> constraints_of(const Problem& problem) {
  std::vector<Constraint> constraints;
  for (Index i = 0; i < problem.size(); ++i) {
    if (problem.upper_bound(i) == infinity) constraints.push_back({i, 1.0});    // w_i >= 0
    if (problem.lower_bound(i) == -infinity) constraints.push_back({i, -1.0});  // w_i <= 0
  }
  return constraints;
}

/// One step of mending. False when there is nothing to mend.
bool mend_once(const Problem& problem, const Vector& row_scale, const Vector& column_scale, Vector& proof) {
  constexpr double negligible = 1e-12, nearly_zero = 1e-9;
  const Index n = problem.size();
  const double largest = proof.cwiseQuotient(row_scale).cwiseAbs().maxCoeff();
  std::vector<Index> support, place(static_cast<std::size_t>(n), -1);
  for (Index i = 0; i < n; ++i) {
    if (std::abs(proof[i] / row_scale[i]) <= negligible * largest) proof[i] = 0.0;
    if (proof[i] == 0.0) continue;
    place[static_cast<std::size_t>(i)] = static_cast<Index>(support.size());
    support.push_back(i);
  }
  std::vector<Index> columns;
  std::vector<double> slopes;
  for (Index j = 0; j < n; ++j) {
    if (std::isfinite(problem.lower_bound(j)) && std::isfinite(problem.upper_bound(j))) continue;
    long double slope = 0.0L, terms = 0.0L;
    problem.M.for_each_in_column(j, [&](Index i, double value) {
      slope += static_cast<long double>(proof[i]) * value;
      terms += std::abs(static_cast<long double>(proof[i]) * value);
    });
    if (terms == 0.0L || std::abs(slope) > nearly_zero * terms) continue;
    columns.push_back(j);
    slopes.push_back(static_cast<double>(slope * column_scale[j]));
  }
  if (columns.empty() || support.empty()) return false;

  DenseMatrix A = DenseMatrix::Zero(static_cast<Index>(columns.size()), static_cast<Index>(support.size()));
  for (std::size_t c = 0; c < columns.size(); ++c)
    problem.M.for_each_in_column(columns[c], [&](Index i, double value) {
      if (const Index k = place[static_cast<std::size_t>(i)]; k >= 0)
        A(static_cast<Index>(c), k) = row_scale[i] * value * column_scale[columns[c]];
    });
  const Vector change = A.completeOrthogonalDecomposition().solve(-Eigen::Map<const Vector>(slopes.data(), A.rows()));
  if (!change.allFinite()) return false;
  for (std::size_t k = 0; k < support.size(); ++k)
    proof[support[k]] += row_scale[support[k]] * change[static_cast<Index>(k)];
  return true;
}

}  // namespace

bool mend_infeasibility_proof(const Problem& problem, Vector& proof) {
  if (certify_infeasible(problem, proof).valid) return true;
  constexpr Index most = 1000;  // beyond it mending takes longer than the solve did
  if (proof.size() != problem.size() || problem.size() > most || !proof.allFinite()) return false;
  Vector row_scale, column_scale;
  linalg::equilibrate(problem.M, row_scale, column_scale);
  for (int step = 0; step < 3; ++step) {
    if (!mend_once(problem, row_scale, column_scale, proof)) return false;
    if (certify_infeasible(problem, proof).valid) return true;
  }
  return false;
}

bool find_infeasibility_proof(const Problem& problem, Vector& proof) {
  const Index n = problem.size();
  Vector row_scale, column_scale;
  linalg::equilibrate(problem.M, row_scale, column_scale);
  const std::vector<Constraint> constraints = constraints_of(problem);
  const auto m = static_cast<Index>(constraints.size());
  if (m == 0) return false;

  // Variables z (n), t, multipliers y (m): rows  -A'y >= 0 (z in its bounds), 1 - e'y >= 0 (t >= 0), A z + t + c >= 0.
  std::vector<std::vector<Index>> positions(static_cast<std::size_t>(n));
  for (Index k = 0; k < m; ++k)
    positions[static_cast<std::size_t>(constraints[static_cast<std::size_t>(k)].row)].push_back(k);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < n; ++j)
    problem.M.for_each_in_column(j, [&](Index i, double value) {
      for (const Index k : positions[static_cast<std::size_t>(i)]) {
        const double scaled = constraints[static_cast<std::size_t>(k)].sign * row_scale[i] * column_scale[j] * value;
        entries.emplace_back(n + 1 + k, j, scaled);
        entries.emplace_back(j, n + 1 + k, -scaled);
      }
    });
  Problem programme;
  programme.name = problem.name + " (feasibility)";
  programme.q = Vector::Zero(n + 1 + m);
  programme.q[n] = 1.0;
  programme.lower = Vector::Zero(n + 1 + m);
  programme.upper = Vector::Constant(n + 1 + m, infinity);
  for (Index k = 0; k < m; ++k) {
    const auto [row, sign] = constraints[static_cast<std::size_t>(k)];
    entries.emplace_back(n + 1 + k, n, 1.0);
    entries.emplace_back(n, n + 1 + k, -1.0);
    programme.q[n + 1 + k] = sign * row_scale[row] * problem.q[row];
  }
  for (Index j = 0; j < n; ++j) {
    programme.lower[j] = problem.lower_bound(j) / column_scale[j];
    programme.upper[j] = problem.upper_bound(j) / column_scale[j];
  }
  SparseMatrix matrix(n + 1 + m, n + 1 + m);
  matrix.setFromTriplets(entries.begin(), entries.end());
  programme.M = Matrix(std::move(matrix));

  Lemke lemke({.reuse_basis = false, .prove_infeasible = false});
  Solution solution;
  lemke.solve(programme, solution);
  if (solution.status != Status::solved || !(solution.z[n] > 0.0)) return false;
  proof.setZero(n);
  for (Index k = 0; k < m; ++k) {
    const auto [row, sign] = constraints[static_cast<std::size_t>(k)];
    proof[row] += sign * row_scale[row] * solution.z[n + 1 + k];
  }
  return mend_infeasibility_proof(problem, proof);
}

}  // namespace stiction::lcp
