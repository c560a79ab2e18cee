#include "stiction/lcp/enumeration.h"

#include <gtest/gtest.h>

#include "stiction/base/test/allocation_counter.h"
#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using test::matrix;
using test::vector;

TEST(Enumeration, FindsAllThreeSolutions) {
  Enumeration enumeration;
  const auto solutions = enumeration.all_solutions({"wikipedia", matrix(2, {1, 5, 3, 1}), vector({-16, -15})});
  ASSERT_EQ(solutions.size(), 3U);
  EXPECT_TRUE(solutions[0].isApprox(vector({16, 0})));
  EXPECT_TRUE(solutions[1].isApprox(vector({0, 15})));
  EXPECT_TRUE(solutions[2].isApprox(vector({59.0 / 14.0, 33.0 / 14.0})));
}

TEST(Enumeration, ListsTheEndsOfASegmentOfSolutions) {
  Enumeration enumeration;  // Cottle, Pang and Stone 1992, remark 4.1.14: z1 + z2 = 1
  const auto solutions = enumeration.all_solutions({"segment", matrix(2, {1, 1, 1, 1}), vector({-1, -1})});
  ASSERT_EQ(solutions.size(), 2U);
  EXPECT_TRUE(solutions[0].isApprox(vector({1, 0})));
  EXPECT_TRUE(solutions[1].isApprox(vector({0, 1})));
}

TEST(Enumeration, FindsASolutionThatNoNonsingularBasisHas) {
  Enumeration enumeration;
  const Problem problem{"singular", matrix(2, {0, 1, 0, 0}), vector({-1, 0})};
  const auto solutions = enumeration.all_solutions(problem);
  ASSERT_EQ(solutions.size(), 1U);
  EXPECT_TRUE(solutions[0].isApprox(vector({0, 1})));
  Solution solution;
  enumeration.solve(problem, solution);
  EXPECT_EQ(solution.status, Status::solved);
}

TEST(Enumeration, FindsNothingWhereThereIsNothing) {
  Enumeration enumeration;
  const Problem negative{"negative", matrix(1, {-1}), vector({-1})};
  EXPECT_FALSE(enumeration.has_solution(negative));
  Solution solution;
  solution.z = vector({1e9});
  enumeration.solve(negative, solution);
  EXPECT_EQ(solution.status, Status::ray);
  EXPECT_EQ(solution.iterations, 2);
  EXPECT_FALSE(enumeration.has_solution({"flat", matrix(2, {1, -1, -1, 1}), vector({-1, -1})}));
}

TEST(Enumeration, HandlesEveryKindOfBound) {
  Enumeration enumeration;
  Problem problem{"bounds", DenseMatrix(DenseMatrix::Identity(5, 5)), vector({-3, -3, 3, 3, 3})};
  problem.lower = vector({0, 0, 0, -infinity, 1});
  problem.upper = vector({infinity, 2, 2, infinity, 1});
  const auto solutions = enumeration.all_solutions(problem);
  ASSERT_EQ(solutions.size(), 1U);
  EXPECT_TRUE(solutions[0].isApprox(vector({3, 2, 0, -3, 1})));
}

TEST(Enumeration, SetsRedundantFreeVariablesToZero) {
  // Two equal equalities x1 + x2 = 2 and one inequality: a line of solutions.
  Enumeration enumeration;
  Problem problem{"redundant", matrix(3, {1, 1, 0, 1, 1, 0, 0, 0, 1}), vector({-2, -2, -1})};
  problem.lower = vector({-infinity, -infinity, 0});
  problem.upper = Vector::Constant(3, infinity);
  const auto solutions = enumeration.all_solutions(problem);
  ASSERT_EQ(solutions.size(), 1U);
  EXPECT_DOUBLE_EQ(solutions[0][0] + solutions[0][1], 2.0);
  EXPECT_DOUBLE_EQ(solutions[0][0] * solutions[0][1], 0.0);
  problem.q[1] = -3;  // the equalities contradict each other
  EXPECT_FALSE(enumeration.has_solution(problem));
}

TEST(Enumeration, FindsOneSolutionOfEveryP) {
  Random random(11);
  Enumeration enumeration;
  for (int round = 0; round < 1000; ++round) {
    const Problem problem = test::random_p(random, random.integer(0, 7));
    EXPECT_EQ(enumeration.all_solutions(problem).size(), 1U) << round;
  }
}

TEST(Enumeration, SolvesEverySolvableSymmetricPositiveSemidefinite) {
  Random random(12);
  Enumeration enumeration;
  for (int round = 0; round < 1000; ++round) {
    const Problem problem = test::random_psd(random, random.integer(1, 7), true);
    const auto solutions = enumeration.all_solutions(problem);
    ASSERT_FALSE(solutions.empty()) << round;
    const Vector w = problem.M.dense() * solutions[0];
    for (const Vector& z : solutions) EXPECT_LE((problem.M.dense() * z - w).norm(), 1e-6 * (1.0 + w.norm())) << round;
  }
}

/// Problems made around a known solution, with ties (z_i = w_i = 0) and singular matrices.
TEST(Enumeration, SolvesWhatWasMadeSolvable) {
  Random random(13);
  Enumeration enumeration;
  for (int round = 0; round < 3000; ++round) {
    const Index n = random.integer(1, 5);
    Problem problem = test::random_any(random, n);
    if (round % 2 == 0) test::random_bounds(random, problem);
    Vector z(n), w(n);
    for (Index i = 0; i < n; ++i) {
      const double low = problem.lower_bound(i), high = problem.upper_bound(i);
      const double push = random.integer(0, 3) == 0 ? 0.0 : random.integer(1, 3);
      const int place = random.integer(0, 2);
      if (place == 0 && low > -infinity) {
        z[i] = low, w[i] = push;
      } else if (place == 1 && high < infinity) {
        z[i] = high, w[i] = -push;
      } else {
        z[i] = std::clamp(double(random.integer(-3, 3)), low, high), w[i] = 0.0;
      }
    }
    problem.q = w - problem.M.dense() * z;
    EXPECT_TRUE(enumeration.has_solution(problem)) << round;
  }
}

TEST(Enumeration, RefusesLargeProblems) {
  Enumeration enumeration;
  Random random(14);
  Solution solution;
  enumeration.solve(test::random_p(random, 13), solution);
  EXPECT_EQ(solution.status, Status::invalid);
}

TEST(Enumeration, SecondSolveAllocatesNothing) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  Random random(15);
  Enumeration enumeration;
  Solution solution;
  enumeration.solve(test::random_psd(random, 7, false), solution);
  for (int round = 0; round < 20; ++round) {
    const Problem problem = test::random_psd(random, 7, round % 2 == 0);
    const AllocationCounter counter;
    enumeration.solve(problem, solution);
    EXPECT_EQ(counter.count(), 0) << round;
  }
}

}  // namespace
}  // namespace stiction::lcp
