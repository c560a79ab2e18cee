#include "stiction/lcp/principal_pivoting.h"

#include <gtest/gtest.h>

#include "stiction/base/test/allocation_counter.h"
#include "stiction/lcp/enumeration.h"
#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using test::matrix;
using test::vector;

Solution solve(const Problem& problem, const PrincipalPivoting::Options& options = {}) {
  PrincipalPivoting solver(options);
  Solution solution;
  solver.solve(problem, solution);
  return solution;
}

/// Murty 1978: ones on the diagonal and twos on one side of it; q = -1. With the twos above, the least-index method
/// counts through all bases like a binary clock.
Problem murty(Index n) {
  DenseMatrix M = DenseMatrix::Constant(n, n, 2.0).triangularView<Eigen::StrictlyUpper>();
  M.diagonal().setOnes();
  return {"murty", M, Vector::Constant(n, -1.0)};
}

TEST(PrincipalPivoting, CrissCrossTakesExponentiallyLongOnMurtysFamily) {
  for (Index n = 1; n <= 8; ++n) {
    const Solution solution = solve(murty(n), {.block_tries = 0, .drive = false});
    EXPECT_EQ(solution.status, Status::solved);
    EXPECT_EQ(solution.iterations, 1 << n);
    EXPECT_TRUE(solution.z.isApprox(Vector::Unit(n, n - 1)));
  }
}

TEST(PrincipalPivoting, BlocksEndMurtysFamilyInLinearTime) {
  const Solution solution = solve(murty(60));
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_LE(solution.iterations, 62);
}

TEST(PrincipalPivoting, CrissCrossEndsTheCycleOfTheBlocks) {
  // Ben Gharbia and Gilbert 2012: from the basis {1} block pivots go to {2}, {3}, {1}, for ever. The solution is z = 0.
  PrincipalPivoting solver;
  Solution solution;
  solution.basis = {Place::basic, Place::lower, Place::lower};
  solver.solve({"round", matrix(3, {1, 0, 2, 2, 1, 0, 0, 2, 1}), vector({1, 1, 1})}, solution);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_EQ(solution.z.norm(), 0.0);
  EXPECT_GE(solution.iterations, 5);  // once round, and criss-cross from there
  EXPECT_LE(solution.iterations, 10);
}

TEST(PrincipalPivoting, ExchangesWhereTheDiagonalIsZero) {
  // A linear programme: min x with x >= 2, as a complementarity problem with a skew matrix.
  const Solution solution = solve({"programme", matrix(2, {0, -1, 1, 0}), vector({1, -2})});
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_TRUE(solution.z.isApprox(vector({2, 1})));
}

TEST(PrincipalPivoting, ProvesInfeasibility) {
  // w1 + w2 = -2 whatever z is.
  const Problem problem{"flat", matrix(2, {1, -1, -1, 1}), vector({-1, -1})};
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::infeasible);
  EXPECT_TRUE(certify_infeasible(problem, solution.proof).valid);
}

TEST(PrincipalPivoting, GoesFromBoundToBound) {
  Problem problem{"bounds", matrix(2, {0, 1, -1, 0}), vector({-3, 5})};
  problem.lower = vector({0, 0});
  problem.upper = vector({2, 2});
  const Solution solution = solve(problem);  // w1 = z2 - 3 < 0 throughout, so z1 = 2, w2 = 3, z2 = 0
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_TRUE(solution.z.isApprox(vector({2, 0})));
}

TEST(PrincipalPivoting, SolvesEqualitiesWithASingularFreeBlock) {
  // min x^2/2 + y^2/2 with x + y = 2 stated twice, as a saddle point: free x, y and two multipliers.
  Problem problem{"redundant equalities", matrix(4, {1, 0, -1, -1, 0, 1, -1, -1, 1, 1, 0, 0, 1, 1, 0, 0}),
                  vector({0, 0, -2, -2})};
  problem.lower = Vector::Constant(4, -infinity);
  problem.upper = Vector::Constant(4, infinity);
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_DOUBLE_EQ(solution.z[0], 1.0);
  EXPECT_DOUBLE_EQ(solution.z[1], 1.0);
}

TEST(PrincipalPivoting, ReusesABasis) {
  Random random(21);
  const Problem problem = test::random_p(random, 10);
  PrincipalPivoting solver;
  Solution solution;
  solver.solve(problem, solution);
  EXPECT_FALSE(solution.reused_basis);
  const Vector z = solution.z;
  solver.solve(problem, solution);
  EXPECT_TRUE(solution.reused_basis);
  EXPECT_EQ(solution.iterations, 1);
  EXPECT_EQ(z, solution.z);
}

