#include "stiction/cone/body_solver.h"

#include <gtest/gtest.h>

#include "stiction/base/test/allocation_counter.h"
#include "stiction/cone/certificate.h"
#include "stiction/cone/test/random_body_problem.h"
#include "stiction/cone/test/slow_slider.h"

namespace stiction::cone {
namespace {

std::vector<double> zeros(const BodyProblem& problem) {
  return std::vector<double>(static_cast<std::size_t>(problem.rows()), 0.0);
}

BodyFamily family_of(int turn) {
  return {.width = turn % 2 == 0 ? 6 : 3,
          .nodes = 4 + turn % 7,
          .contacts = 6 + turn % 9,
          .joints = turn % 3,
          .bounded = turn % 4,
          .several = turn % 3 != 0,
          .redundant = turn % 5 == 0,
          .coupled = turn % 4 == 1};
}

TEST(BodySolver, SolvesRandomProblemsFinely) {
  Random random(71);
  BodySolver solver;
  constexpr int turns = 200;
  for (int turn = 0; turn < turns; ++turn) {
    const BodyProblem problem = random_body_problem(random, family_of(turn));
    std::vector<double> r = zeros(problem);
    EXPECT_TRUE(solver.solve(problem, 1e-8, false, BodyStage::none, r)) << turn;
    const DenseBodies dense(problem);
    EXPECT_LE(dense.error(problem, r), 1e-8) << turn;
    EXPECT_LE((DenseBodies::as_vector(solver.state().w) - dense.velocities(r)).norm(), 1e-9) << turn;
    EXPECT_EQ(r, solver.state().r);
  }
  const BodySolver::Counts& counts = solver.counts();
  EXPECT_EQ(counts.islands, turns);
  EXPECT_EQ(counts.started + counts.sweeps + counts.newtons + counts.interiors + counts.proximals + counts.unsolved,
            turns);
  EXPECT_EQ(counts.unsolved, 0);
}

TEST(BodySolver, PlainContactsAreCertifiedOnTheirRows) {
  Random random(72);
  BodySolver solver;
  for (int turn = 0; turn < 60; ++turn) {
    const BodyProblem problem = random_body_problem(random, {.width = turn % 2 == 0 ? 6 : 3,
                                                             .nodes = 8,
                                                             .contacts = 16,
                                                             .joints = 0,
                                                             .bounded = 0,
                                                             .coupled = turn % 3 == 0});
    std::vector<double> r = zeros(problem);
    EXPECT_TRUE(solver.solve(problem, 1e-8, false, BodyStage::none, r)) << turn;
    EXPECT_TRUE(certify(condensed(problem), DenseBodies::as_vector(r)).certified(1e-8)) << turn;
  }
}

// The same problem in a billionth of a billionth of the speed, from the impulses of the first: of what came to rest.
TEST(BodySolver, ImpulsesOfAnotherTimeAreNoStart) {
  constexpr double rest = 1e-18;
  Random random(74);
  BodySolver solver;
  for (int turn = 0; turn < 40; ++turn) {
    BodyProblem problem = random_body_problem(random, family_of(turn));
    std::vector<double> r = zeros(problem);
    ASSERT_TRUE(solver.solve(problem, 1e-8, false, BodyStage::none, r)) << turn;
    for (std::vector<double>* list : {&problem.v, &problem.k, &problem.b, &problem.least, &problem.most})
      for (double& value : *list) value *= rest;
    for (BodyProblem::Unit& unit : problem.units) unit.speed *= rest;
    for (BodyProblem::Group& group : problem.groups) group.hf *= rest;
    EXPECT_TRUE(solver.solve(problem, 1e-8, false, BodyStage::none, r)) << turn;
    EXPECT_LE(solver.state().error, 1e-8) << turn;
  }
}

TEST(BodySolver, AnAnswerIsAcceptedAndOneThatIsOffIsNot) {
  Random random(73);
  int exact = 0;
  for (int turn = 0; turn < 30; ++turn) {
    BodyFamily family = family_of(turn);
    family.contacts = 6;
    const BodyProblem problem = random_body_problem(random, family);
    BodySolver solver;
    std::vector<double> r = zeros(problem);
    ASSERT_TRUE(solver.solve(problem, 1e-8, true, BodyStage::none, r));
    ASSERT_NE(solver.stage(), BodyStage::start);
    if (solver.state().error > 1e-14) continue;
    ++exact;
    const std::vector<double> answer = r;
    ASSERT_TRUE(solver.solve(problem, 1e-8, false, BodyStage::none, r)) << turn;
    EXPECT_EQ(solver.stage(), BodyStage::start) << turn << " " << solver.state().error;
    EXPECT_EQ(r, answer);
    for (double& x : r) x *= 1.0 + 1e-9;
    EXPECT_TRUE(solver.solve(problem, 1e-8, false, BodyStage::none, r)) << turn;
    EXPECT_NE(solver.stage(), BodyStage::start) << turn;
    EXPECT_LE((DenseBodies::as_vector(r) - DenseBodies::as_vector(answer)).norm(),
              1e-8 + 2e-9 * DenseBodies::as_vector(answer).norm());
  }
  EXPECT_GE(exact, 20);
}

TEST(BodySolver, SameBitsInEveryRun) {
  for (int turn = 0; turn < 20; ++turn) {
    Random random(static_cast<std::uint64_t>(740 + turn));
    const BodyProblem problem = random_body_problem(random, family_of(turn));
    const BodyProblem other = random_body_problem(random, family_of(turn + 1));
    BodySolver fresh, used;
    std::vector<double> first = zeros(problem), second = first, between = zeros(other);
    fresh.solve(problem, 1e-8, false, BodyStage::none, first);
    used.solve(other, 1e-8, false, BodyStage::none, between);
    used.solve(problem, 1e-8, false, BodyStage::none, second);
    EXPECT_EQ(first, second) << turn;
    EXPECT_EQ(fresh.state().w, used.state().w) << turn;
    EXPECT_EQ(fresh.stage(), used.stage()) << turn;
  }
}

TEST(BodySolver, ASecondSolveTakesNothingFromTheHeap) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "this build has another malloc";
  Random random(75);
  for (int turn = 0; turn < 20; ++turn) {
    const BodyProblem problem = random_body_problem(random, family_of(turn));
    BodySolver solver;
    std::vector<double> r = zeros(problem);
    solver.solve(problem, 1e-8, false, BodyStage::none, r);
    std::fill(r.begin(), r.end(), 0.0);
    const AllocationCounter counter;
    solver.solve(problem, 1e-8, false, BodyStage::none, r);
    EXPECT_EQ(counter.count(), 0) << turn;
  }
}

// Two rows that say the same but for 5e-12 of their speed.
TEST(BodySolver, WhatNothingMadeBetterIsNotTriedAgain) {
  Random random(76);
  BodyProblem problem =
      random_body_problem(random, {.nodes = 6, .contacts = 0, .joints = 3, .bounded = 0, .redundant = true});
  problem.b[problem.b.size() - 1] += 5e-12;
  BodySolver solver;
  BodyMemory memory;
  std::vector<double> r = zeros(problem);
  ASSERT_TRUE(solver.solve(problem, 1e-8, false, BodyStage::none, r, &memory));
  EXPECT_EQ(memory.idle, 0.0);
  ASSERT_GT(solver.state().error, 1e-12);
  ASSERT_TRUE(solver.solve(problem, 1e-8, false, BodyStage::none, r, &memory));
  EXPECT_NE(solver.stage(), BodyStage::start);
  EXPECT_GT(memory.idle, 1e-12);
  const std::vector<double> answer = r;
  ASSERT_TRUE(solver.solve(problem, 1e-8, false, BodyStage::none, r, &memory));
  EXPECT_EQ(solver.stage(), BodyStage::start);
  EXPECT_EQ(r, answer);
  // Not beyond what is enough.
  problem.b[problem.b.size() - 1] += 1e-9;
  solver.solve(problem, 1e-8, false, BodyStage::none, r, &memory);
  EXPECT_NE(solver.stage(), BodyStage::start);
}

TEST(BodySolver, OneOfTwoPointsMustSlideSlowly) {
  for (const double force : {0.0, 0.05, -0.02}) {
    const BodyProblem problem = slow_slider(force);
    BodySolver solver;
    std::vector<double> r = zeros(problem);
    EXPECT_TRUE(solver.solve(problem, 1e-8, false, BodyStage::none, r)) << force;
    EXPECT_LE(DenseBodies(problem).error(problem, r), 1e-10) << force;
  }
}

TEST(BodySolver, WithoutUnitsBodiesMoveFreely) {
  BodyProblem problem = make_bodies(6, 2);
  problem.v[3] = 1.0;
  problem.k[7] = 2.0;
  BodySolver solver;
  std::vector<double> r;
  EXPECT_TRUE(solver.solve(problem, 1e-8, false, BodyStage::none, r));
  EXPECT_EQ(solver.state().w[3], 1.0);
  EXPECT_EQ(solver.state().w[7], 2.0);
  EXPECT_EQ(solver.counts().islands, 0);
}

TEST(BodySolver, WhatHasNoAnswerIsNotSolved) {
  // Two joint rows that contradict each other.
  BodyProblem problem = make_bodies(3, 1);
  const DenseMatrix J = DenseMatrix::Identity(1, 3);
  add_unit(problem, BodyProblem::Kind::joint, {0}, {J}, Vector::Constant(1, 0.0));
  add_unit(problem, BodyProblem::Kind::joint, {0}, {J}, Vector::Constant(1, 1.0));
  BodySolver solver;
  std::vector<double> r = zeros(problem);
  EXPECT_FALSE(solver.solve(problem, 1e-8, false, BodyStage::none, r));
  EXPECT_EQ(solver.stage(), BodyStage::none);
  EXPECT_EQ(solver.counts().unsolved, 1);
  // And a mass that is none.
  problem.M[0] = 0.0;
  EXPECT_FALSE(solver.solve(problem, 1e-8, false, BodyStage::none, r));
}

}  // namespace
}  // namespace stiction::cone
