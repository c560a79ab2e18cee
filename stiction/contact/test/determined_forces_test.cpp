#include "stiction/contact/determined_forces.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>

#include "stiction/contact/polyhedral_solver.h"
#include "stiction/contact/test/one_body_problem.h"
#include "stiction/contact/test/random_step_problem.h"

namespace stiction {
namespace {

linalg::DenseMatrix dense(const ForceSet& set) {
  linalg::DenseMatrix A = linalg::DenseMatrix::Zero(set.velocities(), set.size());
  for (int c = 0; c < set.size(); ++c)
    for (std::size_t p = 0; p < set.columns.columns(c).size(); ++p)
      A(set.columns.columns(c)[p], c) += set.columns.values(c)[p];
  return A;
}

/// Whether A x = 0 leaves a component nothing but zero: then its row of the null space's projector vanishes.
std::vector<char> determined_by_rank(const ForceSet& set) {
  const linalg::DenseMatrix A = dense(set);
  Eigen::CompleteOrthogonalDecomposition<linalg::DenseMatrix> pseudo(A);
  pseudo.setThreshold(1e-11);
  const linalg::DenseMatrix onto_null = linalg::DenseMatrix::Identity(A.cols(), A.cols()) - pseudo.solve(A);
  std::vector<char> determined;
  for (linalg::Index c = 0; c < A.cols(); ++c) determined.push_back(onto_null.row(c).norm() < 1e-8);
  return determined;
}

struct Solved {
  StepSolution solution;
  Islands islands;
};

Solved solve(const StepProblem& problem) {
  Solved solved;
  StepCertificate certificate;
  PolyhedralSolver solver({});
  EXPECT_TRUE(solver.solve(problem, solved.solution, certificate));
  solved.islands.split(problem);
  return solved;
}

// What is called determined is so by the rank of the whole, and what is left has the same columns, impulses and
// momentum.
TEST(DeterminedForces, AreThoseThatMomentumLeavesNoChoice) {
  Random random(31);
  int determined = 0, left = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int bodies = random.integer(2, 6);
    StepProblem problem = random_step_problem(random, bodies, random.integer(bodies, 3 * bodies), random.integer(0, 2));
    std::fill(problem.b_n.begin(), problem.b_n.end(), 0.0);
    if (trial % 2 == 0) add_blocks(random, problem);
    const Solved solved = solve(problem);
    ForceSetFinder finder(true);
    ForceSet set, rest;
    DeterminedForces found;
    for (int island = 0; island < solved.islands.size(); ++island) {
      finder.find(problem, solved.islands, island, solved.solution, speed_of(problem, solved.solution), set);
      if (!found.find(set)) continue;
      const std::vector<char> by_rank = determined_by_rank(set);
      std::vector<int> kept;
      for (std::size_t b = 0; b < set.bundles.size(); ++b)
        for (int c = set.bundles[b].first; c < set.bundles[b].end; ++c) {
          const bool is_determined = found.is_determined(static_cast<int>(b));
          if (!is_determined) kept.push_back(c);
          EXPECT_TRUE(!is_determined || by_rank[c]) << trial;
        }
      determined += set.size() - static_cast<int>(kept.size());
      left += static_cast<int>(kept.size());
      found.rest(set, rest);
      ASSERT_EQ(rest.size(), static_cast<int>(kept.size()));
      const linalg::DenseMatrix A = dense(set), B = dense(rest);
      Vector x(rest.size());
      for (int c = 0; c < rest.size(); ++c) {
        EXPECT_EQ(rest.found[c], set.found[kept[c]]);
        EXPECT_DOUBLE_EQ(B.col(c).norm(), A.col(kept[c]).norm());
        x[c] = rest.found[c];
      }
      const Eigen::Map<const Vector> load(rest.load.data(), rest.velocities());
      EXPECT_LE((B * x - load).norm(), 1e-12 * (1.0 + x.norm()));
    }
  }
  EXPECT_GE(determined, 100);
  EXPECT_GE(left, 50);
}

// Four legs that bear one table have a choice; three without friction have none.
TEST(DeterminedForces, AreThoseOfThreeLegsAndNotOfFour) {
  for (const int legs : {3, 4}) {
    StepProblem problem = table_problem(0.0, 8.0, 0.1, 0.1);
    if (legs == 3) problem.b_n.back() = 1.0;  // does not touch
    const Solved solved = solve(problem);
    ForceSetFinder finder(true);
    ForceSet set;
    DeterminedForces found;
    finder.find(problem, solved.islands, 0, solved.solution, speed_of(problem, solved.solution), set);
    ASSERT_EQ(set.closed, legs);
    EXPECT_EQ(found.find(set), legs == 3);
  }
}

}  // namespace
}  // namespace stiction
