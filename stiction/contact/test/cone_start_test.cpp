#include "stiction/contact/cone_start.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/contact/certificate.h"
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

/// As an answer of the true cone, for the certificate.
void make_round(const StepProblem& problem, StepSolution& solution) {
  solution.facets.assign(static_cast<std::size_t>(problem.size()), {});
  for (int j = 0; j < problem.size(); ++j) {
    const StepProblem::Contact& contact = problem.contacts[j];
    solution.facets[j].round = true;
    const double slip1 = problem.speed(problem.t1, j, solution.v) + problem.b_t1[j];
    const double slip2 = contact.ratio() * (problem.speed(problem.t2, j, solution.v) + problem.b_t2[j]);
    solution.lambda.push_back(std::hypot(slip1, slip2));
  }
}

// Torsional, rolling and dry friction and drives with bounds: the cone problem's answer is one of the step's laws, by
// the step's certificate, which knows nothing of normal rows that copy radii. Elliptic too.
TEST(ConeStart, HasBlocksThatAnotherContactBears) {
  int found_islands = 0, rubbing = 0, at_bounds = 0;
  for (const double alpha : {1.0, 0.5}) {
    Random random(23);
    for (int trial = 0; trial < 10; ++trial) {
      StepProblem problem = random_step_problem(random, 3, 6, 4, alpha);
      add_blocks(random, problem);
      for (StepProblem::Contact& contact : problem.contacts)
        if (contact.tangents == 2 && random.uniform() < 0.3) contact.mu2 = random.uniform(0.5, 1.5) * contact.mu;
      Islands islands;
      islands.split(problem);
      StepSolution found = zero_solution(problem);
      bool all = true;
      for (int island = 0; island < islands.size(); ++island) {
        if (islands.contacts(island).empty()) continue;
        ConeStart start;
        const bool is_found = start.find(problem, islands, island, found);
        found_islands += is_found;
        all = all && is_found;
      }
      if (!all || islands.size() > 1) continue;
      make_round(problem, found);
      const StepCertificate certificate = certify(problem, found);
      EXPECT_LE(certificate.residual, 1e-6) << trial;
      EXPECT_LE(certificate.cone_violation, 1e-6) << trial;
      EXPECT_LE(certificate.equality_residual, 1e-6) << trial;
      EXPECT_LE(certificate.momentum_defect, 1e-8) << trial;
      EXPECT_LE(certificate.energy_defect, 1e-6) << trial;
      for (int j = 0; j < problem.size(); ++j)
        rubbing += !problem.has_normal(j) && found.lambda[j] > 1e-3 && found.c_t1[j] != 0.0;
      for (int i = 0; i < problem.joints(); i += 2)
        at_bounds +=
            found.c_nu[i] < problem.row_laws[i].lower + 1e-9 || found.c_nu[i] > problem.row_laws[i].upper - 1e-9;
    }
  }
  EXPECT_GE(found_islands, 18);  // friction may leave a problem without an answer near its start
  EXPECT_GE(rubbing, 20);
  EXPECT_GE(at_bounds, 5);
}

TEST(ConeStart, IslandsThatHaveNoConeFormAreLeftAlone) {
  Random random(5);
  StepProblem problem = random_step_problem(random, 1, 4, 1);
  problem.row_laws = {{0.0, lcp::infinity, 0.0}};  // one bound
  Islands islands;
  islands.split(problem);
  ConeStart start;
  StepSolution found = zero_solution(problem);
  EXPECT_FALSE(start.find(problem, islands, 0, found));
  EXPECT_EQ(start.condense(problem, islands, 0).contacts(), 0);
  EXPECT_EQ(found.v, problem.v);
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

// Without their place in the cone problem these walked Lemke's path.
TEST(ConeStart, ManyContactsWithBlocksHardlyNeedAPivot) {
  Random random(5);
  int pivoted = 0;
  for (int trial = 0; trial < 10; ++trial) {
    StepProblem problem = random_step_problem(random, 8, 20, 4);
    add_blocks(random, problem);
    PolyhedralSolver solver({});
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate)) << trial;
    EXPECT_TRUE(certificate.certified()) << trial;
    EXPECT_LT(certificate.misalignment, 1e-6) << trial;
    pivoted += solver.counts().pivots > 0;
  }
  EXPECT_LE(pivoted, 1);
}

}  // namespace
}  // namespace stiction
