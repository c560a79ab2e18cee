#include "stiction/lcp/projected_gauss_seidel.h"

#include <gtest/gtest.h>

#include "stiction/base/test/allocation_counter.h"
#include "stiction/lcp/enumeration.h"
#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using test::matrix;
using test::vector;

Solution solve(const Problem& problem, const ProjectedGaussSeidel::Options& options = {}) {
  ProjectedGaussSeidel solver(options);
  Solution solution;
  solver.solve(problem, solution);
  return solution;
}

TEST(ProjectedGaussSeidel, TakesTheStepsOfAHandCalculation) {
  const Problem problem{"two", matrix(2, {2, 1, 1, 2}), vector({-4, 1})};
  const Solution one = solve(problem, {.max_sweeps = 1});
  EXPECT_TRUE(one.z.isApprox(vector({2, 0})));  // z1 = 4/2; w2 = 2 + 1 > 0
  EXPECT_EQ(one.status, Status::solved);        // which is the answer
  const Problem coupled{"coupled", matrix(2, {2, 1, 1, 2}), vector({-4, -5})};
  EXPECT_TRUE(solve(coupled, {.max_sweeps = 1}).z.isApprox(vector({2, 1.5})));
  EXPECT_TRUE(solve(coupled, {.max_sweeps = 2}).z.isApprox(vector({1.25, 1.875})));
  EXPECT_EQ(solve(coupled, {.max_sweeps = 2}).status, Status::iteration_limit);
  EXPECT_TRUE(solve(coupled, {.relaxation = 0.5, .max_sweeps = 1}).z.isApprox(vector({1, 1})));
  const Solution end = solve(coupled);
  EXPECT_EQ(end.status, Status::solved);
  EXPECT_TRUE(end.z.isApprox(vector({1, 2}), 1e-8));
}

TEST(ProjectedGaussSeidel, PutsRowsWithoutDiagonalOnTheBoundThatTheyArePushedTo) {
  Problem problem{"no diagonal", matrix(2, {0, 0, 0, 1}), vector({-1, -1})};
  problem.lower = vector({0, 0});
  problem.upper = vector({3, infinity});
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_TRUE(solution.z.isApprox(vector({3, 1})));
  problem.upper[0] = infinity;  // nowhere to go, and in fact no solution
  EXPECT_EQ(solve(problem).status, Status::iteration_limit);
}

TEST(ProjectedGaussSeidel, StopsWhenItDiverges) {
  const Solution solution = solve({"growing", matrix(2, {1, -2, -2, 1}), vector({-1, -1})});
  EXPECT_EQ(solution.status, Status::ray);
  EXPECT_LT(solution.iterations, 100);
}

TEST(ProjectedGaussSeidel, RefusesARelaxationThatCannotConverge) {
  EXPECT_EQ(solve({"one", matrix(1, {1}), vector({-1})}, {.relaxation = 2.0}).status, Status::invalid);
  EXPECT_EQ(solve({"one", matrix(1, {1}), vector({-1})}, {.relaxation = 0.0}).status, Status::invalid);
}

TEST(ProjectedGaussSeidel, StartsWarm) {
  Random random(31);
  const DenseMatrix B = test::random_matrix(random, 12, 12);
  Problem problem{"spd", DenseMatrix(B * B.transpose() + DenseMatrix::Identity(12, 12)),
                  test::random_vector(random, 12)};
  ProjectedGaussSeidel solver;
  Solution solution;
  solver.solve(problem, solution);
  ASSERT_EQ(solution.status, Status::solved);
  const int cold = solution.iterations;
  problem.q[3] += 1e-6;
  solver.solve(problem, solution);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_LT(solution.iterations, cold);
}

TEST(ProjectedGaussSeidel, SolvesSymmetricPositiveDefiniteWithAnyBounds) {
  Random random(32);
  Enumeration enumeration;
  for (int round = 0; round < 1000; ++round) {
    const Index n = random.integer(1, 7);
    const DenseMatrix B = test::random_matrix(random, n, n);
    Problem problem{"spd", DenseMatrix(B * B.transpose() + DenseMatrix::Identity(n, n)),
                    test::random_vector(random, n)};
    if (round % 2 == 0) test::random_bounds(random, problem);
    const Solution solution = solve(problem, {.relaxation = random.uniform(0.5, 1.6)});
    ASSERT_EQ(solution.status, Status::solved) << round;
    const auto solutions = enumeration.all_solutions(problem);
    ASSERT_EQ(solutions.size(), 1U);
    EXPECT_LE((solution.z - solutions[0]).norm(), 1e-5 * (1.0 + solutions[0].norm())) << round;
  }
}

TEST(ProjectedGaussSeidel, ReachesTheUniqueWOfSingularProblems) {
  Random random(33);
  Enumeration enumeration;
  int solved = 0;
  for (int round = 0; round < 1000; ++round) {
    const Problem problem = test::random_psd(random, random.integer(1, 6), true);
    const Solution solution = solve(problem);
    if (solution.status != Status::solved) continue;
    ++solved;
    const auto solutions = enumeration.all_solutions(problem);
    ASSERT_FALSE(solutions.empty());
    const Vector w = problem.M.dense() * solutions[0];
    EXPECT_LE((problem.M.dense() * solution.z - w).norm(), 1e-4 * (1.0 + w.norm())) << round;
  }
  EXPECT_GT(solved, 950);  // the rest are nearly singular: the sweeps end before the convergence
}

TEST(ProjectedGaussSeidel, ClaimsNothingThatEnumerationDoesNotFind) {
  Random random(34);
  Enumeration enumeration;
  for (int round = 0; round < 2000; ++round) {
    const Index n = random.integer(1, 6);
    const Problem problem = round % 3 == 0   ? test::random_any(random, n)
                            : round % 3 == 1 ? test::random_copositive(random, n)
                                             : test::random_psd(random, n, false);
    const Solution solution = solve(problem, {.max_sweeps = 500});
    EXPECT_FALSE(solution.status == Status::solved && !enumeration.has_solution(problem)) << round;
  }
}

TEST(ProjectedGaussSeidel, GivesTheSameBitsForSparseAndDense) {
  Random random(35);
  const Index n = 200;
  DenseMatrix M = DenseMatrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    M(i, i) = 2.5;
    if (i > 0) M(i, i - 1) = M(i - 1, i) = -1.0;
  }
  const Vector q = test::random_vector(random, n);
  const Solution dense = solve({"dense", M, q});
  const Solution sparse = solve({"sparse", SparseMatrix(M.sparseView()), q});
  EXPECT_EQ(dense.status, Status::solved);
  EXPECT_EQ(dense.z, sparse.z);
}

TEST(ProjectedGaussSeidel, SecondSolveAllocatesNothing) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  Random random(36);
  ProjectedGaussSeidel solver;
  Solution solution;
  solver.solve(test::random_p(random, 40), solution);
  for (int round = 0; round < 5; ++round) {
    const Problem problem = test::random_p(random, 40);
    const AllocationCounter counter;
    solver.solve(problem, solution);
    EXPECT_EQ(counter.count(), 0) << round;
  }
}

}  // namespace
}  // namespace stiction::lcp