/// What the class comment promises, on small problems, with every set of rules.
class PrincipalPivotingPromise : public testing::TestWithParam<PrincipalPivoting::Options> {};
INSTANTIATE_TEST_SUITE_P(Rules, PrincipalPivotingPromise,
                         testing::Values(PrincipalPivoting::Options{.block_tries = 0, .drive = false},
                                         PrincipalPivoting::Options{.block_tries = 0},
                                         PrincipalPivoting::Options{.block_tries = 10, .drive = false},
                                         PrincipalPivoting::Options{}));

TEST_P(PrincipalPivotingPromise, SolvesEveryP) {
  Random random(22);
  Enumeration enumeration;
  for (int round = 0; round < 2000; ++round) {
    Problem problem = test::random_p(random, random.integer(1, 7));
    if (round % 3 == 0) test::random_bounds(random, problem);
    const Solution solution = solve(problem, GetParam());
    ASSERT_EQ(solution.status, Status::solved) << round;
    const auto solutions = enumeration.all_solutions(problem);
    ASSERT_EQ(solutions.size(), 1U);
    EXPECT_LE((solution.z - solutions[0]).norm(), 1e-7 * (1.0 + solutions[0].norm())) << round;
  }
}

TEST_P(PrincipalPivotingPromise, DecidesEveryPositiveSemidefinite) {
  Random random(23);
  Enumeration enumeration;
  int infeasible = 0;
  for (int round = 0; round < 4000; ++round) {
    const Index n = random.integer(1, 7);
    Problem problem = test::random_psd(random, n, round % 2 == 0);
    if (round % 3 == 0) {  // not symmetric
      const DenseMatrix K = test::random_integers(random, n, n);
      problem.M = DenseMatrix(problem.M.dense() + K - K.transpose());
    }
    const Solution solution = solve(problem, GetParam());
    if (!enumeration.has_solution(problem)) {
      EXPECT_EQ(solution.status, Status::infeasible) << round;
      ++infeasible;
    } else {
      EXPECT_EQ(solution.status, Status::solved) << round;
    }
  }
  EXPECT_GT(infeasible, 500);
}

TEST_P(PrincipalPivotingPromise, DecidesPositiveSemidefiniteWithBounds) {
  Random random(24);
  Enumeration enumeration;
  int solved = 0, missed = 0;
  for (int round = 0; round < 3000; ++round) {
    Problem problem = test::random_psd(random, random.integer(1, 6), round % 2 == 0);
    test::random_bounds(random, problem);
    const Solution solution = solve(problem, GetParam());
    const bool solvable = enumeration.has_solution(problem);
    if (solution.status == Status::solved) {
      EXPECT_TRUE(solvable) << round;
      ++solved;
    } else if (solvable) {
      ++missed;
    }
  }
  EXPECT_GT(solved, 1500);
  EXPECT_EQ(missed, 0);
}

TEST(PrincipalPivoting, ClaimsNothingThatEnumerationDoesNotFind) {
  Random random(25);
  Enumeration enumeration;
  for (int round = 0; round < 4000; ++round) {
    const Index n = random.integer(1, 6);
    const Problem problem = round % 2 == 0 ? test::random_any(random, n) : test::random_copositive(random, n);
    const Solution solution = solve(problem);
    const bool solvable = enumeration.has_solution(problem);
    EXPECT_FALSE(solution.status == Status::solved && !solvable) << round;
    EXPECT_FALSE(solution.status == Status::infeasible && solvable) << round;
  }
}

TEST(PrincipalPivoting, SolvesLargerProblems) {
  Random random(26);
  for (const Index n : {50, 100, 200}) {
    EXPECT_EQ(solve(test::random_p(random, n)).status, Status::solved) << n;
    EXPECT_EQ(solve(test::random_psd(random, n, true)).status, Status::solved) << n;
  }
}

TEST(PrincipalPivoting, DrivesThroughSingularProblemsInAFewPivotsPerVariable) {
  Random random(28);
  for (const Index rank : {5, 20, 40, 80}) {
    const Index n = 100;
    const DenseMatrix B = test::random_matrix(random, rank, n);
    const Vector q = B.transpose() * test::random_vector(random, rank);
    const Solution solution = solve({"redundant", DenseMatrix(B.transpose() * B), q}, {.block_tries = 0});
    EXPECT_EQ(solution.status, Status::solved) << rank;
    EXPECT_LE(solution.iterations, 3 * n) << rank;
  }
}

TEST(PrincipalPivoting, SecondSolveAllocatesNothing) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  Random random(27);
  PrincipalPivoting solver;
  Solution solution;
  solver.solve(test::random_psd(random, 30, true), solution);
  for (int round = 0; round < 20; ++round) {
    const Problem problem = round % 2 == 0 ? test::random_psd(random, 30, true) : test::random_p(random, 30);
    const AllocationCounter counter;
    solver.solve(problem, solution);
    EXPECT_EQ(counter.count(), 0) << round;
    EXPECT_EQ(solution.status, Status::solved);
  }
}

}  // namespace
}  // namespace stiction::lcp
