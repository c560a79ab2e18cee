#include "stiction/contact/island_problem.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/contact/certificate.h"
#include "stiction/contact/polyhedral_solver.h"
#include "stiction/contact/test/random_step_problem.h"

namespace stiction {
namespace {

// The islands have everything between them, and certify alone as the whole does.
TEST(IslandProblem, IslandsCertifyAlone) {
  Random random(43);
  int several = 0;
  for (int trial = 0; trial < 60; ++trial) {
    StepProblem problem = random_step_problem(random, 12, 7, 5, trial % 2 == 0 ? 1.0 : 0.5);
    add_blocks(random, problem);
    PolyhedralSolver solver({.round = trial % 3 != 0});
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate)) << trial;
    ASSERT_TRUE(certificate.certified()) << trial;
    Islands islands;
    islands.split(problem);
    several += islands.size() > 2;
    int velocities = 0, joints = 0, contacts = 0;
    double misalignment = 0.0;
    IslandProblem part;
    for (int island = 0; island < islands.size(); ++island) {
      ASSERT_TRUE(part.copy(problem, islands, island, solution));
      velocities += part.problem().velocities();
      joints += part.problem().joints();
      contacts += part.problem().size();
      const StepCertificate alone = certify(part.problem(), part.solution());
      EXPECT_TRUE(alone.certified()) << trial << ", " << island;
      misalignment = std::max(misalignment, alone.misalignment);
    }
    EXPECT_EQ(velocities, problem.velocities());
    EXPECT_EQ(joints, problem.joints());
    EXPECT_EQ(contacts, problem.size());
    EXPECT_NEAR(misalignment, certificate.misalignment, 1e-6) << trial;
  }
  EXPECT_GE(several, 30);
}

// What is wrong in one island is seen there, whichever number it is, and nowhere else.
TEST(IslandProblem, AnErrorIsSeenInItsIslandAlone) {
  Random random(47);
  int seen = 0;
  for (int trial = 0; trial < 40; ++trial) {
    StepProblem problem = random_step_problem(random, 12, 7, 5);
    add_blocks(random, problem);
    PolyhedralSolver solver({});
    StepSolution solution;
    StepCertificate certificate;
    ASSERT_TRUE(solver.solve(problem, solution, certificate)) << trial;
    Islands islands;
    islands.split(problem);
    const int wrong = random.integer(0, islands.size() - 1);
    if (islands.contacts(wrong).empty() || islands.joints(wrong).empty()) continue;
    ++seen;
    for (int what = 0; what < 5; ++what) {
      StepSolution spoilt = solution;
      const int j = islands.contacts(wrong).back();
      if (what == 0) spoilt.v[islands.velocities(wrong).back()] += 0.1;
      if (what == 1) spoilt.c_nu[islands.joints(wrong).back()] += 0.1;
      if (what == 2) spoilt.c_n[j] += 0.1;
      if (what == 3) spoilt.c_t1[j] += 0.1;
      if (what == 4) spoilt.lambda[j] += 0.1;
      IslandProblem part;
      for (int island = 0; island < islands.size(); ++island) {
        ASSERT_TRUE(part.copy(problem, islands, island, spoilt));
        EXPECT_EQ(certify(part.problem(), part.solution()).certified(), island != wrong) << trial << ", " << what;
      }
    }
  }
  EXPECT_GE(seen, 5);
}

}  // namespace
}  // namespace stiction
