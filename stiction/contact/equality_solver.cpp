#include "stiction/contact/equality_solver.h"

#include <cmath>

#include "stiction/base/phase_times.h"

namespace stiction {

namespace {

// Unknowns up to which a dense factorisation is the fast way.
constexpr std::size_t most_unknowns = 48;
// Relative residual of an answer, and the smallest pivot against the largest.
constexpr double accurate = 1e-13, singular = 1e-9;

}  // namespace

bool EqualitySolver::is_equality(const StepProblem& problem, const Islands& islands, int island) {
  if (!islands.contacts(island).empty()) return false;
  if (islands.velocities(island).size() + islands.joints(island).size() > most_unknowns) return false;
  for (const int row : islands.joints(island))
    if (!problem.row_law(row).is_joint()) return false;
  return true;
}

void EqualitySolver::assemble(const StepProblem& problem, const Islands& islands, int island) {
  const auto velocities = islands.velocities(island);
  const auto joints = islands.joints(island);
  const auto nv = static_cast<Eigen::Index>(velocities.size()), nj = static_cast<Eigen::Index>(joints.size());
  A_.setZero(nv + nj, nv + nj);
  b_.setZero(nv + nj);
  for (Eigen::Index i = 0; i < nv; ++i) {
    const int global = velocities[static_cast<std::size_t>(i)];
    for (SparseMatrix::InnerIterator it(problem.M, global); it; ++it) {
      const int row = islands.local(static_cast<int>(it.row()));
      A_(row, i) = it.value();
      b_[row] += it.value() * problem.v[global];
    }
    b_[i] += problem.k[global];
  }
  for (Eigen::Index i = 0; i < nj; ++i) {
    const int row = joints[static_cast<std::size_t>(i)];
    const auto columns = problem.nu.columns(row);
    const auto values = problem.nu.values(row);
    for (std::size_t p = 0; p < columns.size(); ++p) {
      const int column = islands.local(columns[p]);
      A_(nv + i, column) = problem.alpha * values[p];
      A_(column, nv + i) = -values[p];
    }
    A_(nv + i, nv + i) = problem.row_law(row).compliance;
    b_[nv + i] = -problem.b_nu[static_cast<std::size_t>(row)];
    if (problem.alpha != 1.0) b_[nv + i] -= (1.0 - problem.alpha) * problem.nu.dot(row, problem.v);
  }
}

bool EqualitySolver::solve(const StepProblem& problem, const Islands& islands, int island, StepSolution& solution) {
  if (!is_equality(problem, islands, island)) return false;
  assemble(problem, islands, island);
  count_factorisation();
  lu_.compute(A_);
  const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
  if (!(pivots.minCoeff() > singular * pivots.maxCoeff())) return false;
  x_ = lu_.solve(b_);
  rest_.noalias() = b_ - A_ * x_;
  change_ = lu_.solve(rest_);
  x_ += change_;
  rest_.noalias() = b_ - A_ * x_;
  const double scale = b_.lpNorm<Eigen::Infinity>() + A_.lpNorm<Eigen::Infinity>() * x_.lpNorm<Eigen::Infinity>();
  if (!(rest_.lpNorm<Eigen::Infinity>() <= accurate * scale)) return false;
  const auto velocities = islands.velocities(island);
  const auto joints = islands.joints(island);
  for (std::size_t i = 0; i < velocities.size(); ++i) solution.v[velocities[i]] = x_[static_cast<Eigen::Index>(i)];
  for (std::size_t i = 0; i < joints.size(); ++i)
    solution.c_nu[static_cast<std::size_t>(joints[i])] = x_[static_cast<Eigen::Index>(velocities.size() + i)];
  return true;
}

}  // namespace stiction
