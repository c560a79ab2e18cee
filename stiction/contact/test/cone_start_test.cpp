#include "stiction/contact/cone_start.h"

#include <gtest/gtest.h>

#include "stiction/contact/polyhedral_solver.h"
#include "stiction/contact/test/random_step_problem.h"

namespace stiction {
namespace {

StepSolution zero_solution(const StepProblem& problem) {
  StepSolution solution;
  solution.v = problem.v;
  solution.c_nu.assign(static_cast<std::size_t>(problem.joints()), 0.0);
  for (auto* list : {&solution.c_n, &solution.c_t1, &solution.c_t2})
    list->assign(static_cast<std::size_t>(problem.size()), 0.0);
  return solution;
}

TEST(ConeStart, FindsTheAnswerOfTheStep) {
  for (const double alpha : {1.0, 0.5}) {
    Random random(21);
    for (int i = 0; i < 6; ++i) {
      StepProblem problem = random_step_problem(random, 3, 7, i % 3, alpha);
      if (i == 4) {  // the same joint twice
        problem.nu.append(problem.nu, 0);
        problem.b_nu.push_back(problem.b_nu[0]);
      }
      Islands islands;
      islands.split(problem);
      for (int island = 0; island < islands.size(); ++island) {
        if (islands.contacts(island).empty()) continue;
        ConeStart start;
        StepSolution found = zero_solution(problem);
        ASSERT_TRUE(start.find(problem, islands, island, found)) << i;
        // Momentum and joints, from the problem alone.
        Vector momentum = problem.M * (found.v - problem.v) - problem.k;
        for (int j = 0; j < problem.joints(); ++j) problem.nu.add_to(j, -found.c_nu[j], momentum);
        for (int j = 0; j < problem.size(); ++j) {
          problem.n.add_to(j, -found.c_n[j], momentum);
          problem.t1.add_to(j, -found.c_t1[j], momentum);
          problem.t2.add_to(j, -found.c_t2[j], momentum);
        }
        for (const int v : islands.velocities(island)) EXPECT_NEAR(momentum[v], 0.0, 1e-8);
        for (const int j : islands.joints(island)) EXPECT_NEAR(problem.speed(problem.nu, j, found.v), 0.0, 1e-7);
        for (const int j : islands.contacts(island)) {
          const double w = problem.speed(problem.n, j, found.v) + problem.b_n[j];
          EXPECT_GE(w, -1e-6);
          EXPECT_GE(found.c_n[j], -1e-12);
          EXPECT_NEAR(w * found.c_n[j], 0.0, 1e-6);
        }
      }
    }
  }
}

TEST(ConeStart, IslandsThatHaveNoConeFormAreLeftAlone) {
  Random random(5);
  StepProblem problem = random_step_problem(random, 2, 4, 0);
  problem.contacts[1].hf = 0.1;
  Islands islands;
  islands.split(problem);
  ConeStart start;
  StepSolution found = zero_solution(problem);
  int refused = 0;
  for (int island = 0; island < islands.size(); ++island)
    refused += !islands.contacts(island).empty() && !start.find(problem, islands, island, found);
  EXPECT_GE(refused, 1);
}

TEST(ConeStart, ManyContactsNeedNoPivot) {
  Random random(5);
  const StepProblem problem = random_step_problem(random, 14, 40, 3);
  PolyhedralSolver solver({});
  StepSolution solution;
  StepCertificate certificate;
  ASSERT_TRUE(solver.solve(problem, solution, certificate));
  EXPECT_TRUE(certificate.certified());
  EXPECT_LT(certificate.misalignment, 1e-6);
  EXPECT_EQ(solver.counts().pivots, 0);
}

}  // namespace
}  // namespace stiction
