#include "stiction/lcp/infeasibility.h"

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

}  // namespace

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
  return certify_infeasible(problem, proof).valid;
}

}  // namespace stiction::lcp
