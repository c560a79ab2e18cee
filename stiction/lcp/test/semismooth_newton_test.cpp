#include "stiction/lcp/semismooth_newton.h"

#include <gtest/gtest.h>

#include "stiction/base/test/allocation_counter.h"
#include "stiction/lcp/enumeration.h"
#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using Function = SemismoothNewton::Function;
using test::matrix;
using test::vector;

class SemismoothNewtonTest : public testing::TestWithParam<Function> {
 protected:
  Solution solve(const Problem& problem) {
    Solution solution;
    solver_.solve(problem, solution);
    return solution;
  }
  SemismoothNewton solver_{{.function = GetParam()}};
  Enumeration enumeration_;
};
INSTANTIATE_TEST_SUITE_P(Functions, SemismoothNewtonTest, testing::Values(Function::fischer_burmeister, Function::min),
                         [](const auto& parameter) {
                           return parameter.param == Function::min ? "Min" : "FischerBurmeister";
                         });

TEST_P(SemismoothNewtonTest, SolvesAHandCalculation) {
  const Solution solution = solve({"two", matrix(2, {2, 1, 1, 2}), vector({-4, -5})});
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_TRUE(solution.z.isApprox(vector({1, 2}), 1e-12));
  EXPECT_EQ(solution.basis, (std::vector<Place>{Place::basic, Place::basic}));
}

TEST_P(SemismoothNewtonTest, SolvesEveryKindOfBound) {
  Problem problem{"bounds", DenseMatrix(DenseMatrix::Identity(5, 5)), vector({-3, -3, 3, 3, 3})};
  problem.lower = vector({0, 0, 0, -infinity, 1});
  problem.upper = vector({infinity, 2, 2, infinity, 1});
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_TRUE(solution.z.isApprox(vector({3, 2, 0, -3, 1})));
}

TEST_P(SemismoothNewtonTest, StartsWarm) {
  Random random(41);
  const Problem problem = test::random_p(random, 20);
  Solution solution;
  solver_.solve(problem, solution);
  ASSERT_EQ(solution.status, Status::solved);
  EXPECT_GT(solution.iterations, 1);
  solver_.solve(problem, solution);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_LE(solution.iterations, 1);
}

TEST_P(SemismoothNewtonTest, SolvesEveryP) {
  Random random(42);
  for (int round = 0; round < 2000; ++round) {
    Problem problem = test::random_p(random, random.integer(1, 7));
    if (round % 3 == 0) test::random_bounds(random, problem);
    const Solution solution = solve(problem);
    ASSERT_EQ(solution.status, Status::solved) << round;
    const auto solutions = enumeration_.all_solutions(problem);
    ASSERT_EQ(solutions.size(), 1U);
    EXPECT_LE((solution.z - solutions[0]).norm(), 1e-6 * (1.0 + solutions[0].norm())) << round;
  }
}

TEST_P(SemismoothNewtonTest, ReachesTheUniqueWOfSingularProblems) {
  Random random(43);
  int missed = 0;
  for (int round = 0; round < 2000; ++round) {
    const Problem problem = test::random_psd(random, random.integer(1, 7), true);
    const Solution solution = solve(problem);
    if (solution.status != Status::solved) {
      ++missed;
      continue;
    }
    const auto solutions = enumeration_.all_solutions(problem);
    ASSERT_FALSE(solutions.empty());
    const Vector w = problem.M.dense() * solutions[0];
    EXPECT_LE((problem.M.dense() * solution.z - w).norm(), 1e-5 * (1.0 + w.norm())) << round;
  }
  EXPECT_EQ(missed, 0);
}

TEST_P(SemismoothNewtonTest, ClaimsNothingThatEnumerationDoesNotFind) {
  Random random(44);
  int solvable = 0, solved = 0;
  for (int round = 0; round < 1500; ++round) {
    const Index n = random.integer(1, 6);
    const Problem problem = round % 3 == 0   ? test::random_any(random, n)
                            : round % 3 == 1 ? test::random_copositive(random, n)
                                             : test::random_psd(random, n, false);
    const Solution solution = solve(problem);
    const bool exists = enumeration_.has_solution(problem);
    EXPECT_FALSE(solution.status == Status::solved && !exists) << round;
    solvable += exists;
    solved += solution.status == Status::solved;
  }
  EXPECT_GE(solved, solvable * 9 / 10);  // no promise here, but worth something
}

TEST_P(SemismoothNewtonTest, SolvesLargerProblems) {
  Random random(45);
  for (const Index n : {50, 100, 200}) {
    EXPECT_EQ(solve(test::random_p(random, n)).status, Status::solved) << n;
    EXPECT_EQ(solve(test::random_psd(random, n, true)).status, Status::solved) << n;
  }
}

TEST_P(SemismoothNewtonTest, SolvesALargeSparseObstacleProblem) {
  // A membrane over an obstacle: the five-point Laplacian on a 40 by 40 grid, pressed down in the middle.
  const Index side = 40, n = side * side;
  std::vector<Eigen::Triplet<double>> entries;
  Vector q(n);
  for (Index i = 0; i < n; ++i) {
    const Index x = i % side, y = i / side;
    entries.emplace_back(i, i, 4.0);
    if (x > 0) entries.emplace_back(i, i - 1, -1.0);
    if (x + 1 < side) entries.emplace_back(i, i + 1, -1.0);
    if (y > 0) entries.emplace_back(i, i - side, -1.0);
    if (y + 1 < side) entries.emplace_back(i, i + side, -1.0);
    const double dx = double(x) / double(side) - 0.3, dy = double(y) / double(side) - 0.6;
    q[i] = dx * dx + dy * dy - 0.05;
  }
  SparseMatrix M(n, n);
  M.setFromTriplets(entries.begin(), entries.end());
  const Solution solution = solve({"membrane", M, q});
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_LE(solution.iterations, 30);
  EXPECT_GT(solution.z.maxCoeff(), 0.1);
}

TEST_P(SemismoothNewtonTest, SecondSolveAllocatesNothing) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  Random random(46);
  Solution solution;
  const Problem psd = test::random_psd(random, 30, true), p = test::random_p(random, 30);
  for (int warm = 0; warm < 2; ++warm) {
    solution.z.setZero(30);
    solver_.solve(psd, solution);
    solution.z.setZero(30);
    solver_.solve(p, solution);
  }
  for (int round = 0; round < 4; ++round) {
    solution.z.setZero(30);
    const AllocationCounter counter;
    solver_.solve(round % 2 == 0 ? psd : p, solution);
    EXPECT_EQ(counter.count(), 0) << round;
    EXPECT_EQ(solution.status, Status::solved);
  }
}

}  // namespace
}  // namespace stiction::lcp
